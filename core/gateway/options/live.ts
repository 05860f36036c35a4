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
import { Turns } from '../turns.ts'
import { validatePlugins } from '../validate-plugins.ts'
import {
  type Allowed,
  assertSound,
  explained,
  isOverridable,
  OverrideStore,
  type Overrides,
  type Stored,
} from './overrides.ts'
import { planOf } from './plan.ts'
import { changed, notAllowed, notInForce, reachable, unreachable } from './refusals.ts'
import { valueAt } from './schema-walk.ts'
import { revisionOf, viewOf } from './view.ts'

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
  emit(type: 'settings.updated', payload: Record<string, Json>): void
  /** Overrides could not be applied. */
  rejected(error: unknown): void
}

/** By whom, and after what they saw. */
export interface Change {
  readonly by: string
  /** `revision` of the options that the admin changed; undefined: whatever they are. */
  readonly seen: string | undefined
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
  /** The overrides that did not work, with the config that they did not work with. */
  #failed: { readonly revision: string; readonly config: Config } | undefined = undefined
  #logged = ''
  readonly #checks = new Turns()
  readonly #revisionKey: Buffer

  constructor(host: LiveOptionsHost) {
    this.#host = host
    this.#overrides = new OverrideStore(host.store, host.subkey)
    this.#revisionKey = host.subkey('revisions of options')
  }

  start(): void {
    this.#stopWatching = this.#overrides.watch(() => void this.refresh())
    this.#poll = setInterval(() => void this.refresh(), POLL_MS).unref()
    for (const { spec, entry } of this.#host.current().plugins) {
      const stored = isOverridable(this.#names, spec.name) ? this.#known?.overrides.get(spec.name) : undefined
      if (typeof stored !== 'object') continue
      const { changed_by, changed_at } = stored
      this.#host.log.info(
        { plugin: spec.name, use: entry.use, changed_by, changed_at },
        'options are those that an admin set',
      )
    }
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
    assertSound(stored)
    this.#tellUnused(stored, names)
    return allowedOf(stored, names)
  }

  #tellUnused({ overrides, revision }: Stored, names: readonly string[]): void {
    const plugins = [...overrides.keys()].filter((plugin) => !isOverridable(names, plugin))
    const current = plugins.length === 0 ? '' : `${revision} ${plugins.join()}`
    if (current !== this.#logged && current !== '')
      this.#host.log.warn(
        { plugins },
        'options that admins set are not used: settings.override_options does not name their plugins',
      )
    this.#logged = current
  }

  /** Applies what another process stored. */
  async refresh(): Promise<void> {
    if (this.#names.length === 0) return
    try {
      await this.#host.alone(async () => {
        const { config, revision } = this.#host.current()
        const stored = await this.#read()
        const isKnown = this.#failed?.revision === stored.revision && this.#failed.config === config
        if (stored.revision === revision || isKnown) return
        try {
          await this.#takeOver(stored)
        } catch (error) {
          this.#failed = { revision: stored.revision, config }
          this.#host.rejected(error)
        }
      })
    } catch {
      // The store does not answer, which is logged elsewhere. The poll tries again.
    }
  }

  async #takeOver(stored: Stored): Promise<void> {
    assertSound(stored)
    const allowed = allowedOf(stored, this.#names)
    try {
      const prepared = await this.#host.prepare({
        ...allowed,
        ...(stored.changedBy !== undefined && { changedBy: stored.changedBy }),
      })
      await prepared.commit()
    } catch (error) {
      throw explained(error, allowed.overrides)
    }
  }

  async view(name: string): Promise<Fields> {
    const plugin = this.#pluginOf(name)
    const stored = await this.#read()
    const isApplied = this.#names.length === 0 || stored.revision === this.#host.current().revision
    const origin = { file: this.#file(plugin), stored: stored.overrides.get(name), names: this.#names, isApplied }
    return { ...viewOf(plugin, origin), revision: revisionOf(plugin, this.#revisionKey) }
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
  check(name: string, sent: Fields): Promise<Verdict> {
    return this.#checks.run(async () => {
      const plugin = this.#pluginOf(name)
      const { override, problems, yaml } = planOf(plugin, this.#file(plugin), sent, 'check')
      if (problems.length > 0) return { problems, warnings: [], yaml }
      const { overrides } = await this.#allowed(this.#host.current().config)
      return { ...(await this.#judged(plugin, new Map(overrides).set(name, override))), yaml }
    })
  }

  /** Checks, stores and applies options; undefined goes back to the config file. */
  async put(name: string, sent: Fields | undefined, change: Change): Promise<Fields> {
    if (sent !== undefined && !isOverridable(this.#names, name)) throw notAllowed(this.#pluginOf(name).spec.name)
    const warnings: string[] = []
    for (let i = 0; i < TRIES; i++) {
      if (await this.#host.alone(() => this.#try(name, sent, change, warnings))) {
        const isEnabled = this.#host.current().plugins.some(({ spec }) => spec.name === name)
        if (!isEnabled) return { plugin: name, removed: true }
        return { ...(await this.view(name)), ...(warnings.length > 0 && { warnings }) }
      }
    }
    throw new GatewayError('GW_STORE_UNAVAILABLE', 'Too many changes of the options at once. Try again.')
  }

  async #try(name: string, sent: Fields | undefined, change: Change, warnings: string[]): Promise<boolean> {
    const stored = await this.#synced(sent === undefined)
    const plugin =
      sent === undefined ? this.#host.current().plugins.find(({ spec }) => spec.name === name) : this.#pluginOf(name)
    const isStored = stored.isDamaged || stored.overrides.has(name)
    if (plugin === undefined && !isStored) this.#pluginOf(name)
    const { seen } = change
    if (seen !== undefined && plugin !== undefined && seen !== revisionOf(plugin, this.#revisionKey))
      throw changed(name)
    const { override, problems } =
      plugin === undefined || sent === undefined ? NO_PLAN : planOf(plugin, this.#file(plugin), sent, change.by)
    if (problems.length > 0) throw rejected(problems, 'options')
    if (override === undefined && !isStored) return true
    const revision = crypto.randomUUID()
    const before = plugin?.entry.options ?? {}
    if (this.#names.length === 0) {
      if (!(await this.#written(stored, name, override, revision, change.by))) return false
    } else {
      const next = new Map(allowedOf(stored, this.#names).overrides)
      if (override === undefined) next.delete(name)
      else next.set(name, override)
      if (plugin !== undefined && isOverridable(this.#names, name)) {
        const judged = await this.#judged(plugin, next)
        if (judged.problems.length > 0) throw rejected(judged.problems, 'options')
        warnings.splice(0, warnings.length, ...judged.warnings)
      }
      const prepared = await this.#prepared({ overrides: next, revision })
      let isWritten = false
      try {
        isWritten = await this.#written(stored, name, override, revision, change.by)
      } finally {
        if (!isWritten) await prepared.discard()
      }
      if (!isWritten) return false
      await prepared.commit()
    }
    const after = this.#host.current().plugins.find(({ spec }) => spec.name === name)?.entry.options ?? {}
    const fields = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
      (member) => !isDeepStrictEqual(valueAt(before, [member]), valueAt(after, [member])),
    )
    this.#host.emit('settings.updated', { plugin: name, path: pathOf(name), fields, key_id: change.by })
    return true
  }

  /** What is stored, once it is in force here: a change is judged, and secrets are kept, against nothing older. */
  async #synced(isRemoval: boolean): Promise<Stored> {
    const stored = await reachable(this.#overrides.read())
    if (this.#names.length === 0 || stored.revision === this.#host.current().revision) {
      if (!isRemoval) assertSound(stored)
      return stored
    }
    try {
      await this.#takeOver(stored)
    } catch (error) {
      // What does not work can be removed.
      if (!isRemoval) throw notInForce(error)
    }
    return stored
  }

  /** After an error the store may have written all the same. */
  async #written(stored: Stored, ...change: OverrideChange): Promise<boolean> {
    const [, , revision] = change
    const isThere = async () => (await this.#overrides.read()).revision === revision
    try {
      return (await this.#overrides.write(stored, ...change)) || (await isThere())
    } catch (error) {
      if (await isThere().catch(() => false)) return true
      throw unreachable(error)
    }
  }

  async #prepared(allowed: Allowed): Promise<Prepared> {
    try {
      return await this.#host.prepare(allowed)
    } catch (error) {
      if (!isGatewayError(error) || error.code !== 'GW_CONFIG') throw error
      throw rejected([{ field: '', message: error.message }], 'options')
    }
  }

  /**
   * As the config file is judged: schema, the plugins' own checks, rules between plugins. A rehearsal may read files that
   * options name, so only admins who may set them learn what it says.
   */
  async #judged({ spec: { name } }: LoadedPlugin, overrides: Overrides): Promise<Omit<Verdict, 'yaml'>> {
    const { folder, env } = this.#host
    const { config, plugins: running } = this.#host.current()
    const specs = specsOf(running)
    const { plugins, problems, warnings } = await validatePlugins(config, folder, specs, env, overrides)
    const isRehearsed = problems.length === 0 && isOverridable(this.#names, name)
    const found = isRehearsed ? await rehearse(config, plugins, folder, true) : problems
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

type OverrideChange = OverrideStore['write'] extends (stored: Stored, ...change: infer C) => unknown ? C : never

const allowedOf = ({ overrides, revision }: Stored, names: readonly string[]): Allowed => ({
  overrides: new Map([...overrides].filter(([plugin]) => isOverridable(names, plugin))),
  revision,
})

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
