import { GatewayError, isGatewayError, stackOf } from '../contract/errors.ts'
import type { Verdict } from '../contract/plugin.ts'
import type { ChatExchange } from '../exchange/exchange.ts'
import { ownDetails } from '../exchange/owned.ts'
import { serviceMember } from '../exchange/service-member.ts'
import { errorName } from '../util/outside.ts'
import type { ReplyContext } from './context.ts'

/** The error for the client. The log records where an internal error happened. */
export function asGatewayError({ log }: ChatExchange, error: unknown): GatewayError {
  if (isGatewayError(error)) return error
  log.error({ error: errorName(error), at: stackOf(error) }, 'exchange failed')
  return new GatewayError('GW_INTERNAL', 'The gateway failed to handle the request or its reply.', { cause: error })
}

/** Checks the code, because a provider's refusal keeps the provider's error type. */
export const isUpstreamError = ({ code }: GatewayError): boolean => code.startsWith('GW_UPSTREAM_')

/** Ends an exchange with an error, before the status was sent. */
export function failExchange(context: ReplyContext, error: GatewayError): void {
  const outcome = isUpstreamError(error) ? 'upstream_failed' : 'rejected'
  context.x.reply.status = statusOf(context.x, error.code, error.status)
  context.finish(outcome, { code: error.wireCode }, () => context.out.error(error))
}

/** Ends an exchange that takes longer than its limit, counted from the request. */
export function endAfter(context: ReplyContext, seconds: number): void {
  const { x } = context
  const end = () => {
    if (context.over) return
    const error = new GatewayError('GW_UPSTREAM_TIMEOUT', `The reply was not complete within ${seconds} s.`)
    context.source?.abort()
    if (context.interrupt === undefined) failExchange(context, error)
    else context.interrupt.interrupt(error)
  }
  context.deadline = setTimeout(end, Math.max(0, seconds * 1000 - (performance.now() - x.startedAt)))
}

/** Ends an exchange with a verdict or a guard failure, before the status was sent. */
export function stopExchange(context: ReplyContext, stop: Verdict | GatewayError): void {
  if (isGatewayError(stop)) return failExchange(context, stop)
  const { x, out } = context
  x.reply.status = statusOf(x, 'GW_POLICY_BLOCK', stop.status ?? 403)
  context.finish('blocked', { reason: stop.reason, policy: stop.policy, code: stop.code }, () => {
    const { error, within, service } = blockBody(x, stop)
    out.error(error, within, { service })
  })
}

const statusOf = ({ dialect, request }: ChatExchange, code: GatewayError['code'], status: number): number =>
  dialect.statusOf?.(code, status, request.headers) ?? status

/** The body of a policy block, for a plain reply and for an event. */
export function blockBody(x: ChatExchange, verdict: Verdict): { error: GatewayError; within: object; service: object } {
  const options = {
    ...(verdict.status === undefined ? {} : { status: verdict.status }),
    ...(verdict.code === undefined ? {} : { code: verdict.code }),
    ...(verdict.type === undefined ? {} : { type: verdict.type }),
    retryable: x.chain.errors.get(verdict.code ?? '')?.retryable,
  }
  const error = new GatewayError('GW_POLICY_BLOCK', `Blocked by policy: ${verdict.reason}`, options)
  const { kept, dropped } = ownDetails(verdict.details)
  if (dropped.length > 0) x.log.error({ members: dropped }, "details of a verdict are the gateway's members; left out")
  const within = { reason: verdict.reason, classification: x.label, ...kept }
  return { error, within, service: serviceMember(x, verdict.reason) }
}
