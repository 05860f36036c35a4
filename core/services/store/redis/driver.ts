import type { StoreStatus } from '../../../engine/contract/store.ts'
import { StoreError, unavailable } from '../../../engine/contract/store-errors.ts'
import { instanceName } from '../../../engine/util/instance.ts'
import { type Args, type Driver, GROWING, type Notice, type OpName, type Result, type WireRecord } from '../ops.ts'
import { ChainWriter, type Run } from './chain-writer.ts'
import { Down, RedisConnection, type Script } from './connection.ts'
import * as decode from './decode.ts'
import { parse, type RedisOptions } from './options.ts'
import { Presence } from './presence.ts'
import { Readers } from './readers.ts'

export type { RedisOptions } from './options.ts'

/** Maximum number of records per `trim` call: a script blocks all other clients. */
const TRIM_MOST = 1000
const READY: StoreStatus = { state: 'ready', detail: '' }

/** One store shared by any number of processes and machines. */
export class RedisDriver implements Driver {
  readonly kind = 'redis'
  readonly reach = 'cluster'
  status: StoreStatus = { state: 'unavailable', detail: '' }
  readonly #link: RedisConnection
  readonly #readers: Readers
  readonly #instance: string
  readonly #timeoutMs: number
  readonly #patienceMs: number
  readonly #maxPending: number
  readonly #clock: (() => number) | undefined
  readonly #listeners: ((notice: Notice) => void)[] = []
  readonly #lanes = new Map<string, ChainWriter>()
  readonly #presence: Presence | undefined
  /** Reservations whose call failed, although the server may have made them. */
  readonly #cancels = new Set<string>()
  readonly #waiters = new Set<() => void>()
  #downSince = Number.NEGATIVE_INFINITY
  #downError = unavailable('The store is not connected yet.')
  #busy = 0
  #idle: (() => void)[] = []
  #timer: NodeJS.Timeout | undefined

  private constructor(options: RedisOptions) {
    const { deployment = 'governed-gateway', timeoutMs = 3000, patienceMs = 1000, clock } = options
    const { url, cluster, tls } = parse(options.url)
    this.#instance = instanceName(options.instance)
    this.#timeoutMs = timeoutMs
    this.#patienceMs = patienceMs
    this.#maxPending = options.maxPending ?? 50_000
    this.#clock = clock
    this.#readers = new Readers((script, args) => this.#retrying(() => this.#run(script, args)), this.#instance)
    if (options.holder !== undefined) {
      const run = (script: Script, args: object) => this.#run(script, args)
      this.#presence = new Presence(run, this.#instance, options.holder, () => this.#present())
    }
    const sockets = { connectTimeout: timeoutMs, socketTimeout: 3 * timeoutMs }
    const address = { url: url.href, cluster, tls, where: url.host, base: `{${deployment}}:` }
    this.#link = new RedisConnection(
      { ...address, ...sockets, timeoutMs },
      {
        up: (detail) => this.#up(detail),
        down: (error) => this.#down(error),
        changed: (key) => this.#notify({ type: 'changed', key }),
      },
    )
  }

  /** Rejects with a `StoreError` that says what to do. */
  static async open(options: RedisOptions): Promise<RedisDriver> {
    const driver = new RedisDriver(options)
    if (options.lazy) driver.#link.openLater()
    else await driver.#link.open()
    try {
      if (!options.lazy) await driver.#presence?.claim()
    } catch (error) {
      driver.#link.close()
      throw error
    }
    driver.#presence?.start()
    return driver
  }

  async call<K extends OpName>(name: K, args: Args<K>): Promise<Result<K>> {
    if (this.status.state === 'closed') throw unavailable('The store is closed.')
    if (this.#busy >= this.#maxPending) {
      throw unavailable(`The store is overloaded: ${this.#maxPending} calls wait for an answer.`)
    }
    this.#busy++
    try {
      if (this.#presence?.doubtful) await this.#named(this.#presence)
      const result = await (this.#operations[name] as (args: Args<K>) => Promise<Result<K>>)(args)
      if (this.status.state === 'full' && GROWING.has(name)) this.#notify({ type: 'status', status: READY })
      return result
    } catch (error) {
      if (error instanceof StoreError && error.kind === 'full') this.#full(error)
      throw error
    } finally {
      this.#busy--
      if (this.#busy === 0) for (const resolve of this.#idle.splice(0)) resolve()
    }
  }

  listen(listener: (notice: Notice) => void): void {
    this.#listeners.push(listener)
  }

  async close(): Promise<void> {
    if (this.status.state === 'closed') return
    if (this.#busy > 0) await new Promise<void>((resolve) => this.#idle.push(resolve))
    this.status = { state: 'closed', detail: 'closed' }
    clearTimeout(this.#timer)
    await this.#presence?.leave()
    this.#link.close()
    for (const wake of this.#waiters) wake()
  }

  readonly #operations: { readonly [K in OpName]: (args: Args<K>) => Promise<Result<K>> } = {
    get: async (args) => decode.entry(await this.#direct('get', args)),
    set: async ({ text, ...args }) => (await this.#once('set', args, [text])) === '1',
    delete: async (args) => (await this.#once('delete', args)) === '1',
    increment: async (args) => Number(await this.#once('increment', args)),
    watch: async () => {
      await this.#retrying(() => this.#link.watch())
      return null
    },
    begin: (args) => this.#begin(args),
    topUp: async (args) => decode.reservation(await this.#direct('topUp', args)),
    end: async ({ stream, events, ...args }) =>
      decode.ended(await this.#write('end', { ...args, op: crypto.randomUUID() }, stream, events)),
    cancel: async (args) => nothing(await this.#direct('cancel', args)),
    renew: async (args) => (await this.#direct('renew', args)) as string[],
    inspect: async (args) => decode.states(await this.#direct('inspect', args)),
    lapsed: async (args) => decode.lapsed(await this.#direct('lapsed', args)),
    append: async ({ stream, events }) => nothing(await this.#write('append', {}, stream, events)),
    read: (args) => this.#readers.read(args),
    ack: (args) => this.#readers.ack(args),
    leave: (args) => this.#readers.leave(args),
    scan: (args) => this.#scan(args),
    trim: async (args) => decode.trimmed(await this.#direct('trim', { ...args, max: TRIM_MOST })),
    stats: async (args) => decode.stats(await this.#direct('stats', args)),
    forget: async (args) => nothing(await this.#direct('forget', args)),
    push: async ({ texts, ...args }) => nothing(await this.#once('push', args, texts)),
    recent: async ({ cursor, ...args }) => {
      const before = cursor === null ? null : Number(cursor)
      return decode.recent(await this.#direct('recent', { ...args, cursor: before }), args.limit)
    },
    acquire: async (args) => (await this.#direct('acquire', args)) === 1,
    release: async (args) => Number(await this.#once('release', args)) === 1,
  }

  async #begin({ id, leaseMs, scopes, marker, stream, events }: Args<'begin'>): Promise<Result<'begin'>> {
    const args = { id, leaseMs, scopes, marker }
    this.#cancels.delete(id)
    try {
      return decode.reservation(await this.#write('begin', args, stream, events))
    } catch (error) {
      if (error instanceof StoreError && error.kind === 'unavailable') this.#cancelLater(id)
      throw error
    }
  }

  async #scan({ stream, instance, after, order, limit }: Args<'scan'>): Promise<Result<'scan'>> {
    const key = encodeURIComponent(instance ?? this.#instance)
    const from = after === null ? null : after.slice(after.lastIndexOf('/') + 1)
    if (from !== null && !/^\d+-\d+$/.test(from)) throw new StoreError('usage', 'The cursor is not one of this stream.')
    const reply = await this.#direct('scan', { at: `${key}:${stream}`, after: from, order, limit: limit + 1 })
    const found: WireRecord[] = decode.records(key, reply)
    return { records: found.slice(0, limit), more: found.length > limit }
  }

  /** Runs an idempotent script. */
  #direct(script: Script, args: object): Promise<unknown> {
    return this.#retrying(() => this.#run(script, args))
  }

  /** Runs a script that remembers its answer, so that retries have no further effect. */
  #once(script: Script, args: object, texts: readonly string[] = []): Promise<unknown> {
    const op = crypto.randomUUID()
    return this.#retrying(() => this.#run(script, { ...args, op }, texts))
  }

  /** `begin`, `end` and `append`: events go through the stream's chain writer. */
  async #write(script: Script, args: object, stream: string, events: readonly string[]): Promise<unknown[]> {
    if (events.length === 0) {
      const [, ...reply] = (await this.#retrying(() => this.#run(script, { ...args, chain: null }))) as unknown[]
      return reply
    }
    const deadline = performance.now() + this.#timeoutMs
    await this.#connected(deadline)
    if (this.#timer === undefined) this.#watch()
    const reply = await this.#lane(stream).submit(script, args, events, deadline)
    // Readers in this process need not wait for their next poll.
    this.#notify({ type: 'appended', stream })
    return reply
  }

  #run(script: Script, args: object, texts: readonly string[] = []): Promise<unknown> {
    return this.#link.run(script, args, texts, this.#clock === undefined ? '' : String(this.#clock()))
  }

  #lane(stream: string): ChainWriter {
    let lane = this.#lanes.get(stream)
    if (lane === undefined) {
      const run: Run = (script, args, texts) => this.#run(script, args, texts)
      lane = new ChainWriter(run, stream, this.#instance, (records, instance) => this.#lost(records, instance))
      this.#lanes.set(stream, lane)
    }
    return lane
  }

  /** Retries a call on the next connection until its deadline. */
  async #retrying<T>(work: () => Promise<T>): Promise<T> {
    const deadline = performance.now() + this.#timeoutMs
    for (;;) {
      await this.#connected(deadline)
      try {
        return await work()
      } catch (error) {
        if (!(error instanceof Down)) throw error
      }
    }
  }

  /** Waits for a connection, until the deadline, or until it has been away too long. */
  async #connected(deadline: number): Promise<void> {
    while (!this.#link.ready) {
      const left = Math.min(deadline, this.#downSince + this.#patienceMs) - performance.now()
      if (this.status.state === 'closed') throw unavailable('The store is closed.')
      if (left <= 0) throw this.#downError
      await new Promise<void>((resolve) => {
        const done = (): void => {
          clearTimeout(timer)
          this.#waiters.delete(done)
          resolve()
        }
        const timer = setTimeout(done, left + 1)
        this.#waiters.add(done)
      })
    }
    if (performance.now() > deadline) throw unavailable(`The store did not answer within ${this.#timeoutMs} ms.`)
  }

  #up(detail: string): void {
    this.#downSince = Number.POSITIVE_INFINITY
    for (const id of this.#cancels) this.#cancel(id)
    const wasDown = this.status.state !== 'ready'
    void this.#presence?.attend()
    if (wasDown && this.#presence?.conflict === undefined)
      this.#notify({ type: 'status', status: { state: 'ready', detail } })
    for (const wake of this.#waiters) wake()
    for (const lane of this.#lanes.values()) lane.pump()
    this.#notify({ type: 'changed', key: null })
  }

  #down(error: StoreError): void {
    this.#downError = error
    if (this.#downSince === Number.POSITIVE_INFINITY) {
      this.#downSince = performance.now()
      // Do not announce short interruptions.
      setTimeout(() => this.#announce(), this.#patienceMs + 1).unref()
    } else this.#announce()
  }

  #announce(): void {
    const waited = performance.now() >= this.#downSince + this.#patienceMs
    const known = this.status.state === 'closed' || (this.status.state === 'unavailable' && this.status.detail !== '')
    if (this.#link.ready || !waited || known) return
    this.#notify({ type: 'status', status: { state: 'unavailable', detail: this.#downError.message } })
  }

  // Chain writers keep unfinished jobs for the next connection; this rejects them in time.
  #watch(): void {
    this.#timer = setTimeout(
      () => {
        this.#timer = undefined
        for (const lane of this.#lanes.values()) lane.expire(performance.now(), this.#downError)
        if ([...this.#lanes.values()].some((lane) => !lane.idle)) this.#watch()
      },
      Math.min(200, this.#timeoutMs),
    ).unref()
  }

  #cancelLater(id: string): void {
    this.#cancels.add(id)
    if (this.#link.ready) this.#cancel(id)
  }

  #cancel(id: string): void {
    this.#run('cancel', { id }).then(
      () => this.#cancels.delete(id),
      () => {}, // The next connection retries.
    )
  }

  /** Throws while another process has our name, or if that is unknown. */
  async #named(presence: Presence): Promise<void> {
    if (presence.stale) {
      await this.#retrying(async () => {
        const error = await presence.attend()
        if (error !== undefined) throw error
      })
    }
    if (presence.conflict !== undefined) throw presence.conflict
  }

  /** Another process took or released our name. */
  #present(): void {
    const { conflict } = this.#presence as Presence
    if (this.status.state === 'closed') return
    if (conflict !== undefined) {
      const status = { state: 'unavailable', detail: conflict.message, reason: 'instance_in_use' } as const
      this.#notify({ type: 'status', status })
    } else if (this.#link.ready) this.#notify({ type: 'status', status: READY })
  }

  #lost(records: number, instance: string): void {
    const detail =
      `Redis lost ${records} confirmed records of the chain ${instance}, and budgets of that time. ` +
      'Use appendonly with appendfsync, and min-replicas-to-write where there is a failover.'
    this.#notify({ type: 'status', status: { state: 'ready', detail } })
    this.#notify({ type: 'changed', key: null })
  }

  #full({ message }: StoreError): void {
    if (this.status.state === 'ready') this.#notify({ type: 'status', status: { state: 'full', detail: message } })
  }

  #notify(notice: Notice): void {
    if (notice.type === 'status') this.status = notice.status
    for (const listener of this.#listeners) listener(notice)
  }
}

const nothing = (_: unknown): null => null
