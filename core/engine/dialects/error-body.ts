import type { GatewayError } from '../contract/errors.ts'

/** The body of an error in OpenAI's form, also used by routes without a dialect. */
export const errorBody = (error: GatewayError, requestId: string, within?: object, beside?: object): object => ({
  error: { ...error.toBody(), request_id: requestId, ...within },
  ...beside,
})
