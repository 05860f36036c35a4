import type { ErrorObject, ValidateFunction } from 'ajv'
import type { JSONSchema } from 'json-schema-to-ts'
import { GatewayError } from '../contract/errors.ts'
import { validatorOf } from './compile.ts'
import { schemaMessages } from './options-messages.ts'
import { placed, placedAround, pointerSegments } from './paths.ts'
import type { Problem } from './report.ts'

export type { Problem } from './report.ts'

export interface Checked {
  readonly problems: readonly Problem[]
  /** JSON Pointers of missing values and values of the wrong type, which further rules must skip. */
  readonly broken: readonly string[]
}

const compiled = new WeakMap<object, ValidateFunction>()
const environmentValues = new WeakMap<object, ReadonlySet<string>>()

/** Marks the values of a parsed tree (JSON Pointers) that came from the environment. */
export function markEnvironmentValues(tree: object, pointers: ReadonlySet<string>): void {
  environmentValues.set(tree, pointers)
}

/** Those that `markEnvironmentValues` marked. */
export const environmentValuesOf = (tree: object): ReadonlySet<string> => environmentValues.get(tree) ?? NO_POINTERS
const NO_POINTERS: ReadonlySet<string> = new Set()

/**
 * Compiles a JSON Schema (draft-07, strict) once. Adds the formats `re2`, a regular expression that runs in linear
 * time, and `glob`, a name with `*` for any characters. Throws `GW_PLUGIN_CONTRACT` if the schema itself is invalid.
 */
export function compileSchema(schema: JSONSchema): ValidateFunction {
  const key = schema as object
  const known = compiled.get(key)
  if (known !== undefined) return known
  try {
    const validate = validatorOf('document', key)
    compiled.set(key, validate)
    return validate
  } catch (error) {
    throw new GatewayError('GW_PLUGIN_CONTRACT', `the schema is not valid: ${(error as Error).message}`, {
      cause: error,
    })
  }
}

/** Fills defaults into `data` and validates it in place. */
export function checkAgainst(schema: JSONSchema, data: unknown, base = '', fromEnv?: ReadonlySet<string>): Checked {
  const validate = compileSchema(schema)
  let valid = validate(data)
  if (!valid && fromEnv !== undefined && coerce(data, validate.errors ?? [], fromEnv)) valid = validate(data)
  if (valid) return { problems: [], broken: [] }
  const errors = validate.errors ?? []
  const problems = schemaMessages(errors).map(({ pointer, member, hidden, message }) => {
    const segments = pointerSegments(pointer, data)
    if (hidden !== undefined) return placedAround([...segments, hidden], segments, message, base)
    if (member !== undefined) segments.push(member)
    return placed(segments, message, base)
  })
  const broken = errors.filter(({ keyword }) => keyword === 'type' || keyword === 'required')
  return { problems, broken: broken.map(({ instancePath }) => instancePath) }
}

/**
 * One plugin's options with their defaults, and all of their problems. `value` is a copy, so the config stays
 * unchanged. `path` is the location of the options, such as `plugins[2].options`.
 */
export function parseOptions(
  schema: JSONSchema,
  value: unknown,
  path: string,
): { value: unknown; problems: readonly Problem[] } {
  const copy = structuredClone(value ?? {})
  const fromEnv = typeof value === 'object' && value !== null ? environmentValues.get(value) : undefined
  const { problems } = checkAgainst(schema, copy, path, fromEnv)
  return { value: copy, problems }
}

/** The environment contains only text: converts `${PORT}` to a number only if the schema requires one. */
function coerce(data: unknown, errors: readonly ErrorObject[], fromEnv: ReadonlySet<string>): boolean {
  let changed = false
  for (const { keyword, instancePath, params, data: text } of errors) {
    if (keyword !== 'type' || typeof text !== 'string' || !fromEnv.has(instancePath)) continue
    const value = convert(text.trim(), [(params as { type: string | string[] }).type].flat())
    if (value === undefined) continue
    const segments = pointerSegments(instancePath, data)
    const last = segments.pop()!
    let parent = data as Record<string, unknown>
    for (const segment of segments) parent = parent[segment] as Record<string, unknown>
    parent[last] = value
    changed = true
  }
  return changed
}

function convert(text: string, types: readonly string[]): number | boolean | undefined {
  if (types.includes('boolean') && (text === 'true' || text === 'false')) return text === 'true'
  if (types.includes('number') || types.includes('integer')) {
    if (/^[+-]?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(text)) return Number(text)
  }
  return undefined
}
