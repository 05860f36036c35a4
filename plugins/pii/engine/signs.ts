/** Finds literals that some detectors need. */
export class Signs {
  readonly #others: RegExp
  readonly #reach: number
  readonly #atReach: number
  readonly #hasAt: boolean
  #text = ''
  /** Positions of the next at sign, and of the next other sign. */
  #at = -1
  #next = -1

  /**
   * @param reach maximum distance of a sign from the start of a match
   * @param atReach the same for the at sign
   */
  constructor(signs: readonly string[], reach: number, atReach: number) {
    this.#hasAt = signs.includes('@')
    const others = signs.filter((sign) => sign !== '@')
    this.#others = new RegExp(others.map(quote).join('|') || NEVER, 'gi')
    this.#reach = reach
    this.#atReach = atReach
  }

  open(text: string): void {
    this.#text = text
    this.#next = -1
    this.#at = this.#hasAt ? -1 : Number.POSITIVE_INFINITY
  }

  /** Whether a match that begins at `start` may have a sign in it. Starts may only grow for the same text. */
  isNear(start: number): boolean {
    return this.nearFrom(start) <= start
  }

  /** From where on a match may have a sign in it, if it begins at `start` or later. */
  nearFrom(start: number): number {
    if (this.#at < start) {
      const at = this.#text.indexOf('@', start)
      this.#at = at < 0 ? Number.POSITIVE_INFINITY : at
    }
    if (this.#next < start) {
      this.#others.lastIndex = start
      this.#next = this.#others.exec(this.#text)?.index ?? Number.POSITIVE_INFINITY
    }
    return Math.min(this.#at - this.#atReach, this.#next - this.#reach) + 1
  }
}

const NEVER = '(?!)'
const quote = (sign: string): string => sign.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
