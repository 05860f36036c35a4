import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { hostname } from 'node:os'
import { dirname } from 'node:path'
import { Keyring } from './auth.ts'
import { AuthFailures } from './auth-failures.ts'
import { type Config, ConfigError, loadConfig } from './config.ts'
import { Egress } from './egress/egress.ts'
import { GatewayError } from './errors.ts'
import { type CreatedKey, discardCreatedKeys, firstStart, subkey } from './first-start.ts'
import { type Assembly, assemble, dismantle, type HostResources } from './host.ts'
import { Ledger } from './ledger/ledger.ts'
import { validatePlugins } from './loader.ts'
import { createLogger, type Logger } from './log.ts'
import { Models } from './models.ts'
import type { PluginSpec } from './plugin.ts'
import { DemoUpstream } from './relay/demo-upstream.ts'
import { Routes } from './relay/route.ts'
import { HttpUpstream, type Upstream } from './relay/upstream.ts'
import { createRouter } from './routes.ts'
import { Running, type Runtime } from './runtime.ts'
import { createGatewayServer, type Surroundings } from './server.ts'
import { sourceIpOf } from './source-ip.ts'
import { isStoreError } from './store/errors.ts'
import { openStore } from './store/open.ts'
import type { Store } from './store/store.ts'

export interface GatewayOptions {
  readonly config: Config
  /** Absolute path of the file the config came from; `reload` reads it again, and plugin paths are relative to it. */
  readonly configFile?: string
  /** Default: a new one at the level of the config, on stderr. */
  readonly logger?: Logger
  /** Plugins that are there already; `use` looks for its name here before the loader does. */
  readonly specs?: ReadonlyMap<string, PluginSpec>
  /** Where plugins' settings read their variables. Default: that of the process, as it is at start and at reload. */
  readonly env?: Readonly<Record<string, string | undefined>>
}

/** A running gateway. */
export interface Gateway {
  /** `http://host:port`, with the port that was really taken. */
  readonly url: string
  /** Names of the plugins that run, in order. */
  readonly plugins: readonly string[]
  /** What an operator should know, such as state that is not shared between processes. */
  readonly notes: readonly string[]
  /** Keys made by this very start; shown once, never again. */
  readonly createdKeys: readonly CreatedKey[]
  /** Reads the config file again; a bad file throws and changes nothing. */
  reload(): Promise<void>
  /** Refuses new requests, lets running exchanges end within `listen.drain_seconds`, then stops everything. */
  close(): Promise<void>
}

/** Composes the parts and starts to listen. */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const running = new RunningGateway(options)
  await running.start()
  return running
}

interface Generation {
  readonly runtime: Runtime
  readonly assembly: Assembly
  readonly upstreams: ReadonlyMap<string, Upstream>
}

class RunningGateway implements Gateway {
  readonly #configFile: string | undefined
  readonly #log: Logger
  readonly #specs: GatewayOptions['specs']
  readonly #server: Server
  readonly #surroundings: { -readonly [K in keyof Surroundings]: Surroundings[K] }
  readonly #resources: { -readonly [K in keyof HostResources]: HostResources[K] }
  #store: Store | undefined = undefined
  readonly #keys: ReturnType<typeof firstStart>
  #generation: Generation | undefined = undefined
  #config: Config
  #closing: Promise<void> | undefined = undefined
  url = ''

  constructor({ config, configFile, logger, specs, env = process.env }: GatewayOptions) {
    const log = logger ?? createLogger({ level: config.log.level })
    this.#config = config
    this.#configFile = configFile
    this.#log = log
    this.#specs = specs
    this.#keys = firstStart(config)
    const { secret } = this.#keys
    this.#resources = {
      log,
      store: undefined as never, // Opened by start().
      ledger: undefined as never,
      instance: `${hostname()}-${process.pid}`,
      subkey: (purpose) => subkey(secret, purpose),
      egress: new Egress(config.egress.allow),
      env,
      kept: new Map(),
    }
    this.#surroundings = {
      runtime: undefined as never,
      router: undefined as never,
      log,
      draining: false,
      refused: () => {},
      unread: () => {},
    }
    this.#server = createGatewayServer(config.listen, this.#surroundings)
  }

  get plugins(): readonly string[] {
    return this.#current.runtime.chain.plugins
  }

  get createdKeys(): readonly CreatedKey[] {
    return this.#keys.createdKeys
  }

  get notes(): readonly string[] {
    return NOTES[(this.#store as Store).reach]
  }

  get #current(): Generation {
    return this.#generation as Generation
  }

  async start(): Promise<void> {
    const { instance } = this.#resources
    this.#store = await openConfigured(this.#config.store, instance)
    this.#resources.store = this.#store
    this.#resources.ledger = new Ledger(this.#store, this.#log)
    try {
      await this.#install(await this.#build(this.#config))
    } catch (error) {
      await this.#resources.egress.close()
      await this.#store.close()
      throw error
    }
    const { host, port } = this.#config.listen
    try {
      this.#server.listen(port, host)
      await once(this.#server, 'listening')
    } catch (cause) {
      await this.#stopEverything()
      discardCreatedKeys(this.#config, this.#keys)
      const { code } = cause as NodeJS.ErrnoException
      throw new GatewayError(
        'GW_CONFIG',
        `Cannot listen on ${host}:${port} (${code}). Change listen.host or listen.port, or stop what uses it.`,
        { cause },
      )
    }
    const { address, family, port: taken } = this.#server.address() as AddressInfo
    this.url = `http://${family === 'IPv6' ? `[${address}]` : address}:${taken}`
    this.#current.runtime.chain.events.emit('service.started', { plugins: [...this.plugins] })
  }

  async reload(): Promise<void> {
    if (this.#configFile === undefined) throw new GatewayError('GW_CONFIG', 'This gateway was not started from a file.')
    const config = loadConfig(this.#configFile)
    if (config.keys.length === 0 && this.#config.keys.length > 0) {
      throw new GatewayError(
        'GW_CONFIG',
        'keys: the last key was removed. Without keys some are made and shown once, which takes a restart.',
      )
    }
    const previous = this.#current
    const next = await this.#rebuild(config, previous)
    await this.#install(next)
    const moved = JSON.stringify(config.listen) !== JSON.stringify(this.#config.listen)
    if (moved) this.#log.warn({}, 'listen.* changed: it takes effect at the next start')
    if (config.store !== this.#config.store) this.#log.warn({}, 'store changed: it takes effect at the next start')
    this.#config = config
    next.runtime.chain.events.emit('config.reloaded', { plugins: [...this.plugins] })
    void this.#retire(previous, next)
  }

  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    this.#surroundings.draining = true
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()))
    this.#server.closeIdleConnections()
    const deadline = setTimeout(() => this.#server.closeAllConnections(), this.#config.listen.drain_seconds * 1000)
    await closed
    clearTimeout(deadline)
    const { runtime } = this.#current
    runtime.chain.events.emit('service.stopped', {})
    await this.#stopEverything()
  }

  async #stopEverything(): Promise<void> {
    const { assembly, upstreams } = this.#current
    await dismantle(assembly.members)
    await Promise.all([...upstreams.values()].map((upstream) => upstream.close()))
    await this.#resources.egress.close()
    await this.#store?.close()
  }

  /** What starts with the new config needs its `egress.allow`; a bad config gives it back. */
  async #rebuild(config: Config, previous: Generation): Promise<Generation> {
    const { egress } = this.#resources
    egress.setAllow(config.egress.allow)
    try {
      return await this.#build(config, previous)
    } catch (error) {
      egress.setAllow(this.#config.egress.allow)
      for (const { settings } of previous.assembly.members) await settings?.reload(this.#resources.env).catch(() => {})
      throw error
    }
  }

  async #build(config: Config, previous?: Generation): Promise<Generation> {
    const folder = this.#configFile === undefined ? process.cwd() : dirname(this.#configFile)
    const { plugins, problems } = await validatePlugins(config, folder, this.#specs, this.#resources.env)
    if (problems.length > 0) throw new ConfigError(this.#configFile ?? 'config', problems)
    const assembly = await assemble(plugins, this.#resources, previous?.assembly)
    const upstreams = openUpstreams(config, previous?.upstreams)
    const routes = new Routes(config, upstreams)
    const sourceIp = sourceIpOf(config.listen.trusted_proxies)
    const keys = config.keys.length > 0 ? config.keys : this.#keys.keys
    const runtime: Runtime = {
      config,
      chain: assembly.chain,
      keyring: new Keyring(keys),
      routes,
      models: new Models([...upstreams.values()], routes, this.#log),
      log: this.#log,
      relaySettings: { keepAliveMs: config.stream.keep_alive_seconds * 1000, blockSignal: config.stream.block_signal },
      maxAnswerBytes: MAX_ANSWER_BYTES,
      sourceIp,
      exchanges: new Running(),
    }
    return { runtime, assembly, upstreams }
  }

  async #install(generation: Generation): Promise<void> {
    const { runtime } = generation
    const failures = new AuthFailures(() => runtime.chain.events, runtime.sourceIp)
    this.#surroundings.router = createRouter(runtime.chain.routes, () => this.#surroundings.draining)
    this.#surroundings.refused = (req, error) => failures.note(req, error)
    this.#surroundings.unread = (req, request_id, key_id, { status, wireCode: code }) => {
      runtime.chain.events.emit('request.rejected', {
        request_id,
        key_id,
        source_ip: runtime.sourceIp(req),
        status,
        code,
      })
    }
    this.#surroundings.runtime = runtime
    this.#generation = generation
  }

  /** Stops what the new chain no longer has, once the exchanges that began with it are over. */
  async #retire(old: Generation, next: Generation): Promise<void> {
    const late = AbortSignal.timeout(this.#config.listen.drain_seconds * 1000)
    const over = new Promise((resolve) => late.addEventListener('abort', resolve, { once: true }))
    await Promise.race([old.runtime.exchanges.idle(), over])
    await dismantle(old.assembly.members, next.assembly.members)
    for (const upstream of old.upstreams.values()) {
      if (next.upstreams.get(upstream.name) !== upstream) await upstream.close()
    }
  }
}

async function openConfigured(spec: string, instance: string): Promise<Store> {
  try {
    return await openStore(spec, { instance })
  } catch (cause) {
    if (isStoreError(cause)) throw new GatewayError('GW_CONFIG', `store: ${cause.message}`, { cause })
    throw cause
  }
}

/** What an operator should know about state, by who sees it. */
const NOTES: Readonly<Record<Store['reach'], readonly string[]>> = {
  process: ['sessions are kept in this process: they end with it and are not shared between processes'],
  machine: ['sessions are kept on this machine: other machines do not see them'],
  cluster: [],
}

const MAX_ANSWER_BYTES = 32 * 1024 * 1024

/** Providers whose config did not change keep their connections. */
function openUpstreams(config: Config, previous: ReadonlyMap<string, Upstream> | undefined): Map<string, Upstream> {
  const upstreams = new Map<string, Upstream>()
  for (const [name, own] of Object.entries(config.upstreams)) {
    const known = previous?.get(name)
    if (known !== undefined && JSON.stringify(known.config) === JSON.stringify(own)) upstreams.set(name, known)
    else upstreams.set(name, own.kind === 'demo' ? new DemoUpstream(name, own) : new HttpUpstream(name, own))
  }
  return upstreams
}
