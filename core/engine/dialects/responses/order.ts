/**
 * The order of texts that clients show as one. They are inspected one behind the other, so a text must not go on once
 * another one has begun: between its pieces stood what its reader does not see there.
 */
export class TextOrder {
  /** The place of the text that grows, by the name of the whole. */
  readonly #growing = new Map<string, string>()
  readonly #left = new Set<string>()

  /** @throws RangeError if the text at this place was left before */
  grow(field: string, place: string): void {
    const before = this.#growing.get(field)
    if (before === place) return
    if (before !== undefined) this.#left.add(`${field}\0${before}`)
    if (this.#left.has(`${field}\0${place}`)) throw new RangeError('A text goes on behind a later one.')
    this.#growing.set(field, place)
  }
}
