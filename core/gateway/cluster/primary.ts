/** Several workers on one port: starts them, replaces dead ones, and reloads or stops them together. */
import cluster from 'node:cluster'
import type { Config } from '../../engine/config/types.ts'
import { GatewayError } from '../../engine/contract/errors.ts'
import type { SharedPort } from '../../engine/http/listening.ts'
import { instanceName } from '../../engine/util/instance.ts'
import type { Logger } from '../../services/logger.ts'
import { openSharedDriver } from '../../services/store/configured.ts'
import { type Shareable, serve } from '../../services/store/remote.ts'
import { discardCreatedKeys, type FirstStart } from '../identity.ts'
import { type Everything, loadEverything } from '../load.ts'
import { checkReload, problemCount } from '../reload.ts'
import { Backoff } from './backoff.ts'
import { type Listening, Member, type MemberEvents } from './member.ts'
import { errorOf, type FromWorker, type StartOrder, WORKER_VARIABLE } from './messages.ts'
import { PeerRelay } from './peers.ts'
import { checkPort, sharePort } from './port.ts'
import { prepareAll } from './prepare.ts'

export interface ClusterOptions extends Pick<Everything, 'config' | 'text'> {
  /** Absolute path of the config file. */
  readonly file: string
  readonly logger: Logger
  readonly workers: number
  readonly identity: FirstStart
}

/** Time for plugins to flush and stop, in addition to `listen.drain_seconds`, before a worker is killed. */
const STOP_MS = 30_000
/** Time for workers to end when the start has failed. */
const ABANDON_MS = 5000
/** How long a reload waits for a worker to try the config, milliseconds. */
const WAIT_MS = 60_000
const NO_WORKER = `No worker listened for ${WAIT_MS / 1000} s, so none could try the config. Send SIGHUP when one does, or restart.`
const CLOSES = 'The gateway closes, so it does not read the config again.'

interface Slot {
  readonly number: number
  readonly backoff: Backoff
  restarts: number
  member: Member | undefined
  timer: NodeJS.Timeout | undefined
}

/** The primary of a cluster, with the interface of a single gateway. */
export class Cluster implements MemberEvents {
  readonly workers: number
  url = ''
  plugins: readonly string[] = []
  notes: readonly string[] = []
  readonly #file: string
  readonly #log: Logger
  readonly #keys: FirstStart
  readonly #slots: readonly Slot[]
  readonly #instance: string
  readonly #holder = crypto.randomUUID()
  readonly #peers = new PeerRelay(() => this.#readyMembers)
  readonly #started = Promise.withResolvers<void>()
  #store: Shareable | undefined
  #port: Promise<SharedPort> | undefined
  #config: Config
  /** The active config. */
  #text: string
  #changes = 0
  #turn = Promise.resolve()
  #up = false
  #leaving = false
  #closing: Promise<void> | undefined
  /** Settles when the next worker listens. */
  #listens: PromiseWithResolvers<void> | undefined
  #onGone: (() => void) | undefined

  private constructor({ config, text, file, logger, workers, identity }: ClusterOptions) {
    this.#config = config
    this.#text = text
    this.#file = file
    this.#log = logger
    this.workers = workers
    this.#keys = identity
    this.#instance = instanceName(config.instance)
    this.#slots = Array.from({ length: workers }, (_, i) => ({
      number: i + 1,
      backoff: new Backoff(),
      restarts: 0,
      member: undefined,
      timer: undefined,
    }))
  }

  /** Settles when every worker listens; if one fails, stops them all. */
  static async start(options: ClusterOptions): Promise<Cluster> {
    const made = new Cluster(options)
    try {
      await made.#start()
    } catch (error) {
      await made.#abandon()
      throw error
    }
    return made
  }

  get createdKeys(): FirstStart['createdKeys'] {
    return this.#keys.createdKeys
  }

  /** Worker counts for log lines; a lasting difference needs attention. */
  get #serving(): { readonly workers_ready: number; readonly workers: number } {
    return { workers_ready: this.#readyMembers.length, workers: this.workers }
  }

  get #readyMembers(): readonly Member[] {
    return this.#slots.flatMap(({ member }) => (member?.state === 'ready' ? [member] : []))
  }

  /** Reads the config file again; applies it in all workers or in none. */
  reload(): Promise<void> {
    return this.#inTurn(async () => {
      try {
        await this.#reload()
      } catch (error) {
        const sender = this.#slots.find(({ member }) => member?.state === 'ready')
        sender?.member?.send({ type: 'rejected', problems: problemCount(error) })
        throw error
      }
    })
  }

  async #reload(): Promise<void> {
    await this.#oneServes()
    const { config, text } = await loadEverything(this.#file)
    checkReload(this.#config, config)
    const change = ++this.#changes
    const members = this.#readyMembers
    const problem = await prepareAll(members, change, text)
    if (problem !== undefined) {
      for (const member of members) member.send({ type: 'discard', change })
      throw new GatewayError('GW_CONFIG', problem)
    }
    this.#text = text
    this.#config = config
    for (const member of members) member.commit(change, text)
    this.#log.level = config.log.level
  }

  /** A config is known to be good only after a worker built it. */
  async #oneServes(): Promise<void> {
    if (this.#closing !== undefined) throw new GatewayError('GW_CONFIG', CLOSES)
    if (this.#serving.workers_ready > 0) return
    this.#listens ??= Promise.withResolvers<void>()
    const late = setTimeout(() => this.#listens?.reject(new GatewayError('GW_CONFIG', NO_WORKER)), WAIT_MS)
    try {
      await this.#listens.promise
    } finally {
      clearTimeout(late)
      this.#listens = undefined
    }
  }

  /** Sets readiness to draining, while the workers still serve. */
  leave(): void {
    this.#leaving = true
    for (const { member } of this.#slots) member?.leave()
  }

  /** Drains all exchanges, then stops everything. */
  close(): Promise<void> {
    this.#closing ??= this.#close()
    this.#listens?.reject(new GatewayError('GW_CONFIG', CLOSES))
    return this.#closing
  }

  /** Kills the workers at once. */
  kill(): void {
    for (const { member, timer } of this.#slots) {
      clearTimeout(timer)
      member?.kill()
    }
  }

  /** The port opens when the first worker can answer, so that connections are refused until then, and never reset. */
  built(member: Member): void {
    this.#port ??= sharePort(this.#config.listen)
    this.#port.then(
      (port) => member.send({ type: 'listen', ...port }),
      (error) => this.#started.reject(error),
    )
  }

  ready(member: Member, { url, plugins, notes }: Listening): void {
    this.#log.info({ worker: member.number, worker_pid: member.pid, ...this.#serving }, 'worker listens')
    this.#listens?.resolve()
    if (!this.#up) Object.assign(this, { url, plugins, notes })
    if (this.#slots.every((slot) => slot.member?.state === 'ready')) this.#started.resolve()
    void this.#inTurn(() => this.#catchUp(member))
  }

  failed(member: Member, { failure }: FromWorker & { type: 'failed' }): void {
    if (this.#up) this.#log.error({ worker: member.number, err: errorOf(failure) }, 'worker could not start')
    else this.#started.reject(errorOf(failure))
  }

  asks(member: Member, message: FromWorker & { type: 'ask' | 'answer' }): void {
    this.#peers.handle(member, message)
  }

  hung(member: Member, unanswered_seconds: number): void {
    this.#log.error(
      { worker: member.number, worker_pid: member.pid, unanswered_seconds, ...this.#serving },
      'worker does not answer: it is killed',
    )
  }

  ended(member: Member, code: number | null, signal: string | null): void {
    const slot = this.#slots[member.number - 1] as Slot
    slot.member = undefined
    this.#onGone?.()
    if (this.#closing !== undefined) return
    if (!this.#up) {
      const how = signal ?? `code ${code}`
      this.#started.reject(new Error(`Worker ${member.number} ended (${how}) before it listened.`))
      return
    }
    // A SIGTERM to the whole process group: nobody needs this worker any more.
    if (member.wasTold && this.#leaving) return this.#log.info({ worker: slot.number }, 'worker ended, as it was told')
    const served = member.readyAt === 0 ? 0 : performance.now() - member.readyAt
    const pause = slot.backoff.next(served)
    slot.restarts++
    const { restarts } = slot
    const fields = { worker: slot.number, exit_code: code, signal, restarts, restart_in_ms: pause, ...this.#serving }
    if (member.wasTold) this.#log.info(fields, 'worker ended, as it was told: another takes its place')
    else this.#log.error(fields, 'worker ended: another takes its place')
    slot.timer = setTimeout(() => this.#fork(slot), pause)
  }

  async #start(): Promise<void> {
    this.#store = await openSharedDriver(this.#config.store, {
      instance: this.#instance,
      durability: this.#config.audit.durability,
    })
    await checkPort(this.#config.listen)
    cluster.setupPrimary({ serialization: 'advanced' })
    for (const slot of this.#slots) this.#fork(slot)
    await this.#started.promise
    this.#up = true
  }

  #fork(slot: Slot): void {
    const { number, restarts } = slot
    const order: StartOrder = {
      type: 'start',
      number,
      restarts,
      instance: `${this.#instance}-w${number}`,
      holder: this.#holder,
      file: this.#file,
      text: this.#text,
      keys: this.#keys.keys,
      secret: this.#keys.secret,
      sharedStore: this.#store !== undefined,
      inherited: this.#peers.inherited(number),
    }
    const worker = cluster.fork({ [WORKER_VARIABLE]: String(number) })
    if (this.#store !== undefined) serve(this.#store, worker.process)
    const patience = (): number => this.#config.worker_timeout_seconds * 1000
    slot.member = new Member(worker, { order, events: this, log: this.#log, patience })
  }

  /** A reload may have happened while this worker started. */
  async #catchUp(member: Member): Promise<void> {
    const text = this.#text
    if (member.text === text) return
    const change = ++this.#changes
    const verdict = await member.prepare(change, text)
    if (verdict === 'prepared') return member.commit(change, text)
    if (verdict === 'ended') return
    this.#log.error({ worker: member.number, ...verdict }, 'worker could not adopt the active config and is replaced')
    member.kill()
  }

  /** Serialises changes; otherwise a worker could end up with the older of two configs. */
  #inTurn(change: () => Promise<void>): Promise<void> {
    const done = this.#turn.then(change)
    this.#turn = done.catch(() => {})
    return done
  }

  async #close(): Promise<void> {
    for (const { member, timer } of this.#slots) {
      clearTimeout(timer)
      member?.close()
    }
    const late = setTimeout(() => this.kill(), this.#config.listen.drain_seconds * 1000 + STOP_MS)
    await this.#allGone()
    clearTimeout(late)
    await this.#store?.close()
  }

  async #abandon(): Promise<void> {
    this.#closing = Promise.resolve()
    // Those that are still starting give back their names in the store, so that another start finds them free.
    for (const { member } of this.#slots) member?.close()
    const late = setTimeout(() => this.kill(), ABANDON_MS)
    await this.#allGone()
    clearTimeout(late)
    await this.#store?.close()
    discardCreatedKeys(this.#config, this.#keys)
  }

  #allGone(): Promise<void> {
    return new Promise((resolve) => {
      this.#onGone = () => {
        if (this.#slots.every(({ member }) => member === undefined)) resolve()
      }
      this.#onGone()
    })
  }
}
