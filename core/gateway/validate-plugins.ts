import type { Config } from '../engine/config/types.ts'
import { type Problem, parseOptions } from '../engine/config/validate.ts'
import type { PluginSpec } from '../engine/contract/plugin.ts'
import { keyFlagProblems } from '../engine/host/flag-rules.ts'
import type { LoadedPlugin } from '../engine/host/loaded-plugin.ts'
import { checked, loadPlugin } from '../engine/host/loader.ts'
import { entryProblems, type Named, optionProblems } from '../engine/host/plugin-rules.ts'
import { didYouMean } from '../engine/util/suggest.ts'
import { settingsProblems } from '../services/settings/check.ts'
import type { Env } from '../services/settings/layers.ts'
import { type Overrides, overridden } from './options/overrides.ts'

export interface Validated {
  readonly plugins: LoadedPlugin[]
  /** Plugins with valid options. */
  readonly sound: readonly LoadedPlugin[]
  readonly problems: Problem[]
  readonly warnings: Problem[]
}

type Loading = Pick<Config, 'plugins'> &
  Named &
  Partial<Pick<Config, 'egress' | 'settings'>> & { readonly partial?: boolean }

const NO_OVERRIDES: Overrides = new Map()

/**
 * Loads every enabled plugin and checks options, settings, dependencies between entries, and the flags of keys; used by
 * `start` and `check`. Creates nothing. Warnings do not prevent a start. Plugins in `specs` are not searched elsewhere.
 */
export async function validatePlugins(
  config: Loading,
  configDir: string,
  specs?: ReadonlyMap<string, PluginSpec>,
  env: Env = process.env,
  overrides: Overrides = NO_OVERRIDES,
): Promise<Validated> {
  const plugins: LoadedPlugin[] = []
  const sound: LoadedPlugin[] = []
  const warnings: Problem[] = []
  const problems: Problem[] = []
  for (const [i, inFile] of config.plugins.entries()) {
    if (!inFile.enabled) continue
    const path = `plugins[${i}]`
    try {
      const given = specs?.get(inFile.use)
      const spec =
        given === undefined ? await loadPlugin(inFile.use, configDir, `${path}.use`) : checked(inFile.use, given)
      const { entry, problems: lost } = overridden(spec, inFile, path, overrides.get(spec.name))
      problems.push(...lost)
      const { value: options, problems: wrong } = parseOptions(spec.schema, entry.options, `${path}.options`)
      problems.push(...wrong)
      const plugin = { path, entry, spec, options }
      plugins.push(plugin)
      if (wrong.length + lost.length === 0) sound.push(plugin)
    } catch (error) {
      problems.push({ path: `${path}.use`, message: (error as Error).message })
    }
  }
  // Each further check covers only plugins that passed the previous ones.
  const found = optionProblems(sound, config)
  warnings.push(...found.warnings)
  problems.push(...found.problems)
  if (plugins.length === config.plugins.filter(({ enabled }) => enabled).length && !config.partial) {
    problems.push(...entryProblems(plugins))
    problems.push(...keyFlagProblems(config.keys ?? [], plugins))
  }
  if (config.egress !== undefined || !config.partial) {
    problems.push(...(await settingsProblems(sound, config.egress?.allow ?? [], env)))
  }
  warnings.push(...unknownNames(config, plugins))
  return { plugins, sound, problems, warnings }
}

function unknownNames({ settings, partial = false }: Loading, plugins: readonly LoadedPlugin[]): Problem[] {
  const known = new Set(['*', ...plugins.map(({ spec }) => spec.name)])
  return (partial ? [] : (settings?.override_options ?? [])).flatMap((name, i) => {
    if (known.has(name)) return []
    const hint = didYouMean(name, [...known])
    return [{ path: `settings.override_options[${i}]`, message: `names no enabled plugin.${hint}` }]
  })
}
