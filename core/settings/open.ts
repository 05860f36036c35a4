import type { HostResources } from '../host.ts'
import type { LoadedPlugin } from '../loader.ts'
import type { Log, Services } from '../plugin.ts'
import { givenOptions } from './check.ts'
import { declarationOf } from './declaration.ts'
import { LiveSettings } from './live.ts'

/** Settings of all plugins; no plugin can have this name. */
const NAMESPACE = 'core.settings'

export const NO_SETTINGS: Services['settings'] = Object.freeze({
  current: Object.freeze({}),
  onChange: () => () => {},
})

/** The settings of one plugin as they are now, or undefined when it declares none. */
export async function openSettings(
  plugin: LoadedPlugin,
  resources: HostResources,
  log: Log,
  eventTypes: () => ReadonlySet<string>,
  updated: (fields: readonly string[], keyId: string) => void,
): Promise<LiveSettings | undefined> {
  const { spec, path } = plugin
  if (spec.settings === undefined) return undefined
  return await LiveSettings.open({
    plugin: spec.name,
    declaration: declarationOf(spec.settings),
    given: givenOptions(plugin),
    path: `${path}.options`,
    env: resources.env,
    store: resources.store.namespace(NAMESPACE),
    key: resources.subkey('settings'),
    egress: resources.egress,
    log,
    eventTypes,
    updated,
  })
}
