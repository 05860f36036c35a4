/** Validates a plugin's declarations: a misspelt member is an error, because it would have no effect. */
import { isObject } from './is-object.ts'
import { didYouMean } from './suggest.ts'

export type Check = readonly [holds: (value: unknown) => boolean, rule: string]

export const oneOf = (...values: string[]): Check => [
  (value) => values.includes(value as string),
  `must be ${values.join(' or ')}`,
]
export const text: Check = [(value) => typeof value === 'string', 'must be a string']
export const flag: Check = [(value) => typeof value === 'boolean', 'must be true or false']
export const map: Check = [isObject, 'must be an object']
export const callable: Check = [(value) => typeof value === 'function', 'must be a function']
export const texts: Check = [
  (value) => Array.isArray(value) && value.every((one) => typeof one === 'string'),
  'must be an array of strings',
]

export interface Shape {
  readonly required?: Readonly<Record<string, Check>>
  readonly optional?: Readonly<Record<string, Check>>
}

/** Throws an error that names the first missing, mistyped or unknown member of `value`. */
export function checkShape(what: string, value: unknown, shape: Shape): asserts value is Record<string, unknown> {
  if (!isObject(value)) throw new Error(`\`${what}\` must be an object`)
  const { required = {}, optional = {} } = shape
  const known = { ...required, ...optional }
  checkNames(what, Object.keys(value), Object.keys(known))
  for (const [member, [holds, rule]] of Object.entries(known)) {
    const given = value[member]
    if (given === undefined && !Object.hasOwn(required, member)) continue
    if (!holds(given)) throw new Error(`\`${join(what, member)}\` ${rule}${shown(given, rule)}`)
  }
}

/** Throws an error that names the first unknown name. */
export function checkNames(what: string, names: readonly string[], known: readonly string[]): void {
  const unknown = names.find((name) => !known.includes(name))
  if (unknown === undefined) return
  const hint = didYouMean(unknown, known) || ` Known: ${known.join(', ')}.`
  throw new Error(`\`${join(what, unknown)}\` is no member that the gateway knows.${hint}`)
}

const join = (what: string, member: string): string => (what === '' ? member : `${what}.${member}`)

/** The actual value, and the nearest allowed one, if any. */
function shown(given: unknown, rule: string): string {
  if (given === undefined) return '; it is missing'
  const listed = / or /.test(rule) ? rule.replace('must be ', '').split(' or ') : []
  return typeof given === 'string' && listed.length > 0 ? `; got "${given}".${didYouMean(given, listed)}` : ''
}
