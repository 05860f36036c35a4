/** Sends batches of one signal to the receiver. */
import type { Services } from 'governed-gateway'
import { type Attempt, attemptOf, deliver, failedAttempt, Trouble } from 'governed-gateway/kit'
import type { Answers } from './answers.ts'
import { Pile } from './pile.ts'

export interface ExporterOptions {
  readonly services: Pick<Services, 'fetch' | 'log'>
  readonly signal: 'traces' | 'logs'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly answers: Answers
  readonly timeoutMs: number
  readonly flushMs: number
  readonly most: number
  /** The body of an export. */
  encode(pile: Pile): Promise<Uint8Array>
}

/** About 700 KB of log records; some receivers take 1 MB. */
const BATCH = 1024
const RETRIES = 4
/** Statuses that the protocol allows to repeat; other errors are final. */
const REPEATED: ReadonlySet<number> = new Set([429, 502, 503, 504])

/** A bounded queue. The newest items are dropped while it is full; requests never wait for it. */
export class Exporter {
  readonly #options: ExporterOptions
  readonly #trouble: Trouble
  readonly #stopped = new AbortController()
  readonly #batch: number
  /** Where items are added. */
  #open: Pile | undefined
  /** Whole batches, in order. */
  readonly #whole: Pile[] = []
  /** Items that do not fill a batch are to be sent, too. */
  #isDue = false
  #spare: Pile | undefined
  #timer: NodeJS.Timeout | undefined
  #sending: Promise<void> | undefined
  waiting = 0
  sent = 0
  dropped = 0

  constructor(options: ExporterOptions) {
    this.#options = options
    // A batch is on its way before the queue is full.
    this.#batch = Math.min(BATCH, Math.ceil(options.most / 2))
    this.#trouble = new Trouble({
      log: options.services.log,
      begins: `the receiver does not take ${options.signal}; they wait`,
      ends: `the receiver takes ${options.signal} again`,
    })
  }

  /** Where to write so many items, followed by `added`; undefined if they are dropped. */
  pileFor(items: number): Pile | undefined {
    if (this.waiting >= this.#options.most) {
      this.dropped += items
      return undefined
    }
    this.#open ??= this.#empty()
    return this.#open
  }

  added(pile: Pile, items: number): void {
    this.waiting += items
    if (pile.count >= this.#batch || pile.isLarge) {
      this.#close(pile)
      this.#send()
    } else if (this.#timer === undefined) this.#wait()
  }

  #empty(): Pile {
    const pile = this.#spare ?? new Pile()
    this.#spare = undefined
    return pile
  }

  /** Nothing more is added. */
  #close(pile: Pile): void {
    this.#whole.push(pile)
    this.#open = undefined
    this.#isDue = false
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  #wait(): void {
    this.#timer = setTimeout(() => this.#sendRest(), this.#options.flushMs).unref()
  }

  /** Sends what waits, until the signal aborts. */
  async flush(signal: AbortSignal): Promise<void> {
    const stop = () => this.#stopped.abort()
    signal.addEventListener('abort', stop, { once: true })
    if (signal.aborted) stop()
    while (this.waiting > 0 && !this.#stopped.signal.aborted) {
      this.#sendRest()
      await this.#sending
    }
    await this.#sending
    signal.removeEventListener('abort', stop)
  }

  close(): void {
    clearTimeout(this.#timer)
    this.#stopped.abort()
    this.#trouble.close()
  }

  #sendRest(): void {
    this.#isDue = this.#open !== undefined
    this.#send()
  }

  #send(): void {
    this.#sending ??= this.#sendAll().finally(() => {
      this.#sending = undefined
    })
  }

  async #sendAll(): Promise<void> {
    for (let pile = this.#next(); pile !== undefined; pile = this.#next()) {
      const taken = await this.#deliver(pile)
      if (this.#stopped.signal.aborted && !taken) return
      this.#whole.shift()
      this.waiting -= pile.count
      if (!taken) this.dropped += pile.count
      if (!pile.isLarge) this.#spare = pile
      pile.clear()
    }
  }

  /** What comes while a batch is sent fills the next one, even if it is due: so there are never many. */
  #next(): Pile | undefined {
    if (this.#stopped.signal.aborted) return undefined
    if (this.#whole.length === 0 && this.#isDue && this.#open !== undefined) this.#close(this.#open)
    return this.#whole[0]
  }

  /** Whether the receiver took the batch. */
  async #deliver(batch: Pile): Promise<boolean> {
    const { services, url, headers, answers, timeoutMs } = this.#options
    let body: Uint8Array | undefined
    const send = async (): Promise<Attempt> => {
      body ??= await this.#options.encode(batch)
      const all = { ...headers, 'content-type': answers.contentType }
      const reply = await services.fetch(url, { method: 'POST', headers: all, body, timeoutMs })
      const attempt = attemptOf(reply)
      const final = attempt.result === 'unavailable' && !REPEATED.has(reply.status)
      if (attempt.result !== 'delivered') return final ? { ...attempt, result: 'rejected' } : attempt
      this.#count(batch.count, await reply.bytes())
      return attempt
    }
    const noted = async (): Promise<Attempt> => {
      const attempt = await send().catch(failedAttempt)
      const { status, error } = attempt
      if (attempt.result !== 'delivered') this.#trouble.note({ status, error })
      return attempt
    }
    const options = { send: noted, maxRetries: RETRIES, backoffSeconds: 1, signal: this.#stopped.signal }
    const { result } = await deliver(options)
    return result === 'delivered'
  }

  /** A receiver may take a batch in part. */
  #count(items: number, answer: Uint8Array): void {
    const rejected = Math.min(items, this.#options.answers.rejected(answer))
    this.sent += items - rejected
    this.dropped += rejected
    if (rejected > 0) this.#options.services.log.warn({ rejected }, `the receiver rejected ${this.#options.signal}`)
  }
}
