import { configSchema } from '../../core/engine/config/schema.ts'
import type { PluginSpec } from '../../core/engine/contract/plugin.ts'

interface Schema {
  [keyword: string]: unknown
}

/** What stands for a value until the file is loaded: editors must not mark it red. */
const REFERENCE = '\\$\\{'

/** The config schema for editors: with the options of the bundled plugins, and with references allowed everywhere. */
export function editorSchema(specs: readonly PluginSpec[]): Schema {
  const schema = structuredClone(configSchema) as unknown as { properties: { plugins: { items: Schema } } }
  const entry = schema.properties.plugins.items
  const { use } = entry.properties as { use: Schema }
  use.examples = specs.map(({ name }) => name)
  const choices = specs.map(({ name, schema: options }) => ({
    if: { properties: { use: { const: name } } },
    // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema.
    then: { properties: { options } },
  }))
  const { $schema, title, ...rest } = allowReferences(schema) as Schema
  if (choices.length > 0) {
    const items = (rest as typeof schema).properties.plugins.items
    items.allOf = choices.map((choice) => allowReferences(choice))
  }
  return { $schema, title, ...rest }
}

/** Keywords whose value is data, not a schema. */
const DATA = new Set(['if', 'enum', 'const', 'default', 'examples', 'required', 'propertyNames', 'description'])

function allowReferences(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(allowReferences)
  if (typeof node !== 'object' || node === null) return node
  const copy: Schema = {}
  for (const [keyword, value] of Object.entries(node)) {
    if (keyword === 'properties') copy[keyword] = mapValues(value as Schema, allowReferences)
    else copy[keyword] = DATA.has(keyword) ? value : allowReferences(value)
  }
  return copy.anyOf === undefined && copy.oneOf === undefined ? withReference(copy) : copy
}

const mapValues = (map: Schema, change: (value: unknown) => unknown): Schema =>
  Object.fromEntries(Object.entries(map).map(([name, value]) => [name, change(value)]))

function withReference(node: Schema): Schema {
  const types = [node.type ?? []].flat() as string[]
  if (Array.isArray(node.enum)) {
    const { enum: values, type, ...rest } = node
    return {
      ...rest,
      anyOf: [
        { ...(type === undefined ? {} : { type }), enum: values },
        { type: 'string', pattern: REFERENCE },
      ],
    }
  }
  if (types.some((type) => ['integer', 'number', 'boolean'].includes(type)) && !types.includes('string')) {
    return { ...node, type: [...types, 'string'], pattern: REFERENCE }
  }
  if (!types.includes('string')) return node
  const { minLength, maxLength, format, pattern, ...rest } = node
  const rules = { minLength, maxLength, format, pattern }
  if (Object.values(rules).every((rule) => rule === undefined)) return node
  const strict = Object.fromEntries(Object.entries(rules).filter(([, rule]) => rule !== undefined))
  return { ...rest, anyOf: [strict, { pattern: REFERENCE }] }
}
