import type { CallerLimit, Json, Level } from 'governed-gateway'

/** A key as the store has it. */
export interface KeyRecord {
  readonly id: string
  /** SHA-256 of the secret, hex. */
  readonly hash: string
  /** Last four characters of the secret, to tell keys apart. */
  readonly hint: string
  /** Secrets from before a rotation, and when they end (Unix milliseconds). */
  readonly previous: readonly { readonly hash: string; readonly until: number }[]
  readonly team?: string
  readonly description?: string
  readonly models: readonly string[]
  /** ISO 8601. */
  readonly expires?: string
  readonly disabled: boolean
  readonly admin: boolean
  readonly max_classification?: Level
  readonly flags: Readonly<Record<string, string | number | boolean>>
  readonly flags_allow: readonly string[]
  readonly limits: readonly KeyLimit[]
  /** Rises when running exchanges of the key must end. */
  readonly cut: number
  readonly created_at: string
  readonly created_by: string
  readonly updated_at: string
  readonly rotated_at?: string
  readonly revoked_at?: string
}

export type KeyLimit = Omit<CallerLimit, 'scope'>

export interface TeamRecord {
  readonly name: string
  readonly limits: readonly KeyLimit[]
  readonly updated_at: string
}

export type KeyState = 'active' | 'disabled' | 'expired' | 'revoked'

/** A key as the API shows it; never with a hash. */
export function viewOf(record: KeyRecord, state: KeyState): { [key: string]: Json } {
  const { hash: _hash, previous, cut: _cut, ...shown } = record
  const old = previous.map(({ until }) => new Date(until).toISOString())
  return {
    source: 'runtime',
    state,
    ...(structuredClone(shown) as unknown as { [key: string]: Json }),
    ...(old.length > 0 && { old_secrets_until: old }),
  }
}
