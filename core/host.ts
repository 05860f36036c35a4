import type { Chain } from './chain.ts'
import { EarlyEvents } from './early-events.ts'
import type { Egress } from './egress/egress.ts'
import { GatewayError } from './errors.ts'
import { eventTypesOf } from './event-catalogue/selection.ts'
import type { EventLog } from './event-log.ts'
import { PluginEvents } from './event-payload.ts'
import { Emitter } from './events.ts'
import type { ChatExchange } from './exchange/exchange.ts'
import { Guard, type Owner } from './guard.ts'
import { createHooks, isTapped } from './hooks.ts'
import { readInstance, refusePromise } from './instance-contract.ts'
import { AuditAccess } from './ledger/audit-log.ts'
import type { Ledger } from './ledger/ledger.ts'
import { quietly, within } from './lifecycle.ts'
import type { LoadedPlugin } from './loader.ts'
import { withFields } from './log-fields.ts'
import type { Awaitable, Exchange, FlagSpec, Hooks, Instance, PluginSpec, Services, TextView } from './plugin.ts'
import { routesOf } from './plugin-routes.ts'
import { entryProblems } from './plugin-rules.ts'
import { expectNothing } from './results.ts'
import { toolsOf } from './settings/judge.ts'
import type { Env } from './settings/layers.ts'
import type { LiveSettings } from './settings/live.ts'
import { NO_SETTINGS, openSettings } from './settings/open.ts'
import { Singleton } from './singleton.ts'
import type { Store } from './store/store.ts'
import { CORE_FINDER } from './text/findings.ts'
import { adopt, isThenable } from './thenable.ts'
import { inTurns } from './turns.ts'

/** What every plugin is given by the gateway it runs in. */
export interface HostResources {
  readonly log: EventLog
  readonly store: Store
  readonly ledger: Ledger
  readonly instance: string
  /** Where relative paths of options start. */
  readonly configFolder: string
  readonly subkey: (purpose: string) => Buffer
  readonly egress: Egress
  /** Where settings read their variables. */
  readonly env: Env
  /** Values that live through reloads, by entry. */
  readonly kept: Map<string, Map<string, unknown>>
  /** Told of payloads that do not fit their event; only tests want it. */
  readonly onContractFault?: ((error: GatewayError) => void) | undefined
}

/** Where the core closes the request: behind the policies, before stage `Late`. */
const CLOSE_STAGE = 50

/** One plugin of the config, created. */
export interface Member {
  readonly key: string
  readonly spec: PluginSpec
  readonly owner: Owner
  readonly instance: Instance
  readonly services: ChainServices
  /** What its settings may name: that of the newest chain. */
  readonly known: { eventTypes: Chain['eventTypes'] }
  /** What runs in one process at a time; started and stopped with the plugin. */
  readonly singletons: readonly Singleton[]
  readonly settings: LiveSettings | undefined
  readonly early: EarlyEvents
  /** It took hold of the store. */
  usesStore(): boolean
  /** It no longer reads the audit log. */
  unread(): void
}

interface ChainServices extends Services {
  flags: Chain['flags']
  chain: Chain | undefined
}

/** A started set of plugins. */
export interface Assembly {
  readonly chain: Chain
  readonly members: readonly Member[]
}

/**
 * Creates, registers and starts the plugins of a config. Entries whose code and options did not change keep the
 * instance they had. If one fails, those that were started are stopped again in reverse.
 */
export async function assemble(
  plugins: readonly LoadedPlugin[],
  resources: HostResources,
  previous?: Assembly,
): Promise<Assembly> {
  checkEntries(plugins)
  const running = new Map(previous?.members.map((member) => [member.key, member]))
  const flags = collectFlags(plugins)
  const eventTypes = eventTypesOf(plugins.map(({ spec }) => spec))
  const members: Member[] = []
  const fresh: Member[] = []
  let chain: Chain
  try {
    for (const plugin of plugins) {
      const kept = running.get(keyOf(plugin))
      const member = kept ?? (await createMember(plugin, resources, { flags, eventTypes }))
      if (kept === undefined) fresh.push(member)
      members.push(member)
    }
    for (const { services, known } of members) {
      services.flags = flags
      known.eventTypes = eventTypes
    }
    chain = buildChain(members, flags, resources)
    for (const member of members) if (!fresh.includes(member)) await member.settings?.reload(resources.env)
    await startAll(fresh)
  } catch (error) {
    for (const { settings, unread } of fresh) {
      settings?.close()
      unread()
    }
    // What runs goes on with the flags and events of its own chain.
    for (const { services, known } of previous?.members ?? []) {
      services.flags = previous?.chain.flags ?? flags
      known.eventTypes = previous?.chain.eventTypes ?? eventTypes
    }
    throw error
  }
  for (const member of members) member.services.chain = chain
  for (const { early } of fresh) early.tell(chain.events)
  return { chain, members }
}

/** Flushes, then stops, in reverse order; every plugin gets its turn whatever the others do. */
export async function dismantle(members: readonly Member[], kept: readonly Member[] = []): Promise<void> {
  const leaving = members.filter((member) => !kept.includes(member)).toReversed()
  for (const { owner, singletons } of leaving) {
    for (const one of singletons) await quietly(owner, 'singleton', () => one.stop())
  }
  for (const { instance, owner } of leaving) await quietly(owner, 'drain', (signal) => instance.drain?.(signal))
  for (const { instance, owner, settings, unread } of leaving) {
    await quietly(owner, 'stop', () => instance.stop?.())
    settings?.close()
    unread()
  }
}

const keyOf = ({ entry, spec, options }: LoadedPlugin): string =>
  `${identityOf(spec)}\0${JSON.stringify([entry, options])}`

/** A module that was loaded again is another plugin, though its name is the same. */
const identities = new WeakMap<PluginSpec, number>()
let nextIdentity = 0
function identityOf(spec: PluginSpec): number {
  const identity = identities.get(spec) ?? nextIdentity++
  identities.set(spec, identity)
  return identity
}

/** `validatePlugins` tells of them all, with their lines; this is for who comes another way. */
function checkEntries(plugins: readonly LoadedPlugin[]): void {
  const [problem] = entryProblems(plugins)
  if (problem !== undefined) throw new GatewayError('GW_CONFIG', `${problem.path}: ${problem.message}`)
}

export function collectFlags(plugins: readonly LoadedPlugin[]): Map<string, FlagSpec & { readonly owner: string }> {
  const flags = new Map<string, FlagSpec & { readonly owner: string }>()
  for (const { spec, options } of plugins) {
    for (const [name, flag] of Object.entries(spec.flags ?? {})) {
      flags.set(name, { ...standing(flag, options), owner: spec.name })
    }
  }
  return flags
}

/** The flag with the value that the plugin's options give it. */
function standing(flag: FlagSpec, options: unknown): FlagSpec {
  const value = flag.option === undefined ? undefined : (options as Record<string, unknown>)[flag.option]
  return typeof value === 'string' || typeof value === 'number' ? { ...flag, default: value } : flag
}

export async function createMember(
  plugin: LoadedPlugin,
  resources: HostResources,
  { flags, eventTypes }: Pick<Chain, 'flags' | 'eventTypes'>,
): Promise<Member> {
  const { spec, entry, options, path } = plugin
  const log = withFields(resources.log, { plugin: spec.name })
  const owner: Owner = {
    name: spec.name,
    governs: spec.governs ?? 'content',
    onError: entry.on_error ?? spec.onError ?? 'block',
    timeoutMs: entry.timeout_ms ?? spec.timeoutMs ?? 1000,
    maxHold: spec.maxHold ?? Math.max(256, spec.holdBack ?? 0),
    onHoldOverflow: spec.onHoldOverflow ?? 'block',
    monitored: entry.mode === 'monitor',
    log,
  }
  const singletons: Singleton[] = []
  const audit = new AuditAccess(resources.ledger)
  const store = resources.store.namespace(spec.name)
  const known = { eventTypes }
  const settings = await openSettings(
    plugin,
    resources,
    log,
    () => known.eventTypes,
    (fields, key_id) => {
      const path = spec.settings?.path ?? ''
      services.chain?.events.emit('settings.updated', { plugin: spec.name, path, fields: [...fields], key_id })
    },
  )
  const early = new EarlyEvents(spec, log, resources.onContractFault)
  let usesStore = false
  const services: ChainServices = {
    name: spec.name,
    log,
    get store() {
      usesStore = true
      return store
    },
    configFolder: resources.configFolder,
    subkey: resources.subkey,
    keep: (key, init) => keep(resources.kept, spec.name, key, init),
    flags,
    chain: undefined,
    settings: settings ?? NO_SETTINGS,
    auditLog: (options = {}) => audit.consumer(resources.store, spec.name, options),
    singleton: (name, run) => singletons.push(new Singleton(store, name, resources.instance, run, log)),
    fetch: resources.egress.fetch,
    connect: resources.egress.connect,
    checkUrl: toolsOf({ egress: resources.egress, resolve: false, eventTypes }).checkUrl,
    emit: (type, payload) => {
      const { events } = services.chain ?? {}
      if (events === undefined) early.add(type, payload)
      else events.emit(type, events.admit(spec.name, type, payload))
    },
  }
  const unread = () => audit.release()
  let instance: Instance
  try {
    instance = readInstance(spec.create(options as never, services))
  } catch (cause) {
    settings?.close()
    unread()
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new GatewayError('GW_CONFIG', `${path}: '${spec.name}' could not be created: ${why}`, { cause })
  }
  return {
    key: keyOf(plugin),
    spec,
    owner,
    instance,
    services,
    known,
    singletons,
    settings,
    unread,
    early,
    usesStore: () => usesStore,
  }
}

function keep<V>(all: HostResources['kept'], plugin: string, key: string, init: () => V): V {
  const own = all.get(plugin) ?? new Map<string, unknown>()
  all.set(plugin, own)
  if (!own.has(key)) own.set(key, init())
  return own.get(key) as V
}

export function buildChain(members: readonly Member[], flags: Chain['flags'], resources: HostResources): Chain {
  const hooks = createHooks()
  const guard = new Guard(hooks)
  guard.coreTap(() =>
    hooks.block.tap({ name: 'core', stage: CLOSE_STAGE }, (x) => (x as ChatExchange).closeRequest?.()),
  )
  let limitsOutput = false
  let readsContent = false
  for (const { spec, owner, instance } of members) {
    const taps = tapsOf(hooks.onChunk)
    const inputTaps = tapsOf(hooks.classify)
    guard.registering(owner, () => {
      if (instance.detect !== undefined) tapDetector(hooks, spec, instance)
      noPromise(spec.name, instance.apply?.(hooks))
    })
    const readsOutput = tapsOf(hooks.onChunk) > taps
    limitsOutput ||= owner.governs === 'usage' && readsOutput
    readsContent ||= owner.governs === 'content' && (readsOutput || tapsOf(hooks.classify) > inputTaps)
  }
  const specs = members.map(({ spec }) => spec)
  const events = new PluginEvents(specs, resources.log, resources.onContractFault)
  const detectionEvents = members.flatMap(({ spec }) => {
    const event = Object.keys(spec.events ?? {}).find((type) => type.endsWith('.detected'))
    return event === undefined ? [] : [[spec.name, event] as const]
  })
  return Object.freeze({
    hooks,
    events: new Emitter(resources.instance, resources.log, hooks, events, (event) => resources.ledger.append(event)),
    recorder: resources.ledger,
    plugins: members.map(({ spec }) => spec.name),
    flags,
    routes: routesOf(members),
    eventTypes: eventTypesOf(specs),
    detectionEvents: new Map([...detectionEvents, [CORE_FINDER, 'hidden_text.detected']]),
    inspectsInput: isTapped(hooks.classify as never),
    inspectsOutput: isTapped(hooks.onChunk as never),
    limitsOutput,
    readsContent,
  })
}

function noPromise(plugin: string, result: unknown): void {
  try {
    refusePromise('apply', 'Register every tap before it returns; what waits belongs in `start`.', result)
  } catch (error) {
    throw new GatewayError('GW_CONFIG', `The plugin '${plugin}' could not be registered: ${(error as Error).message}`)
  }
}

const tapsOf = (hook: unknown): number => (hook as { readonly taps: readonly unknown[] }).taps.length

/** A plugin that only detects sees every text of requests and replies, and holds without having to think of it. */
function tapDetector(hooks: Hooks, spec: PluginSpec, instance: Instance): void {
  const detect = instance.detect as NonNullable<Instance['detect']>
  // What the host holds by itself is never too much for the plugin.
  const holdBack = Math.min(spec.holdBack ?? 64, spec.maxHold ?? Number.POSITIVE_INFINITY)
  hooks.classify.tap(spec.name, ((x: Exchange) => detectAll(spec.name, detect, x.request.views, x)) as never)
  hooks.onChunk.tap(spec.name, ((views: readonly TextView[], x: Exchange) => {
    if (holdBack > 0) for (const view of views) view.hold(view.text.length - holdBack)
    return detectAll(spec.name, detect, views, x)
  }) as never)
}

function detectAll(
  plugin: string,
  detect: NonNullable<Instance['detect']>,
  views: readonly TextView[],
  x: Exchange,
): Awaitable<void> {
  const pending: Promise<unknown>[] = []
  const turns = inTurns(views, x, (view) => {
    const result: unknown = detect(view, x)
    if (result === undefined) return
    if (!isThenable(result)) return expectNothing(plugin, 'detect', result)
    const adopted = adopt(result)
    // It may fail before all of them are awaited.
    adopted.catch(ignore)
    pending.push(adopted)
  })
  if (turns !== undefined) return turns.then(() => nothingOf(plugin, pending))
  return pending.length === 0 ? undefined : nothingOf(plugin, pending)
}

async function nothingOf(plugin: string, pending: readonly Promise<unknown>[]): Promise<void> {
  for (const result of await Promise.all(pending)) expectNothing(plugin, 'detect', result)
}

const ignore = (): void => {}

async function startAll(members: readonly Member[]): Promise<void> {
  const started: Member[] = []
  for (const member of members) {
    try {
      await within(member.spec.name, 'start', (signal) => member.instance.start?.(signal))
    } catch (cause) {
      await dismantle(started)
      const why = cause instanceof Error ? cause.message : String(cause)
      throw new GatewayError('GW_CONFIG', `The plugin '${member.spec.name}' did not start: ${why}`, { cause })
    }
    for (const one of member.singletons) one.start()
    started.push(member)
  }
}
