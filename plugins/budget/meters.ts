import type { Caller, CallerLimit, Json, Sample, Services } from 'governed-gateway'
import { type Limit, meterKey, ownLimit } from './limits.ts'
import type { Entry } from './plan.ts'
import { isoTime } from './report.ts'

/** Maximum number of listed meters; the ones first used longest ago are removed. */
const MAX_METERS = 10_000
const PAGE = 1000
const YEAR_MS = 366 * 86_400_000
const LOG = 'meters'
/** Before the names of listed meters. */
const SEEN = 'seen/'
/** A limit of a caller is listed again when it changes. */
const nameOf = ({ key, limit: { own } }: Entry): string => (own === undefined ? key : `${key}=${own.limit}`)
const NO_MODEL = { asked: '', sent: '' }

/** Registry of meters. The store finds a meter only by name and cannot list them. */
export class Meters {
  readonly #services: Services
  readonly #limits: readonly Limit[]
  readonly #raised: (key: string, limit: Limit) => Limit
  readonly #seen = new Set<string>()
  #unwatch: (() => void) | undefined = undefined

  constructor(services: Services, limits: readonly Limit[], raised: (key: string, limit: Limit) => Limit) {
    this.#services = services
    this.#limits = limits
    this.#raised = raised
  }

  /** Until `stop`, whatever the store may have lost is registered again with its next use. */
  start(): void {
    this.#unwatch = this.#services.store.watch(SEEN, (key) => {
      if (key === undefined) this.#seen.clear()
    })
  }

  stop(): void {
    this.#unwatch?.()
  }

  /** Registers new meters in the background. */
  note(entries: readonly Entry[]): void {
    for (const entry of entries) {
      const name = nameOf(entry)
      if (this.#seen.has(name)) continue
      if (this.#seen.size >= MAX_METERS) this.#seen.clear()
      this.#seen.add(name)
      this.#add(name, entry).catch((error: unknown) => {
        this.#seen.delete(name)
        this.#services.log.warn({ limit: entry.limit.id, err: error }, 'a meter could not be listed')
      })
    }
  }

  /** So that it is listed before it was used. */
  async register(entry: Entry): Promise<void> {
    await this.#add(nameOf(entry), entry)
  }

  async #add(name: string, { limit, subject, key }: Entry): Promise<void> {
    const { store } = this.#services
    if ((await store.get(SEEN + name)) !== undefined) return
    const own = limit.own === undefined ? [] : [limit.own as unknown as Json]
    // In this order: if the second call fails, it is listed twice, which changes nothing.
    await store.push(LOG, [[limit.id, subject.slice(0, 256), key, ...own]], MAX_METERS)
    await store.set(SEEN + name, 1, { ttlMs: YEAR_MS })
  }

  /** Admins see all meters, others those of their own key and team. */
  async list(caller: Caller): Promise<Json[]> {
    const entries = caller.admin ? await this.#all() : await this.#mine(caller)
    const out: Json[] = []
    for (let at = 0; at < entries.length; at += PAGE) out.push(...(await this.#read(entries.slice(at, at + PAGE))))
    return out
  }

  /** The part that is left of each limit, of its fullest meter. */
  async left(): Promise<Sample[]> {
    const least = new Map(this.#limits.map(({ id }) => [id, 1]))
    const entries = (await this.#all()).slice(0, PAGE)
    const states = await this.#services.store.inspect(entries.map(({ key, limit }) => ({ key, window: limit.window })))
    for (const [i, { limit: plain, key }] of entries.entries()) {
      // Of the config's limits only: callers have any number of others.
      if (plain.own !== undefined) continue
      const limit = this.#raised(key, plain)
      const { spent = 0, reserved = 0 } = states[i] ?? {}
      const left = limit.amount === 0 ? 0 : Math.max(0, 1 - (spent + reserved) / limit.amount)
      least.set(limit.id, Math.min(least.get(limit.id) ?? 1, left))
    }
    return [...least].map(([limit, value]) => ({ value, labels: { limit } }))
  }

  /** The meter of a limit and a subject; undefined if there is no such limit. */
  async find(id: string, subject: string): Promise<Entry | undefined> {
    const limit = this.#limits.find((one) => one.id === id)
    if (limit?.covers(subject) === true) return { limit, subject, key: meterKey(limit, subject) }
    return (
      this.#unused(id, subject) ??
      (await this.#all()).find((entry) => entry.limit.id === id && entry.subject === subject)
    )
  }

  /** Whose requests a limit of the config counts; undefined if there is none with this id. */
  scopeOf(id: string): Limit['scope'] | undefined {
    return this.#limits.find((one) => one.id === id)?.scope
  }

  /** A limit that a key or team has now, whether it was ever used or not. */
  #unused(id: string, subject: string): Entry | undefined {
    for (const scope of ['key', 'team'] as const) {
      const limits = (this.#services.limitsOf(scope, subject) ?? []).map((one) => ownLimit(one))
      const limit = limits.find((one) => one.id === id && one.scope === scope)
      if (limit !== undefined) return { limit, subject, key: meterKey(limit, subject) }
    }
    return undefined
  }

  async #mine(caller: Caller): Promise<Entry[]> {
    const brought = (await this.#all()).filter(({ limit: { own }, subject }) => {
      return own !== undefined && subject === (own.scope === 'key' ? caller.keyId : caller.team)
    })
    return [...this.#own(caller), ...brought]
  }

  #own(caller: Caller): Entry[] {
    return this.#limits.flatMap((limit) => {
      if (limit.scope !== 'key' && limit.scope !== 'team') return []
      const subject = limit.subject(caller, NO_MODEL)
      return subject === undefined ? [] : [{ limit, subject, key: meterKey(limit, subject) }]
    })
  }

  /** A limit as its key or team has it now; undefined if it was removed. */
  #now(own: CallerLimit, subject: string): Limit | undefined {
    const { limitsOf } = this.#services
    const now = limitsOf(own.scope, subject)
    if (now === undefined) return ownLimit(own)
    const kind = ownLimit(own).id
    return now.map((one) => ownLimit(one)).find(({ id, scope }) => id === kind && scope === own.scope)
  }

  async #all(): Promise<Entry[]> {
    const byId = new Map(this.#limits.map((limit) => [limit.id, limit]))
    const found = new Map<string, Entry>()
    let cursor: string | undefined
    do {
      const page = await this.#services.store.recent(LOG, { limit: PAGE, ...(cursor === undefined ? {} : { cursor }) })
      for (const one of page.entries) {
        const [id, subject, key, own] = one as [string, string, string, Json?]
        // The newest entry is the limit as it was last.
        if (found.has(key)) continue
        const limit = own === undefined ? byId.get(id) : this.#now(own as unknown as CallerLimit, subject)
        // The config, the key or the team no longer has this limit.
        if (limit !== undefined) found.set(key, { limit, subject, key })
      }
      cursor = page.next
    } while (cursor !== undefined && found.size < MAX_METERS)
    const order = new Map(this.#limits.map((limit, i) => [limit, i]))
    const place = ({ limit }: Entry): number => order.get(limit) ?? 0
    return [...found.values()].sort((a, b) => place(a) - place(b) || (a.subject < b.subject ? -1 : 1))
  }

  async #read(entries: readonly Entry[]): Promise<Json[]> {
    const refs = entries.map(({ key, limit }) => ({ key, window: limit.window }))
    const states = await this.#services.store.inspect(refs)
    return entries.flatMap(({ limit: plain, subject, key }, i) => {
      const { spent = 0, reserved = 0, resetsAt = null } = states[i] ?? {}
      const limit = this.#raised(key, plain)
      // Perhaps its key has the limit no longer.
      if (plain.own !== undefined && spent === 0 && reserved === 0 && limit === plain) return []
      return {
        id: limit.id,
        scope: limit.scope,
        subject,
        unit: limit.unit,
        window: limit.windowName,
        limit: limit.shown(limit.amount),
        spent: limit.shown(spent),
        reserved: limit.shown(reserved),
        left: limit.shown(Math.max(0, limit.amount - spent - reserved)),
        resets_at: isoTime(resetsAt),
      }
    })
  }
}
