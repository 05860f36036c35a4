import type { Services } from '../../engine/contract/plugin.ts'
import type { Store } from '../../engine/contract/store.ts'
import { declarationOf } from '../../engine/host/declaration.ts'
import type { LoadedPlugin } from '../../engine/host/loaded-plugin.ts'
import type { PluginContext } from '../../engine/host/plugin-services.ts'
import { givenOptions } from './check.ts'
import { type LiveOptions, LiveSettings } from './live.ts'

/** Settings of all plugins. No plugin can have this name. */
export const SETTINGS_NAMESPACE = 'core.settings'
/** Purpose of the derived key that encrypts their secrets. */
export const SETTINGS_PURPOSE = 'settings'

export const NO_SETTINGS: Services['settings'] = Object.freeze({
  current: Object.freeze({}),
  unreadable: Object.freeze([]),
  onChange: () => () => {},
})

/** What settings need. */
interface SettingsResources extends Pick<LiveOptions, 'env' | 'egress'> {
  readonly store: Pick<Store, 'namespace'>
  readonly subkey: (purpose: string) => Buffer
}

/** A plugin's current settings, or undefined if it declares none. */
export async function openSettings(
  { spec, path, ...plugin }: LoadedPlugin,
  { store, subkey, env, egress }: SettingsResources,
  context: PluginContext,
): Promise<LiveSettings | undefined> {
  if (spec.settings === undefined) return undefined
  return await LiveSettings.open({
    plugin: spec.name,
    declaration: declarationOf(spec.settings),
    given: givenOptions(plugin),
    path: `${path}.options`,
    env,
    store: store.namespace(SETTINGS_NAMESPACE),
    key: subkey(SETTINGS_PURPOSE),
    egress,
    log: context.log,
    eventTypes: () => context.declared.eventTypes,
    updated: (fields, keyId) => context.settingsUpdated(fields, keyId),
  })
}
