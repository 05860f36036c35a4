/** Routes and upstreams that are valid but can hardly serve what they are for. */

import { placed } from '../../engine/config/paths.ts'
import type { Problem } from '../../engine/config/report.ts'
import { targetsOf } from '../../engine/config/route-targets.ts'
import { loadProperties } from '../../engine/config/schema-balance.ts'
import type { Config } from '../../engine/config/types.ts'
import { DIALECTS } from '../../engine/dialects/index.ts'
import { shapesOf } from '../../engine/upstreams/kinds.ts'
import { matchesGlob } from '../../engine/util/glob.ts'
import { quotedWord } from '../../engine/util/outside.ts'
import { didYouMean } from '../../engine/util/suggest.ts'

/** Names of models that only one API takes. */
const PURPOSES: readonly (readonly [RegExp, string])[] = [
  [/embed/i, 'embeddings'],
  [/moderation/i, 'moderations'],
  [/instruct$|^(?:davinci|babbage)-/i, 'completions'],
]

/** Where the url of a provider needs a version: without it, every request gets its 404. */
const VERSIONED = /^https:\/\/api\.(?:openai|anthropic)\.com\/?$/

export function routeWarnings({ routes, upstreams, keys }: Config): Problem[] {
  const problems = [...unserved(keys, routes)]
  const served = new Set<string>(DIALECTS.map(({ name }) => name))
  const named = new Set<string>()
  for (const [i, route] of routes.entries()) {
    const { model } = route
    const to = targetsOf(route).map(({ upstream }) => upstream)
    for (const name of to) named.add(name)
    if (route.mirror !== undefined) named.add(route.mirror.upstream)
    const shapes = new Set(to.flatMap((name) => shapesOf(upstreams[name] as Config['upstreams'][string])))
    const path = `routes[${i}].to`
    if (![...shapes].some((shape) => served.has(shape))) {
      problems.push({ path, message: `serves nothing: this gateway has no API of its upstreams (${list(shapes)})` })
      continue
    }
    const copied = route.mirror && shapesOf(upstreams[route.mirror.upstream] as Config['upstreams'][string])
    if (copied !== undefined && !copied.some((shape) => shapes.has(shape))) {
      const message = `gets no request: it has none of the shapes of this route (${list(shapes)})`
      problems.push({ path: `routes[${i}].mirror`, message })
    }
    const need = PURPOSES.find(([names]) => names.test(model))?.[1]
    if (need === undefined || shapes.has(need)) continue
    const message = `cannot serve "${model}": none of its upstreams has the shape ${need}, only ${list(shapes)}`
    problems.push({ path, message })
  }
  for (const [name, { url, ...upstream }] of Object.entries(upstreams)) {
    if (!named.has(name)) {
      problems.push(placed(['upstreams', name], 'is never asked: no route names it'))
    }
    if (upstream.max_concurrent === undefined && upstream.max_waiting !== DEFAULT_WAITING) {
      problems.push(placed(['upstreams', name, 'max_waiting'], 'means nothing without max_concurrent'))
    }
    if (url === undefined || !VERSIONED.test(url)) continue
    problems.push(placed(['upstreams', name, 'url'], `lacks the version: write ${url.replace(/\/$/, '')}/v1`))
  }
  return problems
}

/** Models that a key may use, by whole name, and no route takes. */
function* unserved(keys: Config['keys'], routes: Config['routes']): Iterable<Problem> {
  for (const [i, { models }] of keys.entries()) {
    for (const [n, name] of models.entries()) {
      if (name.includes('*') || routes.some(({ model }) => matchesGlob(model, name))) continue
      const meant = didYouMean(
        name,
        routes.map(({ model }) => model),
      )
      yield { path: `keys[${i}].models[${n}]`, message: `no route takes the model ${quotedWord(name)}.${meant}` }
    }
  }
}

const DEFAULT_WAITING = loadProperties.max_waiting.default

const list = (shapes: ReadonlySet<string>): string => [...shapes].join(', ')
