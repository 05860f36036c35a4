import type { Config } from './config/types.ts'
import { keyFlagProblems } from './flags.ts'
import type { LoadedPlugin } from './loaded-plugin.ts'
import { checked, loadPlugin } from './loader.ts'
import { type Problem, parseOptions } from './options.ts'
import type { PluginSpec } from './plugin.ts'
import { entryProblems, type Named, optionProblems } from './plugin-rules.ts'
import { settingsProblems } from './settings/check.ts'
import type { Env } from './settings/layers.ts'

/**
 * Loads every enabled plugin and checks its options, its settings, what the entries need of each other, and the flags
 * that keys set: what `start` and `check` both need.
 * Nothing is created. Warnings hinder nothing. What `specs` names is not looked for elsewhere.
 */
export async function validatePlugins(
  config: Pick<Config, 'plugins'> & Named & Partial<Pick<Config, 'egress'>>,
  configDir: string,
  specs?: ReadonlyMap<string, PluginSpec>,
  env: Env = process.env,
): Promise<{ plugins: LoadedPlugin[]; problems: Problem[]; warnings: Problem[] }> {
  const plugins: LoadedPlugin[] = []
  const warnings: Problem[] = []
  const problems: Problem[] = []
  for (const [i, entry] of config.plugins.entries()) {
    if (!entry.enabled) continue
    const path = `plugins[${i}]`
    try {
      const given = specs?.get(entry.use)
      const spec = given === undefined ? await loadPlugin(entry.use, configDir) : checked(entry.use, given)
      const { value: options, problems: wrong } = parseOptions(spec.schema, entry.options, `${path}.options`)
      problems.push(...wrong)
      plugins.push({ path, entry, spec, options })
    } catch (error) {
      problems.push({ path: `${path}.use`, message: (error as Error).message })
    }
  }
  if (problems.length === 0) {
    const found = optionProblems(plugins, config)
    warnings.push(...found.warnings)
    problems.push(...entryProblems(plugins), ...found.problems)
    problems.push(...keyFlagProblems(config.keys ?? [], plugins))
    problems.push(...(await settingsProblems(plugins, config.egress?.allow ?? [], env)))
  }
  return { plugins, problems, warnings }
}
