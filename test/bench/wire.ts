/**
 * Just enough HTTP/1.1 for the two ends of a measurement. Both ends share one core, so they must cost far less than
 * the subject between them; a full parser would make the load client the bottleneck instead of the proxy.
 */

/** What a {@link MessageReader} reports. `body` is called with a region of `data`, valid only during the call. */
export interface MessageEvents {
  head(head: string): void
  body(data: Buffer, from: number, to: number): void
  end(): void
}

type State = 'head' | 'sized' | 'size' | 'chunk' | 'trailer'

const CRLF = Buffer.from('\r\n')
const HEAD_END = Buffer.from('\r\n\r\n')
const MAX_LINE = 64 * 1024

/** Incremental reader of HTTP/1.1 messages with a `content-length` or a chunked body, one after the other. */
export class MessageReader {
  #events: MessageEvents
  #state: State = 'head'
  #left = 0
  #rest: Buffer | undefined

  constructor(events: MessageEvents) {
    this.#events = events
  }

  /** True between messages, when a close of the connection loses nothing. */
  get idle(): boolean {
    return this.#state === 'head' && this.#rest === undefined
  }

  feed(piece: Buffer): void {
    let data = piece
    if (this.#rest !== undefined) {
      data = Buffer.concat([this.#rest, piece])
      this.#rest = undefined
    }
    let at = 0
    while (at < data.length) {
      const next = this.#step(data, at)
      if (next === -1) {
        if (data.length - at > MAX_LINE) throw new Error(`no end of the ${this.#state} within ${MAX_LINE} bytes`)
        this.#rest = at === 0 ? data : data.subarray(at)
        return
      }
      at = next
    }
  }

  /** Consumes one element at `at`; the position after it, or -1 when it is not complete yet. */
  #step(data: Buffer, at: number): number {
    switch (this.#state) {
      case 'head':
        return this.#readHead(data, at)
      case 'sized':
      case 'chunk':
        return this.#readBody(data, at)
      case 'size':
        return this.#readSize(data, at)
      case 'trailer':
        return this.#readTrailer(data, at)
    }
  }

  #readHead(data: Buffer, at: number): number {
    const end = data.indexOf(HEAD_END, at)
    if (end === -1) return -1
    const head = data.toString('latin1', at, end)
    const lower = head.toLowerCase()
    const length = /\r\ncontent-length: *(\d+)/.exec(lower)
    this.#events.head(head)
    if (length !== null) this.#left = Number(length[1])
    else if (/\r\ntransfer-encoding: *chunked/.test(lower)) this.#left = -1
    else if (lower.startsWith('http/')) throw new Error('a reply without content-length and without chunked encoding')
    else this.#left = 0
    if (this.#left === 0) this.#events.end()
    else this.#state = this.#left === -1 ? 'size' : 'sized'
    return end + 4
  }

  #readBody(data: Buffer, at: number): number {
    const to = Math.min(data.length, at + this.#left)
    this.#events.body(data, at, to)
    this.#left -= to - at
    if (this.#left > 0) return to
    if (this.#state === 'chunk') {
      this.#state = 'size'
    } else {
      this.#state = 'head'
      this.#events.end()
    }
    return to
  }

  /** The size line of a chunk, after the line end of the chunk before it. */
  #readSize(data: Buffer, at: number): number {
    const from = data[at] === 13 ? at + 2 : at
    if (from >= data.length) return -1
    const end = data.indexOf(CRLF, from)
    if (end === -1) return -1
    const size = Number.parseInt(data.toString('latin1', from, end), 16)
    if (Number.isNaN(size)) throw new Error('a malformed chunk size')
    this.#left = size
    this.#state = size === 0 ? 'trailer' : 'chunk'
    return end + 2
  }

  #readTrailer(data: Buffer, at: number): number {
    const end = data.indexOf(CRLF, at)
    if (end === -1) return -1
    if (end === at) {
      this.#state = 'head'
      this.#events.end()
    }
    return end + 2
  }
}

/** Counts server-sent events by the blank line that ends each, over any split of the bytes. */
export class EventCounter {
  count = 0
  bytes = 0
  #afterNewline = false

  feed(data: Buffer, from: number, to: number): void {
    this.bytes += to - from
    let previous = this.#afterNewline ? from - 1 : -2
    let at = data.indexOf(10, from)
    while (at !== -1 && at < to) {
      if (at === previous + 1) {
        this.count += 1
        previous = -2
      } else {
        previous = at
      }
      at = data.indexOf(10, at + 1)
    }
    this.#afterNewline = previous === to - 1
  }
}

/** One HTTP chunk around `payload`. */
export function httpChunk(payload: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`${payload.length.toString(16)}\r\n`), payload, CRLF])
}

export const LAST_CHUNK: Buffer = Buffer.from('0\r\n\r\n')
