/** Tells observers of each request to a provider. */
import type { UpstreamAttempt } from '../contract/plugin.ts'
import type { ChatExchange } from '../exchange/exchange.ts'
import type { Upstream } from '../upstreams/http-upstream.ts'
import type { Sink, Source } from '../upstreams/source.ts'

type Send = (sink: Sink) => Source
type Watch = (sink: Sink, send: Send) => Source

const unwatched: Watch = (sink, send) => send(sink)

/** Call before the request's headers are built. Without observers, the result only sends. */
export function watchAttempt(x: ChatExchange, upstream: Upstream, model: string): Watch {
  const { onAttempt } = x.chain
  if (onAttempt === undefined) return unwatched
  const attempt: { -readonly [K in keyof UpstreamAttempt]: UpstreamAttempt[K] } = {
    upstream: upstream.name,
    kind: upstream.config.kind,
    model,
    address: addressOf(upstream),
    number: ++x.attempts,
    startedAt: performance.now(),
    status: undefined,
    firstByteAt: undefined,
    endedAt: undefined,
    error: undefined,
  }
  // A mirror's reply may be over before its connection is, and is then told with what is known.
  onAttempt(x, x.mirrorOf === undefined ? { ...attempt } : attempt)
  const end = (error: string | undefined): void => {
    if (attempt.endedAt !== undefined) return
    attempt.endedAt = performance.now()
    attempt.error = error
    onAttempt(x, attempt)
  }
  return (sink, send) => {
    const source = send({
      onSent: () => sink.onSent?.(),
      onHeaders(status, headers) {
        attempt.status = status
        sink.onHeaders(status, headers)
      },
      onData(chunk) {
        attempt.firstByteAt ??= performance.now()
        sink.onData(chunk)
      },
      onEnd() {
        end(attempt.status !== undefined && attempt.status >= 400 ? String(attempt.status) : undefined)
        sink.onEnd()
      },
      onError(failure) {
        end(failure.error.wireCode ?? failure.error.code)
        sink.onError(failure)
      },
    })
    return {
      pause: () => source.pause(),
      resume: () => source.resume(),
      abort() {
        const { status } = attempt
        end(status !== undefined && status >= 400 ? String(status) : 'aborted')
        source.abort()
      },
    }
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
