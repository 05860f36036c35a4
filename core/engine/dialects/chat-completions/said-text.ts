import type { Channel, Json } from '../../contract/plugin.ts'
import { isObject } from '../../json/fields.ts'
import type { JsonObject } from '../../json/strict.ts'
import { LazyMap } from '../../util/lazy.ts'
import type { SaidPart } from '../said-turns.ts'

/** The fields of an event that some clients show as one text, one behind the other; `text` is its name. */
export const SAID: ReadonlyMap<string, { readonly part: SaidPart; readonly text: string; readonly refusal: string }> =
  new Map(
    ['', 'message.'].flatMap((scope) =>
      (['content', 'refusal'] as const).map((part) => [
        scope + part,
        { part, text: `${scope}content`, refusal: `${scope}refusal` },
      ]),
    ),
  )

/** The field of a member below `field`. Text and refusal of a part are the text of its list. */
export function memberOf(field: string, member: string, channel: Channel): string {
  if (member === 'text' && channel !== 'other' && channel !== 'annotation') return field
  const refusal = member === 'refusal' ? SAID.get(field)?.refusal : undefined
  return refusal ?? `${field}.${member}`
}

/** Whether content and refusal of one message take turns more than once, as clients show them. */
export function takesTurns({ content = null, refusal = null }: JsonObject): boolean {
  if (!Array.isArray(content) && !isObject(content)) return false
  const said = [...partsOf(content, 'content'), ...partsOf(refusal, 'refusal')]
  return said.filter((part, i) => i > 0 && part !== said[i - 1]).length > 1
}

function* partsOf(value: Json, part: SaidPart): Generator<SaidPart> {
  if (typeof value === 'number' || (typeof value === 'string' && value !== '')) yield part
  else if (Array.isArray(value)) for (const inner of value) yield* partsOf(inner, part)
  else if (isObject(value)) {
    for (const key in value)
      if (key === 'text' || key === 'refusal') yield* partsOf(value[key] as Json, key === 'text' ? part : key)
  }
}

/** The parts of an answer, which are consecutive. */
export class PartOrder {
  /** The last index of a list of parts that clients show as one text. */
  readonly #last = new LazyMap<string, number>()

  /**
   * The field of an element of a list. Elements of other lists than those of an answer are told apart by their index.
   *
   * @param index negative if it has none
   * @throws RangeError if the part goes on behind a later one
   */
  fieldOf(channel: Channel, choice: number, field: string, index: number): string {
    if (index < 0) return field
    if (channel === 'other' || channel === 'annotation') return `${field}.${index}`
    const list = `${choice}\0${field}`
    if (index < (this.#last.get(list) ?? 0)) throw new RangeError('A part goes on behind a later one.')
    this.#last.set(list, index)
    return field
  }
}
