import type { Config } from '../config/types.ts'
import { GatewayError, isGatewayError } from '../contract/errors.ts'
import type { EventLog } from '../contract/event-log.ts'
import { createHooks, isTapped, phasesOf } from '../contract/hooks.ts'
import { withFields } from '../contract/log-fields.ts'
import type { FlagSpec, Hooks, Instance, Log, PluginInfo, PluginSpec, Services } from '../contract/plugin.ts'
import { eventTypesOf } from '../events/catalogue/selection.ts'
import { describerOf } from '../events/description.ts'
import { EarlyEvents } from '../events/early-events.ts'
import { Emitter } from '../events/emitter.ts'
import { PluginEvents } from '../events/payload.ts'
import type { Chain } from '../exchange/chain.ts'
import type { Recorder } from '../exchange/recorder.ts'
import { CORE_FINDER } from '../text/findings.ts'
import type { OnFailure } from '../text/inspection.ts'
import { Memo } from '../text/memo.ts'
import { tapDetector } from './detector.ts'
import { mistakeIn } from './error-place.ts'
import { Guard, type Owner } from './guard.ts'
import { holdsOf } from './holds.ts'
import type { HookTrace } from './hook-trace.ts'
import { readInstance, refusePromise } from './instance-contract.ts'
import { quietly, within } from './lifecycle.ts'
import type { LoadedPlugin } from './loaded-plugin.ts'
import { ownPlugin, versionOf } from './loader.ts'
import { attemptObserver, tapObserver, unauthorizedObserver } from './observers.ts'
import { routesOf } from './plugin-routes.ts'
import { entryProblems } from './plugin-rules.ts'
import type { Declared, OpenedServices, OpenServices, PluginContext } from './plugin-services.ts'
import { watched } from './watchdog.ts'

/** Resources to build chains of plugins. */
export interface HostResources {
  readonly log: EventLog
  readonly recorder: Recorder
  readonly instance: string
  readonly openServices: OpenServices
  /** What chains remember of inspected requests; by default nothing. */
  readonly inspection?: Config['inspection'] | undefined
  /** Traces taps, for plugin authors. */
  readonly trace?: HookTrace | undefined
  /** For tests: called for each payload that does not match its event's schema. */
  readonly onContractFault?: ((error: GatewayError) => void) | undefined
  readonly onFailure?: OnFailure | undefined
}

/** A created plugin of the config. */
export interface Member {
  readonly key: string
  readonly spec: PluginSpec
  readonly owner: Owner
  readonly instance: Instance
  readonly context: MemberContext
  readonly opened: OpenedServices
}

class MemberContext implements PluginContext {
  readonly log: Log
  declared: Declared
  /** The newest started chain. */
  chain: Chain | undefined = undefined
  readonly #spec: PluginSpec
  readonly #early: EarlyEvents

  constructor(spec: PluginSpec, { log, onContractFault }: HostResources, declared: Declared) {
    this.log = withFields(log, { plugin: spec.name })
    this.declared = declared
    this.#spec = spec
    this.#early = new EarlyEvents(spec, this.log, onContractFault)
  }

  readonly emit: Services['emit'] = (type, payload) => {
    const { events } = this.chain ?? {}
    if (events === undefined) this.#early.add(type, payload)
    else events.emit(type, events.admit(this.#spec.name, type, payload))
  }

  settingsUpdated(fields: readonly string[], key_id: string): void {
    const { name, settings } = this.#spec
    const payload = { plugin: name, path: settings?.path ?? '', fields: [...fields], key_id }
    this.chain?.events.emit('settings.updated', payload)
  }

  /** Emits the events from before the chain existed. */
  tellEarly(events: Chain['events']): void {
    this.#early.emitTo(events)
  }
}

/** A started set of plugins. */
export interface Assembly {
  readonly chain: Chain
  readonly members: readonly Member[]
}

/**
 * Creates, registers and starts the plugins of a config. Entries with unchanged code and options keep their instance.
 * If one fails, the started ones are stopped again in reverse.
 */
export async function assemble(
  plugins: readonly LoadedPlugin[],
  resources: HostResources,
  previous?: Assembly,
): Promise<Assembly> {
  checkEntries(plugins)
  const running = new Map(previous?.members.map((member) => [member.key, member]))
  const declared = declaredBy(plugins)
  const members: Member[] = []
  const fresh: Member[] = []
  let chain: Chain
  try {
    for (const plugin of plugins) {
      const kept = running.get(keyOf(plugin))
      const member = kept ?? (await createMember(plugin, resources, declared))
      if (kept === undefined) fresh.push(member)
      members.push(member)
    }
    for (const { context } of members) context.declared = declared
    chain = buildChain(members, declared, resources)
    for (const member of members) if (!fresh.includes(member)) await member.opened.reload()
    await startAll(fresh)
  } catch (error) {
    for (const { opened } of fresh) opened.close()
    // Running plugins keep the flags and events of their own chain.
    if (previous !== undefined) for (const { context } of previous.members) context.declared = previous.chain
    throw error
  }
  for (const { context } of members) context.chain = chain
  for (const { context } of fresh) context.tellEarly(chain.events)
  return { chain, members }
}

/** Flushes, then stops, in reverse order; failures of one plugin do not affect the others. */
export async function dismantle(members: readonly Member[], kept: readonly Member[] = []): Promise<void> {
  const leaving = members.filter((member) => !kept.includes(member)).toReversed()
  for (const { owner, opened } of leaving) {
    for (const one of opened.singletons) await quietly(owner, 'singleton', () => one.stop())
  }
  for (const { instance, owner } of leaving) await quietly(owner, 'drain', (signal) => instance.drain?.(signal))
  for (const { instance, owner, opened } of leaving) {
    await quietly(owner, 'stop', () => instance.stop?.())
    opened.close()
  }
}

const keyOf = ({ entry, spec, options }: LoadedPlugin): string =>
  `${identityOf(spec)}\0${JSON.stringify([entry, options])}`

/** A reloaded module is another plugin, even with the same name. */
const identities = new WeakMap<PluginSpec, number>()
let nextIdentity = 0
function identityOf(spec: PluginSpec): number {
  const identity = identities.get(spec) ?? nextIdentity++
  identities.set(spec, identity)
  return identity
}

/** Last-resort check for callers that skip `validatePlugins`. */
function checkEntries(plugins: readonly LoadedPlugin[]): void {
  const [problem] = entryProblems(plugins)
  if (problem !== undefined) throw new GatewayError('GW_CONFIG', `${problem.path}: ${problem.message}`)
}

/** Combined declarations of these plugins. */
export function declaredBy(plugins: readonly LoadedPlugin[]): Declared {
  const specs = plugins.map(({ spec }) => spec)
  const errors = new Map(specs.flatMap(({ errors = {} }) => Object.entries(errors)))
  const provided = new Set(specs.flatMap(({ provides = [] }) => provides.map(({ key }) => key)))
  return {
    ...{ flags: collectFlags(plugins), eventTypes: eventTypesOf(specs), describe: describerOf(specs) },
    ...{ errors, provided, infos: plugins.map(infoOf) },
  }
}

function infoOf({ spec, entry }: LoadedPlugin): PluginInfo {
  const { name, description, settings } = spec
  const version = versionOf(spec)
  return {
    ...{ name, mode: entry.mode ?? 'enforce', on_error: entry.on_error ?? spec.onError ?? 'block' },
    ...(version !== undefined && { version }),
    ...(description !== undefined && { description }),
    ...(settings !== undefined && { settings: { path: settings.path, schema: settings.schema } }),
  }
}

function collectFlags(plugins: readonly LoadedPlugin[]): Map<string, FlagSpec & { readonly owner: string }> {
  const flags = new Map<string, FlagSpec & { readonly owner: string }>()
  for (const { spec, options } of plugins) {
    for (const [name, flag] of Object.entries(spec.flags ?? {})) {
      flags.set(name, { ...standing(flag, options), owner: spec.name })
    }
  }
  return flags
}

/** The flag, with the default from the plugin's options. */
function standing(flag: FlagSpec, options: unknown): FlagSpec {
  const value = flag.option === undefined ? undefined : (options as Record<string, unknown>)[flag.option]
  return typeof value === 'string' || typeof value === 'number' ? { ...flag, default: value } : flag
}

export async function createMember(
  plugin: LoadedPlugin,
  resources: HostResources,
  declared: Declared,
): Promise<Member> {
  const { spec, entry, options, path } = plugin
  const context = new MemberContext(spec, resources, declared)
  const owner: Owner = {
    name: spec.name,
    governs: spec.governs ?? 'content',
    countsMirrors: spec.countsMirrors === true,
    onError: entry.on_error ?? spec.onError ?? 'block',
    timeoutMs: entry.timeout_ms ?? spec.timeoutMs ?? 1000,
    maxBuffered: holdsOf(spec).maxBuffered,
    onHoldOverflow: spec.onHoldOverflow ?? 'block',
    monitored: entry.mode === 'monitor',
    errors: spec.errors,
    log: context.log,
    onFailure: resources.onFailure,
  }
  const opened = await resources.openServices(plugin, context)
  try {
    const instance = readInstance(
      watched(ownPlugin(spec), path, 'create()', () => spec.create(options as never, opened.services)),
    )
    return { key: keyOf(plugin), spec, owner, instance, context, opened }
  } catch (cause) {
    opened.close()
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new GatewayError('GW_CONFIG', `${path}: '${spec.name}' could not be created: ${why}${mistakeIn(cause)}`, {
      cause,
    })
  }
}

/** What `apply` returned. */
function applied(spec: PluginSpec, instance: Instance, hooks: Hooks): unknown {
  const { name } = spec
  try {
    return watched(ownPlugin(spec), '', 'apply()', () => instance.apply?.(hooks))
  } catch (cause) {
    if (isGatewayError(cause)) throw cause
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new GatewayError(
      'GW_CONFIG',
      `'${name}' could not be applied: ${why}${tapHint(name, why, hooks)}${mistakeIn(cause)}`,
      {
        cause,
      },
    )
  }
}

/** What the author of `hooks.<name>.tap(…)` most likely missed. */
function tapHint(plugin: string, why: string, hooks: Hooks): string {
  if (/ of undefined \(reading 'tap/.test(why)) return `; the hooks are ${Object.keys(hooks).join(', ')}`
  return /^(?:Invalid tap options|Missing name for tap)/.test(why) ? `; give a name first: tap('${plugin}', …)` : ''
}

export function buildChain(members: readonly Member[], declared: Declared, resources: HostResources): Chain {
  const hooks = createHooks()
  const { log, trace } = resources
  const guard = new Guard(hooks, trace, tapObserver(members))
  const memo = memoOf(resources.inspection)
  let limitsOutput = false
  let readsContent = false
  for (const { spec, owner, instance } of members) {
    const taps = tapsOf(hooks.onChunk)
    const inputTaps = tapsOf(hooks.classify)
    guard.registering(owner, () => {
      if (instance.detect !== undefined) tapDetector(hooks, spec, instance, memo)
      noPromise(spec.name, applied(spec, instance, hooks))
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
    block: phasesOf(hooks),
    events: new Emitter(resources.instance, trace?.watching(log) ?? log, hooks, events, (event) =>
      resources.recorder.append(event),
    ),
    recorder: resources.recorder,
    plugins: members.map(({ spec }) => spec.name),
    ...declared,
    routes: routesOf(members),
    sources: members.flatMap(({ spec, instance }) =>
      instance.principals === undefined ? [] : [{ plugin: spec.name, source: instance.principals }],
    ),
    onAttempt: attemptObserver(members),
    onUnauthorized: unauthorizedObserver(members),
    detectionEvents: new Map([...detectionEvents, [CORE_FINDER, 'hidden_text.detected']]),
    memo,
    inspectsInput: isTapped(hooks.classify as never),
    inspectsOutput: isTapped(hooks.onChunk as never),
    limitsOutput,
    readsContent,
  })
}

/** Of each chain anew: what other options or another version of a plugin found is gone. */
function memoOf(inspection: HostResources['inspection']): Memo | undefined {
  if (inspection === undefined || inspection.memo_bytes === 0) return undefined
  const { memo_bytes: bytes, memo_scope: scope, memo_from_bytes: leastBody } = inspection
  return new Memo({ bytes, scope, leastBody })
}

function noPromise(plugin: string, result: unknown): void {
  try {
    refusePromise('apply', 'Register every tap before it returns; what waits belongs in `start`.', result)
  } catch (error) {
    throw new GatewayError('GW_CONFIG', `The plugin '${plugin}' could not be registered: ${(error as Error).message}`)
  }
}

const tapsOf = (hook: unknown): number => (hook as { readonly taps: readonly unknown[] }).taps.length

async function startAll(members: readonly Member[]): Promise<void> {
  const started: Member[] = []
  for (const member of members) {
    try {
      const { spec, instance } = member
      await within(spec.name, 'start', (signal) =>
        watched(ownPlugin(spec), '', 'start()', () => instance.start?.(signal)),
      )
    } catch (cause) {
      await dismantle(started)
      const why = cause instanceof Error ? cause.message : String(cause)
      throw new GatewayError('GW_CONFIG', `The plugin '${member.spec.name}' did not start: ${why}${mistakeIn(cause)}`, {
        cause,
      })
    }
    for (const one of member.opened.singletons) one.start()
    started.push(member)
  }
}
