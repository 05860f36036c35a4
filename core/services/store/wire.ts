/**
 * Flat lists for the data of every exchange and for log reads. Other calls travel unchanged. The Redis scripts answer
 * with the same lists, with empty texts for null.
 */
import type { GrantedScope, Reservation, ScopeState } from '../../engine/contract/store-limits.ts'
import type { Args, OpName, Result, WireScope } from './ops.ts'

export type Flat = (string | number | null | undefined)[]
type Begin = [id: string, leaseMs: number, marker: string | null, stream: string, events: string[], scopes: Flat]
type End = [id: string, used: Flat | null, stream: string, events: string[]]
type Ended = [closed: boolean, ...states: Flat]

export function packArgs(name: OpName, args: unknown): unknown {
  if (name === 'end') {
    const { id, used, stream, events } = args as Args<'end'>
    return [id, used && Object.entries(used).flat(), stream, events]
  }
  if (name !== 'begin') return args
  const { id, leaseMs, marker, stream, events, scopes } = args as Args<'begin'>
  const flat: Flat = []
  for (const { key, meter, limit, amount, least, due } of scopes) flat.push(key, meter, limit, amount, least, due)
  return [id, leaseMs, marker, stream, events, flat]
}

export function unpackArgs(name: OpName, packed: unknown): unknown {
  if (name === 'end') {
    const [id, used, stream, events] = packed as End
    return { id, used: used && Object.fromEntries(pairsOf<number>(used)), stream, events }
  }
  if (name !== 'begin') return packed
  const [id, leaseMs, marker, stream, events, flat] = packed as Begin
  return { id, leaseMs, marker, stream, events, scopes: unflatten(flat, 0, 6, scope) }
}

export function packResult(name: OpName, result: unknown): unknown {
  if (name === 'begin' || name === 'topUp') {
    const reservation = result as Reservation
    if (!reservation.ok) return reservation
    const flat: Flat = []
    for (const { key, granted, left, spent, reserved, resetsAt } of reservation.scopes) {
      flat.push(key, spent, reserved, resetsAt, granted, left)
    }
    return flat
  }
  if (name === 'read') return (result as Result<'read'>).flat()
  if (name !== 'end') return result
  const { closed, scopes } = result as Result<'end'>
  const flat: Ended = [closed]
  for (const { key, spent, reserved, resetsAt } of scopes) flat.push(key, spent, reserved, resetsAt)
  return flat
}

export function unpackResult(name: OpName, packed: unknown): unknown {
  if (name === 'begin' || name === 'topUp') {
    return Array.isArray(packed) ? { ok: true, scopes: grantedOf(packed, 0) } : packed
  }
  if (name === 'read') return pairsOf<string>(packed as Flat)
  if (name !== 'end') return packed
  return { closed: (packed as Ended)[0], scopes: statesOf(packed as Flat, 1) }
}

/** Granted scopes, starting at an index. */
export const grantedOf = (flat: Flat, from: number): GrantedScope[] => unflatten(flat, from, 6, granted)
/** Scope states, starting at an index. */
export const statesOf = (flat: Flat, from: number): ScopeState[] => unflatten(flat, from, 4, state)

const pairsOf = <V>(flat: Flat): [string, V][] => unflatten(flat, 0, 2, (_, i) => [flat[i] as string, flat[i + 1] as V])

function unflatten<T>(flat: Flat, from: number, size: number, make: (flat: Flat, at: number) => T): T[] {
  const made: T[] = []
  for (let i = from; i < flat.length; i += size) made.push(make(flat, i))
  return made
}

const scope = (flat: Flat, i: number): WireScope => ({
  key: flat[i] as string,
  meter: flat[i + 1] as string,
  limit: flat[i + 2] as number,
  amount: flat[i + 3] as number,
  least: flat[i + 4] as number,
  due: flat[i + 5] as number | null,
})

const state = (flat: Flat, i: number): ScopeState => ({
  key: String(flat[i]),
  spent: Number(flat[i + 1]),
  reserved: Number(flat[i + 2]),
  resetsAt: orNull(flat[i + 3]),
})

const granted = (flat: Flat, i: number): GrantedScope => ({
  key: String(flat[i]),
  spent: Number(flat[i + 1]),
  reserved: Number(flat[i + 2]),
  resetsAt: orNull(flat[i + 3]),
  granted: Number(flat[i + 4]),
  left: Number(flat[i + 5]),
})

export const orNull = (value: Flat[number]): number | null =>
  value === undefined || value === null || value === '' ? null : Number(value)
