/** A plain HTTP client that shows the wire: one connection for each request, bytes as they come, no interpretation. */
import assert from 'node:assert/strict'
import { type ClientRequest, type IncomingHttpHeaders, type IncomingMessage, request as open } from 'node:http'

export interface SendOptions {
  /** Default POST with a body, else GET. */
  method?: string
  headers?: Readonly<Record<string, string | readonly string[]>>
  /** Bytes and texts go as they are, anything else as JSON with its content type. */
  body?: unknown
  /** Aborting it closes the connection, before or after the head. */
  signal?: AbortSignal
}

/** A reply whose head has arrived; the body is read as the test asks for it. */
export class Reply {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** Undefined while the body flows; then whether it ended as HTTP says it must. */
  complete: boolean | undefined
  readonly #message: IncomingMessage
  readonly #request: ClientRequest
  readonly #chunks: AsyncIterator<Buffer>
  #rest = ''
  readonly #decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

  constructor(request: ClientRequest, message: IncomingMessage) {
    this.#request = request
    this.#message = message
    this.status = message.statusCode ?? 0
    this.headers = message.headers
    this.#chunks = message[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  }

  /** The next bytes, or undefined at the end, be it clean or not: see `complete`. */
  async read(): Promise<Buffer | undefined> {
    try {
      const { value, done } = await this.#chunks.next()
      if (!done) return value
      this.complete = this.#message.complete
    } catch {
      this.complete = false
    }
    return undefined
  }

  /** The rest of the body. */
  async text(): Promise<string> {
    for (let bytes = await this.read(); bytes; bytes = await this.read()) {
      this.#rest += this.#decoder.decode(bytes, { stream: true })
    }
    const text = this.#rest
    this.#rest = ''
    return text
  }

  async json(): Promise<Record<string, unknown>> {
    return JSON.parse(await this.text())
  }

  /** The payload of the next event, or undefined at the end. Fails on framing that the gateway must not write. */
  async event(): Promise<string | undefined> {
    for (;;) {
      const block = await this.#block()
      if (block === undefined) return undefined
      if (!block.startsWith(':')) return payloadOf(block)
    }
  }

  /** All payloads up to the end. */
  async events(): Promise<string[]> {
    const out: string[] = []
    for (let event = await this.event(); event !== undefined; event = await this.event()) out.push(event)
    return out
  }

  async #block(): Promise<string | undefined> {
    let end = this.#rest.indexOf('\n\n')
    while (end < 0) {
      const bytes = await this.read()
      if (!bytes) {
        assert.equal(this.#rest, '', 'the stream ended inside an event')
        return undefined
      }
      this.#rest += this.#decoder.decode(bytes, { stream: true })
      end = this.#rest.indexOf('\n\n')
    }
    const block = this.#rest.slice(0, end)
    this.#rest = this.#rest.slice(end + 2)
    return block
  }

  /** Leaves: closes the connection. */
  destroy(): void {
    this.#request.destroy()
  }
}

/** The payload of one event block, which must be one `data: ` line, after the event's name where the API has names. */
function payloadOf(block: string): string {
  // Not one expression: a match of megabytes may overflow the stack.
  const at = block.indexOf('data: ')
  const payload = block.slice(at + 'data: '.length)
  assert.ok(at >= 0 && payload !== '' && !/[\r\n]/.test(payload), 'an event is one `data: ` line')
  assert.match(block.slice(0, at), /^(?:event: [a-z_.]+\n)?$/, 'an event is one `data: ` line')
  return payload
}

/** The payloads of a whole stream. */
export function payloads(stream: string): string[] {
  if (stream === '') return []
  assert.ok(stream.endsWith('\n\n'), `the stream ended inside an event: ${JSON.stringify(stream.slice(-80))}`)
  const blocks = stream.slice(0, -2).split('\n\n')
  return blocks.filter((block) => !block.startsWith(':')).map(payloadOf)
}

/** Sends a request and waits for the head of the reply. */
export function send(url: string, options: SendOptions = {}): Promise<Reply> {
  const { promise, resolve, reject } = Promise.withResolvers<Reply>()
  const { body } = options
  const isJson = body !== undefined && typeof body !== 'string' && !(body instanceof Uint8Array)
  const bytes = isJson ? JSON.stringify(body) : (body as string | Uint8Array | undefined)
  const request = open(url, {
    agent: false,
    ...(options.signal && { signal: options.signal }),
    method: options.method ?? (body === undefined ? 'GET' : 'POST'),
    headers: {
      ...(isJson && { 'content-type': 'application/json' }),
      ...(bytes !== undefined && { 'content-length': String(Buffer.byteLength(bytes)) }),
      ...(options.headers as Record<string, string>),
    },
  })
  request.once('response', (message) => resolve(new Reply(request, message)))
  request.on('error', reject)
  request.end(bytes)
  return promise
}
