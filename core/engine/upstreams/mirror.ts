/** The second upstream of a route, which gets copies of some requests. */
import type { RouteConfig } from '../config/types.ts'
import { exceeds, type Level, lower } from '../contract/labels.ts'
import type { Candidate, Copied, Mirror, MirrorConfig, MirrorResult, MirrorSkip, RoutePlan } from './candidate.ts'
import { shapesOf } from './kinds.ts'
import { Load } from './load/load.ts'
import { RetryBudget } from './load/retry-budget.ts'

/** Its load is its own: what happens to copies changes neither breakers nor seats of clients. */
class OpenMirror implements Mirror {
  readonly config: MirrorConfig
  readonly #candidate: Candidate
  /** The upstream as clients use it. */
  readonly #load: Load
  #running = 0

  constructor(config: MirrorConfig, candidate: Candidate, load: Load) {
    this.config = config
    this.#candidate = candidate
    this.#load = load
  }

  /** Whether chance wants a copy of this request, and the upstream can answer it at all. */
  wants({ shape, region }: Copied): boolean {
    const { config } = this.#candidate.upstream
    if (!shapesOf(config).includes(shape) || (region !== undefined && config.region !== region)) return false
    return Math.random() < this.config.share
  }

  /** Takes a place for a copy, or returns why there is none. */
  enter(copied: Copied): Candidate | MirrorSkip {
    const candidate = this.#candidateFor(copied.keyCeiling)
    const label = candidate.afterRedaction ? copied.residualLabel : copied.label
    if (candidate.ceiling !== undefined && exceeds(label, candidate.ceiling)) return 'above_ceiling'
    if (copied.bytes > this.config.max_bytes) return 'too_large'
    const { rest, load } = candidate
    if (!this.#load.breaker.admits || !load.breaker.admits || rest.until > load.now()) return 'unavailable'
    if (this.#running >= this.config.max_concurrent) return 'full'
    this.#running++
    return candidate
  }

  leave(): void {
    this.#running--
  }

  count(result: MirrorResult): void {
    this.#load.countMirrored(result)
  }

  #candidateFor(keyCeiling: Level | undefined): Candidate {
    const { ceiling } = this.#candidate
    if (keyCeiling === undefined) return this.#candidate
    return { ...this.#candidate, ceiling: ceiling === undefined ? keyCeiling : lower(ceiling, keyCeiling) }
  }
}

export function openMirror(route: RouteConfig, config: MirrorConfig, loads: ReadonlyMap<string, Load>): Mirror {
  const load = loads.get(config.upstream) as Load
  const { upstream } = load
  const ceilings = [route.max_classification, upstream.config.max_classification].filter((level) => level !== undefined)
  const plan: RoutePlan = {
    ...{ balance: 'order', sticky: false, retry: undefined, budget: new RetryBudget(0), mayChargeTwice: false },
    ...{ timeoutSeconds: config.timeout_seconds, firstTokenSeconds: undefined, prefer: undefined, cheapest: false },
    mirror: undefined,
  }
  const candidate: Candidate = {
    upstream,
    load: new Load(upstream, () => {}),
    ceiling: ceilings.reduce<Level | undefined>((least, level) => (least ? lower(least, level) : level), undefined),
    afterRedaction: upstream.config.ceiling === 'after_redaction',
    rename: config.model ?? route.rename,
    plan,
    priority: 0,
    weight: 1,
    rest: { until: 0 },
    replyLimit: Math.min(config.max_bytes, upstream.config.max_response_bytes),
  }
  return new OpenMirror(config, candidate, load)
}
