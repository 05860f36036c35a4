import type { Problem } from '../../engine/config/validate.ts'
import { EgressGuard } from '../../engine/egress/guard.ts'
import { eventTypesOf } from '../../engine/events/catalogue/selection.ts'
import { declarationOf } from '../../engine/host/declaration.ts'
import type { LoadedPlugin } from '../../engine/host/loaded-plugin.ts'
import { fieldOf, judge, type Look } from './judge.ts'
import { type Env, layered, readLower } from './layers.ts'

/**
 * The entry's options, converted to the schema's types but without defaults, which would hide the defaults of settings.
 */
export function givenOptions({
  entry,
  options,
}: Pick<LoadedPlugin, 'entry' | 'options'>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(options as object).filter(([name]) => Object.hasOwn(entry.options, name)))
}

/** Settings problems in environment and config. Missing values are allowed: they may have been PUT. */
export async function settingsProblems(
  plugins: readonly LoadedPlugin[],
  allow: readonly string[],
  env: Env,
): Promise<Problem[]> {
  const look = {
    egress: new EgressGuard({ allow }),
    resolve: false,
    eventTypes: eventTypesOf(plugins.map(({ spec }) => spec)),
  }
  const all = await Promise.all(plugins.map((plugin) => problemsOf(plugin, look, env)))
  return all.flat()
}

async function problemsOf(plugin: LoadedPlugin, look: Look, env: Env): Promise<Problem[]> {
  if (plugin.spec.settings === undefined) return []
  const declaration = declarationOf(plugin.spec.settings)
  const path = `${plugin.path}.options`
  const { lower, problems } = readLower(declaration, givenOptions(plugin), env, path)
  if (problems.length > 0) return problems
  const { values, sources } = layered(declaration, {}, lower)
  const found = await judge(declaration, values, look)
  return found.flatMap((problem) => {
    const source = sources[fieldOf(problem)]
    if (source === 'config') return [{ path: `${path}.${problem.field}`, message: problem.message }]
    if (source !== 'env') return []
    return [{ path: declaration.spec.env?.[fieldOf(problem)] ?? problem.field, message: problem.message }]
  })
}
