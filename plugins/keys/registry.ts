import { createHash } from 'node:crypto'
import { GatewayError, type Json, type Services } from 'governed-gateway'
import { Trouble } from 'governed-gateway/kit'
import type { KeyRecord, TeamRecord } from './record.ts'

/** Keys lie in a fixed number of values, so that a change rewrites few of them and a node can read all. */
const BUCKETS = 64
/** Of keys that are not revoked. */
const MAX_KEYS = 10_000
/** Of all: the ids of revoked keys are never free again. */
const MAX_IDS = 100_000
const MAX_TEAMS = 1_000
const KEYS = 'keys/'
const TEAMS = 'teams'
const TRIES = 20

type Bucket = Readonly<Record<string, KeyRecord>>
type Teams = Readonly<Record<string, TeamRecord>>

export interface RegistryOptions {
  /** Interval for reading everything again, milliseconds. */
  readonly refreshMs: number
  /** How long known keys are good without the store, milliseconds. */
  readonly staleMs: number
  /** Most keys that are not revoked. */
  readonly maxKeys?: number
  /** Called after records changed, with those of the ids before and after. */
  changed(before: ReadonlyMap<string, KeyRecord>, after: ReadonlyMap<string, KeyRecord>): void
}

/** A value of the store as this process last saw it. */
interface Copy<R> {
  /** When the read began, or the write ended. */
  readonly step: number
  readonly version: number
  readonly records: ReadonlyMap<string, R>
}

const NOTHING = { step: -1, version: -1, records: new Map<string, never>() }

/**
 * Reads may overtake each other, so a lower version is old; unless the read began later. Then the store itself went back, as
 * after a restored backup, and what it says now counts.
 */
const isNewer = (copy: Copy<unknown>, known: Copy<unknown>): boolean =>
  copy.version > known.version || (copy.version < known.version && copy.step > known.step)

/** Keys and teams in the store, and a copy in memory that follows it. */
export class Registry {
  readonly #services: Pick<Services, 'store' | 'log'>
  readonly #options: RegistryOptions
  readonly #buckets: Copy<KeyRecord>[]
  readonly #byId = new Map<string, KeyRecord>()
  #live = 0
  #teams: Copy<TeamRecord> = NOTHING
  /** Counts reads and writes, to know which began after which ended. */
  #step = 0
  readonly #trouble: Trouble
  #timer: NodeJS.Timeout | undefined = undefined
  #unwatch: (() => void)[] = []
  #readAt = Number.NEGATIVE_INFINITY

  constructor(services: Pick<Services, 'store' | 'log'>, options: RegistryOptions) {
    this.#services = services
    this.#options = options
    this.#buckets = Array.from({ length: BUCKETS }, () => NOTHING)
    const words = { begins: 'the keys could not be read from the store', ends: 'the keys are read again' }
    this.#trouble = new Trouble({ log: services.log, ...words })
  }

  async start(): Promise<void> {
    const { store } = this.#services
    this.#unwatch = [
      store.watch(KEYS, (key) => void (key === undefined ? this.refresh() : this.#follow(key))),
      store.watch(TEAMS, () => void this.#quietly(() => this.#readTeams())),
    ]
    this.#timer = setInterval(() => void this.refresh(), this.#options.refreshMs).unref()
    await this.refresh()
  }

  stop(): void {
    clearInterval(this.#timer)
    for (const unwatch of this.#unwatch.splice(0)) unwatch()
    this.#trouble.close()
  }

  /** Whether the copy is recent enough to judge by it. */
  get fresh(): boolean {
    return performance.now() - this.#readAt <= this.#options.staleMs
  }

  get(id: string): KeyRecord | undefined {
    return this.#byId.get(id)
  }

  /** All keys by id. */
  all(): KeyRecord[] {
    return [...this.#byId.values()].sort((a, b) => (a.id < b.id ? -1 : 1))
  }

  team(name: string): TeamRecord | undefined {
    return this.#teams.records.get(name)
  }

  teams(): TeamRecord[] {
    return [...this.#teams.records.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
  }

  /** Reads everything; a failure is logged, and the next time tries again. */
  async refresh(): Promise<void> {
    const began = performance.now()
    await this.#quietly(async () => {
      await Promise.all([...this.#buckets.map((_, at) => this.#readBucket(at)), this.#readTeams()])
      this.#readAt = Math.max(this.#readAt, began)
    })
  }

  /**
   * Changes one key. `change` gets the record as stored and returns the next one; what it throws ends the change.
   *
   * @returns the new record
   */
  async change(id: string, change: (known: KeyRecord | undefined) => KeyRecord): Promise<KeyRecord> {
    const at = bucketOf(id)
    for (let i = 0; i < TRIES; i++) {
      const entry = await this.#services.store.entry<Json>(KEYS + at)
      const records = new Map(Object.entries((entry?.value ?? {}) as unknown as Bucket))
      const next = change(records.get(id))
      if (!records.has(id)) this.#checkRoom()
      else if (next === records.get(id)) return next
      records.set(id, next)
      const value = Object.fromEntries(records) as unknown as Json
      const version = entry?.version ?? 0
      if (!(await this.#services.store.set(KEYS + at, value, { ifVersion: version, notify: true }))) continue
      // The change is made, whatever happens now: this process follows it without another answer of the store.
      this.#take(at, { step: ++this.#step, version: version + 1, records })
      return next
    }
    throw busy()
  }

  /** Changes one team; `undefined` removes it. */
  async changeTeam(name: string, change: (known: TeamRecord | undefined) => TeamRecord | undefined): Promise<void> {
    for (let i = 0; i < TRIES; i++) {
      const entry = await this.#services.store.entry<Json>(TEAMS)
      const records = new Map(Object.entries((entry?.value ?? {}) as unknown as Teams))
      const next = change(records.get(name))
      if (next === undefined) records.delete(name)
      else {
        if (!records.has(name) && records.size >= MAX_TEAMS) throw full(`${MAX_TEAMS} teams`)
        records.set(name, next)
      }
      const value = Object.fromEntries(records) as unknown as Json
      const version = entry?.version ?? 0
      if (!(await this.#services.store.set(TEAMS, value, { ifVersion: version, notify: true }))) continue
      const copy = { step: ++this.#step, version: version + 1, records }
      if (isNewer(copy, this.#teams)) this.#teams = copy
      return
    }
    throw busy()
  }

  #follow(key: string): Promise<void> {
    const at = Number(key.slice(KEYS.length))
    return this.#quietly(() => (this.#buckets[at] === undefined ? Promise.resolve() : this.#readBucket(at)))
  }

  async #readBucket(at: number): Promise<void> {
    this.#take(at, await this.#read<KeyRecord>(KEYS + at))
  }

  #take(at: number, copy: Copy<KeyRecord>): void {
    const known = this.#buckets[at]
    if (known === undefined || !isNewer(copy, known)) return
    this.#buckets[at] = copy
    this.#live += liveIn(copy.records) - liveIn(known.records)
    for (const id of known.records.keys()) this.#byId.delete(id)
    for (const [id, record] of copy.records) this.#byId.set(id, record)
    this.#options.changed(known.records, copy.records)
  }

  async #read<R>(name: string): Promise<Copy<R>> {
    const step = ++this.#step
    const entry = await this.#services.store.entry<Json>(name)
    const records = new Map(Object.entries((entry?.value ?? {}) as unknown as Readonly<Record<string, R>>))
    return { step, version: entry?.version ?? 0, records }
  }

  #checkRoom(): void {
    const { maxKeys = MAX_KEYS } = this.#options
    if (this.#live >= maxKeys) throw full(`${maxKeys} keys`)
    if (this.#byId.size >= MAX_IDS) throw full(`${MAX_IDS} ids, with those of revoked keys`)
  }

  async #readTeams(): Promise<void> {
    const copy = await this.#read<TeamRecord>(TEAMS)
    if (isNewer(copy, this.#teams)) this.#teams = copy
  }

  async #quietly(read: () => Promise<void>): Promise<void> {
    try {
      await read()
    } catch (error) {
      this.#trouble.note({ error: (error as Error).message })
    }
  }
}

function liveIn(records: ReadonlyMap<string, KeyRecord>): number {
  let live = 0
  for (const { revoked_at } of records.values()) if (revoked_at === undefined) live++
  return live
}

const bucketOf = (id: string): number => (createHash('sha256').update(id).digest()[0] as number) % BUCKETS

const full = (what: string): GatewayError =>
  new GatewayError('GW_VALIDATION', `There are already ${what}, the most that the gateway keeps.`)

const busy = (): GatewayError =>
  new GatewayError('GW_STORE_UNAVAILABLE', 'Other changes came in between. Try again in a moment.')
