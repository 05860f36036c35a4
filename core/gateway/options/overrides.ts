/** Options that admins put in the place of those of the config file, and where they are stored. */

import { joinPath } from '../../engine/config/paths.ts'
import type { PluginEntry } from '../../engine/config/types.ts'
import { environmentValuesOf, markEnvironmentValues, type Problem } from '../../engine/config/validate.ts'
import { isGatewayError } from '../../engine/contract/errors.ts'
import type { Json, PluginSpec } from '../../engine/contract/plugin.ts'
import type { Store } from '../../engine/contract/store.ts'
import type { Fields } from '../../engine/host/paths.ts'
import { deepFreeze } from '../../engine/util/deep-freeze.ts'
import { isObject } from '../../engine/util/is-object.ts'
import { seal, setAt, unseal } from '../../services/settings/stored.ts'
import { type Path, valueAt } from './secrets.ts'

/** No plugin can have this name. */
const OPTIONS_NAMESPACE = 'core.options'
/** Purpose of the derived key that encrypts overrides. */
const OPTIONS_PURPOSE = 'options of plugins'

const KEY = 'overrides'

export interface Override {
  /** Without the members that are settings, and without `kept` values. */
  readonly options: Fields
  /** Secrets whose values stay those of the config file, so that they may be rotated there. */
  readonly kept: readonly Path[]
  readonly changed_at: string
  readonly changed_by: string
}

interface Value {
  readonly revision: string
  readonly sealed: Readonly<Record<string, string>>
}

/** By plugin; `unreadable` if the secret of the deployment changed. */
export type Overrides = ReadonlyMap<string, Override | 'unreadable'>

export interface Stored {
  readonly overrides: Overrides
  /** Names this state of all overrides; '' if there never was one. */
  readonly revision: string
  readonly version: number
}

/** The overrides that the config allows. */
export type Allowed = Pick<Stored, 'overrides' | 'revision'>

/** All overrides are one value, so that nobody sees half of a change. */
export class OverrideStore {
  readonly #store: Store
  readonly #key: Buffer

  constructor(store: Store, subkey: (purpose: string) => Buffer) {
    this.#store = store.namespace(OPTIONS_NAMESPACE)
    this.#key = subkey(OPTIONS_PURPOSE)
  }

  async read(): Promise<Stored> {
    const entry = await this.#store.entry<Json>(KEY)
    const { revision = '', sealed = {} } = (entry?.value ?? {}) as Partial<Value>
    const overrides = Object.entries(sealed).map(([name, text]) => [name, this.#opened(name, text)] as const)
    return { overrides: new Map(overrides), revision, version: entry?.version ?? 0 }
  }

  /**
   * False, without any change, if another change came after `stored` was read. Undefined removes the override.
   *
   * @param revision of the state after the change
   */
  async write(stored: Stored, name: string, override: Override | undefined, revision: string): Promise<boolean> {
    const entry = await this.#store.entry<Json>(KEY)
    const ifVersion = entry?.version ?? 0
    if (ifVersion !== stored.version) return false
    const { [name]: _, ...others } = ((entry?.value ?? {}) as Partial<Value>).sealed ?? {}
    const own = override && { [name]: seal(JSON.stringify(override), this.#key, name) }
    return await this.#store.set(KEY, { revision, sealed: { ...others, ...own } }, { ifVersion, notify: true })
  }

  watch(listener: () => void): () => void {
    return this.#store.watch(KEY, listener)
  }

  #opened(name: string, sealed: string): Override | 'unreadable' {
    const text = unseal(sealed, this.#key, name)
    return text === undefined ? 'unreadable' : (JSON.parse(text) as Override)
  }
}

/** Whether the config file lets admins override the options of this plugin. */
export const isOverridable = (names: readonly string[], plugin: string): boolean =>
  names.includes(plugin) || names.includes('*')

/** Members of options that plugins declare as settings: they have a route, and a store, of their own. */
export const settingNames = ({ settings }: PluginSpec): readonly string[] =>
  Object.keys((settings?.schema as { properties?: object } | undefined)?.properties ?? {})

/** The entry of a plugin with the options that are in force. */
export function overridden(
  spec: PluginSpec,
  entry: PluginEntry,
  path: string,
  override: Override | 'unreadable' | undefined,
): { entry: PluginEntry; problems: readonly Problem[] } {
  if (override === undefined) return { entry, problems: [] }
  if (override === 'unreadable') return { entry, problems: [{ path: `${path}.options`, message: UNREADABLE }] }
  const given = entry.options as Fields
  const options = structuredClone(override.options)
  const problems: Problem[] = []
  const own = settingNames(spec).filter((name) => given[name] !== undefined)
  for (const at of [...override.kept, ...own.map((name) => [name])]) {
    const value = valueAt(given, at)
    const isThere = value !== undefined && isObject(valueAt(options, at.slice(0, -1)))
    if (isThere) setAt(options, at, structuredClone(value))
    else problems.push({ path: joinPath(`${path}.options`, at), message: GONE })
  }
  markEnvironmentValues(options, environmentValuesOf(given))
  return { entry: deepFreeze({ ...entry, options }) as PluginEntry, problems }
}

const UNREADABLE = 'have an override that cannot be read, since the secret of the deployment changed'
const GONE = 'was to stay as in the config file, which no longer has it'

/** The same error, with what to do if overrides may be to blame. */
export function explained(error: unknown, overrides: Overrides): unknown {
  const names = [...overrides.keys()]
  if (names.length === 0 || !isGatewayError(error)) return error
  const routes = names.map((name) => `DELETE /api/plugins/${name}/options`).join(' and ')
  const remedy = `Admins have overridden options of: ${names.join(', ')}. If those are to blame, remove the names from settings.override_options in the config file, which puts its own options in force; then send ${routes}.`
  error.message = `${error.message}\n${remedy}`
  return error
}
