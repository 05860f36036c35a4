import type { Json } from '../../engine/contract/plugin.ts'
import type * as Api from '../../engine/contract/store.ts'
import type { Amounts, Reservation, ScopeRef, ScopeState } from '../../engine/contract/store-limits.ts'
import * as check from './check.ts'
import { LogConsumer } from './consumer.ts'
import type { Driver } from './ops.ts'

/** State shared by all views of one store. */
interface Hub {
  readonly driver: Driver
  readonly watchers: Set<{ readonly prefix: string; readonly listener: (key: string | undefined) => void }>
  readonly onStatus: Set<(status: Api.StoreStatus) => void>
  readonly consumers: Map<LogConsumer, string>
}

function hub(driver: Driver): Hub {
  const shared: Hub = { driver, watchers: new Set(), onStatus: new Set(), consumers: new Map() }
  driver.listen((notice) => {
    if (notice.type === 'status') {
      // A new owner does not know our watches.
      if (notice.status.state === 'ready' && shared.watchers.size > 0) driver.call('watch', {}).catch(() => {})
      for (const listener of shared.onStatus) listener(notice.status)
    } else if (notice.type === 'appended') {
      for (const [consumer, stream] of shared.consumers) if (stream === notice.stream) consumer.wake()
    } else {
      for (const { prefix, listener } of shared.watchers) {
        if (notice.key === null) listener(undefined)
        else if (notice.key.startsWith(prefix)) listener(notice.key)
      }
    }
  })
  return shared
}

/** The store over a driver: checks arguments, adds the namespace, waits for records. */
export class StoreClient implements Api.Store {
  readonly #hub: Hub
  readonly #driver: Driver
  readonly #prefix: string

  constructor(driver: Driver | Hub, prefix = '') {
    this.#hub = 'watchers' in driver ? driver : hub(driver)
    this.#driver = this.#hub.driver
    this.#prefix = prefix
  }

  get kind(): Api.Store['kind'] {
    return this.#driver.kind
  }

  get reach(): Api.Store['reach'] {
    return this.#driver.reach
  }

  get status(): Api.StoreStatus {
    return this.#driver.status
  }

  namespace(prefix: string): Api.Store {
    return new StoreClient(this.#hub, `${this.#prefix}${check.name('A namespace', prefix, 64)}/`)
  }

  onStatus(listener: (status: Api.StoreStatus) => void): () => void {
    const own = (status: Api.StoreStatus): void => listener(status)
    this.#hub.onStatus.add(own)
    return () => void this.#hub.onStatus.delete(own)
  }

  async close(): Promise<void> {
    for (const consumer of this.#hub.consumers.keys()) await consumer.close().catch(() => {})
    await this.#driver.close()
  }

  async get<V extends Json>(key: string): Promise<V | undefined> {
    return (await this.entry<V>(key))?.value
  }

  async entry<V extends Json>(key: string): Promise<Api.Entry<V> | undefined> {
    const found = await this.#driver.call('get', { key: this.#key(key) })
    return found === null
      ? undefined
      : { value: JSON.parse(found.text) as V, version: found.version, expiresAt: found.expiresAt }
  }

  async set(key: string, value: Json, options: Api.SetOptions = {}): Promise<boolean> {
    const { ttlMs, ifVersion, notify = false } = options
    return this.#driver.call('set', {
      key: this.#key(key),
      text: check.text(`The value of ${key}`, value),
      ttlMs: ttl(ttlMs),
      ifVersion: ifVersion === undefined ? null : check.whole('ifVersion', ifVersion),
      notify,
    })
  }

  async delete(key: string, { ifVersion, notify = false }: { ifVersion?: number; notify?: boolean } = {}) {
    const version = ifVersion === undefined ? null : check.whole('ifVersion', ifVersion)
    return this.#driver.call('delete', { key: this.#key(key), ifVersion: version, notify })
  }

  async increment(key: string, by: number, ttlMs?: number, { prolong = false } = {}): Promise<number> {
    check.whole('The step of a counter', by, Number.MIN_SAFE_INTEGER)
    return this.#driver.call('increment', { key: this.#key(key), by, ttlMs: ttl(ttlMs), prolong })
  }

  watch(prefix: string, listener: (key: string | undefined) => void): () => void {
    const cut = this.#prefix.length
    const watcher = { prefix: this.#prefix + prefix, listener: (key: string | undefined) => listener(key?.slice(cut)) }
    this.#hub.watchers.add(watcher)
    // On failure, the driver reports "anything may have changed" once it is ready.
    this.#driver.call('watch', {}).catch(() => {})
    return () => void this.#hub.watchers.delete(watcher)
  }

  async reserve(request: Api.ReserveRequest): Promise<Reservation> {
    return (await this.begin(request)).reservation
  }

  async topUp({ id, op, scopes }: Api.TopUpRequest): Promise<Reservation> {
    const args = { id: check.name('An id', id), op: check.name('op', op), scopes: check.scopes(this.#prefix, scopes) }
    return this.#reservation(await this.#driver.call('topUp', args))
  }

  async settle(id: string, used: Amounts): Promise<readonly ScopeState[]> {
    return (await this.end({ id, used })).scopes
  }

  async renew(holds: readonly Api.Renewal[], leaseMs: number): Promise<readonly string[]> {
    if (holds.length === 0) return []
    const wire = holds.map(({ id, due }) => ({
      id: check.name('An id', id),
      due: due === undefined ? null : check.amounts(this.#prefix, due),
    }))
    return this.#driver.call('renew', { holds: wire, leaseMs: check.duration('A lease', leaseMs) })
  }

  async inspect(scopes: readonly ScopeRef[]): Promise<readonly ScopeState[]> {
    const wire = scopes.map((scope) => check.scopeRef(this.#prefix, scope))
    return this.#states(await this.#driver.call('inspect', { scopes: wire }))
  }

  async begin({ id, leaseMs, scopes, marker, stream, events = [] }: Api.BeginRequest): Promise<Api.Begun> {
    const reservation = await this.#driver.call('begin', {
      id: check.name('An id', id),
      leaseMs: check.duration('A lease', leaseMs),
      scopes: check.scopes(this.#prefix, scopes),
      marker: marker === undefined ? null : check.text('A marker', marker),
      stream: this.#stream(stream, events),
      events: check.events('begin', events),
    })
    return { reservation: this.#reservation(reservation) }
  }

  async end({ id, used, stream, events = [] }: Api.EndRequest): Promise<Api.Ended> {
    const { closed, scopes } = await this.#driver.call('end', {
      id: check.name('An id', id),
      used: used === undefined ? null : check.amounts(this.#prefix, used),
      stream: this.#stream(stream, events),
      events: check.events('end', events),
    })
    return { closed, scopes: this.#states(scopes) }
  }

  async lapsed(max: number, claimMs: number): Promise<readonly Api.Lapsed[]> {
    const args = { max: check.whole('max', max, 1, 1000), claimMs: check.duration('A claim', claimMs) }
    const found = await this.#driver.call('lapsed', args)
    return found.map(({ id, marker, since }) => ({ id, marker: JSON.parse(marker) as Api.JsonObject, since }))
  }

  async append(stream: string, events: readonly Api.JsonObject[]): Promise<void> {
    if (events.length === 0) return
    await this.#driver.call('append', { stream: this.#key(stream), events: check.events('append', events) })
  }

  consumer(stream: string, group: string, options: Api.ConsumerOptions = {}): Api.Consumer {
    const { consumers } = this.#hub
    const key = this.#key(stream)
    const done = (): void => void consumers.delete(consumer)
    const consumer = new LogConsumer(this.#driver, key, check.name('A group', group), options, done)
    consumers.set(consumer, key)
    return consumer
  }

  async scan(stream: string, options: Api.ScanOptions = {}): Promise<Api.ScanPage> {
    const { instance = null, after = null, order = 'asc' } = options
    const limit = check.whole('limit', options.limit ?? 100, 1, 1000)
    const page = await this.#driver.call('scan', { stream: this.#key(stream), instance, after, order, limit })
    const records = page.records.map(([cursor, text]) => ({ cursor, text, record: JSON.parse(text) as Api.JsonObject }))
    return { records, next: page.more ? records.at(-1)?.cursor : undefined }
  }

  async trim(stream: string, { before, keep, unread = 'keep' }: Api.TrimOptions): Promise<Api.Trimmed> {
    const args = {
      stream: this.#key(stream),
      before: before === undefined ? null : check.whole('before', before),
      keep: keep === undefined ? null : check.whole('keep', keep),
      unread,
    }
    return this.#driver.call('trim', args)
  }

  async stats(stream: string): Promise<Api.StreamStats> {
    return this.#driver.call('stats', { stream: this.#key(stream) })
  }

  async forget(stream: string, group: string): Promise<void> {
    await this.#driver.call('forget', { stream: this.#key(stream), group })
  }

  async push(log: string, entries: readonly Json[], cap: number): Promise<void> {
    const texts = entries.map((entry) => check.text(`An entry of ${log}`, entry))
    await this.#driver.call('push', { log: this.#key(log), texts, cap: check.whole('cap', cap, 1, 100_000) })
  }

  async recent(log: string, { limit, cursor }: { limit: number; cursor?: string }): Promise<Api.RecentPage> {
    if (cursor !== undefined) check.cursor(cursor)
    const args = { log: this.#key(log), limit: check.whole('limit', limit, 1, 1000), cursor: cursor ?? null }
    const page = await this.#driver.call('recent', args)
    return { entries: page.texts.map((entry) => JSON.parse(entry) as Json), next: page.next ?? undefined }
  }

  async acquire(lock: string, holder: string, leaseMs: number): Promise<boolean> {
    const args = { name: this.#key(lock), holder: check.name('A holder', holder) }
    return this.#driver.call('acquire', { ...args, leaseMs: check.duration('A lease', leaseMs) })
  }

  async release(lock: string, holder: string): Promise<boolean> {
    return this.#driver.call('release', { name: this.#key(lock), holder: check.name('A holder', holder) })
  }

  #key(key: string): string {
    return this.#prefix + check.name('A key', key)
  }

  #stream(stream: string | undefined, events: readonly Api.JsonObject[]): string {
    if (stream !== undefined) return this.#key(stream)
    return events.length === 0 ? '' : this.#key('audit')
  }

  #reservation(answer: Reservation): Reservation {
    if (!answer.ok) return { ...answer, key: this.#bare(answer.key) }
    return { ok: true, scopes: this.#states(answer.scopes) }
  }

  /** Scopes of this namespace, without its prefix. */
  #states<T extends ScopeState>(states: readonly T[]): T[] {
    if (this.#prefix === '') return [...states]
    return states.filter((s) => s.key.startsWith(this.#prefix)).map((s) => ({ ...s, key: this.#bare(s.key) }))
  }

  #bare(key: string): string {
    return key.startsWith(this.#prefix) ? key.slice(this.#prefix.length) : key
  }
}

const ttl = (ttlMs: number | undefined): number | null =>
  ttlMs === undefined ? null : check.duration('A time to live', ttlMs)
