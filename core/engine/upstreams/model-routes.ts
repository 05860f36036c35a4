import { targetsOf } from '../config/route-targets.ts'
import type { Config, RouteConfig } from '../config/types.ts'
import { exceeds, type Level, lower } from '../contract/labels.ts'
import { DIALECTS } from '../dialects/index.ts'
import { matchesGlob } from '../util/glob.ts'
import type { Upstream } from './http-upstream.ts'
import { shapesOf } from './kinds.ts'

/** One provider that may answer a request, and its constraints. */
export interface Candidate {
  readonly upstream: Upstream
  readonly ceiling: Level | undefined
  /** Compare its ceiling with the label after redaction instead of as received. */
  readonly afterRedaction: boolean
  /** Model name that replaces the client's. */
  readonly rename: string | undefined
}

interface OpenRoute {
  readonly config: RouteConfig
  readonly upstreams: readonly Upstream[]
  /** Cache of its candidates by shape and by the key's ceiling. */
  readonly made: Map<string, readonly Candidate[]>
}

/** The first matching route wins; its later upstreams are fallbacks. */
export class Routes {
  readonly #routes: readonly OpenRoute[]

  constructor(config: Config, upstreams: ReadonlyMap<string, Upstream>) {
    this.#routes = config.routes.map((route) => ({
      config: route,
      upstreams: targetsOf(route).map((target) => upstreams.get(target.upstream) as Upstream),
      made: new Map(),
    }))
  }

  /**
   * Every provider of the model's route that serves the shape, regardless of labels; undefined if no route takes the
   * model.
   */
  candidates(model: string, shape: string, keyCeiling: Level | undefined): readonly Candidate[] | undefined {
    const route = this.#routeOf(model)
    if (route === undefined) return undefined
    const key = `${shape} ${keyCeiling ?? ''}`
    let made = route.made.get(key)
    if (made === undefined) {
      const { max_classification, rename } = route.config
      made = route.upstreams
        .filter(({ config }) => shapesOf(config).includes(shape))
        .map((upstream) => ({
          upstream,
          ceiling: lowest(keyCeiling, max_classification, upstream.config.max_classification),
          afterRedaction: upstream.config.ceiling === 'after_redaction',
          rename,
        }))
      route.made.set(key, made)
    }
    return made
  }

  /** The shapes in which the model can be asked, in the order of the gateway's dialects. */
  shapesFor(model: string): string[] {
    const served = new Set(this.#routeOf(model)?.upstreams.flatMap(({ config }) => shapesOf(config)))
    return [...new Set(DIALECTS.map(({ name }) => name))].filter((shape) => served.has(shape))
  }

  /** Whether requests for the model may go to this provider. */
  reaches(model: string, upstream: Upstream): boolean {
    return this.#routeOf(model)?.upstreams.includes(upstream) === true
  }

  #routeOf(model: string): OpenRoute | undefined {
    return this.#routes.find(({ config }) => matchesGlob(config.model, model))
  }

  /** The model patterns of all routes that reach an upstream. */
  patternsFor(upstream: Upstream): string[] {
    return this.#routes.filter(({ upstreams }) => upstreams.includes(upstream)).map(({ config }) => config.model)
  }
}

export const allowed = (candidate: Candidate, label: Level): boolean =>
  candidate.ceiling === undefined || !exceeds(label, candidate.ceiling)

const lowest = (...levels: readonly (Level | undefined)[]): Level | undefined =>
  levels.reduce(
    (least, level) => (least === undefined ? level : level === undefined ? least : lower(least, level)),
    undefined,
  )
