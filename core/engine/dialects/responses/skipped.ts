/** Content that cannot be inspected, counted once for each item, although several events repeat it. */
export class Skipped {
  /** Kind and count. */
  readonly all = new Map<string, number>()
  readonly #ofItem = new Map<string, number>()

  /** Notes all such content of an item so far. */
  note(output: number, skipped: ReadonlyMap<string, number>): void {
    for (const [kind, count] of skipped) {
      // Only the provider can read it.
      if (kind === 'encrypted_content') continue
      const key = `${output}/${kind}`
      const before = this.#ofItem.get(key) ?? 0
      if (count <= before) continue
      this.#ofItem.set(key, count)
      this.all.set(kind, (this.all.get(kind) ?? 0) + count - before)
    }
  }
}
