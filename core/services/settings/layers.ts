/** Sources of each field's value: PUT > environment > config > default. */
import { checkAgainst, type Problem } from '../../engine/config/validate.ts'
import type { Json } from '../../engine/contract/plugin.ts'
import type { Declaration } from '../../engine/host/declaration.ts'
import type { Fields } from '../../engine/host/paths.ts'

type Source = 'put' | 'env' | 'config' | 'default'

/** The layers below PUT values. */
export interface Lower {
  readonly env: Fields
  readonly config: Fields
  readonly defaults: Fields
}

export interface Effective {
  readonly values: Fields
  readonly sources: Readonly<Record<string, Source>>
}

export type Env = Readonly<Record<string, string | undefined>>

/**
 * Reads the environment and the options of the entry.
 *
 * @param given the entry's options, without defaults
 * @param path their location in the config, for messages
 */
export function readLower(
  declaration: Declaration,
  given: Readonly<Record<string, unknown>>,
  env: Env,
  path: string,
): { lower: Lower; problems: Problem[] } {
  const problems: Problem[] = []
  const fromEnv = readEnv(declaration, env, problems)
  const config: Fields = {}
  for (const field of declaration.fields) {
    if (given[field] === undefined) continue
    const one = { [field]: structuredClone(given[field]) } as Fields
    problems.push(...checkAgainst(declaration.schemaOf(field), one, path).problems)
    config[field] = one[field] as Json
  }
  return { lower: { env: fromEnv, config, defaults: declaration.defaults }, problems }
}

function readEnv(declaration: Declaration, env: Env, problems: Problem[]): Fields {
  const { spec } = declaration
  const values: Fields = {}
  for (const [field, variable] of Object.entries(spec.env ?? {})) {
    const text = env[variable]
    if (text === undefined || text === '') continue
    const one: Fields = { [field]: fromText(text, declaration.typesOf(field)) }
    const { problems: wrong } = checkAgainst(declaration.schemaOf(field), one, '', new Set([`/${field}`]))
    problems.push(...wrong.map(({ message }) => ({ path: variable, message })))
    values[field] = one[field] as Json
    const implied = Object.entries(spec.envImplies?.[variable] ?? {})
    for (const [name, value] of implied) values[name] ??= value
  }
  // A variable's own field overrides what another variable implies.
  return values
}

/** Parses a list, comma-separated or JSON; the schema check converts numbers and booleans. */
function fromText(text: string, types: readonly string[]): Json {
  if (!types.includes('array') && !types.includes('object')) return text
  if (/^\s*[[{]/.test(text)) {
    try {
      return JSON.parse(text) as Json
    } catch {
      return text
    }
  }
  const parts = text.split(',').map((part) => part.trim())
  return types.includes('array') ? parts.filter((part) => part !== '') : text
}

/** Merges the layers. A PUT `null` hides the layers below. */
export function layered({ fields }: Declaration, put: Fields, { env, config, defaults }: Lower): Effective {
  const values: Fields = {}
  const sources: Record<string, Source> = {}
  const layers = [
    ['put', put],
    ['env', env],
    ['config', config],
    ['default', defaults],
  ] as const
  for (const field of fields) {
    const [source, layer] = layers.find(([, one]) => one[field] !== undefined) ?? (['default', {}] as const)
    sources[field] = source
    const value = (layer as Fields)[field]
    if (value !== undefined && value !== null) values[field] = structuredClone(value)
  }
  return { values, sources }
}
