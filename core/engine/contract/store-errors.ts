/**
 * Errors of a store. `unavailable`: no timely answer; the call may have counted. `full`: nothing was written, and
 * cleaning up still works. `corrupt`, `in_use` and `too_new` need an operator; the message names the file and the
 * remedy. `usage`: the caller broke the contract.
 */
export type StoreErrorKind = 'unavailable' | 'corrupt' | 'full' | 'in_use' | 'too_new' | 'usage'

export type StoreErrorCode = `GW_STORE_${Uppercase<StoreErrorKind>}`

const brand = Symbol.for('governed-gateway.store-error')

export class StoreError extends Error {
  readonly kind: StoreErrorKind
  readonly code: StoreErrorCode
  readonly [brand] = true

  constructor(kind: StoreErrorKind, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = 'StoreError'
    this.kind = kind
    this.code = `GW_STORE_${kind.toUpperCase() as Uppercase<StoreErrorKind>}`
  }
}

/** Whether an error comes from a store, including duplicate copies of this package. */
export function isStoreError(error: unknown, kind?: StoreErrorKind): error is StoreError {
  if (typeof error !== 'object' || error === null) return false
  const candidate = error as { [brand]?: unknown; kind?: unknown }
  return candidate[brand] === true && (kind === undefined || candidate.kind === kind)
}

/** Whether the ledger already reports the outage, so that other users of the store need not. */
export const isToldElsewhere = (error: unknown, { status }: { readonly status: { readonly state: string } }): boolean =>
  isStoreError(error) && status.state !== 'ready'

export const usage = (message: string): StoreError => new StoreError('usage', message)
export const unavailable = (message: string, cause?: unknown): StoreError =>
  new StoreError('unavailable', message, cause)
/** The message never contains the value. */
export const notJson = (call: string): StoreError =>
  usage(`What ${call} was given is not JSON: it holds a function, a BigInt or a circle, or is nested too deeply.`)
