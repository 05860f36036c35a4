import type { GrantedScope, Refusal, ScopeState } from '../../../engine/contract/store-limits.ts'
import type { WireRef, WireScope } from '../ops.ts'
import { frame } from '../windows.ts'
import { type Backing, type Codec, type Entity, Table } from './table.ts'

/** Spent and reserved amounts of one slice of a window, see `windows.ts`. */
type Slice = [number: number, spent: number, reserved: number]

interface Meter extends Entity {
  /** Ascending; empty slices may be omitted. */
  slices: Slice[]
}

interface Reading {
  readonly meter: Meter
  /** The slice charged for new reservations. */
  readonly current: number
  readonly first: number
  readonly calendar: boolean
  readonly spent: number
  readonly reserved: number
  leaves(slice: number): number | null
}

const codec: Codec<Meter> = {
  encode: (meter) => (meter.slices.length === 0 ? undefined : JSON.stringify(meter.slices)),
  decode: (text, expires) => ({ slices: JSON.parse(text) as Slice[], expires }),
}

export interface Taken extends GrantedScope {
  readonly slice: number
}

export class Meters {
  readonly table: Table<Meter>

  constructor(backing: Backing | undefined) {
    this.table = new Table('meter', codec, backing, false)
  }

  /** Reserves in every scope, or in none. */
  take(scopes: readonly WireScope[], now: number): Taken[] | Refusal {
    const readings: Reading[] = []
    let share = 1
    for (const scope of scopes) {
      const reading = this.#read(scope.meter, now)
      const left = scope.limit - reading.spent - reading.reserved
      if (left < scope.least) return refusal(scope, reading)
      if (left < scope.amount) share = Math.min(share, (left - scope.least) / (scope.amount - scope.least))
      readings.push(reading)
    }
    return scopes.map((scope, i) => {
      const reading = readings[i]!
      const before = scope.limit - reading.spent - reading.reserved
      const wanted = scope.least + Math.ceil(share * (scope.amount - scope.least))
      const granted = Math.min(wanted, scope.amount, before)
      slice(reading.meter, reading.current)[2] += granted
      this.#keep(scope.meter, reading)
      const reserved = reading.reserved + granted
      const { key } = scope
      return {
        key,
        granted,
        left: before - granted,
        spent: reading.spent,
        reserved,
        resetsAt: resetsAt(reading),
        slice: reading.current,
      }
    })
  }

  /** Changes a slice, unless it no longer counts. */
  adjust(name: string, number: number, spent: number, reserved: number, now: number): void {
    const reading = this.#read(name, now)
    if (number < reading.first) return
    // A later slice was folded when the clock was set back.
    const folded = number > reading.current
    const target = slice(reading.meter, folded ? reading.current : number)
    target[1] += spent
    if (folded) giveBack(reading.meter, -reserved)
    else target[2] += reserved
    this.#keep(name, reading)
  }

  state({ key, meter }: WireRef, now: number): ScopeState {
    const reading = this.#read(meter, now)
    return { key, spent: reading.spent, reserved: reading.reserved, resetsAt: resetsAt(reading) }
  }

  #read(name: string, now: number): Reading {
    const meter = this.table.get(name) ?? { slices: [], expires: null }
    const window = frame(name, now)
    const newest = meter.slices.at(-1)?.[0] ?? window.current
    // A clock set back must not reopen the past: the newest slice stays current, see `TOLERANCE_MS`.
    let ahead = Math.max(0, newest - window.current)
    const strayed = ahead > 0 && window.starts(newest) - now > window.tolerance
    if (strayed) {
      fold(meter, window.current)
      ahead = 0
    }
    const current = window.current + ahead
    const first = window.first + ahead
    if (meter.slices.length > 0 && meter.slices[0]![0] < first) {
      meter.slices = meter.slices.filter((s) => s[0] >= first)
    }
    let spent = 0
    let reserved = 0
    for (const s of meter.slices) {
      spent += s[1]
      reserved += s[2]
    }
    const reading = { meter, current, first, spent, reserved, calendar: window.calendar, leaves: window.leaves }
    // Save the fold, or repeated queries would fold again and the slices would never expire.
    if (strayed) this.#keep(name, reading)
    return reading
  }

  #keep(name: string, { meter, leaves }: Reading): void {
    meter.slices = meter.slices.filter((s) => s[1] !== 0 || s[2] !== 0)
    const newest = meter.slices.at(-1)
    meter.expires = newest === undefined ? null : leaves(newest[0])
    this.table.put(name, meter)
    if (newest === undefined) this.table.delete(name)
  }
}

/** Merges later slices into the current one. */
function fold(meter: Meter, current: number): void {
  const late = meter.slices.filter((s) => s[0] > current)
  meter.slices = meter.slices.filter((s) => s[0] <= current)
  const target = slice(meter, current)
  for (const [, spent, reserved] of late) {
    target[1] += spent
    target[2] += reserved
  }
}

/** Returns a reservation whose original slice no longer exists. */
function giveBack({ slices }: Meter, amount: number): void {
  for (let i = slices.length - 1, rest = amount; i >= 0 && rest > 0; i--) {
    const given = Math.min(rest, Math.max(0, slices[i]![2]))
    slices[i]![2] -= given
    rest -= given
  }
}

/** Finds or inserts a slice. */
function slice(meter: Meter, number: number): Slice {
  const { slices } = meter
  let i = slices.length
  while (i > 0 && slices[i - 1]![0] > number) i--
  if (i > 0 && slices[i - 1]![0] === number) return slices[i - 1]!
  const added: Slice = [number, 0, 0]
  slices.splice(i, 0, added)
  return added
}

function resetsAt({ meter, leaves, current, calendar }: Reading): number | null {
  const oldest = meter.slices[0]
  if (oldest !== undefined) return leaves(oldest[0])
  return calendar ? leaves(current) : null
}

function refusal(scope: WireScope, { meter, spent, reserved, leaves }: Reading): Refusal {
  const { key, limit, least } = scope
  let used = spent + reserved
  let when: number | null = null
  for (const s of meter.slices) {
    used -= s[1] + s[2]
    if (used + least > limit) continue
    when = leaves(s[0])
    break
  }
  return { ok: false, key, limit, spent, reserved, left: Math.max(0, limit - spent - reserved), resetsAt: when }
}
