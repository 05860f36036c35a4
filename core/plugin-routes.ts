import { GatewayError } from './errors.ts'
import type { Instance, PluginSpec, Route } from './plugin.ts'
import type { LiveSettings } from './settings/live.ts'
import { settingsRoutes } from './settings/routes.ts'

interface Served {
  readonly spec: PluginSpec
  readonly instance: Instance
  readonly settings: LiveSettings | undefined
}

/** Answered by the core itself. */
export const CORE_ROUTES = /^\/health(\/|$)|^\/v1\/(chat\/completions|models)(\/|$)/

/** Everything the plugins of a chain serve, settings included. Two that serve the same are an error of the config. */
export function routesOf(members: readonly Served[]): Route[] {
  const owners = new Map<string, string>()
  return members.flatMap((member) => {
    const { name } = member.spec
    const routes = allOf(member)
    for (const { method, path } of routes) {
      const route = `${method} ${path}`
      const other = CORE_ROUTES.test(path) ? 'the gateway itself' : owners.get(route)
      if (other !== undefined) throw conflict(name, route, other)
      owners.set(route, name)
    }
    return routes
  })
}

function allOf({ spec, instance, settings }: Served): Route[] {
  const own = instance.routes ?? []
  if (settings === undefined || spec.settings === undefined) return [...own]
  return [...settingsRoutes(spec.settings.path, settings), ...own]
}

function conflict(name: string, route: string, other: string): GatewayError {
  const whose = other === name ? 'it serves twice' : `${other} serves already`
  return new GatewayError('GW_CONFIG', `The plugin '${name}' serves ${route}, which ${whose}. Enable one of them only.`)
}
