import { usage } from '../../../engine/contract/store-errors.ts'
import type { Amounts, Reservation, ScopeState } from '../../../engine/contract/store-limits.ts'
import { type Args, ID_MEMORY_MS, LATE_MS, type Result, type WireScope } from '../ops.ts'
import { Meters, type Taken } from './meters.ts'
import { type Backing, type Codec, type Entity, Table } from './table.ts'

/** Amounts taken at one time: the slice that pays, the grant, and the charge when the lease expired. */
type Part = [slice: number, held: number, charged: number]

interface HoldScope {
  readonly key: string
  readonly meter: string
  due: number | null
  readonly parts: Part[]
}

/**
 * A reservation, an open exchange, or both. `open` until it is settled or its lease expires. Then `lapsed` while a
 * marker waits for its last events, or `late` while a settlement can still correct the charge.
 */
interface Hold extends Entity {
  state: 'open' | 'lapsed' | 'late'
  scopes: HoldScope[]
  /** JSON text. */
  marker: string | null
  /** When the lease expired. */
  since: number
  /** The first answer, for repeated calls. Not saved: after a restart all leases have expired anyway. */
  answer: Reservation | null
  topUp: { readonly op: string; readonly answer: Reservation } | null
}

const codec: Codec<Hold> = {
  encode(hold) {
    const scopes =
      hold.scopes.length === 0 ? '[]' : JSON.stringify(hold.scopes.map((s) => [s.key, s.meter, s.due, s.parts]))
    return `["${hold.state}",${scopes},${hold.marker},${hold.since}]`
  },
  decode(text, expires) {
    const [state, scopes, marker, since] = JSON.parse(text) as [
      ...[Hold['state'], [string, string, number | null, Part[]][], object | null, number],
    ]
    const restored = scopes.map(([key, meter, due, parts]) => ({ key, meter, due, parts }))
    const kept = marker === null ? null : JSON.stringify(marker)
    return { state, scopes: restored, marker: kept, since, expires, answer: null, topUp: null }
  },
}

const EMPTY: Reservation = { ok: true, scopes: [] }

export class Holds {
  readonly table: Table<Hold>
  readonly meters: Meters
  /** Lapsed exchanges, and the end of their claims. */
  readonly #lapsed = new Map<string, number>()
  /** Used ids, and how long they are remembered, ordered by that time. */
  readonly #closed = new Map<string, number>()

  constructor(backing: Backing | undefined) {
    this.table = new Table('hold', codec, backing, true)
    this.meters = new Meters(backing)
  }

  /** Answers a repeated id, or reserves and opens. The second value is whether this call was the first. */
  begin({ id, leaseMs, scopes, marker }: Args<'begin'>, now: number): [Reservation, first: boolean] {
    const known = this.table.get(id)
    if ((known !== undefined && known.state !== 'open') || this.#closed.has(id)) {
      throw usage(`The reservation ${id} was settled, released or has lapsed. Use a new id.`)
    }
    if (known !== undefined) {
      return [known.answer ?? this.#again(known, scopes, now), false]
    }
    const taken = scopes.length === 0 ? [] : this.meters.take(scopes, now)
    const answer: Reservation = Array.isArray(taken) ? { ok: true, scopes: taken.map(withoutSlice) } : taken
    const held = Array.isArray(taken) ? taken.map((t, i) => holdScope(scopes[i]!, t)) : []
    if (held.length > 0 || marker !== null) {
      const rest = { scopes: held, marker, since: 0, answer, topUp: null }
      this.table.put(id, { state: 'open', expires: now + leaseMs, ...rest })
    }
    return [answer, true]
  }

  topUp({ id, op, scopes }: Args<'topUp'>, now: number): Reservation {
    const hold = this.table.get(id)
    if (hold?.state !== 'open')
      throw usage(`There is no open reservation ${id} to top up: it was settled or has lapsed.`)
    if (hold.topUp?.op === op) return hold.topUp.answer
    const taken = this.meters.take(scopes, now)
    const answer: Reservation = Array.isArray(taken) ? { ok: true, scopes: taken.map(withoutSlice) } : taken
    if (Array.isArray(taken)) taken.forEach((t, i) => void merge(hold.scopes, scopes[i]!, t))
    hold.topUp = { op, answer }
    this.table.put(id, hold)
    return answer
  }

  /** `closed`: this call ended it, so its events belong in the log. */
  end(id: string, used: Amounts | null, now: number): Result<'end'> {
    const hold = this.table.get(id)
    if (hold === undefined) return { closed: false, scopes: [] }
    const closed = hold.state !== 'late'
    const wasOpen = hold.state === 'open'
    const scopes = wasOpen || used !== null ? this.#charge(hold, used ?? {}, now) : this.#states(hold, now)
    this.#lapsed.delete(id)
    if (wasOpen || used !== null) this.#close(id, now)
    else this.table.put(id, Object.assign(hold, { state: 'late', marker: null, expires: now + LATE_MS }))
    return { closed, scopes }
  }

  cancel(id: string, now: number): void {
    const hold = this.table.get(id)
    if (hold === undefined) {
      this.#close(id, now)
    } else if (hold.state === 'open') {
      this.#charge(hold, {}, now)
      if (hold.marker === null) this.#close(id, now)
      else this.table.put(id, Object.assign(hold, { scopes: [], answer: EMPTY }))
    }
  }

  renew({ holds, leaseMs }: Args<'renew'>, now: number): string[] {
    const lost: string[] = []
    for (const { id, due } of holds) {
      const hold = this.table.get(id)
      if (hold?.state !== 'open') {
        lost.push(id)
        continue
      }
      hold.expires = now + leaseMs
      for (const scope of hold.scopes) if (due !== null && Object.hasOwn(due, scope.key)) scope.due = due[scope.key]!
      this.table.put(id, hold)
    }
    return lost
  }

  lapse(ids: readonly string[], now: number): void {
    for (const id of ids) {
      const hold = this.table.get(id)
      if (hold?.state === 'open') this.table.put(id, Object.assign(hold, { expires: now }))
    }
  }

  /** Charges what is due for expired leases, and forgets old ids. At most 1,000 per call. */
  sweep(now: number): void {
    for (const [id, until] of this.#closed) {
      if (until > now) break
      this.#closed.delete(id)
    }
    for (let i = 0; i < 1000; i++) {
      const id = this.table.expired(now)
      if (id === undefined) return
      const hold = this.table.get(id)!
      if (hold.state !== 'open') {
        this.table.delete(id)
        continue
      }
      hold.since = hold.expires!
      this.#charge(hold, null, now)
      hold.state = hold.marker === null ? 'late' : 'lapsed'
      hold.expires = hold.marker === null ? hold.since + LATE_MS : null
      this.table.put(id, hold)
      if (hold.marker !== null) this.#lapsed.set(id, 0)
    }
  }

  lapsed({ max, claimMs }: Args<'lapsed'>, now: number): Result<'lapsed'> {
    const found: Result<'lapsed'> = []
    for (const id of this.#oldestFirst(this.#lapsed.keys())) {
      if (found.length >= max) break
      if (this.#lapsed.get(id)! > now) continue
      const hold = this.table.get(id)!
      this.#lapsed.set(id, now + claimMs)
      found.push({ id, marker: hold.marker!, since: hold.since })
    }
    return found
  }

  /** After a start or a rollback. `ended`: no lease holder can be alive. */
  restore(now: number, ended: boolean): void {
    this.#lapsed.clear()
    this.#closed.clear()
    for (const id of [...this.table.keys()]) {
      const hold = this.table.get(id)!
      if (hold.state === 'lapsed') this.#lapsed.set(id, 0)
      if (!ended || hold.state !== 'open') continue
      hold.expires = Math.min(hold.expires!, now)
      this.table.put(id, hold)
    }
  }

  #oldestFirst(ids: Iterable<string>): string[] {
    const since = (id: string): number => this.table.get(id)!.since
    return [...ids].sort((a, b) => since(a) - since(b) || (a < b ? -1 : 1))
  }

  #close(id: string, now: number): void {
    this.table.delete(id)
    this.#closed.set(id, now + ID_MEMORY_MS)
  }

  /** Changes held or already charged amounts to the amounts used; null charges what is due. */
  #charge(hold: Hold, used: Amounts | null, now: number): ScopeState[] {
    for (const scope of hold.scopes) {
      const held = scope.parts.reduce((sum, part) => sum + part[1], 0)
      let rest = used === null ? (scope.due ?? held) : Object.hasOwn(used, scope.key) ? used[scope.key]! : 0
      scope.parts.forEach((part, i) => {
        // Earlier parts pay up to their grant; the last part pays the rest, including amounts never granted.
        const amount = i === scope.parts.length - 1 ? rest : Math.min(rest, part[1])
        rest -= amount
        const released = hold.state === 'open' ? -part[1] : 0
        this.meters.adjust(scope.meter, part[0], amount - part[2], released, now)
        part[2] = amount
      })
    }
    return this.#states(hold, now)
  }

  /** Answers a repeated call after the first answer was forgotten. */
  #again(hold: Hold, asked: readonly WireScope[], now: number): Reservation {
    const scopes = hold.scopes.map((scope) => {
      const state = this.meters.state(scope, now)
      const limit = asked.find((a) => a.meter === scope.meter)?.limit ?? 0
      const granted = scope.parts.reduce((sum, part) => sum + part[1], 0)
      return { ...state, granted, left: Math.max(0, limit - state.spent - state.reserved) }
    })
    return { ok: true, scopes }
  }

  #states(hold: Hold, now: number): ScopeState[] {
    return hold.scopes.map((scope) => this.meters.state(scope, now))
  }
}

const withoutSlice = ({ key, granted, left, spent, reserved, resetsAt }: Taken) => ({
  key,
  granted,
  left,
  spent,
  reserved,
  resetsAt,
})

function holdScope({ key, meter, due }: WireScope, { slice, granted }: Taken): HoldScope {
  return { key, meter, due, parts: [[slice, granted, 0]] }
}

function merge(scopes: HoldScope[], asked: WireScope, taken: Taken): void {
  const scope = scopes.find((s) => s.meter === asked.meter)
  if (scope === undefined) {
    scopes.push(holdScope(asked, taken))
    return
  }
  if (asked.due !== null) scope.due = asked.due
  const part = scope.parts.find((p) => p[0] === taken.slice)
  if (part === undefined) scope.parts.push([taken.slice, taken.granted, 0])
  else part[1] += taken.granted
}
