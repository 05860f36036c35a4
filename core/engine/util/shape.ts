/** Checks of what a plugin declares: a member that is misspelt would do nothing, so it is an error. */
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

/** Throws an error that names the first member of `value` that is missing, mistyped or not known. */
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

/** Throws an error that names the first of `names` that is not known. */
export function checkNames(what: string, names: readonly string[], known: readonly string[]): void {
  const unknown = names.find((name) => !known.includes(name))
  if (unknown === undefined) return
  const hint = didYouMean(unknown, known) || ` Known: ${known.join(', ')}.`
  throw new Error(`\`${join(what, unknown)}\` is no member that the gateway knows.${hint}`)
}

const join = (what: string, member: string): string => (what === '' ? member : `${what}.${member}`)

/** What stands there instead, and the value that was meant where there are a few. */
function shown(given: unknown, rule: string): string {
  if (given === undefined) return '; it is missing'
  const listed = / or /.test(rule) ? rule.replace('must be ', '').split(' or ') : []
  return typeof given === 'string' && listed.length > 0 ? `; got "${given}".${didYouMean(given, listed)}` : ''
}
