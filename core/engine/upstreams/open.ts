import type { Config } from '../config/types.ts'
import type { Emit } from '../events/emit.ts'
import { DemoUpstream } from './demo-upstream.ts'
import { HttpUpstream, type Upstream } from './http-upstream.ts'

/** Providers with unchanged config keep their connections. */
export function openUpstreams(
  config: Config,
  previous: ReadonlyMap<string, Upstream> | undefined,
  emit: Emit,
): Map<string, Upstream> {
  const upstreams = new Map<string, Upstream>()
  for (const [name, own] of Object.entries(config.upstreams)) {
    const known = previous?.get(name)
    if (known !== undefined && JSON.stringify(known.config) === JSON.stringify(own)) upstreams.set(name, known)
    else upstreams.set(name, own.kind === 'demo' ? new DemoUpstream(name, own) : new HttpUpstream(name, own, emit))
  }
  return upstreams
}
