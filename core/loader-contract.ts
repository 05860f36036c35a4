import { compileSchema } from './options.ts'
import type { PluginSpec, SettingsSpec } from './plugin.ts'
import { declarationOf } from './settings/declaration.ts'

type Check = [holds: (value: unknown) => boolean, rule: string]

const oneOf = (...values: string[]): Check => [
  (value) => values.includes(value as string),
  `must be ${values.join(' or ')}`,
]
const isMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const text: Check = [(value) => typeof value === 'string', 'must be a string']
const positive: Check = [(value) => Number.isFinite(value) && (value as number) > 0, 'must be a number above 0']
const notNegative: Check = [(value) => Number.isFinite(value) && (value as number) >= 0, 'must be a number, 0 or more']
const list: Check = [Array.isArray, 'must be an array']
const map: Check = [isMap, 'must be an object']
const callable: Check = [(value) => typeof value === 'function', 'must be a function']

const OPTIONAL: Readonly<Record<string, Check>> = {
  version: text,
  description: text,
  governs: oneOf('content', 'usage'),
  requires: list,
  provides: list,
  onError: oneOf('block', 'allow'),
  timeoutMs: positive,
  holdBack: notNegative,
  maxHold: positive,
  onHoldOverflow: oneOf('block', 'redact', 'release'),
  flags: map,
  events: map,
  settings: map,
  check: callable,
}

/** Throws an error that names the first broken rule of the contract in plugin.ts. */
export function assertPluginSpec(value: unknown): asserts value is PluginSpec {
  if (typeof value === 'function') throw new Error('the default export is a function: wrap it in definePlugin({ … })')
  if (!isMap(value)) throw new Error('the default export is not an object: write `export default definePlugin({ … })`')
  const { name, create, schema } = value
  if (typeof name !== 'string') throw new Error('`name` is missing: the plugin needs one, such as "no-swearing"')
  if (!/^[a-z][a-z0-9-]{0,63}$/.test(name)) {
    throw new Error(`\`name\` is "${name}": use lower-case letters, digits and dashes, at most 64 characters`)
  }
  if (typeof create !== 'function') throw new Error('`create` is missing: a function that gets the options')
  if (!isMap(schema)) throw new Error('`schema` is missing: a JSON Schema of the options, at least { type: "object" }')
  if (schema.type !== 'object') throw new Error('`schema.type` must be "object": options are a map')
  for (const [member, [holds, rule]] of Object.entries(OPTIONAL)) {
    if (value[member] !== undefined && !holds(value[member])) throw new Error(`\`${member}\` ${rule}`)
  }
  compileSchema(schema)
  if (value.settings !== undefined) declarationOf(value.settings as SettingsSpec)
}
