import { Ajv } from 'ajv'

/** Knows the schemas that it compiled, which takes longer than most tests. */
const ajv = new Ajv({ strict: true, allowUnionTypes: true, useDefaults: true, allErrors: true })
ajv.addFormat('re2', true)

/** Checks options as the host does and fills in the defaults. */
export function validateOptions(schema: object, options: object): object {
  const validate = ajv.compile(schema)
  const filled = structuredClone(options)
  if (!validate(filled)) throw new Error(ajv.errorsText(validate.errors))
  return filled
}
