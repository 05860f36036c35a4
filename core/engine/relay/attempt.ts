import { GatewayError } from '../contract/errors.ts'
import type { Outcome, Progress } from '../contract/plugin.ts'
import { nameAt, pathAt } from '../upstreams/azure.ts'
import type { Candidate } from '../upstreams/candidate.ts'
import { decode } from '../upstreams/decode.ts'
import { replyHeaders, retryHeaders, upstreamHeaders } from '../upstreams/headers.ts'
import { invalid } from '../upstreams/provider-error.ts'
import type { Sink, Source, UpstreamFailure } from '../upstreams/source.ts'
import { isEventStream, isJson } from '../util/media-type.ts'
import { sideBySide } from '../util/side-by-side.ts'
import { sendBuffered } from './buffered.ts'
import type { ReplyContext } from './context.ts'
import { Course, type Turn } from './course.ts'
import { asGatewayError, failExchange } from './endings.ts'
import { idempotencyKey } from './idempotency.ts'
import { MAX_ERROR_BYTES, relayProviderError, relayUnreadable } from './provider-error.ts'
import { type Body, FirstText } from './stream/first-text.ts'
import { StreamReply } from './stream/reply.ts'
import { type Trouble, troubleOf, troubleOfFailure } from './trouble.ts'
import { watchAttempt } from './watch.ts'

/** Asks the candidates until one answers, then relays its reply to the client. */
export function relay(context: ReplyContext, candidates: readonly Candidate[]): void {
  const [first] = candidates
  if (candidates.length === 1 && first !== undefined && isPlain(first)) new Attempt(context, first, undefined).start()
  else new Course(context, candidates, (turn) => new Attempt(context, turn.candidate, turn).start()).start()
}

/** Nothing to choose, to count or to repeat. */
const isPlain = ({ plan, load }: Candidate): boolean =>
  plan.retry === undefined && !load.isTracked && load.keys === undefined

type Headers = Readonly<Record<string, string | string[] | undefined>>

class Attempt implements Sink {
  readonly #context: ReplyContext
  readonly #candidate: Candidate
  /** Undefined if no other attempt can follow. */
  readonly #turn: Turn | undefined
  #source: Source | undefined = undefined
  #body: Body | undefined = undefined
  /** Runs until the stream has text. */
  #firstText: NodeJS.Timeout | undefined = undefined
  #decode: { data: (chunk: Buffer) => void; end: () => void } | undefined = undefined
  /** Another attempt took over. */
  #replaced = false

  constructor(context: ReplyContext, candidate: Candidate, turn: Turn | undefined) {
    this.#context = context
    this.#candidate = candidate
    this.#turn = turn
  }

  start(): void {
    try {
      this.#start()
    } catch (cause) {
      this.#crash(cause)
    }
  }

  #start(): void {
    const { x } = this.#context
    const { upstream, rename, load } = this.#candidate
    const { config } = upstream
    load.breaker.begin()
    x.upstream = upstream.name
    x.reply.progress = this.#turn?.course.mayBeCharged === true ? 'sent' : 'unsent'
    const model = nameAt(config, x.request.modelFor(rename))
    const watched = watchAttempt(x, upstream, model)
    const headers = upstreamHeaders(
      this.#turn?.key?.headers ?? upstream.headers,
      x.request.headers,
      config.forward_headers,
      x.request.upstreamHeaders,
      (count) => {
        x.request.withheldHeaders = count
      },
    )
    if (config.idempotent) headers['idempotency-key'] = idempotencyKey(x)
    this.#expectText()
    const send = (body: Buffer) => {
      const { method = 'POST' } = x.dialect
      if (body.length === 0) delete headers['content-type']
      const path = pathAt(config, x.dialect, model, x.request.target)
      const request = { method, path, headers, body }
      const seat = this.#turn?.seat
      const sendTo = (sink: Sink) => seat?.send(request, sink) ?? upstream.send(request, sink)
      this.#source = watched?.send(this, sendTo) ?? sendTo(this)
      if (!this.#replaced) this.#context.source = this.#source
    }
    const body = x.request.bodyFor(config.include_usage, model, () => x.nextTurn())
    if (!(body instanceof Promise)) return send(body)
    body
      .then((bytes) => {
        if (this.#context.over) this.#leave()
        else send(bytes)
      })
      .catch((cause) => this.#crash(cause))
  }

  #expectText(): void {
    const { plan, upstream } = this.#candidate
    const seconds = plan.firstTokenSeconds
    if (seconds === undefined || !this.#context.x.request.stream) return
    const late = () => {
      if (this.#context.over || this.#replaced || (this.#body !== undefined && !this.#hasNoText)) return
      if (this.#turn !== undefined) this.#turn.course.mayBeCharged = true
      const message = `The upstream '${upstream.name}' sent no text within ${seconds} s.`
      // The option says that another upstream is worth the price of this one.
      this.#giveUp({ error: new GatewayError('GW_UPSTREAM_TIMEOUT', message), fallback: true, sent: false })
      if (!this.#replaced) this.#leave()
    }
    this.#firstText = setTimeout(late, seconds * 1000).unref()
  }

  /** A stream without any text is as good as none. */
  get #hasNoText(): boolean {
    return this.#body instanceof FirstText && !this.#body.hasBegun
  }

  onSent(): void {
    this.#context.x.reply.progress = 'sent'
  }

  onHeaders(status: number, headers: Headers): void {
    if (this.#context.over) return
    this.#candidate.load.answered(status)
    this.#context.x.reply.progress = status >= 200 && status <= 299 ? 'begun' : this.#failedProgress
    if (
      this.#turn !== undefined &&
      this.#handOver(
        this.#turn,
        String(status),
        troubleOf(status, headers, this.#turn.course.isRepeat),
        isShort(headers),
      )
    )
      return
    const source = this.#decoded(headers)
    if (source === undefined) return
    this.#body = this.#bodyFor(status, headers, source)
    if (this.#body === undefined) this.#leave()
  }

  onData(chunk: Buffer): void {
    if (this.#replaced) return
    if (this.#decode !== undefined) this.#decode.data(chunk)
    else this.#feed(chunk)
  }

  onEnd(): void {
    if (this.#replaced) return
    if (this.#decode !== undefined) this.#decode.end()
    else if (this.#body instanceof JsonBody)
      void sideBySide('reply', this.#context.x.principal.keyId, this.#body.bytes).then(() => this.#close())
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

  onError(failure: UpstreamFailure): void {
    if (this.#context.over || this.#replaced) return
    this.#giveUp(failure)
  }

  #giveUp(failure: UpstreamFailure): void {
    clearTimeout(this.#firstText)
    const { error } = failure
    const { reply } = this.#context.x
    this.#candidate.load.breaker.failure()
    // After a timeout the provider may have done the work, so the request counts as sent.
    if (reply.progress === 'sent' && error.code !== 'GW_UPSTREAM_TIMEOUT') reply.progress = this.#failedProgress
    if (this.#hasNoText) this.#body = undefined
    if (this.#body !== undefined) return this.#fail(this.#body, error)
    const turn = this.#turn
    if (turn !== undefined && this.#handOver(turn, String(error.wireCode), troubleOfFailure(failure), false)) return
    failExchange(this.#context, error)
  }

  /** What an earlier attempt used is not undone by the failure of this one. */
  get #failedProgress(): Progress {
    return this.#turn?.course.mayBeCharged === true ? 'sent' : 'failed'
  }

  /**
   * Makes another attempt, if the course has one; only possible while none has answered.
   *
   * @param drain lets the rest of the answer come, so that its connection can be used again
   */
  #handOver(turn: Turn, result: string, trouble: Trouble | undefined, drain: boolean): boolean {
    const next = trouble && turn.course.after(turn, trouble)
    const { x } = this.#context
    if (next !== undefined || x.reply.attempts !== undefined) {
      x.reply.attempts ??= []
      x.reply.attempts.push({ upstream: this.#candidate.upstream.name, result })
    }
    if (next === undefined) return false
    this.#replaced = true
    if (drain) turn.seat?.leave()
    else this.#leave()
    next()
    return true
  }

  #leave(): void {
    this.#turn?.seat?.leave()
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
    const { x } = this.#context
    // RFC 9110 §15.3.5, §15.3.6.
    if (status === 204 || status === 205) return this.#refuse(`answered ${status}, which has no body`)
    const type = headers['content-type']
    const limit = this.#candidate.replyLimit ?? config.max_response_bytes
    if (x.request.stream) {
      if (isEventStream(type)) {
        const open = () => {
          clearTimeout(this.#firstText)
          return new StreamReply(this.#context, source, passed, limit, 'completed')
        }
        return this.#firstText === undefined ? open() : new FirstText(this.#context, limit, open)
      }
      if (isJson(type)) {
        x.reply.progress = 'failed'
        return new ErrorBody(this.#context, status, headers, passed, source)
      }
    } else if (isJson(type)) return new JsonBody(this.#context, passed, limit, source, 'completed')
    const wanted = x.request.stream ? 'an event stream' : 'JSON'
    const found = type === undefined ? 'without a content type' : `with a content type that is not ${wanted}`
    return this.#refuse(`answered ${status} ${found}`)
  }

  /** Ends the exchange for an answer without a reply. */
  #refuse(what: string): undefined {
    this.#context.x.reply.progress = 'failed'
    failExchange(this.#context, invalid(what))
  }
}

/** A body that costs less to read than a new connection. */
const isShort = ({ 'content-length': length }: Headers): boolean =>
  typeof length === 'string' && Number(length) <= MAX_ERROR_BYTES

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

  /** How many came so far. */
  get bytes(): number {
    return this.#bytes
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

/** An error, whose body may be longer than the limit for errors. */
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
