import { Ajv } from 'ajv'

// Shared: it keeps no state, and compiling draft-07's own schema takes longer than compiling a plugin's.
const draft07 = new Ajv()

/** Options for `new Ajv()` after `assertSchema`: skips the meta-schema. */
export const SCHEMA_IS_CHECKED = { meta: false, validateSchema: false } as const

/** Throws Ajv's `Error` unless `schema` is a JSON Schema, draft-07. */
export function assertSchema(schema: object): void {
  draft07.validateSchema(schema, true)
}
