/** Names of the texts that end with their item. */
export class ItemFields {
  readonly #names = new Map<number, Set<string>>()

  add(output: number, name: string): void {
    const names = this.#names.get(output)
    if (names === undefined) this.#names.set(output, new Set([name]))
    else names.add(name)
  }

  /** The names of an item that is done. */
  take(output: number): Iterable<string> {
    const names = this.#names.get(output) ?? []
    this.#names.delete(output)
    return names
  }
}
