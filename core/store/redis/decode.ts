/** Answers of the scripts, which are flat lists of text, as the operations' results. */
import type { GrantedScope, Reservation, ScopeState } from '../limits.ts'
import type { Result, WireRecord } from '../ops.ts'
import type { GroupStats } from '../store.ts'

type Flat = readonly string[]

const number = (text: string | undefined): number => Number(text)
const orNull = (text: string | undefined): number | null => (text === undefined || text === '' ? null : Number(text))

function* groups(flat: Flat, size: number, from = 0): Generator<string[]> {
  for (let i = from; i + size <= flat.length; i += size) yield flat.slice(i, i + size) as string[]
}

export function entry(reply: unknown): Result<'get'> {
  const [text, version, expires] = reply as Flat
  return text === undefined ? null : { text, version: number(version), expiresAt: orNull(expires) }
}

export function reservation(reply: unknown): Reservation {
  const flat = reply as Flat
  if (flat[0] === '0') {
    const [, key, limit, spent, reserved, left, resetsAt] = flat
    const numbers = { limit: number(limit), spent: number(spent), reserved: number(reserved), left: number(left) }
    return { ok: false, key: key!, ...numbers, resetsAt: orNull(resetsAt) }
  }
  const scopes = [...groups(flat, 6, 1)].map((part): GrantedScope => {
    const [key, spent, reserved, resetsAt, granted, left] = part
    const amounts = { granted: number(granted), left: number(left), spent: number(spent), reserved: number(reserved) }
    return { key: key!, ...amounts, resetsAt: orNull(resetsAt) }
  })
  return { ok: true, scopes }
}

export function states(reply: unknown): ScopeState[] {
  return [...groups(reply as Flat, 4)].map(([key, spent, reserved, resetsAt]) => {
    return { key: key!, spent: number(spent), reserved: number(reserved), resetsAt: orNull(resetsAt) }
  })
}

export function ended(reply: unknown): Result<'end'> {
  const [closed, ...rest] = reply as Flat
  return { closed: closed === '1', scopes: states(rest) }
}

export function lapsed(reply: unknown): Result<'lapsed'> {
  return [...groups(reply as Flat, 3)].map(([id, marker, since]) => {
    return { id: id!, marker: JSON.parse(marker!), since: number(since) }
  })
}

export function records(instance: string, reply: unknown): WireRecord[] {
  return [...groups(reply as Flat, 2)].map(([id, text]): WireRecord => [`${instance}/${id}`, text!])
}

export function trimmed(reply: unknown): Result<'trim'> {
  const [removed, more, ...unread] = reply as Flat
  const pairs = [...groups(unread, 2)].map(([group, count]) => [group!, number(count)] as const)
  return { removed: number(removed), unread: Object.fromEntries(pairs), more: Number(more) === 1 }
}

export function stats(reply: unknown): Result<'stats'> {
  const [total, bytes, oldest, list, readers] = reply as [string, string, string, Flat, Flat]
  const instances = [...groups(list, 3)].map(([instance, count, seq]) => {
    return { instance: decodeURIComponent(instance!), records: number(count), seq: number(seq) }
  })
  const groupStats = [...groups(readers, 3)].map(([group, backlog, since]): GroupStats => {
    return { group: group!, backlog: number(backlog), oldest: orNull(since) }
  })
  return { records: number(total), bytes: number(bytes), oldest: orNull(oldest), instances, groups: groupStats }
}

export function recent(reply: unknown, limit: number): Result<'recent'> {
  const [newest, found] = reply as [string, Flat]
  const texts = found.slice(0, limit)
  return { texts, next: found.length > limit ? String(number(newest) - limit) : null }
}
