/** Rules of routes: what is never reached, and what means nothing. */
import type { Report, Sound } from '../../engine/config/report.ts'
import { type RouteTarget, targetsOf } from '../../engine/config/route-targets.ts'
import type { ConfigData } from '../../engine/config/types.ts'
import { globProblem, matchesGlob } from '../../engine/util/glob.ts'
import { quotedWord } from '../../engine/util/outside.ts'
import { didYouMean } from '../../engine/util/suggest.ts'

type Route = ConfigData['routes'][number]

export function routeRules(data: ConfigData, report: Report, sound: Sound): void {
  if (!Array.isArray(data.routes)) return
  const names = Object.keys(data.upstreams ?? {})
  if (data.routes.length === 0 && names.length > 1) {
    report(['routes'], 'is empty: with several upstreams, routes say which model goes where')
  }
  for (const [i, route] of data.routes.entries()) {
    if (!sound(['routes', i])) continue
    const problem = globProblem(route.model) ?? shadowed(data.routes, i, sound)
    if (problem !== undefined) report(['routes', i, 'model'], problem)
    if (route.rename?.includes('*')) report(['routes', i, 'rename'], 'must not contain *: it is the name of one model')
    targetRules(route, names, (path, message) => report(['routes', i, ...path], message))
    choiceRules(route, (path, message) => report(['routes', i, ...path], message))
    mirrorRules(route, names, (path, message) => report(['routes', i, ...path], message))
    preferRules(route, data.upstreams ?? {}, (path, message) => report(['routes', i, ...path], message))
  }
}

/** The first match wins. A glob is shadowed only if another route takes all of its names. */
function shadowed(routes: ConfigData['routes'], i: number, sound: Sound): string | undefined {
  const { model } = routes[i] as Route
  const at = routes.slice(0, i).findIndex((earlier, j) => sound(['routes', j]) && matchesGlob(earlier.model, model))
  if (at === -1) return undefined
  const move = routes[at]?.model === model ? 'merge the two' : `move this route in front of routes[${at}]`
  return `"${model}" is never reached: routes[${at}] ("${routes[at]?.model}") comes first and takes it all; ${move}`
}

/** Each entry names an upstream that exists, once, and some of each priority can be chosen. */
function targetRules(route: Route, names: readonly string[], report: Report): void {
  const targets = targetsOf(route)
  for (const [j, { upstream }] of targets.entries()) {
    const path = typeof route.to[j] === 'string' ? ['to', j] : ['to', j, 'upstream']
    if (!names.includes(upstream)) {
      const hint = didYouMean(upstream, names) || ` Upstreams: ${names.join(', ')}.`
      report(path, `there is no upstream ${quotedWord(upstream)}.${hint}`)
    }
    const twin = targets.findIndex((earlier) => earlier.upstream === upstream)
    if (twin < j)
      report(path, `"${upstream}" is already to[${twin}]: name it once, with the weight that it should have`)
  }
  if (targets.length > 0 && targets.every(({ weight }) => weight === 0)) {
    report(['to'], 'can never answer: each upstream has weight 0; give one a weight of 1 or more')
    return
  }
  for (const [priority, group] of groupsOf(targets)) {
    if (group.some(({ weight }) => weight > 0)) continue
    const which = group.map(({ upstream }) => `"${upstream}"`).join(', ')
    report(
      ['to', targets.indexOf(group[0] as RouteTarget)],
      `priority ${priority} is never chosen: ${which} has weight 0; give one a weight of 1 or more, or leave them out`,
    )
  }
}

const groupsOf = (targets: readonly RouteTarget[]): Map<number, RouteTarget[]> =>
  Map.groupBy(targets, ({ priority }) => priority)

/** Options that would have no effect. */
function choiceRules(route: Route, report: Report): void {
  const { balance, sticky, retry, to } = route
  if (balance === 'order') {
    if (sticky !== undefined) report(['sticky'], 'needs balance: weighted, least_busy or latency')
    for (const [j, entry] of to.entries()) {
      if (typeof entry === 'string' || (entry.weight ?? 0) < 1) continue
      report(['to', j, 'weight'], 'means nothing without balance: add balance: weighted, least_busy or latency')
    }
  } else if ([...groupsOf(targetsOf(route)).values()].every((group) => group.length === 1)) {
    report(['balance'], 'means nothing: no two upstreams of "to" have the same priority')
  }
  if (retry !== undefined && retry.first_wait_seconds > retry.max_wait_seconds) {
    report(['retry', 'first_wait_seconds'], 'is more than max_wait_seconds: it must be at most as long')
  }
}

/** A copy goes elsewhere, or to another model. */
function mirrorRules({ mirror, to, rename }: Route, names: readonly string[], report: Report): void {
  if (mirror === undefined) return
  const { upstream, model = rename } = mirror
  if (!names.includes(upstream)) {
    const hint = didYouMean(upstream, names) || ` Upstreams: ${names.join(', ')}.`
    return report(['mirror', 'upstream'], `there is no upstream ${quotedWord(upstream)}.${hint}`)
  }
  if (model?.includes('*')) report(['mirror', 'model'], 'must not contain *: it is the name of one model')
  const isOwn = to.some((entry) => (typeof entry === 'string' ? entry : entry.upstream) === upstream)
  if (!isOwn || model !== rename) return
  report(
    ['mirror', 'upstream'],
    `"${upstream}" answers this route itself: name another upstream, or another mirror.model`,
  )
}

/** Preferences name upstreams of the route, and costs that are known. */
function preferRules({ to, prefer = [], cheapest }: Route, upstreams: ConfigData['upstreams'], report: Report): void {
  const names = to.map((entry) => (typeof entry === 'string' ? entry : entry.upstream))
  for (const [j, { label, upstreams: wanted }] of prefer.entries()) {
    for (const [k, name] of wanted.entries()) {
      if (names.includes(name)) continue
      report(
        ['prefer', j, 'upstreams', k],
        `${quotedWord(name)} is not in "to" of this route: ${names.filter((one) => Object.hasOwn(upstreams, one)).join(', ')}`,
      )
    }
    const twin = prefer.findIndex((other) => other.label === label)
    if (twin < j) report(['prefer', j, 'label'], `"${label}" is already that of prefer[${twin}]: merge the two`)
  }
  if (cheapest && names.every((name) => upstreams[name]?.cost === undefined))
    report(['cheapest'], 'means nothing: give the upstreams of "to" a cost')
}
