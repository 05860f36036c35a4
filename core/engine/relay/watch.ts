/** Reports each request to a provider to observers. */
import type { UpstreamAttempt } from '../contract/plugin.ts'
import type { ChatExchange } from '../exchange/exchange.ts'
import type { Upstream } from '../upstreams/http-upstream.ts'
import type { Sink, Source, UpstreamFailure } from '../upstreams/source.ts'

type Send = (sink: Sink) => Source

/** Call before the request's headers are built. Undefined if nobody observes its end. */
export function watchAttempt(x: ChatExchange, upstream: Upstream, model: string): WatchedAttempt | undefined {
  const { onAttempt } = x.chain
  if (onAttempt === undefined) return undefined
  const attempt: MutableAttempt = {
    upstream: upstream.name,
    kind: upstream.config.kind,
    // The client's name for it may have findings.
    model: model === x.request.model ? x.request.shownModel : model,
    address: addressOf(upstream),
    number: ++x.attempts,
    startedAt: performance.now(),
    status: undefined,
    firstByteAt: undefined,
    endedAt: undefined,
    error: undefined,
  }
  if (!onAttempt(x, attempt)) return undefined
  // A mirror's reply may be over before its connection is, and is then reported with what is known.
  return new WatchedAttempt(x, onAttempt, x.mirrorOf === undefined ? { ...attempt } : attempt)
}

type MutableAttempt = { -readonly [K in keyof UpstreamAttempt]: UpstreamAttempt[K] }

/** Between the provider and the sink of its reply. */
export class WatchedAttempt implements Sink, Source {
  readonly #x: ChatExchange
  readonly #onAttempt: NonNullable<ChatExchange['chain']['onAttempt']>
  readonly #attempt: MutableAttempt
  #sink: Sink | undefined = undefined
  #source: Source | undefined = undefined

  constructor(x: ChatExchange, onAttempt: NonNullable<ChatExchange['chain']['onAttempt']>, attempt: MutableAttempt) {
    this.#x = x
    this.#onAttempt = onAttempt
    this.#attempt = attempt
  }

  send(sink: Sink, send: Send): Source {
    this.#sink = sink
    this.#source = send(this)
    return this
  }

  #end(error: string | undefined): void {
    if (this.#attempt.endedAt !== undefined) return
    this.#attempt.endedAt = performance.now()
    this.#attempt.error = error
    this.#onAttempt(this.#x, this.#attempt)
  }

  /** The status, if it is that of an error. */
  get #failedStatus(): string | undefined {
    const { status } = this.#attempt
    return status !== undefined && status >= 400 ? String(status) : undefined
  }

  onSent(): void {
    this.#sink?.onSent?.()
  }

  onHeaders(status: number, headers: Parameters<Sink['onHeaders']>[1]): void {
    this.#attempt.status = status
    this.#sink?.onHeaders(status, headers)
  }

  onData(chunk: Buffer): void {
    this.#attempt.firstByteAt ??= performance.now()
    this.#sink?.onData(chunk)
  }

  onEnd(): void {
    this.#end(this.#failedStatus)
    this.#sink?.onEnd()
  }

  onError(failure: UpstreamFailure): void {
    this.#end(failure.error.wireCode ?? failure.error.code)
    this.#sink?.onError(failure)
  }

  pause(): void {
    this.#source?.pause()
  }

  resume(): void {
    this.#source?.resume()
  }

  abort(): void {
    this.#end(this.#failedStatus ?? 'aborted')
    this.#source?.abort()
  }
}

/** Once for each upstream. */
const addresses = new WeakMap<Upstream, string>()

function addressOf(upstream: Upstream): string | undefined {
  const { url } = upstream.config
  if (url === undefined) return undefined
  const known = addresses.get(upstream)
  if (known !== undefined) return known
  const { hostname, port, protocol } = new URL(url)
  const address = `${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`
  addresses.set(upstream, address)
  return address
}
