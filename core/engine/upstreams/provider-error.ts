import { GatewayError, isGatewayError } from '../contract/errors.ts'
import type { ProviderError } from '../dialects/dialect.ts'

/** The failure in the provider's own words. */
export const failure = (message: string, told: ProviderError | undefined): GatewayError =>
  new GatewayError('GW_UPSTREAM_ERROR', message, {
    code: told?.code ?? 'upstream_error',
    ...(told?.type === undefined ? {} : { type: told.type }),
    ...(told?.param == null ? {} : { param: told.param }),
  })

export const invalid = (what: string, cause?: unknown): GatewayError =>
  new GatewayError('GW_UPSTREAM_INVALID', `The provider ${what}.`, { cause })

export const isInvalid = (error: unknown): error is GatewayError =>
  isGatewayError(error) && error.code === 'GW_UPSTREAM_INVALID'

export const disconnected = (): GatewayError =>
  new GatewayError('GW_UPSTREAM_DISCONNECTED', 'The provider closed the connection before its answer was complete.')
