import { targetsOf } from '../config/route-targets.ts'
import type { Config, RouteConfig } from '../config/types.ts'
import { exceeds, type Level, lower } from '../contract/labels.ts'
import { DIALECTS } from '../dialects/index.ts'
import { matchesGlob } from '../util/glob.ts'
import type { Candidate, Rest, RoutePlan } from './candidate.ts'
import type { Upstream } from './http-upstream.ts'
import { shapesOf } from './kinds.ts'
import type { Load } from './load/load.ts'
import { RetryBudget } from './load/retry-budget.ts'
import { openMirror } from './mirror.ts'

interface OpenTarget {
  readonly upstream: Upstream
  readonly load: Load
  readonly priority: number
  readonly weight: number
  readonly rest: Rest
}

interface OpenRoute {
  readonly config: RouteConfig
  readonly plan: RoutePlan
  /** By priority. */
  readonly targets: readonly OpenTarget[]
  /** Cache of its candidates by shape and by the key's ceiling. */
  readonly made: Map<string, readonly Candidate[]>
}

/** The first matching route wins. */
export class Routes {
  readonly #routes: readonly OpenRoute[]

  constructor(config: Config, loads: ReadonlyMap<string, Load>) {
    this.#routes = config.routes.map((route) => openRoute(route, loads))
  }

  /**
   * Every provider of the model's route that serves the shape, by priority, regardless of labels and health; undefined if
   * no route takes the model.
   *
   * @param owned asks for what an upstream keeps: also those that get no new requests (weight 0)
   */
  candidates(
    model: string,
    shape: string,
    keyCeiling: Level | undefined,
    owned: boolean,
  ): readonly Candidate[] | undefined {
    const route = this.#routeOf(model)
    if (route === undefined) return undefined
    const key = `${shape} ${keyCeiling ?? ''} ${owned}`
    let made = route.made.get(key)
    if (made === undefined) {
      const { max_classification, rename } = route.config
      made = route.targets
        .filter(({ upstream, weight }) => (owned || weight > 0) && shapesOf(upstream.config).includes(shape))
        .map((target) => ({
          ...target,
          ceiling: lowest(keyCeiling, max_classification, target.upstream.config.max_classification),
          afterRedaction: target.upstream.config.ceiling === 'after_redaction',
          rename,
          plan: route.plan,
        }))
      route.made.set(key, made)
    }
    return made
  }

  /** The shapes in which the model can be asked, in the order of the gateway's dialects. */
  shapesFor(model: string): string[] {
    const served = new Set(this.#routeOf(model)?.targets.flatMap(({ upstream }) => shapesOf(upstream.config)))
    return [...new Set(DIALECTS.map(({ name }) => name))].filter((shape) => served.has(shape))
  }

  /** Whether requests for the model may go to this provider. */
  reaches(model: string, upstream: Upstream): boolean {
    const route = this.#routeOf(model)
    return route !== undefined && leadsTo(route, upstream)
  }

  #routeOf(model: string): OpenRoute | undefined {
    return this.#routes.find(({ config }) => matchesGlob(config.model, model))
  }

  /** The model patterns of all routes that reach an upstream. */
  patternsFor(upstream: Upstream): string[] {
    return this.#routes.filter((route) => leadsTo(route, upstream)).map(({ config }) => config.model)
  }
}

const leadsTo = ({ targets }: OpenRoute, upstream: Upstream): boolean =>
  targets.some((target) => target.upstream === upstream)

function openRoute(route: RouteConfig, loads: ReadonlyMap<string, Load>): OpenRoute {
  const { balance, sticky, retry, may_charge_twice: mayChargeTwice } = route
  const targets = targetsOf(route).map(({ upstream: name, priority, weight }): OpenTarget => {
    const load = loads.get(name) as Load
    if (balance !== 'order') load.isCompared = true
    return { upstream: load.upstream, load, priority, weight, rest: { until: 0 } }
  })
  return {
    config: route,
    plan: {
      balance,
      sticky: sticky === 'session',
      retry,
      budget: new RetryBudget(retry?.budget ?? 0),
      mayChargeTwice,
      timeoutSeconds: route.timeout_seconds,
      firstTokenSeconds: route.first_token_timeout_seconds,
      prefer: route.prefer,
      cheapest: route.cheapest,
      mirror: route.mirror && openMirror(route, route.mirror, loads),
    },
    targets: targets.toSorted((a, b) => a.priority - b.priority),
    made: new Map(),
  }
}

export const allowed = (candidate: Candidate, label: Level): boolean =>
  candidate.ceiling === undefined || !exceeds(label, candidate.ceiling)

const lowest = (...levels: readonly (Level | undefined)[]): Level | undefined =>
  levels.reduce(
    (least, level) => (least === undefined ? level : level === undefined ? least : lower(least, level)),
    undefined,
  )
