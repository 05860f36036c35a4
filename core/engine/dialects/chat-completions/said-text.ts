import type { Channel } from '../../contract/plugin.ts'
import { LazyMap, LazySet } from '../../util/lazy.ts'

type SaidPart = 'content' | 'refusal'

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

/** The content and the refusal of each answer of a stream. Some clients show both as one text, one behind the other. */
export class SaidText {
  readonly #now = new LazyMap<string, SaidPart>()
  readonly #turned = new LazySet<string>()

  /**
   * Whether the other part of the answer grew until now.
   *
   * @throws RangeError if this part grew before that one: between its pieces stands what its reader does not see there
   */
  turnsTo(part: SaidPart, answer: string): boolean {
    const before = this.#now.get(answer)
    if (before === part) return false
    this.#now.set(answer, part)
    if (before === undefined) return false
    if (this.#turned.has(answer)) throw new RangeError('Content and refusal take turns.')
    this.#turned.add(answer)
    return true
  }
}
