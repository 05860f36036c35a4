import type { ElementShape, EndText, OpenElement, SequenceEnds } from '../json/element-shape.ts'
import { type Element, endTexts } from '../json/elements.ts'
import type { FieldList } from '../json/fields.ts'
import { type Earlier, endsOf, headsOf, type Placed } from '../text/borders.ts'
import type { FieldView } from '../text/field-view.ts'

/** All elements of an array, to be known together. */
export interface Begun {
  readonly key: string
  /** Those to be read by themselves, by their index. */
  readonly open: ReadonlySet<number>
  /** Undefined if they cannot be known together. */
  shapeOf(open: ReadonlySet<number>): ElementShape | undefined
}

type Views = readonly (FieldView | undefined)[]

/** Texts with borders of their own, after which a value is unlikely to continue. */
const MOST_ENDS = 4
/** Elements that are read by themselves. */
const MOST_OPEN = 256
const NO_ENDS: SequenceEnds = { count: 0, all: [], user: [], tool: [] }

/** Texts in sequence of elements without views. */
export function earlierOf({ earlier }: FieldList, views: Views): Earlier | undefined {
  if (earlier === undefined) return undefined
  const { ends, from } = earlier
  const placed = (texts: readonly EndText[]): Placed[] =>
    texts.map(({ at, place }) => ({ text: views[from + at] as FieldView, place }))
  const heads = ends.heads && placed(ends.heads).map(({ text }) => text)
  return { count: ends.count, all: placed(ends.all), user: placed(ends.user), tool: placed(ends.tool), heads }
}

/**
 * The arrays of a request that are known together from now on.
 *
 * @param found the elements in which the plugin found something
 */
export function begunOf(
  arrays: readonly { readonly member: string; readonly key: string; readonly count: number }[],
  elements: readonly Element[],
  found: ReadonlySet<Element>,
  list: FieldList,
  views: Views,
): Begun[] {
  return arrays.map(({ member, key, count }) => {
    const own = elements.filter((element) => element.member === member && element.index < count)
    const open = openOf(own, found, views)
    return { key, open, shapeOf: (all) => shapeOf(own, all, list, views) }
  })
}

/** Those in which something was found, that hide something, or that are not known as one. */
function openOf(elements: readonly Element[], found: ReadonlySet<Element>, views: Views): ReadonlySet<number> {
  const open = new Set<number>()
  const known = elements.findLast(({ isBegun }) => isBegun)
  const begun = known === undefined ? 0 : known.index + known.count
  for (const element of elements) {
    const { index, from, to, shape, isBegun, isSkipped } = element
    if (isBegun) continue
    const isOne = from === to || isSkipped || views[from]?.passage?.element === element
    const hides = !isSkipped && views.slice(from, to).some((view) => view?.hides !== false)
    if (index < begun || shape === undefined || !isOne || hides || found.has(element)) open.add(index)
  }
  return open
}

function shapeOf(
  elements: readonly Element[],
  open: ReadonlySet<number>,
  list: FieldList,
  views: Views,
): ElementShape | undefined {
  const [first] = elements
  if (first === undefined || open.size > MOST_OPEN) return undefined
  let to = first.from
  const uninspected = new Map<string, number>()
  const apart: OpenElement[] = []
  for (const { index, from, shape, to: end, isBegun } of elements) {
    if (from !== to) return undefined
    to = end
    if (!isBegun && open.has(index)) apart.push({ index, from: from - first.from })
    else
      for (const [kind, count] of shape?.uninspected ?? []) uninspected.set(kind, (uninspected.get(kind) ?? 0) + count)
  }
  const ends = sequenceEnds(first, to, list, views)
  return ends && { fields: to - first.from, sequence: [], uninspected: [...uninspected], ends, open: apart }
}

function sequenceEnds({ member, from }: Element, to: number, list: FieldList, views: Views): SequenceEnds | undefined {
  const { sequence } = list
  const own = sequence.filter((index) => index >= from && index < to)
  const earlier = list.earlier?.member === member ? earlierOf(list, views) : undefined
  if (own.length === 0 && earlier === undefined) return NO_ENDS
  // Other elements that are known together.
  if (list.earlier !== undefined && earlier === undefined) return undefined
  const texts = (placed: readonly Placed[]) =>
    placed.length > MOST_ENDS
      ? undefined
      : endTexts(
          list,
          from,
          placed.map(({ text, place }) => ({ field: text.id, place })),
        )
  const ownViews = own.map((index) => views[index] as FieldView)
  const isBehind = (list.earlier?.ahead ?? sequence.indexOf(own[0] as number)) > 0
  const heads = earlier?.heads === undefined && isBehind ? headsOf(ownViews) : []
  const ofHeads = heads && texts(heads.map((text) => ({ text, place: 0 })))
  if (ofHeads === undefined) return undefined
  const { count, all, user, tool } = endsOf(ownViews, earlier)
  const [ofAll, ofUser, ofTool] = [texts(all), texts(user), texts(tool)]
  if (ofAll === undefined || ofUser === undefined || ofTool === undefined) return undefined
  const first = list.earlier?.ends.heads ?? (isBehind ? ofHeads : undefined)
  return { count, all: ofAll, user: ofUser, tool: ofTool, heads: first }
}
