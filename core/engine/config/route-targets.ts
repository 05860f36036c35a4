import type { RouteConfig } from './types.ts'

/** One upstream of a route, with its defaults. */
export interface RouteTarget {
  readonly upstream: string
  readonly weight: number
  readonly priority: number
}

/** The upstreams of a route, as written. */
export const targetsOf = ({ to }: Pick<RouteConfig, 'to'>): RouteTarget[] =>
  to.map((entry) =>
    typeof entry === 'string'
      ? { upstream: entry, weight: 1, priority: 0 }
      : { upstream: entry.upstream, weight: entry.weight ?? 1, priority: entry.priority ?? 0 },
  )
