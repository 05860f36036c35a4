/** Validators for what the API's clients expect, from the schemas in test/fixtures/schemas. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { Ajv, type ValidateFunction } from 'ajv'

const load = (name: string): object =>
  JSON.parse(readFileSync(new URL(`../fixtures/schemas/${name}`, import.meta.url), 'utf8'))

const ajv = new Ajv({ strict: true, allowUnionTypes: true, allErrors: true })

export const schemas = {
  'chat-completion': ajv.compile(load('chat-completion.schema.json')),
  'chat-completion-chunk': ajv.compile(load('chat-completion-chunk.schema.json')),
  'error-body': ajv.compile(load('error-body.schema.json')),
} satisfies Record<string, ValidateFunction>

export type SchemaName = keyof typeof schemas

/** Fails with the validator's own words when `value` is not what the schema says. */
export function assertValid(schema: SchemaName, value: unknown): void {
  const validate = schemas[schema]
  assert.ok(validate(value), `not a valid ${schema}: ${ajv.errorsText(validate.errors)}\n${JSON.stringify(value)}`)
}

export interface SchemaExample {
  schema: SchemaName
  valid: boolean
  name: string
  value: unknown
}

export const examples = load('examples.json') as unknown as readonly SchemaExample[]
