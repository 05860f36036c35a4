/** Sends batches of one signal to the receiver. */
import type { Services } from 'governed-gateway'
import { type Attempt, attemptOf, deliver, failedAttempt, Trouble } from 'governed-gateway/kit'
import type { Answers } from './answers.ts'

export interface ExporterOptions<T> {
  readonly services: Pick<Services, 'fetch' | 'log'>
  readonly signal: 'traces' | 'logs'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly answers: Answers
  readonly timeoutMs: number
  readonly flushMs: number
  readonly most: number
  /** The body of an export. */
  encode(items: readonly T[]): Promise<Uint8Array>
}

/** About 700 KB of log records; some receivers take 1 MB. */
const BATCH = 1024
const RETRIES = 4
/** Statuses that the protocol allows to repeat; other errors are final. */
const REPEATED: ReadonlySet<number> = new Set([429, 502, 503, 504])

/** A bounded queue. The newest items are dropped while it is full; requests never wait for it. */
export class Exporter<T> {
  readonly #options: ExporterOptions<T>
  readonly #trouble: Trouble
  readonly #stopped = new AbortController()
  readonly #batch: number
  #queue: T[] = []
  /** How many of them are to be sent now; the rest waits for a batch or for the timer. */
  #due = 0
  #timer: NodeJS.Timeout | undefined
  #sending: Promise<void> | undefined
  sent = 0
  dropped = 0

  constructor(options: ExporterOptions<T>) {
    this.#options = options
    // A batch is on its way before the queue is full.
    this.#batch = Math.min(BATCH, Math.ceil(options.most / 2))
    this.#trouble = new Trouble({
      log: options.services.log,
      begins: `the receiver does not take ${options.signal}; they wait`,
      ends: `the receiver takes ${options.signal} again`,
    })
  }

  get waiting(): number {
    return this.#queue.length
  }

  add(item: T): void {
    if (this.#queue.length >= this.#options.most) {
      this.dropped++
      return
    }
    if (this.#queue.push(item) - this.#due >= this.#batch) this.#send()
    else if (this.#timer === undefined) this.#wait()
  }

  #wait(): void {
    this.#timer = setTimeout(() => this.#send(), this.#options.flushMs).unref()
  }

  /** Sends what waits, until the signal aborts. */
  async flush(signal: AbortSignal): Promise<void> {
    const stop = () => this.#stopped.abort()
    signal.addEventListener('abort', stop, { once: true })
    if (signal.aborted) stop()
    while (this.#queue.length > 0 && !this.#stopped.signal.aborted) {
      this.#send()
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

  #send(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#due = this.#queue.length
    this.#sending ??= this.#sendAll().finally(() => {
      this.#sending = undefined
    })
  }

  async #sendAll(): Promise<void> {
    while (this.#due > 0 && !this.#stopped.signal.aborted) {
      const batch = this.#queue.slice(0, Math.min(this.#due, this.#batch))
      const taken = await this.#deliver(batch)
      if (this.#stopped.signal.aborted && !taken) return
      this.#queue.splice(0, batch.length)
      this.#due -= batch.length
      if (!taken) this.dropped += batch.length
    }
  }

  /** Whether the receiver took the batch. */
  async #deliver(batch: T[]): Promise<boolean> {
    const { services, url, headers, answers, timeoutMs } = this.#options
    let body: Uint8Array | undefined
    const send = async (): Promise<Attempt> => {
      body ??= await this.#options.encode(batch)
      const all = { ...headers, 'content-type': answers.contentType }
      const reply = await services.fetch(url, { method: 'POST', headers: all, body, timeoutMs })
      const attempt = attemptOf(reply)
      const final = attempt.result === 'unavailable' && !REPEATED.has(reply.status)
      if (attempt.result !== 'delivered') return final ? { ...attempt, result: 'rejected' } : attempt
      this.#count(batch.length, await reply.bytes())
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
