import { createHash } from 'node:crypto'
import type { Exchange, Store } from 'governed-gateway'

const HOUR_MS = 3_600_000
/** How long a retry is known as one: SDKs try again within a minute. */
const ATTEMPT_MS = 10 * 60_000

/** Counts the turns of explicit sessions. A retry of an SDK is the same turn again. */
export class Turns {
  readonly #store: Store
  readonly #ttlMs: number
  readonly #attempts = new WeakMap<Exchange, string>()

  constructor(store: Store, ttlHours: number) {
    this.#store = store
    this.#ttlMs = ttlHours * HOUR_MS
  }

  async next(x: Exchange, session: string): Promise<number> {
    const scope = `${x.caller.keyId}/${session}`
    const attempt = `attempt/${scope}/${bodyHash(x)}`
    this.#attempts.set(x, attempt)
    const known = isRetry(x) ? await this.#store.get<number | null>(attempt) : undefined
    if (typeof known === 'number') return known
    const turn = (await this.#store.increment(`turns/${scope}`, 1, this.#ttlMs)) - 1
    await this.#store.set(attempt, turn, { ttlMs: ATTEMPT_MS })
    return turn
  }

  /** What came to its end is not tried again: the same body is a new turn from now on. */
  end(x: Exchange): Promise<void> | undefined {
    const attempt = this.#attempts.get(x)
    if (attempt === undefined || !FINAL.has(x.reply.outcome)) return undefined
    return this.#store.set(attempt, null, { ttlMs: 1 }).then(() => undefined)
  }
}

const FINAL: ReadonlySet<string> = new Set(['completed', 'answered', 'blocked'])

/** The SDKs of OpenAI number their attempts, from 0. */
const isRetry = (x: Exchange): boolean => /^[1-9]\d{0,3}$/.test(x.request.headers['x-stainless-retry-count'] ?? '')

const bodyHash = (x: Exchange): string =>
  createHash('sha256').update(JSON.stringify(x.request.json)).digest('base64url').slice(0, 22)
