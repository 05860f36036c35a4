import type { Config, RouteConfig } from '../config/types.ts'
import { exceeds, type Level, lower } from '../contract/labels.ts'
import { matchesGlob } from '../util/glob.ts'
import type { Upstream } from './http-upstream.ts'

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
  /** Cache of its candidates by the key's ceiling. */
  readonly made: Map<Level | undefined, readonly Candidate[]>
}

/** The first matching route wins; its later upstreams are fallbacks. */
export class Routes {
  readonly #routes: readonly OpenRoute[]

  constructor(config: Config, upstreams: ReadonlyMap<string, Upstream>) {
    this.#routes = config.routes.map((route) => ({
      config: route,
      upstreams: route.to.map((name) => upstreams.get(name) as Upstream),
      made: new Map(),
    }))
  }

  /** Every provider of the route, regardless of labels; undefined if no route takes the model. */
  candidates(model: string, keyCeiling: Level | undefined): readonly Candidate[] | undefined {
    const route = this.#routes.find(({ config }) => matchesGlob(config.model, model))
    if (route === undefined) return undefined
    let made = route.made.get(keyCeiling)
    if (made === undefined) {
      const { max_classification, rename } = route.config
      made = route.upstreams.map((upstream) => ({
        upstream,
        ceiling: lowest(keyCeiling, max_classification, upstream.config.max_classification),
        afterRedaction: upstream.config.ceiling === 'after_redaction',
        rename,
      }))
      route.made.set(keyCeiling, made)
    }
    return made
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
