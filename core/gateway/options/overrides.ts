/** Options that admins put in the place of those of the config file, and where they are stored. */

import { joinPath } from '../../engine/config/paths.ts'
import type { PluginEntry } from '../../engine/config/types.ts'
import { checkAgainst, environmentValuesOf, markEnvironmentValues, type Problem } from '../../engine/config/validate.ts'
import { GatewayError, isGatewayError } from '../../engine/contract/errors.ts'
import type { Json, PluginSpec } from '../../engine/contract/plugin.ts'
import type { Store } from '../../engine/contract/store.ts'
import type { Fields } from '../../engine/host/paths.ts'
import { deepFreeze } from '../../engine/util/deep-freeze.ts'
import { isObject } from '../../engine/util/is-object.ts'
import { seal, setAt, unseal } from '../../services/settings/stored.ts'
import { moved } from './moved.ts'
import { type Path, pointerOf, valueAt } from './schema-walk.ts'
import { hide } from './secrets.ts'

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
  /** All that was a secret, or is in the place of one: its name alone may not show it. */
  readonly hidden: readonly Path[]
  readonly changed_at: string
  readonly changed_by: string
}

interface Value {
  readonly form: 1
  readonly revision: string
  readonly changed_by: string
  readonly sealed: Readonly<Record<string, string>>
}

const TEXT = { type: 'string' } as const
const PATHS = {
  type: 'array',
  items: { type: 'array', minItems: 1, items: { type: ['string', 'integer'] } },
} as const
const OVERRIDE = {
  type: 'object',
  additionalProperties: false,
  required: ['options', 'kept', 'hidden', 'changed_at', 'changed_by'],
  properties: { options: { type: 'object' }, kept: PATHS, hidden: PATHS, changed_at: TEXT, changed_by: TEXT },
} as const
const VALUE = {
  type: 'object',
  additionalProperties: false,
  required: ['form', 'revision', 'changed_by', 'sealed'],
  properties: {
    form: { const: 1 },
    revision: { type: 'string', minLength: 1 },
    changed_by: TEXT,
    sealed: { type: 'object', additionalProperties: true },
  },
} as const

/** `unreadable` if the secret of the deployment changed; `damaged` if no version like this one wrote it. */
export type Opened = Override | 'unreadable' | 'damaged'

/** By plugin. */
export type Overrides = ReadonlyMap<string, Opened>

export interface Stored {
  readonly overrides: Overrides
  /** Names this state of all overrides; '' if there never was one. */
  readonly revision: string
  /** Key of the last change. */
  readonly changedBy: string | undefined
  readonly version: number
  /** Nothing is known of what admins set. */
  readonly isDamaged: boolean
}

/** The overrides that the config allows. */
export interface Allowed extends Pick<Stored, 'overrides' | 'revision'> {
  /** Key of another process's change, which this one takes over. */
  readonly changedBy?: string
}

/** All overrides are one value, so that no process sees half of a change. */
export class OverrideStore {
  readonly #store: Store
  readonly #key: Buffer

  constructor(store: Store, subkey: (purpose: string) => Buffer) {
    this.#store = store.namespace(OPTIONS_NAMESPACE)
    this.#key = subkey(OPTIONS_PURPOSE)
  }

  async read(): Promise<Stored> {
    const entry = await this.#store.entry<Json>(KEY)
    const version = entry?.version ?? 0
    const value = entry && readValue(entry.value)
    if (value === undefined) {
      return { overrides: new Map(), revision: '', changedBy: undefined, version, isDamaged: entry !== undefined }
    }
    const { revision, changed_by: changedBy, sealed } = value
    const overrides = Object.entries(sealed).map(([name, text]) => [name, this.#opened(name, text)] as const)
    return { overrides: new Map(overrides), revision, changedBy, version, isDamaged: false }
  }

  /**
   * False, without any change, if another change came after `stored` was read. An undefined `override` removes it.
   *
   * @param revision of the state after the change
   */
  async write(stored: Stored, name: string, override: Override | undefined, revision: string, by: string) {
    const entry = await this.#store.entry<Json>(KEY)
    const ifVersion = entry?.version ?? 0
    if (ifVersion !== stored.version) return false
    const { [name]: _, ...others } = (entry && readValue(entry.value))?.sealed ?? {}
    const own = override && { [name]: seal(JSON.stringify(override), this.#key, name) }
    const value: Value = { form: 1, revision, changed_by: by, sealed: { ...others, ...own } }
    return await this.#store.set(KEY, value as unknown as Json, { ifVersion, notify: true })
  }

  watch(listener: () => void): () => void {
    return this.#store.watch(KEY, listener)
  }

  #opened(name: string, sealed: unknown): Opened {
    if (typeof sealed !== 'string') return 'damaged'
    const text = unseal(sealed, this.#key, name)
    if (text === undefined) return 'unreadable'
    const override = JSON.parse(text) as Override
    return checkAgainst(OVERRIDE, override).problems.length === 0 ? override : 'damaged'
  }
}

const readValue = (value: Json): Value | undefined =>
  checkAgainst(VALUE, value).problems.length === 0 ? (value as unknown as Value) : undefined

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
  override: Opened | undefined,
): { entry: PluginEntry; problems: readonly Problem[] } {
  if (override === undefined) return { entry, problems: [] }
  if (typeof override === 'string') {
    return { entry, problems: [{ path: `${path}.options`, message: UNUSABLE[override] }] }
  }
  const given = entry.options as Fields
  const options = structuredClone(override.options)
  const problems: Problem[] = []
  const complain = (at: Path, message: string) => problems.push({ path: joinPath(`${path}.options`, at), message })
  const own = settingNames(spec).filter((name) => given[name] !== undefined)
  const ofFile = [...override.kept, ...own.map((name) => [name])]
  for (const at of ofFile) {
    const value = valueAt(given, at)
    const isThere = value !== undefined && isObject(valueAt(options, at.slice(0, -1)))
    if (isThere) setAt(options, at, structuredClone(value))
    else complain(at, GONE)
  }
  for (const at of override.kept) {
    const place = moved(spec.schema as object, { options: given, at }, { options, at }, false)
    if (place !== undefined) complain(at, `${MOVED}: ${place} is not the same in both`)
  }
  const pointers = ofFile.map((at) => `${pointerOf(at)}/`)
  const fromEnv = [...environmentValuesOf(given)].filter((one) => pointers.some((start) => `${one}/`.startsWith(start)))
  markEnvironmentValues(options, new Set(fromEnv))
  hide(options, override.hidden)
  return { entry: deepFreeze({ ...entry, options }) as PluginEntry, problems }
}

const UNUSABLE = {
  unreadable: 'have an override that cannot be read, since the secret of the deployment changed',
  damaged: 'have an override that is damaged, or that another version of the gateway stored',
}
const GONE = 'was to stay as in the config file, which no longer has it'
const MOVED =
  'was to stay as in the config file, but may belong to another receiver there than in the override, so it is used for neither'

/** @throws GatewayError GW_CONFIG if what admins set is unknown: the options of the file might open what they closed */
export function assertSound({ isDamaged }: Pick<Stored, 'isDamaged'>): void {
  if (isDamaged) throw new GatewayError('GW_CONFIG', DAMAGED)
}

const DAMAGED =
  'The options that admins set cannot be read from the store: they are damaged, or another version of the gateway stored them. To start with those of the config file, empty settings.override_options there; DELETE of the options of any plugin then removes all that is stored.'

/** The same error, with what to do if overrides may be to blame. */
export function explained(error: unknown, overrides: Overrides): unknown {
  const names = [...overrides.keys()]
  if (names.length === 0 || !isGatewayError(error)) return error
  const routes = names.map((name) => `DELETE /api/plugins/${name}/options`).join(' and ')
  const remedy = `Admins have overridden options of: ${names.join(', ')}. If those are to blame, remove the names from settings.override_options in the config file, which puts its own options in force; then send ${routes}.`
  error.message = `${error.message}\n${remedy}`
  return error
}
