import { Ajv } from 'ajv'

// One for the process: it keeps nothing of what it checks, and compiling draft-07's own schema takes longer than
// compiling that of a plugin.
const draft07 = new Ajv()

/** For `new Ajv()`, beside `assertSchema`: do not compile the meta-schema again. */
export const SCHEMA_IS_CHECKED = { meta: false, validateSchema: false } as const

/** Throws Ajv's `Error` unless `schema` is a JSON Schema, draft-07. */
export function assertSchema(schema: object): void {
  draft07.validateSchema(schema, true)
}
