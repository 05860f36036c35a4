import type { GatewayError } from '../contract/errors.ts'

/** The body of an error as OpenAI writes it; also that of routes which have no dialect. */
export const errorBody = (error: GatewayError, requestId: string, within?: object, beside?: object): object => ({
  error: { ...error.toBody(), request_id: requestId, ...within },
  ...beside,
})
