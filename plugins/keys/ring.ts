import { hash } from 'node:crypto'
import type { Principal } from 'governed-gateway'
import { expiryTime } from 'governed-gateway/kit'
import type { KeyRecord, KeyState } from './record.ts'

interface Entry {
  readonly principal: Principal
  readonly usable: boolean
  /** Milliseconds since the epoch; Infinity for never. */
  readonly expires: number
  readonly digests: readonly { readonly hash: string; readonly until: number }[]
}

interface Slot {
  readonly entry: Entry
  /** When this secret ends. */
  readonly until: number
}

/** Every secret begins with this, so that credentials of other sources are told at once. */
export const PREFIX = 'gw_'

/** Finds keys by their secret. */
export class Ring {
  readonly #entries = new Map<string, Entry>()
  readonly #slots = new Map<string, Slot>()
  /** Valid credentials, so that each is hashed once. */
  readonly #known = new Map<string, Slot>()

  /** Replaces the keys `before` by those `after`. */
  replace(before: ReadonlyMap<string, KeyRecord>, after: ReadonlyMap<string, KeyRecord>): void {
    this.#known.clear()
    for (const [id, record] of before) {
      if (after.get(id) === record) continue
      for (const { hash } of this.#entries.get(id)?.digests ?? []) this.#slots.delete(hash)
      this.#entries.delete(id)
    }
    for (const [id, record] of after) {
      const entry = entryOf(record)
      this.#entries.set(id, entry)
      if (!entry.usable) continue
      for (const { hash, until } of entry.digests) this.#slots.set(hash, { entry, until })
    }
  }

  find(credential: string): Principal | undefined {
    const slot = this.#known.get(credential) ?? this.#look(credential)
    if (slot === undefined) return undefined
    const now = Date.now()
    return now < slot.until && now < slot.entry.expires ? slot.entry.principal : undefined
  }

  /** Whether requests of the key may continue. */
  isUsable(id: string): boolean {
    return this.#entries.get(id)?.usable === true
  }

  #look(credential: string): Slot | undefined {
    const slot = this.#slots.get(hash('sha256', credential, 'hex'))
    if (slot !== undefined) this.#known.set(credential, slot)
    return slot
  }
}

export function stateOf(record: KeyRecord, now: number = Date.now()): KeyState {
  if (record.revoked_at !== undefined) return 'revoked'
  if (record.disabled) return 'disabled'
  return record.expires !== undefined && now >= expiryTime(record.expires) ? 'expired' : 'active'
}

function entryOf(record: KeyRecord): Entry {
  const { id, team, models, admin, flags, flags_allow, max_classification, expires } = record
  const values = Object.entries(flags).map(([name, value]) => [name, typeof value === 'boolean' ? `${value}` : value])
  return {
    principal: {
      ...{ keyId: id, admin, models, flagsAllow: flags_allow, flags: Object.fromEntries(values) },
      ...(team !== undefined && { team }),
      ...(max_classification !== undefined && { maxClassification: max_classification }),
    },
    usable: record.revoked_at === undefined && !record.disabled,
    expires: expires === undefined ? Number.POSITIVE_INFINITY : expiryTime(expires),
    digests: [{ hash: record.hash, until: Number.POSITIVE_INFINITY }, ...record.previous],
  }
}
