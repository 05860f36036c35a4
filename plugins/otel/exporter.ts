/** Sends batches of one signal to the receiver. */
import type { Services } from 'governed-gateway'
import { type Attempt, attemptOf, deliver, failedAttempt, Trouble } from 'governed-gateway/kit'
import type { Codec } from './codec.ts'

export interface ExporterOptions<T> {
  readonly services: Pick<Services, 'fetch' | 'log'>
  readonly signal: 'traces' | 'logs'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly codec: Pick<Codec, 'contentType' | 'rejected'>
  readonly timeoutMs: number
  readonly flushMs: number
  readonly most: number
  serialize(items: readonly T[]): Uint8Array
}

const BATCH = 512
const RETRIES = 4
/** Statuses that the protocol allows to repeat; other errors are final. */
const REPEATED: ReadonlySet<number> = new Set([429, 502, 503, 504])

/** A bounded queue. The newest items are dropped while it is full; requests never wait for it. */
export class Exporter<T> {
  readonly #options: ExporterOptions<T>
  readonly #trouble: Trouble
  readonly #stopped = new AbortController()
  #queue: T[] = []
  #timer: NodeJS.Timeout | undefined
  #sending: Promise<void> | undefined
  sent = 0
  dropped = 0

  constructor(options: ExporterOptions<T>) {
    this.#options = options
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
    if (this.#queue.push(item) >= BATCH) this.#send()
    else this.#timer ??= setTimeout(() => this.#send(), this.#options.flushMs).unref()
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
    this.#sending ??= this.#sendAll().finally(() => {
      this.#sending = undefined
    })
  }

  async #sendAll(): Promise<void> {
    while (this.#queue.length > 0 && !this.#stopped.signal.aborted) {
      const batch = this.#queue.slice(0, BATCH)
      const taken = await this.#deliver(batch)
      if (this.#stopped.signal.aborted && !taken) return
      this.#queue.splice(0, batch.length)
      if (!taken) this.dropped += batch.length
    }
  }

  /** Whether the receiver took the batch. */
  async #deliver(batch: T[]): Promise<boolean> {
    const { services, url, headers, codec, timeoutMs } = this.#options
    const body = this.#options.serialize(batch)
    const send = async (): Promise<Attempt> => {
      const all = { ...headers, 'content-type': codec.contentType }
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
    const rejected = Math.min(items, this.#options.codec.rejected(answer))
    this.sent += items - rejected
    this.dropped += rejected
    if (rejected > 0) this.#options.services.log.warn({ rejected }, `the receiver rejected ${this.#options.signal}`)
  }
}
