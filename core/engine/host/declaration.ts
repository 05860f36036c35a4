import type { JSONSchema } from 'json-schema-to-ts'
import { compileSchema } from '../config/validate.ts'
import type { Json, SettingsSpec } from '../contract/plugin.ts'
import { isObject } from '../util/is-object.ts'
import { type Fields, parseSettingPath, type SettingPath } from './paths.ts'
import { carriesSecret } from './secret-url.ts'

/** Read-only members of the answer; a PUT may send them back. */
export const READ_ONLY: ReadonlySet<string> = new Set(['sources', 'problems', 'warnings'])

/** A plugin's declaration, parsed once. */
export interface Declaration {
  readonly spec: SettingsSpec
  /** Field names, in schema order. */
  readonly fields: readonly string[]
  readonly defaults: Fields
  readonly secrets: readonly SettingPath[]
  /** Fields that are secret while their url contains a secret. */
  readonly secretUrls: readonly SettingPath[]
  readonly targets: readonly SettingPath[]
  /** The secrets in these values. */
  secretsIn(values: Fields): readonly SettingPath[]
  /** Schema of an object with at most this field. */
  schemaOf(field: string): JSONSchema
  typesOf(field: string): readonly string[]
}

const known = new WeakMap<SettingsSpec, Declaration>()

/** Parses and validates a declaration; throws an error that names the first broken rule. */
export function declarationOf(spec: SettingsSpec): Declaration {
  const before = known.get(spec)
  if (before !== undefined) return before
  if (!/^\/api\/[a-z0-9/_-]+$/.test(spec.path)) throw new Error('`settings.path` must start with /api/')
  const root = spec.schema as { type?: string; properties?: Record<string, JSONSchema>; additionalProperties?: unknown }
  if (
    !isObject<Json>(root) ||
    root.type !== 'object' ||
    !isObject<Json>(root.properties) ||
    root.additionalProperties !== false
  ) {
    throw new Error('`settings.schema` must be an object with properties and additionalProperties: false')
  }
  compileSchema(spec.schema)
  const properties = root.properties as Record<string, JSONSchema>
  const fields = Object.keys(properties)
  const secrets = (spec.secrets ?? []).map(parseSettingPath)
  const secretUrls = (spec.secretUrls ?? []).map(parseSettingPath)
  const targets = (spec.targets ?? []).map(parseSettingPath)
  checkNames(spec, fields, [...secrets, ...secretUrls], targets)
  const single = new Map(
    fields.map((field) => [field, singleField(root as Fields, field, properties[field] as JSONSchema)]),
  )
  const declaration: Declaration = {
    spec,
    fields,
    defaults: Object.fromEntries(fields.flatMap((field) => defaultOf(field, properties[field] as JSONSchema))),
    secrets,
    secretUrls,
    targets,
    secretsIn: (values) => [...secrets, ...secretUrls.filter(({ field }) => carriesSecret(values[field]))],
    schemaOf: (field) => single.get(field) as JSONSchema,
    typesOf: (field) => [(properties[field] as { type?: string | string[] }).type ?? []].flat(),
  }
  known.set(spec, declaration)
  return declaration
}

function checkNames(
  { env, envImplies }: SettingsSpec,
  fields: readonly string[],
  secrets: readonly SettingPath[],
  targets: readonly SettingPath[],
): void {
  const taken = fields.find(
    (field) => READ_ONLY.has(field) || (field.endsWith('_set') && fields.includes(field.slice(0, -4))),
  )
  if (taken !== undefined)
    throw new Error(`\`settings.schema\` may not have a field '${taken}': the answer uses that name`)
  const implied = Object.values(envImplies ?? {}).flatMap((values) => Object.keys(values))
  const used = [...secrets, ...targets].map(({ field }) => field).concat(Object.keys(env ?? {}), implied)
  const unknown = used.find((field) => !fields.includes(field))
  if (unknown !== undefined) throw new Error(`\`settings\` names '${unknown}', which is not a field of its schema`)
  const variables = Object.values(env ?? {})
  const variable = Object.keys(envImplies ?? {}).find((name) => !variables.includes(name))
  if (variable !== undefined)
    throw new Error(`\`settings.envImplies\` names ${variable}, which is not in \`settings.env\``)
}

function singleField(root: Fields, field: string, schema: JSONSchema): JSONSchema {
  const { definitions, $defs } = root
  return {
    type: 'object',
    additionalProperties: false,
    properties: { [field]: schema },
    ...(definitions !== undefined && { definitions }),
    ...($defs !== undefined && { $defs }),
  } as JSONSchema
}

function defaultOf(field: string, schema: JSONSchema): [string, Json][] {
  const value = (schema as { default?: Json }).default
  return value === undefined ? [] : [[field, value]]
}
