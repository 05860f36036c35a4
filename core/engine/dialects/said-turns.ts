import { LazyMap, LazySet } from '../util/lazy.ts'

/** What a model says: its answer, and why it gives none. */
export type SaidPart = 'content' | 'refusal'

/** The content and the refusal of each answer of a stream. Some clients show both as one text, one after the other. */
export class SaidText {
  readonly #now = new LazyMap<string, SaidPart | 'all'>()
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

  /** Whether the answer said nothing until now; from now on it may say no more. */
  tellsAll(answer: string): boolean {
    if (this.#now.get(answer) !== undefined) return false
    this.#now.set(answer, 'all')
    this.#turned.add(answer)
    return true
  }
}
