import { createHash } from 'node:crypto'
import { defineFact, type Exchange, type Log, type Store } from 'governed-gateway'

const HOUR_MS = 3_600_000
/** How long a retry is known as one: SDKs try again within a minute. */
const ATTEMPT_MS = 10 * 60_000
/** How long a request waits for its turn, milliseconds: below the deadline of a tap. */
const PATIENCE_MS = 700
/** Least time between log lines about an unavailable store, milliseconds. */
const QUIET_MS = 60_000

interface Attempt {
  readonly key: string
  /** Settles when other nodes know of it. */
  readonly known: Promise<void>
}

const attemptFact = defineFact<Attempt>('sessions/attempt')

/**
 * Counts the turns of explicit sessions. A retry of an SDK is the same turn again. One call to the store is waited for;
 * what SDKs need for their retries is written beside: it is only asked for after an attempt has failed.
 */
export class Turns {
  readonly #store: Store
  readonly #log: Log
  readonly #ttlMs: number
  #toldAt = Number.NEGATIVE_INFINITY

  constructor(store: Store, ttlHours: number, log: Log) {
    this.#store = store
    this.#ttlMs = ttlHours * HOUR_MS
    this.#log = log
  }

  /** Undefined when the store does not answer: a session authorises nothing, so no request fails for its number. */
  next(x: Exchange, session: string): Promise<number | undefined> {
    return new Promise((resolve) => {
      const goOn = (error: unknown): void => {
        clearTimeout(timer)
        this.#tell(error)
        resolve(undefined)
      }
      // A call that fails later tells why; one that comes too late is a matter of speed.
      const timer = setTimeout(() => resolve(undefined), PATIENCE_MS)
      this.#next(x, session).then((turn) => {
        clearTimeout(timer)
        resolve(turn)
      }, goOn)
    })
  }

  /**
   * What came to its end is not tried again: the same body is a new turn from now on. What failed may be tried again
   * at once and anywhere, so it is known first.
   */
  end(x: Exchange): Promise<void> | undefined {
    const attempt = x.facts.get(attemptFact)
    if (attempt === undefined) return undefined
    if (!FINAL.has(x.reply.outcome)) return attempt.known
    void this.#beside(this.#store.delete(attempt.key))
    return undefined
  }

  async #next(x: Exchange, session: string): Promise<number> {
    const scope = `${x.caller.keyId}/${session}`
    const count = attemptOf(x)
    const key = count === undefined ? undefined : `attempt/${scope}/${bodyHash(x)}`
    const known = count === undefined || count === 0 ? undefined : await this.#store.get<number>(key as string)
    const turn = known ?? (await this.#store.increment(`turns/${scope}`, 1, this.#ttlMs, { prolong: true })) - 1
    if (key !== undefined) {
      x.facts.set(attemptFact, { key, known: this.#beside(this.#store.set(key, turn, { ttlMs: ATTEMPT_MS })) })
    }
    return turn
  }

  #beside(write: Promise<unknown>): Promise<void> {
    return write.then(
      () => {},
      (error: unknown) => this.#tell(error),
    )
  }

  #tell(error: unknown): void {
    const now = performance.now()
    if (now - this.#toldAt < QUIET_MS) return
    this.#toldAt = now
    this.#log.warn({ err: error }, 'turns cannot be counted now: they are taken from the messages')
  }
}

const FINAL: ReadonlySet<string> = new Set(['completed', 'answered', 'blocked'])

/** The SDKs of OpenAI number their attempts, from 0. Undefined for clients that do not. */
function attemptOf(x: Exchange): number | undefined {
  const count = x.request.headers['x-stainless-retry-count']
  return count !== undefined && /^\d{1,4}$/.test(count) ? Number(count) : undefined
}

const bodyHash = (x: Exchange): string =>
  createHash('sha256').update(JSON.stringify(x.request.json)).digest('base64url').slice(0, 22)
