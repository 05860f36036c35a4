/** The upstreams that may answer a request, and how their route chooses. */
import type { RouteConfig } from '../config/types.ts'
import type { Level } from '../contract/labels.ts'
import type { Upstream } from './http-upstream.ts'
import type { Load } from './load/load.ts'
import type { RetryBudget } from './load/retry-budget.ts'

/** One provider that may answer a request, and its constraints. */
export interface Candidate {
  readonly upstream: Upstream
  readonly ceiling: Level | undefined
  /** Compare its ceiling with the label after redaction instead of as received. */
  readonly afterRedaction: boolean
  /** Model name that replaces the client's. */
  readonly rename: string | undefined
  readonly plan: RoutePlan
  readonly load: Load
  readonly priority: number
  readonly weight: number
  /** Shared by all candidates of this upstream in this route. */
  readonly rest: Rest
  /** Largest reply, if less than the upstream's own limit; bytes. */
  readonly replyLimit?: number
}

/** How a route chooses, and what it does after a failure. */
export interface RoutePlan {
  readonly balance: RouteConfig['balance']
  readonly sticky: boolean
  readonly retry: RouteConfig['retry']
  readonly budget: RetryBudget
  readonly mayChargeTwice: boolean
  readonly timeoutSeconds: number | undefined
  readonly firstTokenSeconds: number | undefined
  readonly prefer: RouteConfig['prefer']
  readonly cheapest: boolean
  readonly mirror: Mirror | undefined
}

/** The provider wants no requests of this route until then. */
export interface Rest {
  until: number
}

/** What became of a copy, or why there was none. */
export type MirrorResult = 'completed' | 'blocked' | 'failed' | 'aborted' | MirrorSkip
export type MirrorSkip = 'full' | 'above_ceiling' | 'too_large' | 'unavailable' | 'refused'

export type MirrorConfig = NonNullable<RouteConfig['mirror']>

/** What a request is, as far as it decides on a copy. */
export interface Copied {
  readonly shape: string
  readonly bytes: number
  readonly region: string | undefined
  readonly keyCeiling: Level | undefined
  readonly label: Level
  /** The label after redaction. */
  readonly residualLabel: Level
}

/** A second upstream that gets copies of some requests. */
export interface Mirror {
  readonly config: MirrorConfig
  /** Whether chance wants a copy of this request, and the upstream can answer it at all. */
  wants(copied: Copied): boolean
  /** Takes a place for a copy, or returns why there is none. */
  enter(copied: Copied): Candidate | MirrorSkip
  leave(): void
  count(result: MirrorResult): void
}
