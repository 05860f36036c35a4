import { GatewayError, isGatewayError } from '../contract/errors.ts'
import type { ProviderError } from '../dialects/dialect.ts'

/** The failure in the provider's own words. */
export const failure = (message: string, reported: ProviderError | undefined): GatewayError =>
  new GatewayError('GW_UPSTREAM_ERROR', message, {
    code: reported?.code ?? 'upstream_error',
    ...(reported?.type === undefined ? {} : { type: reported.type }),
    ...(reported?.param == null ? {} : { param: reported.param }),
  })

export const invalid = (what: string, cause?: unknown): GatewayError =>
  new GatewayError('GW_UPSTREAM_INVALID', `The provider ${what}.`, { cause })

export const isInvalid = (error: unknown): error is GatewayError =>
  isGatewayError(error) && error.code === 'GW_UPSTREAM_INVALID'

export const disconnected = (): GatewayError =>
  new GatewayError('GW_UPSTREAM_DISCONNECTED', 'The provider closed the connection before its answer was complete.')
