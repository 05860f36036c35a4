import { GatewayError, type GatewayErrorOptions } from '../contract/errors.ts'
import type { PassedError, ProviderError } from '../dialects/dialect.ts'
import { type Change, toEdits } from '../json/edits.ts'
import { splice } from '../json/splice.ts'
import { FieldView } from '../text/field-view.ts'
import { invalid, isInvalid } from '../upstreams/provider-error.ts'
import { inspectViews } from './buffered.ts'
import type { ReplyContext } from './context.ts'
import { asGatewayError, failExchange } from './endings.ts'
import { inspectProviderError } from './inspect-provider-error.ts'

/** Most bytes of an error to read. */
export const MAX_ERROR_BYTES = 64 * 1024

/** What a provider answered in place of a reply. */
export interface ProviderAnswer {
  readonly status: number
  /** Those that the client may see. */
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

/** Ends the exchange with the provider's status, and with its error as far as it can be read and inspected. */
export function relayProviderError(context: ReplyContext, answer: ProviderAnswer): void {
  const { dialect } = context.x
  const reported = dialect.readError(answer.text)
  const isPassed = reported !== undefined && answer.status >= 400 && !isDenied(answer.status)
  const passed = isPassed ? dialect.passedError?.(answer.text, answer.status, context.out.id) : undefined
  if (passed !== undefined) return passOn(context, answer, passed)
  const send = (safe: ProviderError | undefined) => failExchange(context, errorOf(answer, safe))
  if (reported === undefined) return send(reported)
  inspectProviderError(context, reported, send)
}

/** Ends the exchange for a reply that is none: with the error in it, if it is one. */
export function relayUnreadable(
  context: ReplyContext,
  cause: unknown,
  body: Buffer,
  headers: ProviderAnswer['headers'],
): void {
  const text = body.length > MAX_ERROR_BYTES ? '' : body.toString('utf8')
  if (isInvalid(cause) && context.x.dialect.readError(text) !== undefined) {
    return relayProviderError(context, { status: 200, headers, text })
  }
  failExchange(context, asGatewayError(context.x, cause))
}

/** The provider's body, with its texts inspected. */
function passOn(context: ReplyContext, answer: ProviderAnswer, { text, fields }: PassedError): void {
  const { inspection, dialect } = context.x
  const send = (body: string) => failExchange(context, errorOf(answer, dialect.readError(body), body))
  if (!context.inspects) return send(text)
  const views = fields.map((field, i) => new FieldView(inspection, i, dialect.originOf(field), 'output', field.text))
  inspectViews(context, views, () => {
    const changes: Change[] = []
    for (const [i, field] of fields.entries()) {
      const changed = views[i]?.settle()
      if (changed !== undefined) changes.push({ field, text: changed })
    }
    send(splice(text, toEdits(changes)))
  })
}

/** They concern the gateway's own credential: clients can do nothing about them, and agents would ask without end. */
const isDenied = (status: number): boolean => status === 401 || status === 403 || status === 407

function errorOf(
  { status, headers: all }: ProviderAnswer,
  reported: ProviderError | undefined,
  body?: string,
): GatewayError {
  const { 'x-should-retry': shouldRetry, ...headers } = all
  if (isDenied(status)) {
    return new GatewayError('GW_UPSTREAM_DENIED', "The provider refused the gateway's credential.", { headers })
  }
  if (status < 400 && reported === undefined) {
    // JSON without an error in it is no answer to a client that asked for a stream.
    return invalid(`answered ${status} where ${status < 300 ? 'an event stream' : 'a reply'} was due`)
  }
  // The message may be empty after hidden text is removed.
  const text = reported?.message || `The provider answered ${status}.`
  const options: GatewayErrorOptions = {
    headers,
    body,
    // SDKs repeat a 409 unless a header says not to.
    retryable: shouldRetry === undefined ? (status === 409 ? true : undefined) : shouldRetry === 'true',
    ...(reported?.param == null ? {} : { param: reported.param }),
  }
  if (status < 400 || status >= 500) {
    // Beyond 599 there are no statuses.
    const own = status < 400 || status > 599 ? 502 : status
    return new GatewayError('GW_UPSTREAM_ERROR', text, {
      ...options,
      status: own,
      code: reported?.code ?? 'upstream_error',
    })
  }
  const isRate = status === 429
  return new GatewayError('GW_UPSTREAM_ERROR', text, {
    ...options,
    status,
    type: reported?.type ?? (isRate ? 'rate_limit_error' : 'invalid_request_error'),
    code: reported === undefined ? (isRate ? 'rate_limit_exceeded' : 'upstream_error') : reported.code,
  })
}
