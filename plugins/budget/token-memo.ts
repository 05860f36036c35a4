import { hash, randomBytes } from 'node:crypto'
import { RecentMap } from 'governed-gateway/kit'

/** Minimum and maximum characters. Shorter texts are faster to count than to look up; longer ones are sampled. */
const SHORTEST = 64
const LONGEST = 256 * 1024
/** Maximum number of entries, about 200 bytes each. */
const MOST = 16_384

/**
 * Token counts of repeated texts: clients send a conversation again with each turn. Stores only keyed hashes,
 * separate for each API key, so that response times reveal nothing about the texts of others.
 */
export class TokenMemo {
  /** Prefix of each hashed text; never leaves the process. */
  readonly #secret = randomBytes(32).toString('base64')
  readonly #counts = new RecentMap<string, number>(MOST)

  /** The counts for one API key. */
  of(keyId: string): KnownTexts {
    const prefix = `${this.#secret}${JSON.stringify(keyId)}\n`
    return {
      keyOf: (text) =>
        text.length < SHORTEST || text.length > LONGEST || !text.isWellFormed()
          ? undefined
          : hash('sha256', prefix + text, 'base64'),
      get: (key) => this.#counts.get(key),
      set: (key, tokens) => this.#counts.set(key, tokens),
    }
  }
}

/** Token counts by key of a text. */
export interface KnownTexts {
  /** Key of a text; undefined if its count is not stored. */
  keyOf(text: string): string | undefined
  get(key: string): number | undefined
  set(key: string, tokens: number): void
}

/** Stores nothing. */
export const FORGETFUL: KnownTexts = { keyOf: () => undefined, get: () => undefined, set: () => {} }
