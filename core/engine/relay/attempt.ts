import type { GatewayError } from '../contract/errors.ts'
import type { Outcome } from '../contract/plugin.ts'
import { nameAt, pathAt } from '../upstreams/azure.ts'
import { decode } from '../upstreams/decode.ts'
import { replyHeaders, retryHeaders, upstreamHeaders } from '../upstreams/headers.ts'
import type { Candidate } from '../upstreams/model-routes.ts'
import { invalid } from '../upstreams/provider-error.ts'
import type { Sink, Source, UpstreamFailure } from '../upstreams/source.ts'
import { isEventStream, isJson } from '../util/media-type.ts'
import { sendBuffered } from './buffered.ts'
import type { ReplyContext } from './context.ts'
import { asGatewayError, failExchange } from './endings.ts'
import { MAX_ERROR_BYTES, relayProviderError, relayUnreadable } from './provider-error.ts'
import { StreamReply } from './stream/reply.ts'

/** Asks the candidates in turn until one answers, then relays its reply to the client. */
export function relay(context: ReplyContext, candidates: readonly Candidate[]): void {
  new Attempt(context, candidates, 0).start()
}

type Headers = Readonly<Record<string, string | string[] | undefined>>

class Attempt implements Sink {
  readonly #context: ReplyContext
  readonly #candidates: readonly Candidate[]
  readonly #index: number
  #source: Source | undefined = undefined
  #body: Body | undefined = undefined
  #decode: { data: (chunk: Buffer) => void; end: () => void } | undefined = undefined
  /** Another provider took over. */
  #replaced = false

  constructor(context: ReplyContext, candidates: readonly Candidate[], index: number) {
    this.#context = context
    this.#candidates = candidates
    this.#index = index
  }

  get #candidate(): Candidate {
    return this.#candidates[this.#index] as Candidate
  }

  start(): void {
    const { x } = this.#context
    const { upstream, rename } = this.#candidate
    const { config } = upstream
    x.upstream = upstream.name
    x.reply.progress = 'unsent'
    const headers = upstreamHeaders(
      upstream.headers,
      x.request.headers,
      config.forward_headers,
      x.request.upstreamHeaders,
      (count) => {
        x.request.withheldHeaders = count
      },
    )
    const model = nameAt(config, x.request.modelFor(rename))
    const send = (body: Buffer) => {
      const { method = 'POST' } = x.dialect
      if (body.length === 0) delete headers['content-type']
      const path = pathAt(config, x.dialect, model, x.request.target)
      this.#source = upstream.send({ method, path, headers, body }, this)
      if (!this.#replaced) this.#context.source = this.#source
    }
    const body = x.request.bodyFor(config.include_usage, model, () => x.nextTurn())
    if (!(body instanceof Promise)) return send(body)
    body.then((bytes) => this.#context.over || send(bytes)).catch((cause) => this.#crash(cause))
  }

  onSent(): void {
    this.#context.x.reply.progress = 'sent'
  }

  onHeaders(status: number, headers: Headers): void {
    if (this.#context.over) return
    this.#context.x.reply.progress = status >= 200 && status <= 299 ? 'begun' : 'failed'
    if (status >= 500 && this.#fallBack()) return
    const source = this.#decoded(headers)
    if (source === undefined) return
    this.#body = this.#bodyFor(status, headers, source)
    if (this.#body === undefined) this.#leave()
  }

  onData(chunk: Buffer): void {
    if (this.#decode !== undefined) this.#decode.data(chunk)
    else this.#feed(chunk)
  }

  onEnd(): void {
    if (this.#decode !== undefined) this.#decode.end()
    else this.#close()
  }

  #feed(chunk: Buffer): void {
    try {
      this.#body?.onData(chunk)
    } catch (error) {
      this.#crash(error)
    }
  }

  #close(): void {
    try {
      this.#body?.onEnd()
    } catch (error) {
      this.#crash(error)
    }
  }

  #fail(body: Body, error: GatewayError): void {
    try {
      body.onError(error)
    } catch (cause) {
      this.#crash(cause)
    }
  }

  /** An internal error must not look like the provider's, nor leave the client waiting. */
  #crash(cause: unknown): void {
    const { x, out } = this.#context
    this.#leave()
    const error = asGatewayError(x, cause)
    if (!out.committed) return failExchange(this.#context, error)
    this.#context.finish('upstream_failed', { code: error.wireCode }, () => out.destroy())
  }

  onError({ error, fallback }: UpstreamFailure): void {
    if (this.#context.over) return
    const { reply } = this.#context.x
    // After a timeout the provider may have done the work, so the request counts as sent.
    if (reply.progress === 'sent' && error.code !== 'GW_UPSTREAM_TIMEOUT') reply.progress = 'failed'
    if (this.#body !== undefined) this.#fail(this.#body, error)
    else if (!(fallback && this.#fallBack())) failExchange(this.#context, error)
  }

  /** Asks the next provider; only possible while none has answered. */
  #fallBack(): boolean {
    if (this.#index + 1 >= this.#candidates.length) return false
    this.#replaced = true
    this.#source?.abort()
    new Attempt(this.#context, this.#candidates, this.#index + 1).start()
    return true
  }

  #leave(): void {
    this.#source?.abort()
  }

  #decoded(headers: Headers): Source | undefined {
    const encoding = headers['content-encoding']
    const source = this.#source as Source
    if (encoding === undefined || encoding === 'identity' || encoding === '') return source
    const inner: Sink = {
      onHeaders: () => {},
      onData: (chunk) => this.#feed(chunk),
      onEnd: () => this.#close(),
      onError: (failure) => this.onError(failure),
    }
    const decoded = typeof encoding === 'string' ? decode(encoding.trim().toLowerCase(), source, inner) : undefined
    if (decoded === undefined) {
      this.#leave()
      failExchange(this.#context, invalid('answered in a content encoding that the gateway cannot read'))
      return undefined
    }
    this.#decode = decoded
    this.#context.source = decoded.source
    return decoded.source
  }

  /** Selects the body handler by status and type; undefined when the exchange ended. */
  #bodyFor(status: number, headers: Headers, source: Source): Body | undefined {
    const { config } = this.#candidate.upstream
    const { anomalies } = this.#context.x.reply
    const passed = replyHeaders(headers, config.forward_rate_limit_headers, (count) =>
      anomalies.set('withheld_headers', count),
    )
    if (status < 200 || status > 299) return new ErrorBody(this.#context, status, headers, passed, source)
    const type = headers['content-type']
    const { x } = this.#context
    const limit = config.max_response_bytes
    if (x.request.stream) {
      if (isEventStream(type)) return new StreamReply(this.#context, source, passed, limit, 'completed')
      if (isJson(type)) {
        x.reply.progress = 'failed'
        return new ErrorBody(this.#context, status, headers, passed, source)
      }
    } else if (isJson(type)) return new JsonBody(this.#context, passed, limit, source, 'completed')
    const wanted = x.request.stream ? 'an event stream' : 'JSON'
    x.reply.progress = 'failed'
    failExchange(this.#context, invalid(`answered ${status} with a content type that is not ${wanted}`))
    return undefined
  }
}

/** Handles the body of one answer. */
interface Body {
  onData(chunk: Buffer): void
  onEnd(): void
  onError(error: GatewayError): void
}

export class JsonBody implements Body {
  readonly #context: ReplyContext
  readonly #headers: Readonly<Record<string, string>>
  readonly #limit: number
  readonly #source: Source
  readonly #outcome: Outcome
  readonly #chunks: Buffer[] = []
  #bytes = 0

  constructor(
    context: ReplyContext,
    headers: Readonly<Record<string, string>>,
    limit: number,
    source: Source,
    outcome: Outcome,
  ) {
    this.#context = context
    this.#headers = headers
    this.#limit = limit
    this.#source = source
    this.#outcome = outcome
  }

  onData(chunk: Buffer): void {
    this.#bytes += chunk.length
    if (this.#bytes > this.#limit) {
      this.#source.abort()
      return failExchange(this.#context, invalid('sent a body larger than max_response_bytes'))
    }
    this.#context.x.reply.keep(chunk)
    this.#chunks.push(chunk)
  }

  onEnd(): void {
    if (this.#context.over) return
    const [only] = this.#chunks
    const body = this.#chunks.length === 1 && only !== undefined ? only : Buffer.concat(this.#chunks)
    sendBuffered(this.#context, body, this.#headers, this.#outcome, (cause) =>
      relayUnreadable(this.#context, cause, body, this.#headers),
    )
  }

  onError(error: GatewayError): void {
    failExchange(this.#context, error)
  }
}

/** An error, whose body may be longer than anybody reads. */
class ErrorBody implements Body {
  readonly #context: ReplyContext
  readonly #status: number
  readonly #headers: Headers
  readonly #passed: Readonly<Record<string, string>>
  readonly #source: Source
  readonly #chunks: Buffer[] = []
  #bytes = 0

  constructor(
    context: ReplyContext,
    status: number,
    headers: Headers,
    passed: Readonly<Record<string, string>>,
    source: Source,
  ) {
    this.#context = context
    this.#status = status
    this.#headers = headers
    this.#passed = passed
    this.#source = source
  }

  onData(chunk: Buffer): void {
    if (this.#context.over) return
    this.#bytes += chunk.length
    this.#chunks.push(chunk)
    if (this.#bytes <= MAX_ERROR_BYTES) return
    this.#source.abort()
    this.onEnd()
  }

  onError(): void {
    this.onEnd()
  }

  onEnd(): void {
    if (this.#context.over) return
    const text = Buffer.concat(this.#chunks).subarray(0, MAX_ERROR_BYTES).toString('utf8')
    const headers = { ...this.#passed, ...retryHeaders(this.#headers) }
    relayProviderError(this.#context, { status: this.#status, headers, text })
  }
}
