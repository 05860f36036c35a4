/** Why options cannot be changed. */
import { GatewayError } from '../../engine/contract/errors.ts'
import { isStoreError } from '../../engine/contract/store-errors.ts'

export const changed = (name: string): GatewayError =>
  new GatewayError(
    'GW_OPTIONS_CHANGED',
    `The options of ${name} are not those that you changed: someone else changed them meanwhile. Read them again.`,
  )

export const notInForce = (cause: unknown): GatewayError =>
  new GatewayError(
    'GW_OPTIONS_CHANGED',
    `Another process stored options that do not work in this one, so nothing can be changed here: ${(cause as Error).message}`,
    { cause },
  )

export const notAllowed = (name: string): GatewayError =>
  new GatewayError(
    'GW_OVERRIDE_NOT_ALLOWED',
    `Only the config file sets the options of ${name}. To let admins override them, add the name to settings.override_options there.`,
  )

export async function reachable<T>(call: Promise<T>): Promise<T> {
  try {
    return await call
  } catch (error) {
    throw unreachable(error)
  }
}

export const unreachable = (cause: unknown): GatewayError => {
  const why = isStoreError(cause) ? cause.message : 'the store did not answer.'
  return new GatewayError('GW_STORE_UNAVAILABLE', `Options that admins set cannot be read or stored now: ${why}`, {
    cause,
  })
}
