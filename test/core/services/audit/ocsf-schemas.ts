/** The strict schemas of OCSF 1.8.0 that judge what is sent. */
import { readFileSync } from 'node:fs'
import { Ajv, type ValidateFunction } from 'ajv'

export const loadFixture = (name: string): object =>
  JSON.parse(readFileSync(new URL(`../../../fixtures/ocsf/${name}`, import.meta.url), 'utf8')) as object

const ajv = new Ajv({ strict: true, allErrors: true })

/** By class. */
export const validators: Readonly<Record<number, ValidateFunction>> = {
  6003: ajv.compile(loadFixture('api-activity-6003.schema.json')),
  2004: ajv.compile(loadFixture('detection-finding-2004.schema.json')),
  2006: ajv.compile(loadFixture('data-security-finding-2006.schema.json')),
}

export function ocsfProblems(event: { readonly class_uid: number }): string[] {
  const validate = validators[event.class_uid]
  if (validate === undefined) return [`no class ${event.class_uid}`]
  if (validate(event as unknown)) return []
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
}
