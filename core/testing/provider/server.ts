/** A scripted HTTP server on loopback, shared by the scripted provider and the webhook receiver. */
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

/** How an exchange ended: the reply was complete, the peer left early, or the script cut the connection. */
export type Ending = 'finished' | 'aborted' | 'cut'

/** One request as it arrived. */
export interface RecordedRequest {
  readonly method: string
  /** Path and query. */
  readonly url: string
  readonly headers: IncomingHttpHeaders
  /** Names and values alternating, spelled and repeated as sent. */
  readonly rawHeaders: readonly string[]
  /** The body so far; complete once `received` settled. */
  readonly body: Buffer
  /** The body as UTF-8. */
  readonly text: string
  /** The body parsed; throws when it is not JSON. */
  readonly json: unknown
  /** Settles when the body is complete, or the peer left. */
  readonly received: Promise<void>
  /** Settles when the exchange is over; `aborted`: the peer closed first. */
  readonly closed: Promise<Ending>
}

/** A script's view of an exchange. */
export interface ScriptedExchange<R extends RecordedRequest = RecordedRequest> {
  readonly request: R
  readonly response: ServerResponse
  readonly socket: Socket
  /** Whether the connection is closed and the script should stop. */
  readonly over: boolean
  /** Waits for `promise`, or until the exchange ends. */
  wait(promise: PromiseLike<unknown>): Promise<void>
  /** Writes body bytes, and waits while the peer does not read. */
  write(bytes: Uint8Array | string): Promise<void>
  /** Closes the connection without ending the reply, after pending writes were sent. */
  cut(how?: 'close' | 'reset'): Promise<void>
}

/** Answers one request. Runs after the body arrived, unless wrapped in `early`. */
export type Script<R extends RecordedRequest = RecordedRequest> = ((exchange: ScriptedExchange<R>) => unknown) & {
  readonly early?: boolean
}

/** Runs a script as soon as the request head arrived; the body is never read. */
export const early = (script: Script): Script => Object.assign((x: ScriptedExchange) => script(x), { early: true })

/** A running scripted server. */
export interface ScriptedServer {
  /** `http://127.0.0.1:<port>`, without a path. */
  readonly origin: string
  readonly port: number
  /** Every request so far, oldest first. */
  readonly requests: readonly RecordedRequest[]
  /** Exchanges whose reply has not ended. */
  readonly open: number
  /** Connections accepted since the start. */
  readonly connections: number
  /** Queues scripts, one for each coming request. */
  reply(...scripts: Script[]): void
  /** Answers every request without a queued script. */
  otherwise(script: Script): void
  /** The next request that `next` has not returned yet, after its body arrived. Rejects when the server closes. */
  next(): Promise<RecordedRequest>
  /** Settles when no exchange is open. */
  idle(): Promise<void>
  /** Ends every connection. Rethrows a script's error, so that the test fails. */
  close(): Promise<void>
}

export interface ScriptedServerOptions {
  /** Answers when no script is queued and `otherwise` was not called. */
  fallback: Script
  /** Answers requests outside of the queue, such as `GET /v1/models`; undefined passes a request to the queue. */
  route?: (request: RecordedRequest) => Script | undefined
}

export async function startScriptedServer(options: ScriptedServerOptions): Promise<ScriptedServer> {
  const server = new Server(options)
  await server.listen()
  return server
}

class Server implements ScriptedServer {
  readonly requests: RecordedRequest[] = []
  open = 0
  connections = 0
  port = 0
  #fallback: Script
  readonly #route: ScriptedServerOptions['route']
  readonly #queue: Script[] = []
  readonly #failures: unknown[] = []
  readonly #arrived: RecordedRequest[] = []
  readonly #waiting: PromiseWithResolvers<RecordedRequest>[] = []
  #idle: PromiseWithResolvers<void> | undefined
  readonly #http = createServer({ maxHeaderSize: 65_536, requestTimeout: 0 })

  constructor(options: ScriptedServerOptions) {
    this.#fallback = options.fallback
    this.#route = options.route
    this.#http.on('connection', () => {
      this.connections += 1
    })
    this.#http.on('request', (req, res) => void this.#serve(req, res))
  }

  get origin(): string {
    return `http://127.0.0.1:${this.port}`
  }

  async listen(): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    this.#http.once('error', reject)
    this.#http.listen(0, '127.0.0.1', resolve)
    await promise
    this.port = (this.#http.address() as AddressInfo).port
  }

  reply(...scripts: Script[]): void {
    this.#queue.push(...scripts)
  }

  otherwise(script: Script): void {
    this.#fallback = script
  }

  next(): Promise<RecordedRequest> {
    const arrived = this.#arrived.shift()
    if (arrived) return Promise.resolve(arrived)
    const waiting = Promise.withResolvers<RecordedRequest>()
    this.#waiting.push(waiting)
    return waiting.promise
  }

  idle(): Promise<void> {
    if (this.open === 0) return Promise.resolve()
    this.#idle ??= Promise.withResolvers<void>()
    return this.#idle.promise
  }

  async close(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#http.close(() => resolve())
    this.#http.closeAllConnections()
    await promise
    for (const waiting of this.#waiting.splice(0)) waiting.reject(new Error('the scripted server was closed'))
    if (this.#failures.length > 0) throw new AggregateError(this.#failures, 'a script failed')
  }

  async #serve(req: IncomingMessage, res: ServerResponse): Promise<void> {
    this.open += 1
    const request = new Recorded(req)
    const exchange = new Exchange(request, req, res, () => this.#closed())
    this.requests.push(request)
    const script = this.#route?.(request) ?? this.#queue.shift() ?? this.#fallback
    if (!script.early) await request.receive(req)
    this.#announce(request)
    if (exchange.over) return
    try {
      await script(exchange)
    } catch (error) {
      this.#failures.push(error)
      res.destroy()
    }
  }

  #announce(request: RecordedRequest): void {
    const waiting = this.#waiting.shift()
    if (waiting) waiting.resolve(request)
    else this.#arrived.push(request)
  }

  #closed(): void {
    this.open -= 1
    if (this.open > 0) return
    this.#idle?.resolve()
    this.#idle = undefined
  }
}

class Recorded implements RecordedRequest {
  readonly method: string
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly rawHeaders: readonly string[]
  readonly received: Promise<void>
  readonly closed: Promise<Ending>
  readonly end: (ending: Ending) => void
  readonly #chunks: Buffer[] = []
  readonly #whole: () => void

  constructor(req: IncomingMessage) {
    this.method = req.method ?? ''
    this.url = req.url ?? ''
    this.headers = req.headers
    this.rawHeaders = req.rawHeaders
    const received = Promise.withResolvers<void>()
    const closed = Promise.withResolvers<Ending>()
    this.received = received.promise
    this.closed = closed.promise
    this.#whole = received.resolve
    this.end = (ending) => {
      received.resolve()
      closed.resolve(ending)
    }
  }

  receive(req: IncomingMessage): Promise<void> {
    req.on('data', (chunk: Buffer) => this.#chunks.push(chunk))
    req.once('end', this.#whole)
    req.once('close', this.#whole)
    return this.received
  }

  get body(): Buffer {
    return Buffer.concat(this.#chunks)
  }

  get text(): string {
    return this.body.toString('utf8')
  }

  get json(): unknown {
    return JSON.parse(this.text)
  }
}

class Exchange implements ScriptedExchange {
  readonly request: Recorded
  readonly response: ServerResponse
  readonly socket: Socket
  over = false
  #cut = false
  /** One for all writes that wait. */
  #drained: PromiseWithResolvers<void> | undefined
  readonly #gone = Promise.withResolvers<void>()

  constructor(request: Recorded, req: IncomingMessage, response: ServerResponse, closed: () => void) {
    this.request = request
    this.response = response
    this.socket = req.socket
    response.on('error', () => {}) // The peer may leave while we write; `closed` reports it.
    response.on('drain', () => {
      this.#drained?.resolve()
      this.#drained = undefined
    })
    response.once('close', () => {
      this.over = true
      this.#gone.resolve()
      request.end(this.#cut ? 'cut' : response.writableFinished ? 'finished' : 'aborted')
      closed()
    })
  }

  async wait(promise: PromiseLike<unknown>): Promise<void> {
    await Promise.race([promise, this.#gone.promise])
  }

  async write(bytes: Uint8Array | string): Promise<void> {
    if (this.over || this.response.write(bytes)) return
    this.#drained ??= Promise.withResolvers<void>()
    await this.wait(this.#drained.promise)
  }

  async cut(how: 'close' | 'reset' = 'close'): Promise<void> {
    if (this.over) return
    this.#cut = true
    const flushed = Promise.withResolvers<void>()
    if (this.response.headersSent) this.socket.write('', () => flushed.resolve())
    else flushed.resolve()
    await this.wait(flushed.promise)
    if (how === 'reset') this.socket.resetAndDestroy()
    else this.socket.destroy()
  }
}
