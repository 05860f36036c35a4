import { createHash } from 'node:crypto'
import { defineFact, type Exchange, type Log, type Store } from 'governed-gateway'

const HOUR_MS = 3_600_000
/** How long a retry is recognised. SDKs retry within a minute. */
const ATTEMPT_TTL_MS = 10 * 60_000
/** Longest wait for the turn, milliseconds; below the deadline of a tap. */
const MAX_WAIT_MS = 700
/** Minimum time between warnings about an unavailable store, milliseconds. */
const WARN_INTERVAL_MS = 60_000

interface Attempt {
  readonly key: string
  /** Settles when other nodes can read the attempt. */
  readonly saved: Promise<void>
}

const attemptFact = defineFact<Attempt>('sessions/attempt')

/**
 * Counts the turns of explicit sessions. A retry by an SDK keeps its turn. A request waits for one store call.
 * Attempts are saved in the background, because they are only read after a failed attempt.
 */
export class Turns {
  readonly #store: Store
  readonly #log: Log
  readonly #ttlMs: number
  #warnedAt = Number.NEGATIVE_INFINITY

  constructor(store: Store, ttlHours: number, log: Log) {
    this.#store = store
    this.#ttlMs = ttlHours * HOUR_MS
    this.#log = log
  }

  /**
   * Resolves to undefined if the store does not answer: a session authorises nothing, so no request fails for its
   * turn.
   */
  next(x: Exchange, session: string): Promise<number | undefined> {
    return new Promise((resolve) => {
      const giveUp = (error: unknown): void => {
        clearTimeout(timer)
        this.#warn(error)
        resolve(undefined)
      }
      // Warn only about calls that fail, not about slow ones.
      const timer = setTimeout(() => resolve(undefined), MAX_WAIT_MS)
      this.#next(x, session).then((turn) => {
        clearTimeout(timer)
        resolve(turn)
      }, giveUp)
    })
  }

  /**
   * A finished exchange is not retried, so the same body starts a new turn. A failed one may be retried at once on
   * any node, so the answer waits until its attempt is saved.
   */
  end(x: Exchange): Promise<void> | undefined {
    const attempt = x.facts.get(attemptFact)
    if (attempt === undefined) return undefined
    if (!FINAL_OUTCOMES.has(x.reply.outcome)) return attempt.saved
    void this.#inBackground(this.#store.delete(attempt.key))
    return undefined
  }

  async #next(x: Exchange, session: string): Promise<number> {
    const scope = `${x.caller.keyId}/${session}`
    const count = attemptOf(x)
    const key = count === undefined ? undefined : `attempt/${scope}/${bodyHash(x)}`
    const known = count === undefined || count === 0 ? undefined : await this.#store.get<number>(key as string)
    const turn = known ?? (await this.#store.increment(`turns/${scope}`, 1, this.#ttlMs, { prolong: true })) - 1
    if (key !== undefined) {
      x.facts.set(attemptFact, {
        key,
        saved: this.#inBackground(this.#store.set(key, turn, { ttlMs: ATTEMPT_TTL_MS })),
      })
    }
    return turn
  }

  #inBackground(write: Promise<unknown>): Promise<void> {
    return write.then(
      () => {},
      (error: unknown) => this.#warn(error),
    )
  }

  #warn(error: unknown): void {
    const now = performance.now()
    if (now - this.#warnedAt < WARN_INTERVAL_MS) return
    this.#warnedAt = now
    this.#log.warn({ err: error }, 'the store does not count turns now; they are derived from the messages')
  }
}

const FINAL_OUTCOMES: ReadonlySet<string> = new Set(['completed', 'answered', 'blocked'])

/** Number of the attempt, from 0, as OpenAI's SDKs send it; undefined for other clients. */
function attemptOf(x: Exchange): number | undefined {
  const count = x.request.headers['x-stainless-retry-count']
  return count !== undefined && /^\d{1,4}$/.test(count) ? Number(count) : undefined
}

const bodyHash = (x: Exchange): string =>
  createHash('sha256').update(JSON.stringify(x.request.json)).digest('base64url').slice(0, 22)
