import { compileSchema } from '../config/validate.ts'
import { CATALOGUE } from '../contract/errors.ts'
import type { FlagSpec, PluginSpec, SettingsSpec } from '../contract/plugin.ts'
import { isObject } from '../util/is-object.ts'
import {
  type Check,
  callable,
  checkNames,
  checkShape,
  flag,
  map,
  oneOf,
  type Shape,
  text,
  texts,
} from '../util/shape.ts'
import { didYouMean } from '../util/suggest.ts'
import { declarationOf } from './declaration.ts'
import { parseFlag } from './flag-rules.ts'

const positive: Check = [(value) => Number.isFinite(value) && (value as number) > 0, 'must be a number above 0']
const notNegative: Check = [(value) => Number.isFinite(value) && (value as number) >= 0, 'must be a number, 0 or more']
const facts: Check = [
  (value) => Array.isArray(value) && value.every((fact) => isObject(fact) && typeof fact.key === 'string'),
  'must be an array of facts, made by defineFact()',
]

const OPTIONAL: Readonly<Record<string, Check>> = {
  version: text,
  description: text,
  governs: oneOf('content', 'usage'),
  countsMirrors: flag,
  requires: facts,
  provides: facts,
  onError: oneOf('block', 'allow'),
  timeoutMs: positive,
  lookbehind: notNegative,
  maxBuffered: positive,
  holdBack: notNegative,
  maxHold: positive,
  onHoldOverflow: oneOf('block', 'redact', 'release'),
  flags: map,
  events: map,
  errors: map,
  settings: map,
  writes: texts,
  check: callable,
}

const RENAMED = [
  ['holdBack', 'lookbehind'],
  ['maxHold', 'maxBuffered'],
] as const

const MEMBERS = ['name', 'schema', 'create', ...Object.keys(OPTIONAL)]

const FLAG: Shape = {
  required: {
    values: [
      (value) => value === 'integer' || (Array.isArray(value) && value.length > 0 && texts[0](value)),
      "must be an array of strings, or 'integer'",
    ],
  },
  optional: {
    integer: flag,
    default: [(value) => typeof value === 'string' || typeof value === 'number', 'must be one of its values'],
    option: text,
    aliases: map,
  },
}

const EVENT: Shape = {
  required: { severity: oneOf('info', 'detection', 'action', 'block') },
  optional: {
    schema: map,
    title: text,
    category: oneOf('access', 'data', 'detection', 'change', 'system'),
    disposition: oneOf(...'allowed blocked redacted observed logged rejected unauthorized aborted error'.split(' ')),
    data: oneOf('personal', 'governmental', 'financial', 'security'),
  },
}

const ERROR: Shape = {
  required: {
    status: [
      (value) => Number.isInteger(value) && (value as number) >= 400 && (value as number) <= 599,
      'must be a status from 400 to 599',
    ],
    remedy: text,
  },
  optional: { type: text, retryable: flag, refusal: flag, limit: flag },
}

const SETTINGS: Shape = {
  required: { path: text, schema: map },
  optional: {
    env: map,
    envImplies: map,
    secrets: texts,
    secretUrls: texts,
    targets: texts,
    check: callable,
  },
}

/** Throws an error that names the first broken rule of the contract in plugin.ts. */
export function assertPluginSpec(value: unknown): asserts value is PluginSpec {
  if (typeof value === 'function') throw new Error('the default export is a function: wrap it in definePlugin({ … })')
  if (!isObject(value))
    throw new Error('the default export is not an object: write `export default definePlugin({ … })`')
  const { name, create, schema } = value
  if (typeof name !== 'string') throw new Error('`name` is missing: the plugin needs one, such as "no-swearing"')
  if (!/^[a-z][a-z0-9-]{0,63}$/.test(name)) {
    throw new Error(`\`name\` is "${name}": use lower-case letters, digits and dashes, at most 64 characters`)
  }
  if (typeof create !== 'function') throw new Error('`create` is missing: a function that gets the options')
  if (!isObject(schema))
    throw new Error('`schema` is missing: a JSON Schema of the options, at least { type: "object" }')
  if (schema.type !== 'object') throw new Error('`schema.type` must be "object": options are a map')
  for (const [member, [holds, rule]] of Object.entries(OPTIONAL)) {
    if (value[member] !== undefined && !holds(value[member])) throw new Error(`\`${member}\` ${rule}`)
  }
  checkNames('', Object.keys(value), MEMBERS)
  for (const [old, member] of RENAMED) {
    if (value[old] === undefined || value[member] === undefined) continue
    throw new Error(`\`${old}\` is the old name of \`${member}\`: give one of them`)
  }
  compileSchema(schema)
  for (const [name, declared] of Object.entries(value.flags ?? {})) checkFlag(`flags.${name}`, declared, schema)
  for (const option of (value.writes ?? []) as string[]) assertOption('writes', option, schema)
  for (const [type, declared] of Object.entries(value.events ?? {})) checkShape(`events.${type}`, declared, EVENT)
  for (const [code, declared] of Object.entries(value.errors ?? {})) checkError(code, declared)
  if (value.settings === undefined) return
  checkShape('settings', value.settings, SETTINGS)
  declarationOf(value.settings as unknown as SettingsSpec)
}

function checkError(code: string, declared: unknown): void {
  if (!/^[a-z][a-z0-9_]{0,63}$/.test(code)) throw new Error(`\`errors.${code}\` must be named in snake_case`)
  if (CORE_CODES.has(code)) {
    throw new Error(
      `\`errors.${code}\` is a code of the gateway: choose another, or use the gateway's without declaring it`,
    )
  }
  checkShape(`errors.${code}`, declared, ERROR)
}

const CORE_CODES: ReadonlySet<string> = new Set(Object.values(CATALOGUE).map(({ code }) => code))

function checkFlag(what: string, value: unknown, schema: Record<string, unknown>): void {
  checkShape(what, value, FLAG)
  const declared = value as unknown as FlagSpec
  const { values, default: standing, option, aliases = {} } = declared
  if (standing !== undefined && parseFlag({ ...declared, aliases: {} }, String(standing)) === undefined) {
    throw new Error(`\`${what}.default\` must be one of its values${hint(standing, values)}`)
  }
  for (const [alias, meant] of Object.entries(aliases)) {
    if (values !== 'integer' && values.includes(meant)) continue
    throw new Error(`\`${what}.aliases.${alias}\` must be one of the flag's values${hint(meant, values)}`)
  }
  if (option !== undefined) assertOption(`${what}.option`, option, schema)
}

function assertOption(what: string, option: string, { properties }: Record<string, unknown>): void {
  if (!isObject(properties) || Object.hasOwn(properties, option)) return
  throw new Error(`\`${what}\` must name an option of the schema${hint(option, Object.keys(properties))}`)
}

const hint = (given: unknown, values: readonly string[] | 'integer'): string =>
  `; got "${String(given)}".${values === 'integer' ? '' : didYouMean(String(given), values)}`
