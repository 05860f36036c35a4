/** Where each field's value comes from: what was PUT > environment > config > default. */
import { checkAgainst, type Problem } from '../../engine/config/validate.ts'
import type { Json } from '../../engine/contract/plugin.ts'
import type { Declaration } from '../../engine/host/declaration.ts'
import type { Fields } from '../../engine/host/paths.ts'

export type Source = 'put' | 'env' | 'config' | 'default'

/** What holds when nothing was PUT. */
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
 * @param given options as the entry has them, without defaults
 * @param path where they stand in the config, for messages
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
  // What a variable says itself counts more than what another one implies.
  return values
}

/** A list is separated by commas, or JSON; numbers and booleans are read by the schema check. */
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

/** Puts the layers together. A `null` that was PUT hides what is below. */
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
