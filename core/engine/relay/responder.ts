import type { IncomingMessage, ServerResponse } from 'node:http'
import type { GatewayError } from '../contract/errors.ts'
import { sessionFact } from '../contract/facts.ts'
import type { Dialect } from '../dialects/dialect.ts'
import { errorBody } from '../dialects/error-body.ts'
import type { ChatExchange } from '../exchange/exchange.ts'
import { wholeCharacter } from '../util/steps.ts'

/** Limits, in time and size, for reading the rest of a request body after an early answer. */
const LINGER_MS = 5_000
const LINGER_BYTES = 64 * 1024 * 1024

const NOTHING: readonly Buffer[] = []
/** Characters to encode at once. */
const PART = 256 * 1024
/** Bytes that cost less to copy than to write in parts. */
const MOST_COPIED = 16 * 1024
const CR = 0x0d
const LF = 0x0a

const STREAM_HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache',
  'x-accel-buffering': 'no',
} as const

/** Where a reply goes. */
export type Output = Omit<{ [K in keyof Responder]: Responder[K] }, 'in' | 'for' | 'plain'> & { readonly plain: Output }

/** The client's side of one request: all writes to the client go through here. */
export class Responder {
  readonly id: string
  readonly #req: IncomingMessage
  readonly #res: ServerResponse
  #onDrain: (() => void) | undefined
  /** Determines the shape of errors. */
  readonly #dialect: Dialect | undefined
  /** Its headers go out with the head of the answer. */
  readonly #exchange: ChatExchange | undefined

  constructor(req: IncomingMessage, res: ServerResponse, id: string, dialect?: Dialect, exchange?: ChatExchange) {
    this.#req = req
    this.#res = res
    this.id = id
    this.#dialect = dialect
    this.#exchange = exchange
  }

  /** The same client, using this dialect. */
  in(dialect: Dialect): Responder {
    return new Responder(this.#req, this.#res, this.id, dialect)
  }

  /** The same client, with the headers of an exchange. */
  for(exchange: ChatExchange): Responder {
    return new Responder(this.#req, this.#res, this.id, exchange.dialect, exchange)
  }

  /** The same client, without the headers of an exchange. */
  get plain(): Responder {
    return new Responder(this.#req, this.#res, this.id, this.#dialect)
  }

  get committed(): boolean {
    return this.#res.headersSent
  }

  /** Whether the client closed the connection before the answer was complete. */
  get gone(): boolean {
    return this.#res.destroyed || this.#res.closed
  }

  /**
   * Calls the listener once when nothing more can be written; `whole`: whether the client got the complete answer.
   */
  onClose(listener: (whole: boolean) => void): void {
    const res = this.#res
    if (this.gone) listener(res.writableFinished)
    else res.on('close', () => listener(res.writableFinished))
  }

  /** Calls the listener, the last one that was given, whenever the client caught up. */
  onDrain(listener: () => void): void {
    if (this.#onDrain === undefined) this.#res.on('drain', () => this.#onDrain?.())
    this.#onDrain = listener
  }

  /** @param before what is before the text, encoded */
  json(
    status: number,
    body: string,
    headers?: Readonly<Record<string, string>>,
    before: readonly Buffer[] = NOTHING,
  ): void {
    this.#send(status, body, withWait(status, headers), before)
  }

  #send(
    status: number,
    body: string,
    headers: Readonly<Record<string, string>> | undefined,
    before: readonly Buffer[],
  ): void {
    if (this.gone || this.committed) return
    const last = Buffer.byteLength(body)
    const length = before.reduce((sum, bytes) => sum + bytes.length, last)
    this.#head(status, { 'content-type': 'application/json; charset=utf-8', 'content-length': String(length) }, headers)
    // Byte length equals string length: ASCII, which needs no encoding.
    for (const bytes of before) this.#res.write(bytes)
    if (last === body.length) this.#res.end(body, 'latin1')
    else this.#res.end(body)
    if (!this.#req.complete) this.#linger()
  }

  /** Sends an error with the request id. `within` adds members to the error, `beside` next to it. */
  error(error: GatewayError, within?: object, beside?: object): void {
    const status = this.#dialect?.statusOf?.(error.code, error.status, this.#req.headers) ?? error.status
    const headers: Record<string, string> = {
      ...error.headers,
      'x-should-retry': String(error.retryable ?? isRetryable(status)),
    }
    if (error.retryAfter !== undefined) {
      headers['retry-after'] = String(Math.max(1, Math.ceil(error.retryAfter)))
    }
    const build = this.#dialect?.errorBody ?? errorBody
    // A provider's own words pass unchanged.
    const isProviders = error.code === 'GW_UPSTREAM_ERROR'
    const body = error.body ?? JSON.stringify(build(error, this.id, within, beside))
    this.#send(status, body, isProviders ? headers : withWait(status, headers), NOTHING)
  }

  /** Sends status 200 and the headers of an event stream. */
  openStream(headers?: Readonly<Record<string, string>>): void {
    if (!this.gone && !this.committed) this.#head(200, STREAM_HEADERS, headers)
  }

  /** Returns false if the client reads too slowly; `onDrain` is called when to continue. */
  write(bytes: Buffer): boolean {
    if (this.gone) return true
    const res = this.#res
    const { socket } = res
    if (!res.chunkedEncoding || bytes.length === 0 || bytes.length > MOST_COPIED) return res.write(bytes)
    // Node would frame it with four writes to the socket, corked until the next tick. It does not cork a corked socket.
    res.chunkedEncoding = false
    socket?.cork()
    const takesMore = res.write(framed(bytes))
    socket?.uncork()
    res.chunkedEncoding = true
    return takesMore
  }

  end(text?: string): void {
    if (this.gone) return
    if (text === undefined || text === '') this.#res.end()
    else if (text.length <= PART) this.#res.end(text)
    else this.#endLong(text, 0)
  }

  /** Encodes a long text in parts, each in a turn of its own. */
  #endLong(text: string, from: number): void {
    if (this.gone) return
    const to = wholeCharacter(text, from + PART)
    if (to >= text.length) return void this.#res.end(text.slice(from))
    this.#res.write(text.slice(from, to))
    setImmediate(() => this.#endLong(text, to))
  }

  /** Cuts the connection, so that the client cannot mistake the partial answer for a whole one. */
  destroy(): void {
    this.#res.destroy()
  }

  #head(
    status: number,
    own: Readonly<Record<string, string>>,
    more: Readonly<Record<string, string>> | undefined,
  ): void {
    const headers: Record<string, string> = { ...own }
    if (more !== undefined) Object.assign(headers, more)
    headers['x-request-id'] = this.id
    const { requestIdHeader } = this.#dialect ?? {}
    if (requestIdHeader !== undefined) headers[requestIdHeader] = this.id
    const x = this.#exchange
    if (x !== undefined) {
      if (x.reply.headers !== undefined) Object.assign(headers, x.reply.headers)
      const { attempts } = x.reply
      if (attempts !== undefined && attempts.length > 1) headers['x-service-attempts'] = String(attempts.length)
      if (x.chain.plugins.length > 0) {
        headers['x-service-classification'] = x.label
        const session = x.facts.get(sessionFact)
        if (session !== undefined) {
          headers['x-service-session-id'] = session.id
          headers['x-service-turn-index'] = String(session.turnIndex)
        }
      }
      x.reply.committed = true
      x.reply.status = status
      x.firstByteAt = performance.now()
    }
    this.#res.writeHead(status, headers)
  }

  /**
   * Reads the rest of an unwanted body. Closing at once would reset the connection while the client still sends, and
   * the client would lose the answer.
   */
  #linger(): void {
    const req = this.#req
    let bytes = 0
    const close = () => req.socket.destroy()
    const timer = setTimeout(close, LINGER_MS)
    req.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > LINGER_BYTES) close()
    })
    req.once('close', () => clearTimeout(timer))
    req.resume()
  }
}

/** A chunk of HTTP/1.1 (RFC 9112, section 7.1) with these bytes. */
function framed(bytes: Buffer): Buffer {
  const { length } = bytes
  const size = length.toString(16)
  const chunk = Buffer.allocUnsafe(size.length + 2 + length + 2)
  let at = 0
  for (; at < size.length; at++) chunk[at] = size.charCodeAt(at)
  chunk[at++] = CR
  chunk[at++] = LF
  chunk.set(bytes, at)
  chunk[at + length] = CR
  chunk[at + length + 1] = LF
  return chunk
}

const WAITS: ReadonlySet<number> = new Set([429, 503])

/** Each 429 and 503 that may be asked again says when. */
function withWait(
  status: number,
  headers: Readonly<Record<string, string>> | undefined,
): Readonly<Record<string, string>> | undefined {
  if (!WAITS.has(status) || headers?.['x-should-retry'] === 'false') return headers
  if (headers !== undefined && Object.keys(headers).some((name) => name.toLowerCase() === 'retry-after')) return headers
  return { ...headers, 'retry-after': '1' }
}

/** Statuses that SDKs may retry; all others get `x-should-retry: false`. */
const isRetryable = (status: number): boolean => status === 408 || status === 429 || status >= 500
