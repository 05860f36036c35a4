import type { UpstreamConfig } from '../config/types.ts'
import { GatewayError } from '../contract/errors.ts'
import { type Dispatcher, Pool } from '../util/undici.ts'
import { ownHeaders } from './headers.ts'
import type { Sink, Source, UpstreamFailure, UpstreamRequest } from './source.ts'

/** One provider of the config. */
export interface Upstream {
  readonly name: string
  readonly config: UpstreamConfig
  /** Headers of every request to it. */
  readonly headers: Readonly<Record<string, string>>
  send(request: UpstreamRequest, sink: Sink): Source
  close(): Promise<void>
}

/** A provider behind HTTP. One pool of keep-alive connections; never sends a request twice. */
export class HttpUpstream implements Upstream {
  readonly name: string
  readonly config: UpstreamConfig
  readonly headers: Readonly<Record<string, string>>
  readonly #pool: Pool
  readonly #prefix: string

  constructor(name: string, config: UpstreamConfig) {
    this.name = name
    this.config = config
    this.headers = ownHeaders(config)
    const url = new URL(config.url as string)
    this.#prefix = url.pathname.replace(/\/+$/, '')
    this.#pool = new Pool(url.origin, {
      allowH2: false,
      connect: { timeout: config.connect_timeout_seconds * 1000 },
      headersTimeout: config.first_byte_timeout_seconds * 1000,
      bodyTimeout: config.idle_timeout_seconds * 1000,
      maxHeaderSize: 64 * 1024,
    })
  }

  send(request: UpstreamRequest, sink: Sink): Source {
    const handler = new Handler(this, sink)
    const { method, headers, body } = request
    const path = this.#prefix + request.path
    this.#pool.dispatch(
      { path, method, headers: headers as Record<string, string>, body: body.length === 0 ? null : body },
      handler,
    )
    return handler
  }

  async close(): Promise<void> {
    await this.#pool.destroy()
  }
}

/** Bytes of one reply to take before other exchanges run, and the fixed cost of each read. */
const AT_ONCE = 32 * 1024
const PER_READ = 256

/**
 * One turn of the event loop reads up to two megabytes from a connection that has them. So a reply that keeps coming rests
 * until the next turn.
 */
class Handler implements Dispatcher.DispatchHandler, Source {
  readonly #upstream: HttpUpstream
  readonly #sink: Sink
  #controller: Dispatcher.DispatchController | undefined = undefined
  #paused = false
  #rests = false
  /** Bytes to take in this turn. */
  #left = AT_ONCE
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
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    // Interim responses (1xx) have nothing that the client needs.
    if (this.#over || status < 200) return
    this.#answered = true
    this.#sink.onHeaders(status, headers)
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#over) return
    this.#sink.onData(chunk)
    this.#left -= chunk.length + PER_READ
    if (this.#left > 0 || this.#rests) return
    this.#rests = true
    controller.pause()
    setImmediate(() => this.#goOn())
  }

  #goOn(): void {
    this.#rests = false
    this.#left = AT_ONCE
    if (!this.#paused && !this.#over) this.#controller?.resume()
  }

  onResponseEnd(): void {
    if (this.#over) return
    this.#end()
    this.#sink.onEnd()
  }

  onResponseError(_controller: Dispatcher.DispatchController, cause: Error): void {
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
    } else if (!this.#sent) {
      const message = `The upstream '${name}' cannot be reached${code === undefined ? '' : ` (${code})`}.`
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

const timeout = (name: string, what: string, cause?: unknown): GatewayError =>
  new GatewayError('GW_UPSTREAM_TIMEOUT', `The upstream '${name}' did not ${what}.`, { cause })
