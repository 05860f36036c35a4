import type { ElementShape, EndText, SequenceEnds } from '../json/element-shape.ts'
import { type Element, endTexts } from '../json/elements.ts'
import type { FieldList } from '../json/fields.ts'
import { type Earlier, endsOf, type Placed } from '../text/borders.ts'
import type { FieldView } from '../text/field-view.ts'

/** All elements of an array, to be known together. */
export interface Begun {
  readonly key: string
  readonly shape: ElementShape
}

type Views = readonly (FieldView | undefined)[]

/** Texts with borders of their own, after which a value is unlikely to go on. */
const MOST_ENDS = 4
const NO_ENDS: SequenceEnds = { count: 0, all: [], user: [], tool: [] }

/** Texts in sequence of elements without views. */
export function earlierOf({ earlier }: FieldList, views: Views): Earlier | undefined {
  if (earlier === undefined) return undefined
  const { ends, from } = earlier
  const placed = (texts: readonly EndText[]): Placed[] =>
    texts.map(({ at, place }) => ({ text: views[from + at] as FieldView, place }))
  return { count: ends.count, all: placed(ends.all), user: placed(ends.user), tool: placed(ends.tool) }
}

/** The arrays of a request whose elements all have a shape, and hide nothing. */
export function begunOf(
  arrays: readonly { readonly member: string; readonly key: string }[],
  elements: readonly Element[],
  list: FieldList,
  views: Views,
): Begun[] {
  const found: Begun[] = []
  for (const { member, key } of arrays) {
    const own = elements.filter((element) => element.member === member)
    const shape = shapeOf(own, list, views)
    if (shape !== undefined) found.push({ key, shape })
  }
  return found
}

function shapeOf(elements: readonly Element[], list: FieldList, views: Views): ElementShape | undefined {
  const [first] = elements
  if (first === undefined) return undefined
  let to = first.from
  const uninspected = new Map<string, number>()
  for (const { from, shape, isSkipped, to: end } of elements) {
    if (shape === undefined || from !== to) return undefined
    if (!isSkipped && views.slice(from, end).some((view) => view?.hides !== false)) return undefined
    for (const [kind, count] of shape.uninspected) uninspected.set(kind, (uninspected.get(kind) ?? 0) + count)
    to = end
  }
  const ends = sequenceEnds(first.from, to, list, views)
  return ends && { fields: to - first.from, sequence: [], uninspected: [...uninspected], ends }
}

function sequenceEnds(from: number, to: number, list: FieldList, views: Views): SequenceEnds | undefined {
  const { sequence } = list
  const own = sequence.filter((index) => index >= from && index < to)
  const earlier = list.earlier?.from === from ? earlierOf(list, views) : undefined
  if (own.length === 0 && earlier === undefined) return NO_ENDS
  // Borders with texts of other members are not known with it.
  if (own.length < sequence.length || (list.earlier !== undefined && earlier === undefined)) return undefined
  const { count, all, user, tool } = endsOf(
    own.map((index) => views[index] as FieldView),
    earlier,
  )
  const texts = (placed: readonly Placed[]) =>
    placed.length > MOST_ENDS
      ? undefined
      : endTexts(
          list,
          from,
          placed.map(({ text, place }) => ({ field: text.id, place })),
        )
  const [ofAll, ofUser, ofTool] = [texts(all), texts(user), texts(tool)]
  if (ofAll === undefined || ofUser === undefined || ofTool === undefined) return undefined
  return { count, all: ofAll, user: ofUser, tool: ofTool }
}
