/** Rules between the entries of `plugins`, checked before anything is created. */
import { targetsOf } from '../config/route-targets.ts'
import type { Config } from '../config/types.ts'
import type { Problem } from '../config/validate.ts'
import type { CheckTools, Fact, Target } from '../contract/plugin.ts'
import { nameAt } from '../upstreams/azure.ts'
import { isCorePath } from './core-paths.ts'
import { declaredFlags } from './flag-rules.ts'
import type { LoadedPlugin } from './loaded-plugin.ts'
import { ownPlugin } from './loader.ts'
import { watched } from './watchdog.ts'

export function entryProblems(plugins: readonly LoadedPlugin[]): Problem[] {
  return [
    ...twice(plugins),
    ...facts(plugins),
    ...declaredTwice(plugins, 'flag', ({ flags }) => flags),
    ...declaredTwice(plugins, 'error', ({ errors }) => errors),
    ...settingsPaths(plugins),
  ]
}

/** Names that options may refer to. */
export type Named = Partial<Pick<Config, 'keys' | 'upstreams' | 'routes'>>

/** The plugins' own checks of their options, beyond the schemas. */
export function optionProblems(
  plugins: readonly LoadedPlugin[],
  named: Named,
): { problems: Problem[]; warnings: Problem[] } {
  const tools = { flags: declaredFlags(plugins), ...namesOf(named) }
  const problems: Problem[] = []
  const warnings: Problem[] = []
  for (const { spec, options, path } of plugins) {
    try {
      const found = watched(ownPlugin(spec), `${path}.use`, 'check()', () => spec.check?.(options as never, tools))
      for (const { option, message, severity } of found ?? []) {
        const list = severity === 'warning' ? warnings : problems
        list.push({ path: `${path}.options.${option}`, message })
      }
    } catch (error) {
      problems.push({ path: `${path}.use`, message: `check() of '${spec.name}' failed: ${(error as Error).message}` })
    }
  }
  return { problems, warnings }
}

function namesOf({ keys = [], upstreams, routes = [] }: Named): Omit<CheckTools, 'flags'> {
  const listed = keys.length > 0
  return {
    keys: listed ? new Set(keys.map(({ id }) => id)) : undefined,
    teams: listed ? new Set(keys.flatMap(({ team }) => (team === undefined ? [] : [team]))) : undefined,
    upstreams: upstreams === undefined ? undefined : new Set(Object.keys(upstreams)),
    targets: routes.flatMap((route) => namedTargets(route, upstreams ?? {})),
  }
}

function namedTargets(route: Config['routes'][number], upstreams: Config['upstreams']): Target[] {
  const name = route.rename ?? route.model
  if (name.includes('*')) return []
  return targetsOf(route).flatMap(({ upstream }) => {
    const config = upstreams[upstream]
    return config === undefined ? [] : [{ upstream, model: nameAt(config, name) }]
  })
}

function* twice(plugins: readonly LoadedPlugin[]): Iterable<Problem> {
  const seen = new Set<string>()
  for (const { spec, path } of plugins) {
    if (seen.has(spec.name)) {
      yield {
        path: `${path}.use`,
        message: `the plugin '${spec.name}' is listed twice, but may have one entry. Merge the two, or remove one.`,
      }
    }
    seen.add(spec.name)
  }
}

function* facts(plugins: readonly LoadedPlugin[]): Iterable<Problem> {
  const provided = new Set<string>()
  for (const plugin of plugins) {
    for (const fact of plugin.spec.requires ?? []) {
      if (!provided.has(fact.key)) yield { path: `${plugin.path}.use`, message: missing(plugin, fact, plugins) }
    }
    for (const fact of plugin.spec.provides ?? []) provided.add(fact.key)
  }
}

function missing({ spec, path }: LoadedPlugin, fact: Fact<unknown>, plugins: readonly LoadedPlugin[]): string {
  const provider = plugins.find((other) => other.spec.provides?.some((provided) => provided.key === fact.key))
  const remedy =
    provider === undefined
      ? 'Enable a plugin that provides it.'
      : `Move '- use: ${provider.entry.use}' (${provider.path}) in front of ${path}.`
  return `'${spec.name}' needs '${fact.key}' from an earlier plugin. ${remedy}`
}

/** A name must have one meaning, whichever plugin declares it. */
function* declaredTwice(
  plugins: readonly LoadedPlugin[],
  what: string,
  of: (spec: LoadedPlugin['spec']) => object | undefined,
): Iterable<Problem> {
  const owners = new Map<string, string>()
  for (const { spec, path } of plugins) {
    for (const name of Object.keys(of(spec) ?? {})) {
      const owner = owners.get(name)
      if (owner === undefined) owners.set(name, spec.name)
      else if (owner !== spec.name) {
        const message = `its ${what} '${name}' is already declared by '${owner}'. Enable one of them only.`
        yield { path: `${path}.use`, message }
      }
    }
  }
}

function* settingsPaths(plugins: readonly LoadedPlugin[]): Iterable<Problem> {
  const owners = new Map<string, string>()
  for (const { spec, path } of plugins) {
    if (spec.settings === undefined) continue
    const route = spec.settings.path
    const other = isCorePath(route) ? 'the gateway itself' : owners.get(route)
    if (other === undefined) owners.set(route, spec.name)
    else if (other !== spec.name) {
      yield {
        path: `${path}.use`,
        message: `its settings are at ${route}, which ${other} serves already. Enable one only.`,
      }
    }
  }
}
