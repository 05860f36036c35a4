import type { Server } from 'node:http'
import { dirname, resolve } from 'node:path'
import { setTimeout as setTimeoutPromise } from 'node:timers/promises'
import type { AuthFailures } from '../engine/access/auth-failures.ts'
import { Callers } from '../engine/access/callers.ts'
import { sourceIpOf } from '../engine/access/source-ip.ts'
import type { Config } from '../engine/config/types.ts'
import { GatewayError } from '../engine/contract/errors.ts'
import type { Json, Route } from '../engine/contract/plugin.ts'
import type { Store } from '../engine/contract/store.ts'
import { IssuedIds } from '../engine/exchange/issued-ids.ts'
import { HookTrace } from '../engine/host/hook-trace.ts'
import { type Assembly, dismantle, type HostResources } from '../engine/host/host.ts'
import { withStoreErrors } from '../engine/host/plugin-routes.ts'
import { Connections } from '../engine/http/connections.ts'
import { createRouter, type Readiness } from '../engine/http/endpoints.ts'
import { openListener, stopListening } from '../engine/http/listening.ts'
import { createGatewayServer, type ServerContext } from '../engine/http/server.ts'
import { Running, type Runtime } from '../engine/pipeline/runtime.ts'
import { Routes } from '../engine/upstreams/model-routes.ts'
import { Models } from '../engine/upstreams/models.ts'
import { instanceName } from '../engine/util/instance.ts'
import { AUDIT } from '../services/audit/audit-log.ts'
import { Ledger } from '../services/audit/ledger.ts'
import { ledgerOptions, ledgerSettings } from '../services/audit/ledger-options.ts'
import { storeTrail } from '../services/audit/reader.ts'
import { auditRoutes } from '../services/audit/routes.ts'
import type { Upkeep } from '../services/audit/upkeep.ts'
import { CallerLimits } from '../services/caller-limits.ts'
import { Egress } from '../services/egress/egress.ts'
import { createLogger, type Logger } from '../services/logger.ts'
import { type ServiceResources, servicesOf } from '../services/open.ts'
import { StoreTrouble } from '../services/store-trouble.ts'
import { loadConfig } from './config/load.ts'
import { chainName, keepSecret, openStore, reportLimits, SECRET_PURPOSE, warnOfPlaces } from './deployment.ts'
import { type CoreState, openFigures } from './figures.ts'
import {
  buildGeneration,
  type Composed,
  closeProviders,
  configOf,
  drop,
  type Generation,
  openProviders,
  retire,
} from './generation.ts'
import { type CreatedKey, discardCreatedKeys, type FirstStart, firstStart, keysOf, subkey } from './identity.ts'
import { NodeStatus } from './node-status.ts'
import { viewsOf } from './node-views.ts'
import { PluginOptions, specsOf } from './options/live.ts'
import type { Allowed } from './options/overrides.ts'
import { optionsRoutes } from './options/routes.ts'
import { notesOf, readiness } from './readiness.ts'
import { tellRefusals } from './refusals.ts'
import { checkReload, problemCount, Reloads } from './reload.ts'
import type { Gateway, GatewayOptions, Prepared, WorkerShare } from './running-gateway.ts'
import { typesInTrail } from './trail-types.ts'
import { Turns } from './turns.ts'
import { openUpkeep } from './upkeep.ts'

export type { Gateway, GatewayOptions, Prepared } from './running-gateway.ts'

/** Assembles the gateway and starts to listen. */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const running = new RunningGateway(options)
  await running.start()
  return running
}

/** Opened by `start`. */
interface Resources extends ServiceResources {
  readonly ledger: Ledger
}

class RunningGateway implements Gateway {
  readonly #configFile: string | undefined
  readonly #log: Logger
  readonly #worker: WorkerShare | undefined
  readonly #specs: GatewayOptions['specs']
  readonly #server: Server
  readonly #connections: Connections
  readonly #serverContext: { -readonly [K in keyof ServerContext]: ServerContext[K] }
  readonly #resources: { -readonly [K in keyof Resources]: Resources[K] }
  readonly #probes: Pick<HostResources, 'onContractFault' | 'onFailure'>
  readonly #trace: HookTrace | undefined
  #store: Store | undefined = undefined
  readonly #keys: FirstStart
  #generation: Generation | undefined = undefined
  #config: Config
  readonly #reloads: Reloads
  readonly #storeTrouble: StoreTrouble
  #upkeep: Upkeep | undefined = undefined
  #options: PluginOptions = undefined as never // Opened by start().
  readonly #turns = new Turns()
  #status: NodeStatus | undefined = undefined
  #closing: Promise<void> | undefined = undefined
  readonly #stopped = new AbortController()
  readonly #leaving = new AbortController()
  #failures: AuthFailures | undefined = undefined
  url = ''

  constructor(options: GatewayOptions) {
    const { config, configFile, logger, specs, env = process.env, worker, identity } = options
    const { traceHooks, onContractFault, onFailure } = options
    const log = logger ?? createLogger({ level: config.log.level })
    this.#config = config
    this.#reloads = new Reloads(config)
    this.#configFile = configFile
    this.#log = log
    this.#storeTrouble = new StoreTrouble(log, () => this.#resources.ledger)
    this.#specs = specs
    this.#worker = worker
    this.#keys = worker === undefined ? (identity ?? firstStart(config)) : { ...worker.identity, createdKeys: [] }
    const { secret } = this.#keys
    this.#probes = { onContractFault, onFailure }
    this.#trace = traceHooks === undefined ? undefined : new HookTrace(traceHooks)
    this.#resources = {
      ...{ store: undefined as never, ledger: undefined as never }, // Opened by start().
      instance: worker?.instance ?? instanceName(config.instance),
      keys: () => keysOf(this.#config, this.#keys),
      configFolder: configFile === undefined ? process.cwd() : dirname(resolve(configFile)),
      subkey: (purpose) => subkey(secret, purpose),
      egress: new Egress(config.egress.allow),
      ...{ env, reloadState: new Map(), localFolder: config.audit.spill_folder },
      figures: openFigures(this.#state),
      callerLimits: new CallerLimits(),
      peers: worker?.peers,
    }
    this.#serverContext = {
      runtime: undefined as never,
      router: undefined as never,
      log,
      connections: { beyond: () => false },
      emit: (type, payload) => this.#emit(type, payload),
      leaving: false,
      onAuthFailure: () => {},
      onRejectedBeforeRead: () => {},
    }
    this.#server = createGatewayServer(config.listen, this.#serverContext)
    this.#connections = new Connections(this.#server, log)
    this.#serverContext.connections = this.#connections
  }

  get plugins(): readonly string[] {
    return this.#current.runtime.chain.plugins
  }

  get createdKeys(): readonly CreatedKey[] {
    return this.#keys.createdKeys
  }

  get notes(): readonly string[] {
    return notesOf(this.#current.assembly, this.#store as Store)
  }

  get #ownRoutes(): readonly Route[] {
    const types = typesInTrail(() => this.#current.runtime.chain.eventTypes)
    const audit = auditRoutes(storeTrail(this.#store as Store, AUDIT), () => this.#resources.ledger.audited, types)
    return [...audit, ...optionsRoutes(this.#options)].map(withStoreErrors)
  }

  get #state(): CoreState {
    return {
      store: () => (this.#store as Store).status,
      down: () => this.#resources.ledger.down,
      connections: () => this.#connections.count,
      exchanges: () => this.#current.runtime.exchanges.count,
      memo: () => this.#current.runtime.chain.memo?.stats,
      upstreams: () => Array.from(this.#current.loads.values(), ({ status }) => status),
    }
  }

  #hostResources({ inspection }: Config): HostResources {
    const { ledger, instance } = this.#resources
    return {
      log: this.#storeTrouble.calm(this.#log),
      recorder: ledger,
      instance: chainName(this.#worker, instance),
      trace: this.#trace,
      openServices: servicesOf(this.#resources),
      inspection,
      ...this.#probes,
    }
  }

  get #current(): Generation {
    return this.#generation as Generation
  }

  async start(): Promise<void> {
    this.#store = await openStore(this.#config, this.#worker, this.#resources.instance)
    this.#resources.store = this.#store
    this.#resources.ledger = new Ledger(this.#store, this.#log, ledgerOptions(this.#config))
    this.#options = this.#openOptions(this.#store)
    try {
      await keepSecret(this.#store, this.#resources.subkey(SECRET_PURPOSE), this.#log)
      await this.#install(await this.#options.using(this.#config, (allowed) => this.#build(this.#config, allowed)))
    } catch (error) {
      await this.#resources.egress.close()
      await this.#resources.ledger.close()
      await this.#store.close()
      discardCreatedKeys(this.#config, this.#keys)
      throw error
    }
    try {
      this.url = await openListener(this.#server, this.#config.listen, await this.#worker?.port())
    } catch (error) {
      await this.#stopEverything()
      discardCreatedKeys(this.#config, this.#keys)
      throw error
    }
    const first = this.#worker === undefined || (this.#worker.number === 1 && this.#worker.restarts === 0)
    this.#connections.limit(this.#server, this.#config.listen.max_connections, first)
    this.#resources.ledger.start(() => this.#current.runtime.chain.events)
    const restarts = this.#worker === undefined ? {} : { restarts: this.#worker.restarts }
    this.#emit('service.started', { plugins: [...this.plugins], ...restarts })
    this.#upkeep = openUpkeep(this.#resources, this.#storeTrouble.calm(this.#log), {
      config: () => this.#config,
      emit: (type, payload) => this.#current.runtime.chain.events.emit(type, payload),
    })
    this.#options.start()
    if ((this.#worker?.number ?? 1) === 1) this.#status?.publish()
    this.#reportLimits()
    if (first) warnOfPlaces(this.#store, this.#config, this.#log)
  }

  /** Emits an event of this process, with the worker's number if any. */
  #emit(type: string, payload: Record<string, Json>): void {
    const worker = this.#worker === undefined ? {} : { worker: this.#worker.number }
    this.#current.runtime.chain.events.emit(type, { ...payload, ...worker })
  }

  #reportLimits(): void {
    const { store, instance } = this.#resources
    const config = configOf(this.#config, this.#current)
    void reportLimits(store, config, instance, this.#log, (differing) => this.#emit('limits.differ', differing))
  }

  async reload(): Promise<void> {
    if (this.#configFile === undefined) throw new GatewayError('GW_CONFIG', 'This gateway was not started from a file.')
    try {
      const prepared = await this.prepare(loadConfig(this.#configFile))
      await prepared.commit()
    } catch (error) {
      this.rejected(problemCount(error))
      throw error
    }
  }

  rejected(problems: number): void {
    this.#emit('config.rejected', { problems })
  }

  prepare(config: Config): Promise<Prepared> {
    return this.#turns.until(() => this.#options.using(config, (allowed) => this.#prepare(config, allowed)))
  }

  async #prepare(config: Config, allowed: Allowed, specs = this.#specs): Promise<Prepared> {
    checkReload(this.#config, config)
    const previous = this.#current
    const next = await this.#rebuild(config, allowed, previous, specs)
    return {
      commit: async () => {
        await this.#install(next)
        const changes = this.#reloads.take(configOf(this.#config, previous), configOf(config, next), this.#log)
        if (config.log.level !== this.#config.log.level) this.#log.level = config.log.level
        this.#config = config
        const by = allowed.changedBy === undefined ? {} : { changed_by: allowed.changedBy }
        this.#emit('config.reloaded', { plugins: [...this.plugins], ...changes, ...by })
        this.#reportLimits()
        void retire(previous, next, this.#config.listen.drain_seconds * 1000)
      },
      discard: () => this.#discard(previous, next),
    }
  }

  leave(): void {
    this.#serverContext.leaving = true
  }

  close(): Promise<void> {
    this.leave()
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    this.#leaving.abort()
    this.#options.close()
    await stopListening(this.#server, this.#config.listen.drain_seconds * 1000, () => this.#stopped.abort())
    // Connections are closed, but the last writes of their exchanges may still run.
    const { exchanges } = this.#current.runtime
    await Promise.race([exchanges.idle(), setTimeoutPromise(SETTLE_MS, undefined, { ref: false })])
    this.#failures?.flush()
    this.#connections.close()
    this.#emit('service.stopped', {})
    // Readers of the log still run and see this.
    await this.#resources.ledger.flush()
    await Promise.all([this.#upkeep?.stop(), this.#status?.close()])
    await this.#resources.ledger.flush()
    await this.#stopEverything()
  }

  async #stopEverything(): Promise<void> {
    await dismantle(this.#current.assembly.members)
    await closeProviders(this.#current)
    await this.#resources.egress.close()
    await this.#resources.ledger.close()
    this.#storeTrouble.close()
    await this.#store?.close()
  }

  /** The new config's plugins need its `egress.allow`; a bad config restores the old one. */
  async #rebuild(config: Config, allowed: Allowed, previous: Generation, specs = this.#specs): Promise<Generation> {
    const { egress } = this.#resources
    egress.setAllow(config.egress.allow)
    try {
      return await this.#build(config, allowed, previous, specs)
    } catch (error) {
      await this.#giveBack(previous)
      throw error
    }
  }

  async #giveBack({ assembly }: Generation): Promise<void> {
    this.#resources.egress.setAllow(this.#config.egress.allow)
    for (const { opened } of assembly.members) await opened.reload().catch(() => {})
  }

  async #build(config: Config, allowed: Allowed, previous?: Generation, specs = this.#specs): Promise<Generation> {
    const parts = { ...this.#resources, specs, file: this.#configFile, host: this.#hostResources(config), previous }
    return buildGeneration(config, allowed, parts, (assembly) => this.#compose(config, assembly, previous))
  }

  #openOptions(store: Store): PluginOptions {
    const { configFolder: folder, env, subkey } = this.#resources
    return new PluginOptions({
      ...{ store, subkey, folder, env, log: this.#storeTrouble.calm(this.#log) },
      current: () => ({ config: this.#config, ...this.#current }),
      alone: (work) => this.#turns.run(work),
      prepare: (allowed) => this.#prepare(this.#config, allowed, specsOf(this.#current.plugins)),
      emit: (type, payload) => this.#current.runtime.chain.events.emit(type, payload),
      rejected: (error) => {
        this.#log.error({ err: error }, 'options that an admin set are not applied: the last good ones stay in force')
        this.rejected(problemCount(error))
      },
    })
  }

  /** Finds every error in a config before any of it takes effect. */
  #compose(config: Config, assembly: Assembly, previous: Generation | undefined): Composed {
    const { upstreams, loads } = openProviders(config, previous, (type, payload) => this.#emit(type, payload))
    const routes = new Routes(config, loads)
    const runtime: Runtime = {
      config,
      chain: assembly.chain,
      callers: new Callers(keysOf(config, this.#keys), assembly.chain.sources),
      routes,
      loads,
      models: new Models([...upstreams.values()], routes, this.#log),
      ids: new IssuedIds((this.#store as Store).namespace('issued')),
      log: this.#log,
      relaySettings: { keepAliveMs: config.stream.keep_alive_seconds * 1000, blockSignal: config.stream.block_signal },
      maxAnswerBytes: 32 * 1024 * 1024,
      sourceIp: sourceIpOf(config.listen.trusted_proxies),
      exchanges: new Running(),
      stopped: this.#stopped.signal,
      leaving: this.#leaving.signal,
    }
    this.#status ??= new NodeStatus(this.#state, this.#worker?.peers, viewsOf(this.#resources, this.#log))
    const router = createRouter([...this.#ownRoutes, ...assembly.chain.routes], this.#status, () => this.#health())
    return { runtime, assembly, upstreams, loads, router }
  }

  async #install(generation: Generation): Promise<void> {
    const { runtime, router } = generation
    this.#resources.ledger.settings = ledgerSettings(runtime.config)
    this.#failures?.flush()
    this.#failures = tellRefusals(this.#serverContext, runtime)
    this.#serverContext.router = router
    this.#serverContext.runtime = runtime
    this.#generation = generation
    for (const load of generation.loads.values()) load.start()
  }

  #health(): Readiness {
    if (this.#serverContext.leaving) return { status: 'draining' }
    if (this.#connections.full) return { status: 'unavailable', reason: 'too_many_connections' }
    return readiness((this.#store as Store).status, this.#config, this.#resources.ledger, this.#current.assembly)
  }

  /** Drops `next` without any effect on what runs. */
  async #discard(current: Generation, next: Generation): Promise<void> {
    await drop(next, current)
    await this.#giveBack(current)
  }
}

/** Time for the last writes after all connections closed. */
const SETTLE_MS = 10_000
