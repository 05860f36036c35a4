/** Stops that are errors, not verdicts: they apply in every mode. */
import { GatewayError } from '../contract/errors.ts'
import type { Rejection } from '../contract/plugin.ts'
import { errorOf, guardrailUnavailable, isRejection } from '../contract/results.ts'
import type { ChatExchange } from '../exchange/exchange.ts'

/** The result of a hook; throws if it is a rejection. */
export function unlessRejected<T extends object>(x: ChatExchange, stop: T | Rejection | undefined): T | undefined {
  if (stop === undefined || !isRejection(stop)) return stop
  throw errorOf(stop, x.chain.errors)
}

/** `mode=strict` refuses content that text rules cannot read. */
export function refuseUninspectable({ mode, request }: ChatExchange): void {
  if (mode !== 'strict' || request.uninspected.size === 0) return
  const kinds = [...request.uninspected.keys()].join(', ')
  throw new GatewayError(
    'GW_UNINSPECTABLE',
    `The request has content that cannot be inspected (${kinds}), which mode=strict refuses.`,
  )
}

/** Merging findings without end would keep others waiting. */
export function refuseTooManyFindings({ inspection }: ChatExchange): void {
  if (!inspection.hasTooMany('input')) return
  const message = `Plugins found more than ${inspection.maxFindings} values in the request, the limit of this gateway.`
  throw new GatewayError('GW_TOO_MANY_FINDINGS', message)
}

/** A missing external verdict counts as an unavailable guard. */
export function refuseFailedGuard({ inspection }: ChatExchange): void {
  if (inspection.failed !== undefined) throw guardrailUnavailable(inspection.failed)
}
