/** Ready-made scripts: each answers one request the way some provider was seen to answer. */
import { createEncoder, type Encoding, encodingHeader } from './encoding.ts'
import type { Script, ScriptedExchange } from './server.ts'
import { cut, type Framing, frame, Raw, type Split } from './sse.ts'
import { type ChunkOptions, chunks, completion, type Described, errorBody, type JsonObject } from './wire.ts'

export interface JsonOptions {
  /** Default 200. */
  status?: number
  headers?: Readonly<Record<string, string | readonly string[]>>
  encoding?: Encoding
}

export interface StreamOptions extends JsonOptions, Framing {
  /** Default `event`. */
  split?: Split
  /** Writes `[DONE]` last, default true. */
  done?: boolean
  /** Starts with a byte order mark, default false. */
  bom?: boolean
  /** The blank line after the last event, default true. */
  finalBlankLine?: boolean
  /** Default `end`. `close` and `reset` cut the connection inside the reply, `hang` leaves it open. */
  end?: 'end' | 'close' | 'reset' | 'hang'
}

/**
 * One step of a streamed reply: an object is an event with that JSON, a text an event with that payload, `raw()` goes
 * out as it is, a promise makes the stream wait, a function is called and awaited.
 */
export type Step = JsonObject | string | Raw | PromiseLike<unknown> | (() => unknown)

/** A JSON reply; a text or bytes are sent as they are. */
export const json =
  (body: unknown, options: JsonOptions = {}): Script =>
  ({ response, request }) =>
    send(response, request.method, body, 'application/json', options)

/** An HTML page, as load balancers answer. */
export const html = (status: number, page = `<html><body><h1>${status}</h1></body></html>`): Script =>
  text(status, page, 'text/html; charset=utf-8')

/** Any text with any content type. */
export const text =
  (
    status: number,
    body: string | Uint8Array,
    contentType = 'text/plain',
    headers: JsonOptions['headers'] = {},
  ): Script =>
  ({ response, request }) =>
    send(response, request.method, body, contentType, { status, headers })

async function send(
  response: ScriptedExchange['response'],
  method: string,
  body: unknown,
  contentType: string,
  options: JsonOptions,
): Promise<void> {
  const plain = Buffer.from(
    typeof body === 'string' ? body : body instanceof Uint8Array ? body : (JSON.stringify(body) as never),
  )
  const encoder = createEncoder(options.encoding)
  const bytes = Buffer.concat([await encoder.encode(plain), await encoder.finish()])
  response.writeHead(options.status ?? 200, {
    'content-type': contentType,
    'content-length': String(bytes.length),
    ...(options.encoding && { 'content-encoding': encodingHeader(options.encoding) }),
    ...(options.headers as Record<string, string>),
  })
  response.end(method === 'HEAD' ? undefined : bytes)
}

/** An error in the API's own form. */
export const apiError = (
  status: number,
  error: { message?: string; type?: string; code?: string | null; param?: string | null } = {},
  headers: JsonOptions['headers'] = {},
): Script =>
  json(
    errorBody(error.message ?? `scripted ${status}`, error.type ?? 'invalid_request_error', error.code, error.param),
    { status, headers },
  )

/** 429 with the headers that OpenAI sends. */
export const rateLimited = (retryAfter = '7'): Script =>
  apiError(
    429,
    { message: 'Rate limit reached for requests', type: 'requests', code: 'rate_limit_exceeded' },
    {
      'retry-after': retryAfter,
      'x-ratelimit-limit-requests': '60',
      'x-ratelimit-remaining-requests': '0',
      'x-ratelimit-reset-requests': '6m0s',
    },
  )

/** Answers a description in the form the request asks for: JSON or a stream, with usage when it was asked for. */
export const chat =
  (reply: Described, options: StreamOptions & ChunkOptions = {}): Script =>
  (exchange) => {
    const asked = exchange.request.json as { stream?: boolean; stream_options?: { include_usage?: boolean } | null }
    if (!asked.stream) return json(completion(reply), options)(exchange)
    const usage = options.usage ?? asked.stream_options?.include_usage === true
    return stream(chunks(reply, { ...options, usage }), options)(exchange)
  }

/** Accepts the request and never answers. */
export const hang = (): Script => async (exchange) => {
  await exchange.request.closed
}

/** Cuts the connection before a byte of the reply. */
export const hangUp =
  (how: 'close' | 'reset' = 'close'): Script =>
  (exchange) =>
    exchange.cut(how)

/** Writes bytes to the socket past the HTTP layer, then closes it unless `keep`. */
export const bytes =
  (wire: string | Uint8Array, options: { keep?: boolean } = {}): Script =>
  async (exchange) => {
    const { promise, resolve } = Promise.withResolvers<void>()
    exchange.socket.write(wire, () => resolve())
    await exchange.wait(promise)
    if (!options.keep) await exchange.cut()
    else await exchange.request.closed
  }

/** A streamed reply, step by step. */
export const stream =
  (steps: readonly Step[] | Iterable<Step>, options: StreamOptions = {}): Script =>
  async (exchange) => {
    const writer = new StreamWriter(exchange, options)
    writer.head()
    if (options.bom) await writer.put(Buffer.from([0xef, 0xbb, 0xbf]))
    for (const step of steps) {
      if (exchange.over) return
      if (isPromise(step)) await writer.pause(step)
      else if (typeof step === 'function') await writer.pause(Promise.resolve(step()))
      else await writer.put(step instanceof Raw ? step.bytes : Buffer.from(frame(step, options)))
    }
    if (options.done !== false) await writer.put(Buffer.from(frame('[DONE]', options)))
    await writer.finish()
  }

const isPromise = (step: Step): step is PromiseLike<unknown> =>
  typeof (step as { then?: unknown }).then === 'function' && !(step instanceof Raw)

/** How many single bytes leave in one turn, again and again: each turn costs system calls. Their sum is prime, to vary the cuts. */
const BYTES_TOGETHER = [1, 2, 3, 5, 8, 13, 21]

class StreamWriter {
  readonly #exchange: ScriptedExchange
  readonly #options: StreamOptions
  readonly #split: Split
  readonly #encoder: ReturnType<typeof createEncoder>
  /** Not yet written: always the last event, and with other splits than `event` all since the last pause. */
  #pending: Buffer[] = []
  #position = 0
  #turns = 0

  constructor(exchange: ScriptedExchange, options: StreamOptions) {
    this.#exchange = exchange
    this.#options = options
    this.#split = options.split ?? 'event'
    this.#encoder = createEncoder(options.encoding)
  }

  head(): void {
    const { encoding, status, headers } = this.#options
    this.#exchange.response.writeHead(status ?? 200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache',
      ...(encoding && { 'content-encoding': encodingHeader(encoding) }),
      ...(headers as Record<string, string>),
    })
    this.#exchange.response.flushHeaders()
  }

  async put(bytes: Buffer): Promise<void> {
    if (this.#split === 'event') await this.#flush()
    this.#pending.push(bytes)
  }

  async pause(promise: PromiseLike<unknown>): Promise<void> {
    await this.#flush()
    await this.#exchange.wait(promise)
  }

  async finish(): Promise<void> {
    const { finalBlankLine, eol, end } = this.#options
    if (finalBlankLine === false) this.#chop((eol ?? '\n').length)
    await this.#flush()
    if (this.#exchange.over) return
    if (end === 'hang') await this.#exchange.request.closed
    else if (end === 'close' || end === 'reset') await this.#exchange.cut(end)
    else {
      await this.#exchange.write(await this.#encoder.finish())
      this.#exchange.response.end()
    }
  }

  #chop(length: number): void {
    const last = this.#pending.pop()
    if (last) this.#pending.push(last.subarray(0, last.length - length))
  }

  async #flush(): Promise<void> {
    const plain = Buffer.concat(this.#pending.splice(0))
    if (plain.length === 0) return
    const bytes = await this.#encoder.encode(plain)
    const parts = cut(bytes, this.#position, this.#split)
    this.#position += bytes.length
    const together = this.#split === 'byte' ? BYTES_TOGETHER : [1]
    let room = together[this.#turns % together.length] as number
    for (const [i, part] of parts.entries()) {
      const written = this.#exchange.write(part)
      if (--room > 0 && i + 1 < parts.length) continue
      await written
      room = together[++this.#turns % together.length] as number
      // A turn of the event loop after each write, so that a peer in this process reads them one by one.
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
}
