/** A rewritten stretch of a text. */
interface Patch {
  readonly from: number
  readonly to: number
  readonly text: string
}

/**
 * One text of a streamed response. Later events repeat it; each repetition is written from what was released here, never
 * inspected again.
 */
export class StreamedText {
  /** As the provider sent it so far. */
  raw = ''
  /** How much of it left. */
  sent = 0
  readonly #patches: Patch[] = []

  get isRewritten(): boolean {
    return this.#patches.length > 0
  }

  /** Adds text; returns its position. */
  append(text: string): number {
    const at = this.raw.length
    this.raw += text
    return at
  }

  /** Notes what left in place of a stretch. Stretches leave in order. */
  rewrite(from: number, to: number, text: string): void {
    this.#patches.push({ from, to, text })
  }

  /** Notes what leaves in place of its beginning, unless that is known. */
  replace(text: string, length: number): void {
    if (this.#patches.length === 0) this.rewrite(0, length, text)
  }

  /** The text after all rewrites, up to a position of the raw text. */
  textUpTo(end: number): string {
    let out = ''
    let at = 0
    for (const { from, to, text } of this.#patches) {
      if (from >= end && end < this.raw.length) break
      out += this.raw.slice(at, from) + text
      at = to
    }
    return at < end ? out + this.raw.slice(at, end) : out
  }
}
