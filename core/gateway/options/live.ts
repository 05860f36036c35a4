/** The options of plugins while the gateway runs: reads, checks and stores overrides, and applies those of other processes. */
import { isDeepStrictEqual } from 'node:util'
import type { Config } from '../../engine/config/types.ts'
import { GatewayError, isGatewayError } from '../../engine/contract/errors.ts'
import type { Json, Log, PluginSpec, SettingsProblem } from '../../engine/contract/plugin.ts'
import type { Store } from '../../engine/contract/store.ts'
import { isStoreError } from '../../engine/contract/store-errors.ts'
import type { LoadedPlugin } from '../../engine/host/loaded-plugin.ts'
import type { Fields } from '../../engine/host/paths.ts'
import { CORE_PATHS } from '../../engine/util/core-paths.ts'
import { rejected } from '../../services/settings/judge.ts'
import { rehearse } from '../rehearsal.ts'
import type { Prepared } from '../running-gateway.ts'
import { validatePlugins } from '../validate-plugins.ts'
import {
  type Allowed,
  explained,
  isOverridable,
  type Override,
  OverrideStore,
  type Overrides,
  type Stored,
  settingNames,
} from './overrides.ts'
import { restored } from './restore.ts'
import { secretsIn, valueAt } from './secrets.ts'
import { viewOf, yamlOf } from './view.ts'

export interface LiveOptionsHost {
  readonly store: Store
  readonly subkey: (purpose: string) => Buffer
  readonly log: Log
  readonly folder: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** As the config file says, and as they are in force. */
  current(): { readonly config: Config; readonly plugins: readonly LoadedPlugin[]; readonly revision: string }
  /** Lets no reload and no other change of options in between. */
  alone<T>(work: () => Promise<T>): Promise<T>
  prepare(allowed: Allowed): Promise<Prepared>
  tell(type: 'settings.updated', payload: Record<string, Json>): void
  /** Overrides could not be applied. */
  rejected(error: unknown): void
}

export interface Verdict {
  readonly problems: readonly SettingsProblem[]
  readonly warnings: readonly string[]
  readonly yaml: string
}

const NONE: Overrides = new Map()
const POLL_MS = 30_000
const TRIES = 20

export class PluginOptions {
  readonly #host: LiveOptionsHost
  readonly #overrides: OverrideStore
  #stopWatching = (): void => {}
  #poll: NodeJS.Timeout | undefined = undefined
  /** As last read. */
  #known: Stored | undefined = undefined
  #failed = ''
  #told = ''

  constructor(host: LiveOptionsHost) {
    this.#host = host
    this.#overrides = new OverrideStore(host.store, host.subkey)
  }

  start(): void {
    this.#stopWatching = this.#overrides.watch(() => void this.refresh())
    this.#poll = setInterval(() => void this.refresh(), POLL_MS).unref()
    void this.refresh()
  }

  close(): void {
    this.#stopWatching()
    clearInterval(this.#poll)
  }

  /** Builds with the overrides that a config allows. An error says what to do, if they may be to blame. */
  async using<T>(config: Config, build: (allowed: Allowed) => Promise<T>): Promise<T> {
    const allowed = await this.#allowed(config)
    try {
      return await build(allowed)
    } catch (error) {
      throw explained(error, allowed.overrides)
    }
  }

  /**
   * During an outage the last known ones, which are in force; without any, this throws: the options of the file might open
   * what an admin closed.
   */
  async #allowed({ settings: { override_options: names } }: Config): Promise<Allowed> {
    if (names.length === 0) {
      this.#read().then(
        (stored) => this.#tellUnused(stored, []),
        () => {},
      )
      return { overrides: NONE, revision: '' }
    }
    const stored = await this.#read()
    this.#tellUnused(stored, names)
    const overrides = new Map([...stored.overrides].filter(([plugin]) => isOverridable(names, plugin)))
    return { overrides, revision: stored.revision }
  }

  #tellUnused({ overrides, revision }: Stored, names: readonly string[]): void {
    const plugins = [...overrides.keys()].filter((plugin) => !isOverridable(names, plugin))
    const told = plugins.length === 0 ? '' : `${revision} ${plugins.join()}`
    if (told !== this.#told && told !== '')
      this.#host.log.warn(
        { plugins },
        'options that admins set are not used: settings.override_options does not name their plugins',
      )
    this.#told = told
  }

  /** Applies what another process stored. */
  async refresh(): Promise<void> {
    try {
      await this.#host.alone(async () => {
        const { config, revision } = this.#host.current()
        const allowed = await this.#allowed(config)
        if (allowed.revision === revision) return
        try {
          const prepared = await this.#host.prepare(allowed)
          await prepared.commit()
        } catch (error) {
          if (this.#failed !== allowed.revision) this.#host.rejected(explained(error, allowed.overrides))
          this.#failed = allowed.revision
        }
      })
    } catch {
      // The store does not answer, which is logged elsewhere. The poll tries again.
    }
  }

  async view(name: string): Promise<Fields> {
    const plugin = this.#pluginOf(name)
    const stored = await this.#read()
    const isApplied = this.#names.length === 0 || stored.revision === this.#host.current().revision
    const origin = { file: this.#file(plugin), stored: stored.overrides.get(name), names: this.#names, isApplied }
    return viewOf(plugin, origin)
  }

  list(): Json {
    return this.#host.current().plugins.map((plugin) => {
      const { spec, entry } = plugin
      const isOverridden = entry !== this.#file(plugin)
      return {
        ...{ name: spec.name, use: entry.use, source: isOverridden ? 'override' : 'file' },
        overridable: isOverridable(this.#names, spec.name),
        ...(spec.settings && { settings: spec.settings.path }),
      }
    })
  }

  /** What is wrong with options, and how they are written in the config file. Changes nothing. */
  async check(name: string, sent: Fields): Promise<Verdict> {
    const plugin = this.#pluginOf(name)
    const { override, problems, yaml } = this.#planned(plugin, sent, 'check')
    if (problems.length > 0) return { problems, warnings: [], yaml }
    const { overrides } = await this.#allowed(this.#host.current().config)
    return { ...(await this.#judged(plugin, new Map(overrides).set(name, override))), yaml }
  }

  /** Checks, stores and applies options; undefined goes back to the config file. */
  async put(name: string, sent: Fields | undefined, keyId: string): Promise<Fields> {
    if (sent !== undefined && !isOverridable(this.#names, name)) throw notAllowed(this.#pluginOf(name).spec.name)
    const warnings: string[] = []
    for (let i = 0; i < TRIES; i++) {
      if (await this.#host.alone(() => this.#try(name, sent, keyId, warnings))) {
        const isEnabled = this.#host.current().plugins.some(({ spec }) => spec.name === name)
        if (!isEnabled) return { plugin: name, removed: true }
        return { ...(await this.view(name)), ...(warnings.length > 0 && { warnings }) }
      }
    }
    throw new GatewayError('GW_STORE_UNAVAILABLE', 'The options are being changed by many at once. Try again.')
  }

  async #try(name: string, sent: Fields | undefined, keyId: string, warnings: string[]): Promise<boolean> {
    const stored = await reachable(this.#overrides.read())
    const plugin =
      sent === undefined ? this.#host.current().plugins.find(({ spec }) => spec.name === name) : this.#pluginOf(name)
    if (plugin === undefined && !stored.overrides.has(name)) this.#pluginOf(name)
    const { override, problems } =
      plugin === undefined || sent === undefined ? NO_PLAN : this.#planned(plugin, sent, keyId)
    if (problems.length > 0) throw rejected(problems, 'options')
    if (override === undefined && !stored.overrides.has(name)) return true
    const next = new Map([...stored.overrides].filter(([one]) => isOverridable(this.#names, one)))
    if (override === undefined) next.delete(name)
    else next.set(name, override)
    if (plugin !== undefined && isOverridable(this.#names, name)) {
      const judged = await this.#judged(plugin, next)
      if (judged.problems.length > 0) throw rejected(judged.problems, 'options')
      warnings.splice(0, warnings.length, ...judged.warnings)
    }
    const before = plugin?.entry.options ?? {}
    const revision = this.#names.length === 0 ? '' : crypto.randomUUID()
    const prepared = await this.#prepared({ overrides: next, revision })
    let isWritten = false
    try {
      isWritten = await reachable(this.#overrides.write(stored, name, override, revision))
    } finally {
      if (!isWritten) await prepared.discard()
    }
    if (!isWritten) return false
    await prepared.commit()
    const after = this.#host.current().plugins.find(({ spec }) => spec.name === name)?.entry.options ?? {}
    const fields = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
      (member) => !isDeepStrictEqual(valueAt(before, [member]), valueAt(after, [member])),
    )
    this.#host.tell('settings.updated', { plugin: name, path: pathOf(name), fields, key_id: keyId })
    return true
  }

  async #prepared(allowed: Allowed): Promise<Prepared> {
    try {
      return await this.#host.prepare(allowed)
    } catch (error) {
      if (!isGatewayError(error) || error.code !== 'GW_CONFIG') throw error
      throw rejected([{ field: '', message: error.message }], 'options')
    }
  }

  /** Masks become secrets again; members that are settings stay those of the file. */
  #planned(
    plugin: LoadedPlugin,
    sent: Fields,
    by: string,
  ): { override: Override; problems: readonly SettingsProblem[]; yaml: string } {
    const { spec, entry, options: parsed } = plugin
    const file = this.#file(plugin)
    const { options, kept, problems } = restored(sent, entry.options, secretsIn(spec.schema as object, entry.options))
    const settings = settingNames(spec).filter((name) => options[name] !== undefined)
    const wrong = settings.map((field) => {
      return { field, message: `is a setting of its own: PUT it at ${spec.settings?.path}` }
    })
    const byFile = kept.filter(({ at, from }) => {
      const isPlain = isDeepStrictEqual(at, from) && at.every((step) => typeof step === 'string')
      return isPlain && isDeepStrictEqual(valueAt(file.options, at), valueAt(entry.options, at))
    })
    // A copy, since what the environment says may have become a number.
    for (const { at, from } of kept) {
      const parent = valueAt(options, at.slice(0, -1)) as Fields
      const value = valueAt(parsed, from) ?? valueAt(entry.options, from)
      if (value !== undefined) parent[at.at(-1) as string] = value
    }
    const yaml = yamlOf(
      entry.use,
      options,
      kept.map(({ at }) => at),
      secretsIn(spec.schema as object, options),
    )
    for (const { at } of byFile) delete (valueAt(options, at.slice(0, -1)) as Fields)[at.at(-1) as string]
    const about = { changed_at: new Date().toISOString(), changed_by: by }
    return {
      override: { options, kept: byFile.map(({ at }) => at), ...about },
      problems: [...wrong, ...problems],
      yaml,
    }
  }

  /** As the config file is judged: schema, the plugins' own checks, rules between plugins, a rehearsal. */
  async #judged({ spec: { name } }: LoadedPlugin, overrides: Overrides): Promise<Omit<Verdict, 'yaml'>> {
    const { folder, env } = this.#host
    const { config, plugins: running } = this.#host.current()
    const specs = specsOf(running)
    const { plugins, problems, warnings } = await validatePlugins(config, folder, specs, env, overrides)
    const found = problems.length > 0 ? problems : await rehearse(config, plugins, folder, true)
    const base = `${plugins.find(({ spec }) => spec.name === name)?.path ?? ''}.options`
    const own = warnings.filter(({ path }) => path.startsWith(base))
    return {
      problems: found.map(({ path, message }) => ({ ...fieldOf(path, base), message })).map(withPlace),
      warnings: own.map(({ path, message }) => `${fieldOf(path, base).field}: ${message}`),
    }
  }

  get #names(): readonly string[] {
    return this.#host.current().config.settings.override_options
  }

  #pluginOf(name: string): LoadedPlugin {
    const { plugins } = this.#host.current()
    const plugin = plugins.find(({ spec }) => spec.name === name)
    if (plugin !== undefined) return plugin
    const known = plugins.map(({ spec }) => spec.name).join(', ')
    throw new GatewayError('GW_UNKNOWN_URL', `No enabled plugin has this name. Enabled are: ${known || 'none'}.`)
  }

  #file({ path }: LoadedPlugin): LoadedPlugin['entry'] {
    const [, index] = /^plugins\[(\d+)\]$/.exec(path) ?? []
    return this.#host.current().config.plugins[Number(index)] as LoadedPlugin['entry']
  }

  async #read(): Promise<Stored> {
    try {
      this.#known = await this.#overrides.read()
    } catch (error) {
      if (this.#known === undefined || !isStoreError(error, 'unavailable')) throw unreachable(error)
    }
    return this.#known
  }
}

const NO_PLAN = { override: undefined, problems: [] as readonly SettingsProblem[] }

const pathOf = (name: string): string => `${CORE_PATHS.plugins}/${name}/options`

/** The plugins that run, so that a change of options loads no other version of their code. */
export const specsOf = (plugins: readonly LoadedPlugin[]): ReadonlyMap<string, PluginSpec> =>
  new Map(plugins.map(({ entry, spec }) => [entry.use, spec]))

function fieldOf(path: string, base: string): { field: string; other: string } {
  if (path === base) return { field: '', other: '' }
  if (!path.startsWith(base)) return { field: '', other: path }
  return { field: path.slice(base.length).replace(/^\./, ''), other: '' }
}

const withPlace = ({ field, other, message }: { field: string; other: string; message: string }): SettingsProblem => ({
  field,
  message: other === '' ? message : `${other}: ${message}`,
})

const notAllowed = (name: string): GatewayError =>
  new GatewayError(
    'GW_OVERRIDE_NOT_ALLOWED',
    `Only the config file sets the options of ${name}. To let admins override them, add the name to settings.override_options there.`,
  )

async function reachable<T>(call: Promise<T>): Promise<T> {
  try {
    return await call
  } catch (error) {
    throw unreachable(error)
  }
}

const unreachable = (cause: unknown): GatewayError => {
  const why = isStoreError(cause) ? cause.message : 'the store did not answer.'
  return new GatewayError('GW_STORE_UNAVAILABLE', `Options that admins set cannot be read or stored now: ${why}`, {
    cause,
  })
}
