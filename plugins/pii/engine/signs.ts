/** Finds literals that some detectors need. */
export class Signs {
  readonly #pattern: RegExp
  readonly #reach: number
  #text = ''
  /** Position of the next sign. */
  #next = -1

  /** @param reach maximum distance of a sign from the start of a match */
  constructor(signs: readonly string[], reach: number) {
    this.#pattern = new RegExp(signs.map(quote).join('|') || NEVER, 'gi')
    this.#reach = reach
  }

  open(text: string): void {
    this.#text = text
    this.#next = -1
  }

  /** Whether a match that begins at `start` may have a sign in it. Starts may only grow for the same text. */
  isNear(start: number): boolean {
    if (this.#next < start) {
      this.#pattern.lastIndex = start
      this.#next = this.#pattern.exec(this.#text)?.index ?? Number.POSITIVE_INFINITY
    }
    return this.#next < start + this.#reach
  }
}

const NEVER = '(?!)'
const quote = (sign: string): string => sign.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
