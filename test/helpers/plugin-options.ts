import { Ajv } from 'ajv'

/** Checks options as the host does and fills in the defaults. */
export function validateOptions(schema: object, options: object): object {
  const ajv = new Ajv({ strict: true, allowUnionTypes: true, useDefaults: true, allErrors: true })
  ajv.addFormat('re2', true)
  const validate = ajv.compile(schema)
  const filled = structuredClone(options)
  if (!validate(filled)) throw new Error(ajv.errorsText(validate.errors))
  return filled
}
