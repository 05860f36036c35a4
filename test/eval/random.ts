import { generator } from '../../core/testing/provider.ts'

/** A small seeded generator: every run of the evaluation sees the same texts. */
export class Random {
  /** 0 to 1, without 1. */
  readonly next: () => number

  constructor(seed: number) {
    this.next = generator(seed)
  }

  /** A whole number from `from` to `to`, both included. */
  int(from: number, to: number): number {
    return from + Math.floor(this.next() * (to - from + 1))
  }

  pick<T>(items: readonly T[]): T {
    return items[this.int(0, items.length - 1)] as T
  }

  chance(probability: number): boolean {
    return this.next() < probability
  }

  /** `#` a digit, `N` a digit from 2 to 9, `X` from 1 to 9, `A` a capital, `a` a small letter, `H` a hex digit; `\` escapes. */
  fill(mask: string): string {
    return mask.replace(/\\(.)|[#NXAaH]/g, (char, literal: string | undefined) => literal ?? this.#fillOne(char))
  }

  #fillOne(char: string): string {
    if (char === '#') return String(this.int(0, 9))
    if (char === 'N') return String(this.int(2, 9))
    if (char === 'X') return String(this.int(1, 9))
    if (char === 'A') return String.fromCharCode(this.int(65, 90))
    if (char === 'a') return String.fromCharCode(this.int(97, 122))
    return this.int(0, 15).toString(16)
  }
}

/** A seed from a name. */
export function seedOf(name: string): number {
  let hash = 2_166_136_261
  for (const char of name) hash = Math.imul(hash ^ char.charCodeAt(0), 16_777_619)
  return hash
}
