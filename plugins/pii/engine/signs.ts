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
    if (this.#at < start) {
      const at = this.#text.indexOf('@', start)
      this.#at = at < 0 ? Number.POSITIVE_INFINITY : at
    }
    if (this.#at < start + this.#atReach) return true
    if (this.#next < start) {
      this.#others.lastIndex = start
      this.#next = this.#others.exec(this.#text)?.index ?? Number.POSITIVE_INFINITY
    }
    return this.#next < start + this.#reach
  }
}

const NEVER = '(?!)'
const quote = (sign: string): string => sign.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
