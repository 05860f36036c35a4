import { hash, randomBytes } from 'node:crypto'

/** Shorter texts are counted faster than they are looked up; longer ones are sampled. Characters. */
const SHORTEST = 64
const LONGEST = 256 * 1024
/** Entries, of about 200 bytes each. */
const MOST = 16_384

/**
 * Token counts of texts that come again: a conversation is sent with each turn. Texts are known by a keyed hash alone, and
 * each API key has its own, so that response times tell nobody what others sent.
 */
export class TokenMemo {
  /** In front of each text that is hashed; it never leaves the process. */
  readonly #secret = randomBytes(32).toString('base64')
  /** Least recently used first. */
  readonly #counts = new Map<string, number>()

  /** The texts of one API key. */
  of(keyId: string): KnownTexts {
    const prefix = `${this.#secret}${JSON.stringify(keyId)}\n`
    return {
      keyOf: (text) =>
        text.length < SHORTEST || text.length > LONGEST || !text.isWellFormed()
          ? undefined
          : hash('sha256', prefix + text, 'base64'),
      get: (key) => this.#get(key),
      set: (key, tokens) => this.#set(key, tokens),
    }
  }

  #get(key: string): number | undefined {
    const tokens = this.#counts.get(key)
    if (tokens !== undefined) {
      this.#counts.delete(key)
      this.#counts.set(key, tokens)
    }
    return tokens
  }

  #set(key: string, tokens: number): void {
    if (this.#counts.size >= MOST) this.#counts.delete(this.#counts.keys().next().value as string)
    this.#counts.set(key, tokens)
  }
}

/** Counts by key of a text. */
export interface KnownTexts {
  /** Undefined for a text that is not remembered. */
  keyOf(text: string): string | undefined
  get(key: string): number | undefined
  set(key: string, tokens: number): void
}

/** Remembers nothing. */
export const FORGETFUL: KnownTexts = { keyOf: () => undefined, get: () => undefined, set: () => {} }
