/** The parts built from one config, which a reload replaces together. */
import type { Config } from '../engine/config/types.ts'
import type { PluginSpec } from '../engine/contract/plugin.ts'
import type { Emit } from '../engine/events/emit.ts'
import { type Assembly, assemble, dismantle, type HostResources } from '../engine/host/host.ts'
import type { LoadedPlugin } from '../engine/host/loaded-plugin.ts'
import { watchdog } from '../engine/host/watchdog.ts'
import type { Router } from '../engine/http/router.ts'
import type { Runtime } from '../engine/pipeline/runtime.ts'
import type { Upstream } from '../engine/upstreams/http-upstream.ts'
import { closeLoads, type Load, openLoads } from '../engine/upstreams/load/load.ts'
import { openUpstreams } from '../engine/upstreams/open.ts'
import type { Env } from '../services/settings/layers.ts'
import { ConfigError, describedIn, withLines } from './config/load.ts'
import type { Allowed } from './options/overrides.ts'
import { validatePlugins } from './validate-plugins.ts'

export interface Generation {
  readonly runtime: Runtime
  readonly assembly: Assembly
  /** With the options that are in force. */
  readonly plugins: readonly LoadedPlugin[]
  /** Of the overrides in it. */
  readonly revision: string
  readonly upstreams: ReadonlyMap<string, Upstream>
  readonly loads: ReadonlyMap<string, Load>
  readonly router: Router
}

type Providers = Pick<Generation, 'upstreams' | 'loads'>

interface Parts {
  readonly configFolder: string
  readonly env: Env
  readonly specs: ReadonlyMap<string, PluginSpec> | undefined
  /** Of the config, for messages. */
  readonly file: string | undefined
  readonly host: HostResources
  readonly previous: Pick<Generation, 'assembly'> | undefined
}

/** What is made of the plugins of a config. */
export type Composed = Omit<Generation, 'plugins' | 'revision'>

/** Checks and starts the plugins of a config; stops them again if `compose` throws. */
export async function buildGeneration(
  config: Config,
  { overrides, revision }: Allowed,
  { configFolder, env, specs, file, host, previous }: Parts,
  compose: (assembly: Assembly) => Composed,
): Promise<Generation> {
  const old = previous?.assembly
  if (file !== undefined) watchdog.describe = describedIn(file, config)
  const { plugins, problems } = await validatePlugins(config, configFolder, specs, env, overrides)
  if (problems.length > 0) throw new ConfigError(file ?? 'config', withLines(config, problems))
  const assembly = await assemble(plugins, host, old)
  try {
    return { ...compose(assembly), plugins, revision }
  } catch (error) {
    restoreChain(old)
    await dismantle(assembly.members, old?.members)
    throw error
  }
}

/** Those of the previous generation are kept where their config is the same. */
export function openProviders(config: Config, previous: Providers | undefined, emit: Emit): Providers {
  const upstreams = openUpstreams(config, previous?.upstreams, emit)
  return { upstreams, loads: openLoads(upstreams, previous?.loads, emit) }
}

/** Closes upstreams that the other generation does not keep. */
export async function closeProviders({ upstreams, loads }: Providers, kept?: Providers): Promise<void> {
  closeLoads(loads, kept?.loads)
  for (const upstream of upstreams.values()) {
    if (kept?.upstreams.get(upstream.name) !== upstream) await upstream.close()
  }
}

/** The config with the options that are in force. */
export const configOf = (config: Config, { plugins }: Pick<Generation, 'plugins'>): Config => {
  const running = new Map(plugins.map(({ path, entry }) => [path, entry]))
  return { ...config, plugins: config.plugins.map((entry, i) => running.get(`plugins[${i}]`) ?? entry) }
}

/** Reattaches plugins shared by two generations to this one's chain. */
function restoreChain(assembly: Assembly | undefined): void {
  if (assembly === undefined) return
  const { chain, members } = assembly
  for (const { context } of members) {
    context.chain = chain
    context.declared = chain
  }
}

/** Stops what only `next` has, as if it had never been built. */
export async function drop(next: Generation, current: Generation): Promise<void> {
  restoreChain(current.assembly)
  await dismantle(next.assembly.members, current.assembly.members)
  await closeProviders(next, current)
}

/** Stops what the new chain dropped, after the old chain's exchanges ended or `drainMs` passed. */
export async function retire(old: Generation, next: Generation, drainMs: number): Promise<void> {
  const late = AbortSignal.timeout(drainMs)
  const over = new Promise((resolve) => late.addEventListener('abort', resolve, { once: true }))
  await Promise.race([old.runtime.exchanges.idle(), over])
  await dismantle(old.assembly.members, next.assembly.members)
  await closeProviders(old, next)
}
