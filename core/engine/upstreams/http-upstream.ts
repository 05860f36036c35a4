import type { UpstreamConfig } from '../config/types.ts'
import { GatewayError, isGatewayError } from '../contract/errors.ts'
import type { Emit } from '../events/emit.ts'
import type { Dispatcher } from '../util/undici.ts'
import { openCredential } from './credential.ts'
import { ownHeaders } from './headers.ts'
import type { Credential } from './key-source.ts'
import { kindOf } from './kinds.ts'
import type { Sink, Source, UpstreamFailure, UpstreamRequest } from './source.ts'
import { MAX_HEADER_BYTES, Transport } from './transport.ts'

/** One provider of the config. */
export interface Upstream {
  readonly name: string
  readonly config: UpstreamConfig
  /** Headers of every request to it; without a key that may change. */
  readonly headers: Readonly<Record<string, string>>
  send(request: UpstreamRequest, sink: Sink): Source
  close(): Promise<void>
}

/** A provider behind HTTP. One pool of keep-alive connections; never sends a request twice. */
export class HttpUpstream implements Upstream {
  readonly name: string
  readonly config: UpstreamConfig
  readonly headers: Readonly<Record<string, string>>
  readonly #transport: Transport
  readonly #credential: Credential | undefined
  readonly #origin: string
  readonly #prefix: string

  /** Throws if a file of its `tls` or its `key_file` cannot be used. */
  constructor(name: string, config: UpstreamConfig, emit: Emit) {
    this.name = name
    this.config = config
    this.headers = ownHeaders(config)
    const url = new URL(config.url as string)
    this.#prefix = url.pathname.replace(/\/+$/, '')
    this.#origin = url.origin
    this.#credential = openCredential(name, config, (reason, usable, more) =>
      emit('upstream.key_failed', { upstream: name, reason, usable, ...more }),
    )
    this.#transport = new Transport(url.origin, config, (type, more) =>
      emit(type, { place: `upstreams.${name}.tls`, ...more }),
    )
  }

  send(request: UpstreamRequest, sink: Sink): Source {
    const handler = new Handler(this, sink)
    if (this.#credential === undefined) this.#dispatch(request, request.headers, handler)
    else void this.#sendWithKey(this.#credential, request, handler)
    return handler
  }

  async #sendWithKey(credential: Credential, request: UpstreamRequest, handler: Handler): Promise<void> {
    try {
      const key = await credential.get()
      if (!handler.over) this.#dispatch(request, { ...request.headers, ...kindOf(this.config).keyHeader(key) }, handler)
    } catch (cause) {
      handler.refuse(cause)
    }
  }

  #dispatch({ method, path, body }: UpstreamRequest, headers: UpstreamRequest['headers'], handler: Handler): void {
    this.#transport.dispatcher.dispatch(
      {
        origin: this.#origin,
        path: this.#prefix + path,
        method,
        headers: headers as Record<string, string>,
        body: body.length === 0 ? null : body,
      },
      handler,
    )
  }

  async close(): Promise<void> {
    this.#credential?.close()
    await this.#transport.close()
  }
}

/** Bytes of one reply to take before other exchanges run, and what each HTTP chunk counts besides. */
const AT_ONCE = 32 * 1024
const PER_CHUNK = 64

/**
 * One turn of the event loop reads up to two megabytes from a connection that has them. So a reply that keeps coming rests
 * until the next turn. What one turn reads goes on as one piece, however many HTTP chunks it had.
 */
class Handler implements Dispatcher.DispatchHandler, Source {
  readonly #upstream: HttpUpstream
  readonly #sink: Sink
  #controller: Dispatcher.DispatchController | undefined = undefined
  #paused = false
  #rests = false
  /** Bytes to take in this turn. */
  #left = AT_ONCE
  /** Chunks of this turn that the sink did not get yet. */
  #chunks: Buffer[] = []
  readonly #deliver = (): void => {
    this.#flush()
    this.#rest()
  }
  #over = false
  #sent = false
  #answered = false
  readonly #total: NodeJS.Timeout

  constructor(upstream: HttpUpstream, sink: Sink) {
    this.#upstream = upstream
    this.#sink = sink
    const seconds = upstream.config.total_timeout_seconds
    this.#total = setTimeout(
      () => this.#fail(timeout(upstream.name, `answer within ${seconds} s`), false, true),
      seconds * 1000,
    )
  }

  get over(): boolean {
    return this.#over
  }

  /** The request cannot be sent. */
  refuse(cause: unknown): void {
    if (this.#over) return
    const message = `The gateway could not send the request to the upstream '${this.#upstream.name}'.`
    const error = isGatewayError(cause) ? cause : new GatewayError('GW_INTERNAL', message, { cause })
    this.#fail(error, error === cause)
  }

  pause(): void {
    this.#paused = true
    this.#controller?.pause()
  }

  resume(): void {
    this.#paused = false
    if (!this.#rests) this.#controller?.resume()
  }

  abort(): void {
    this.#end()
    this.#controller?.abort(new Error('The exchange ended.'))
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.#over) controller.abort(new Error('The exchange ended.'))
    else if (this.#paused) controller.pause()
    this.#sent = true
    if (!this.#over) this.#sink.onSent?.()
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    // Interim responses (1xx) have nothing that the client needs.
    if (this.#over || status < 200) return
    this.#answered = true
    // They keep all of the first read, and a stream may take minutes.
    controller.rawHeaders = null
    this.#sink.onHeaders(status, headers)
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#over) return
    // Microtasks run when the parser is through with what the socket had.
    if (this.#chunks.push(chunk) === 1) queueMicrotask(this.#deliver)
    this.#left -= chunk.length + PER_CHUNK
  }

  /**
   * Pauses only behind all that the socket had: undici puts what a pause cuts off back before what the socket reads meanwhile,
   * and joins both at the next turn. A reply of which each turn took a part of that would be copied again and again.
   */
  #rest(): void {
    if (this.#left > 0 || this.#rests || this.#over) return
    this.#rests = true
    this.#controller?.pause()
    setImmediate(() => this.#goOn())
  }

  #flush(): void {
    const [first] = this.#chunks
    if (this.#over || first === undefined) return
    const data = this.#chunks.length === 1 ? first : Buffer.concat(this.#chunks)
    this.#chunks = []
    try {
      this.#sink.onData(data)
    } catch (cause) {
      this.#controller?.abort(cause as Error)
    }
  }

  #goOn(): void {
    this.#rests = false
    this.#left = AT_ONCE
    if (!this.#paused && !this.#over) this.#controller?.resume()
  }

  onResponseEnd(): void {
    this.#flush()
    if (this.#over) return
    this.#end()
    this.#sink.onEnd()
  }

  onResponseError(_controller: Dispatcher.DispatchController, cause: Error): void {
    this.#flush()
    if (this.#over) return
    const { name, config } = this.#upstream
    const { code } = cause as NodeJS.ErrnoException
    if (code === 'UND_ERR_HEADERS_TIMEOUT') {
      this.#fail(timeout(name, `send a first byte within ${config.first_byte_timeout_seconds} s`, cause), true)
    } else if (code === 'UND_ERR_BODY_TIMEOUT') {
      this.#fail(timeout(name, `send anything for ${config.idle_timeout_seconds} s`, cause), false)
    } else if (cause.name === 'HTTPParserError') {
      this.#fail(
        new GatewayError('GW_UPSTREAM_INVALID', `The upstream '${name}' does not speak HTTP.`, { cause }),
        false,
      )
    } else if (code === 'UND_ERR_HEADERS_OVERFLOW') {
      const message = `The upstream '${name}' sent a head, or trailers, of more than ${MAX_HEADER_BYTES / 1024} KiB.`
      this.#fail(new GatewayError('GW_UPSTREAM_INVALID', message, { cause }), false)
    } else if (!this.#sent || isProxyRefusal(cause)) {
      const through = config.proxy === undefined ? '' : ' through its proxy'
      const status = /\bProxy\b.*\((\d{3})\)/.exec(cause.message)?.[1] ?? code
      const message = `The upstream '${name}' cannot be reached${through}${status === undefined ? '' : ` (${status})`}.`
      this.#fail(new GatewayError('GW_UPSTREAM_UNREACHABLE', message, { cause }), true)
    } else {
      const when = this.#answered ? 'before its answer was complete' : 'without an answer'
      const message = `The upstream '${name}' closed the connection ${when}.`
      this.#fail(new GatewayError('GW_UPSTREAM_DISCONNECTED', message, { cause }), false)
    }
  }

  #fail(error: GatewayError, fallback: boolean, abort = false): void {
    const failure: UpstreamFailure = { error, fallback, sent: this.#sent }
    this.#end()
    if (abort) this.#controller?.abort(error)
    this.#sink.onError(failure)
  }

  #end(): void {
    this.#over = true
    clearTimeout(this.#total)
  }
}

/** A proxy that forwards answers itself: 407 without valid credentials. */
const isProxyRefusal = ({ message }: Error): boolean => message === 'Proxy Authentication Required (407)'

const timeout = (name: string, what: string, cause?: unknown): GatewayError =>
  new GatewayError('GW_UPSTREAM_TIMEOUT', `The upstream '${name}' did not ${what}.`, { cause })
