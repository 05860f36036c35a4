/** What ends a request by an error, and not by a verdict: it holds in every mode. */
import { GatewayError } from '../contract/errors.ts'
import type { Rejection } from '../contract/plugin.ts'
import { guardrailUnavailable, isRejection } from '../contract/results.ts'
import type { ChatExchange } from '../exchange/exchange.ts'

/** The result of a hook, unless it is a rejection, which is thrown. */
export function unlessRejected<T extends object>(stop: T | Rejection | undefined): T | undefined {
  if (stop === undefined || !isRejection(stop)) return stop
  const { error, message, param, retryAfter } = stop
  const options = { ...(param === undefined ? {} : { param }), ...(retryAfter === undefined ? {} : { retryAfter }) }
  throw new GatewayError(error, message, options)
}

/** `mode=strict` refuses what no text rule can read. */
export function refuseUninspectable({ mode, request }: ChatExchange): void {
  if (mode !== 'strict' || request.uninspected.size === 0) return
  const kinds = [...request.uninspected.keys()].join(', ')
  throw new GatewayError(
    'GW_UNINSPECTABLE',
    `The request has content that cannot be inspected (${kinds}), which mode=strict refuses.`,
  )
}

/** A verdict from outside that never came counts as a guard that is not there. */
export function refuseFailedGuard({ inspection }: ChatExchange): void {
  if (inspection.failed !== undefined) throw guardrailUnavailable(inspection.failed)
}
