/** The parts built from one config, which a reload replaces together. */
import type { Config } from '../engine/config/types.ts'
import type { Tell } from '../engine/events/tell.ts'
import { type Assembly, dismantle } from '../engine/host/host.ts'
import type { Router } from '../engine/http/router.ts'
import type { Runtime } from '../engine/pipeline/runtime.ts'
import type { Upstream } from '../engine/upstreams/http-upstream.ts'
import { closeLoads, type Load, openLoads } from '../engine/upstreams/load/load.ts'
import { openUpstreams } from '../engine/upstreams/open.ts'

export interface Generation {
  readonly runtime: Runtime
  readonly assembly: Assembly
  readonly upstreams: ReadonlyMap<string, Upstream>
  readonly loads: ReadonlyMap<string, Load>
  readonly router: Router
}

type Providers = Pick<Generation, 'upstreams' | 'loads'>

/** Those of the previous generation are kept where their config is the same. */
export function openProviders(config: Config, previous: Providers | undefined, tell: Tell): Providers {
  const upstreams = openUpstreams(config, previous?.upstreams, tell)
  return { upstreams, loads: openLoads(upstreams, previous?.loads, tell) }
}

/** Closes upstreams that the other generation does not keep. */
export async function closeProviders({ upstreams, loads }: Providers, kept?: Providers): Promise<void> {
  closeLoads(loads, kept?.loads)
  for (const upstream of upstreams.values()) {
    if (kept?.upstreams.get(upstream.name) !== upstream) await upstream.close()
  }
}

/** Reattaches plugins shared by two generations to this one's chain. */
export function restoreChain(generation: Generation | undefined): void {
  if (generation === undefined) return
  const { chain, members } = generation.assembly
  for (const { context } of members) {
    context.chain = chain
    context.declared = chain
  }
}

/** Stops what the new chain dropped, after the old chain's exchanges ended or `drainMs` passed. */
export async function retire(old: Generation, next: Generation, drainMs: number): Promise<void> {
  const late = AbortSignal.timeout(drainMs)
  const over = new Promise((resolve) => late.addEventListener('abort', resolve, { once: true }))
  await Promise.race([old.runtime.exchanges.idle(), over])
  await dismantle(old.assembly.members, next.assembly.members)
  await closeProviders(old, next)
}
