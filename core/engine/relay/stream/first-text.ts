import type { GatewayError } from '../../contract/errors.ts'
import type { ReplyContext } from '../context.ts'
import { SseReader } from './sse.ts'

/** Handles the body of one answer. */
export interface Body {
  onData(chunk: Buffer): void
  onEnd(): void
  onError(error: GatewayError): void
}

/**
 * Keeps the reads of a stream until its first text, so that another upstream may answer instead: until then nothing of it
 * reaches plugins or the client.
 */
export class FirstText implements Body {
  readonly #open: () => Body
  readonly #limit: number
  readonly #reader: SseReader
  readonly #reads: Buffer[] = []
  #bytes = 0
  #isDecided = false
  #reply: Body | undefined = undefined

  /** @param open begins the reply */
  constructor({ x, governs }: ReplyContext, limit: number, open: () => Body) {
    this.#open = open
    this.#limit = limit
    const { request, dialect } = x
    const { choices, includeUsage } = request
    const stream = dialect.openStream({ choices, includeUsage, stripsUsage: false, governs, asked: request })
    this.#reader = new SseReader(limit, (payload, isError) => {
      if (this.#isDecided) return
      const data = stream.isDone(payload) ? undefined : stream.own(payload)
      if (data === undefined || stream.match(data) !== undefined) {
        this.#isDecided = true
        return
      }
      const event = stream.read(data, isError)
      this.#isDecided = event === undefined || event.failed || event.finishes || event.speaking.length > 0
    })
  }

  get hasBegun(): boolean {
    return this.#reply !== undefined
  }

  onData(chunk: Buffer): void {
    if (this.#reply !== undefined) return this.#reply.onData(chunk)
    this.#reads.push(chunk)
    this.#bytes += chunk.length
    this.#look(chunk)
    if (this.#isDecided || this.#reader.overflowed || this.#bytes > this.#limit) this.#begin()
  }

  onEnd(): void {
    this.#begin().onEnd()
  }

  onError(error: GatewayError): void {
    this.#begin().onError(error)
  }

  /** The reply reports what cannot be read. */
  #look(chunk: Buffer): void {
    try {
      this.#reader.feed(chunk)
    } catch {
      this.#isDecided = true
    }
  }

  #begin(): Body {
    if (this.#reply !== undefined) return this.#reply
    const reply = this.#open()
    this.#reply = reply
    for (const read of this.#reads.splice(0)) reply.onData(read)
    return reply
  }
}
