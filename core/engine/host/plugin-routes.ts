import { GatewayError } from '../contract/errors.ts'
import type { Instance, OpenRoute, PluginSpec, Route } from '../contract/plugin.ts'
import { isStoreError } from '../contract/store-errors.ts'
import { isCorePath } from './core-paths.ts'
import type { OpenedServices } from './plugin-services.ts'

const GATEWAY = 'the gateway itself'

interface Served {
  readonly spec: PluginSpec
  readonly instance: Instance
  readonly opened: Pick<OpenedServices, 'routes'>
}

/** All routes of a chain's plugins, including settings. Duplicate routes are a config error. */
export function routesOf(members: readonly Served[]): (Route | OpenRoute)[] {
  const owners = new Map<string, string>()
  return members.flatMap((member) => {
    const { name } = member.spec
    const routes = allOf(member)
    for (const { method, path } of routes) {
      const route = `${method} ${path}`
      const other = isCorePath(path) ? GATEWAY : owners.get(route)
      if (other !== undefined) throw conflict(name, route, other)
      owners.set(route, name)
    }
    return routes
  })
}

const allOf = ({ instance, opened }: Served): (Route | OpenRoute)[] => [
  ...opened.routes,
  ...(instance.routes ?? []).map(withStoreErrors),
]

/** Answers 503 while the store is unavailable. */
export const withStoreErrors = <R extends Route | OpenRoute>(route: R): R => ({
  ...route,
  handle: storeErrorsOf(route.handle as Route['handle']),
})

/** Passes store errors on: an outage is not the route's error. */
function storeErrorsOf(handle: Route['handle']): Route['handle'] {
  return async (request) => {
    try {
      return await handle(request)
    } catch (cause) {
      if (!isStoreError(cause, 'unavailable') && !isStoreError(cause, 'full')) throw cause
      throw new GatewayError(
        'GW_STORE_UNAVAILABLE',
        'The store did not answer, so this cannot be read or changed now. Try again.',
        {
          cause,
        },
      )
    }
  }
}

function conflict(name: string, route: string, other: string): GatewayError {
  const whose = other === name ? 'it serves twice' : `${other === GATEWAY ? other : `'${other}'`} serves already`
  const remedy = other === name || other === GATEWAY ? 'Give its route another path.' : 'Enable one of them only.'
  return new GatewayError('GW_CONFIG', `The plugin '${name}' serves ${route}, which ${whose}. ${remedy}`)
}
