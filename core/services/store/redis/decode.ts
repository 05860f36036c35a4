/** Converts the scripts' flat answers to the operations' results. */

import type { GroupStats } from '../../../engine/contract/store.ts'
import type { Reservation, ScopeState } from '../../../engine/contract/store-limits.ts'
import type { Result, WireRecord } from '../ops.ts'
import { type Flat, grantedOf, orNull, statesOf } from '../wire.ts'

type Value = Flat[number]

const text = (value: Value): string => String(value)
const number = (value: Value): number => Number(value)

function* groups(flat: Flat, size: number): Generator<Flat> {
  for (let i = 0; i + size <= flat.length; i += size) yield flat.slice(i, i + size)
}

export function entry(reply: unknown): Result<'get'> {
  const [value, version, expires] = reply as Flat
  return value === undefined ? null : { text: text(value), version: number(version), expiresAt: orNull(expires) }
}

export function reservation(reply: unknown): Reservation {
  const flat = reply as Flat
  if (flat[0] === 0) {
    const [, key, limit, spent, reserved, left, resetsAt] = flat
    const numbers = { limit: number(limit), spent: number(spent), reserved: number(reserved), left: number(left) }
    return { ok: false, key: text(key), ...numbers, resetsAt: orNull(resetsAt) }
  }
  return { ok: true, scopes: grantedOf(flat, 1) }
}

export const states = (reply: unknown): ScopeState[] => statesOf(reply as Flat, 0)

export function ended(reply: unknown): Result<'end'> {
  const flat = reply as Flat
  return { closed: flat[0] === 1, scopes: statesOf(flat, 1) }
}

export function lapsed(reply: unknown): Result<'lapsed'> {
  return [...groups(reply as Flat, 3)].map(([id, marker, since]) => {
    return { id: text(id), marker: text(marker), since: number(since) }
  })
}

export function records(instance: string, reply: unknown): WireRecord[] {
  return [...groups(reply as Flat, 2)].map(([id, record]): WireRecord => [`${instance}/${text(id)}`, text(record)])
}

export function trimmed(reply: unknown): Result<'trim'> {
  const [removed, more, ...unread] = reply as Flat
  const pairs = [...groups(unread, 2)].map(([group, count]) => [text(group), number(count)] as const)
  return { removed: number(removed), unread: Object.fromEntries(pairs), more: more === 1 }
}

export function stats(reply: unknown): Result<'stats'> {
  const [total, bytes, oldest, list, readers] = reply as [Value, Value, Value, Flat, Flat]
  const instances = [...groups(list, 3)].map(([instance, count, seq]) => {
    return { instance: decodeURIComponent(text(instance)), records: number(count), seq: number(seq) }
  })
  const groupStats = [...groups(readers, 3)].map(([group, backlog, since]): GroupStats => {
    return { group: text(group), backlog: number(backlog), oldest: orNull(since) }
  })
  return { records: number(total), bytes: number(bytes), oldest: orNull(oldest), instances, groups: groupStats }
}

export function recent(reply: unknown, limit: number): Result<'recent'> {
  const [newest, found] = reply as [Value, readonly string[]]
  const texts = found.slice(0, limit)
  return { texts, next: found.length > limit ? String(number(newest) - limit) : null }
}
