import type { ErrorObject } from 'ajv'
import { RE2JS, RE2JSSyntaxException } from 're2js'
import { globProblem } from '../util/glob.ts'
import { isWord } from '../util/outside.ts'
import { didYouMean } from '../util/suggest.ts'

/** A readable message; `member` is the key inside `pointer` that it concerns. */
export interface SchemaMessage {
  pointer: string
  member?: string
  /** The same, where its name may be a secret. */
  hidden?: string
  message: string
}

const quote = (value: unknown): string => JSON.stringify(value) ?? String(value)
const list = (values: readonly unknown[]): string =>
  values.map((value) => (typeof value === 'string' ? value : quote(value))).join(', ')

function kindOf(value: unknown): string {
  if (value === null) return 'nothing'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object') return 'a map'
  return typeof value === 'boolean' ? quote(value) : `a ${typeof value}`
}

/** Like `kindOf`, and a short number itself: a longer one may be that of a card or a phone. */
const shortNumberOf = (value: unknown): string =>
  typeof value === 'number' && String(value).length <= 8 ? String(value) : kindOf(value)

/** What was written in the place of a choice. Never repeated: somebody may have pasted a secret. */
function gotInstead(data: unknown, allowed: readonly unknown[]): string {
  if (typeof data !== 'string') return `got ${shortNumberOf(data)}`
  const size = data.length === 1 ? '1 character' : `${data.length} characters`
  return `got a string of ${size}.${didYouMean(data, allowed.filter(isText))}`.replace(/\.$/, '')
}
const isText = (value: unknown): value is string => typeof value === 'string'

const TYPE_NAMES: Readonly<Record<string, string>> = {
  object: 'a map',
  array: 'a list',
  string: 'a string',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  null: 'null',
}

/**
 * Converts ajv's errors to messages. They say what is allowed, and show no value but short numbers, true and false: a secret may
 * are at the wrong place, even as the name of an option.
 */
export function schemaMessages(errors: readonly ErrorObject[]): SchemaMessage[] {
  const messages: SchemaMessage[] = []
  const seen = new Set<string>()
  for (const error of withoutBranches(errors)) {
    const message = describe(error)
    if (message === undefined) continue
    const key = `${message.pointer}\0${message.member}\0${message.message}`
    if (!seen.has(key)) messages.push(message)
    seen.add(key)
  }
  return messages
}

/** Of a failed anyOf or oneOf, keeps the branch that matched furthest, which the author most likely meant. */
function withoutBranches(errors: readonly ErrorObject[]): ErrorObject[] {
  let kept = [...errors]
  for (const choice of errors) {
    if (choice.keyword !== 'anyOf' && choice.keyword !== 'oneOf') continue
    const prefix = `${choice.schemaPath}/`
    const branches = Map.groupBy(
      kept.filter((error) => error.schemaPath.startsWith(prefix) && error.instancePath.startsWith(choice.instancePath)),
      (error) => error.schemaPath.slice(prefix.length).split('/')[0],
    )
    const wrongKind = (list: readonly ErrorObject[]) =>
      list.some(({ keyword, instancePath }) => keyword === 'type' && instancePath === choice.instancePath)
    const candidates = [...branches.values()].filter((list) => !wrongKind(list))
    const best = candidates.toSorted((a, b) => a.length - b.length)[0]
    const only = best?.length === 1 ? best[0] : undefined
    const drop = new Set([...branches.values()].flat())
    if (best === undefined) {
      // No branch matches even by type: list the allowed types.
      const types = [...drop].filter(({ keyword }) => keyword === 'type').flatMap(({ params }) => params.type as string)
      kept = kept.filter((error) => !drop.has(error) && error !== choice)
      kept.push({ ...choice, keyword: types.length > 0 ? 'type' : choice.keyword, params: { type: types } })
    } else if (best.length === 1 && candidates.every((list) => list.length === 1 && isMissing(list[0], choice))) {
      const names = candidates.map(([error]) => error?.params.missingProperty as string)
      kept = kept.filter((error) => !drop.has(error) && error !== choice)
      kept.push({ ...choice, keyword: 'required', params: { missingProperty: names } })
    } else if (only?.instancePath === choice.instancePath && isChoice(only)) {
      // A word or a value of another type, such as `auto` or a number.
      const types = [...drop].filter(({ keyword }) => keyword === 'type').map(({ params }) => params.type as string)
      kept = kept.filter((error) => !drop.has(error) && error !== choice)
      kept.push({ ...only, params: { ...only.params, types } })
    } else {
      for (const error of best) drop.delete(error)
      drop.add(choice)
      kept = kept.filter((error) => !drop.has(error))
    }
  }
  return kept
}

const isChoice = ({ keyword }: ErrorObject): boolean => keyword === 'const' || keyword === 'enum'

const isMissing = (error: ErrorObject | undefined, { instancePath }: ErrorObject): boolean =>
  error?.keyword === 'required' && error.instancePath === instancePath

/** Why a pattern does not compile, or undefined. */
export function re2Problem(pattern: string): string | undefined {
  try {
    RE2JS.compile(pattern)
    return undefined
  } catch (error) {
    // Its message repeats the pattern.
    if (!(error instanceof RE2JSSyntaxException)) return 'it cannot be compiled'
    if (/\(\?<?[=!]/.test(pattern)) return 'RE2 has no look-ahead and no look-behind, which take more than linear time'
    return error.getDescription()
  }
}

function describe(error: ErrorObject): SchemaMessage | undefined {
  const pointer = error.instancePath
  const params = error.params as Record<string, unknown>
  if (error.propertyName !== undefined) {
    const why = error.message ?? 'is not allowed'
    return ofMember(pointer, error.propertyName, `is not a valid name: it ${why}`, `has an invalid name: it ${why}`)
  }
  switch (error.keyword) {
    case 'propertyNames':
    case 'if':
      return undefined // The inner error is more specific.
    case 'additionalProperties': {
      const member = String(params.additionalProperty)
      const known = Object.keys((error.parentSchema as { properties?: object } | undefined)?.properties ?? {})
      const longer = known.filter((name) => name.startsWith(`${member}_`) || name.endsWith(`_${member}`))
      const other = OTHER_NAMES[member]
      if (other !== undefined && known.includes(other)) longer.splice(0, longer.length, other)
      const near = longer.length === 1 ? ` Did you mean "${longer[0]}"?` : didYouMean(member, known)
      // Options of a plugin, beside its name.
      const inner = known.includes('use') && known.includes('options') ? ' Does it belong below "options"?' : ''
      const hint = near || inner || (known.length > 0 ? ` Known: ${known.join(', ')}.` : '')
      return ofMember(pointer, member, `is not a known key.${hint}`, `has an unknown key.${hint}`)
    }
    case 'required':
      return { pointer, message: `needs ${[params.missingProperty].flat().map(quote).join(' or ')}` }
    case 'dependentRequired':
    case 'dependencies':
      return { pointer, message: `needs ${quote(params.missingProperty)} beside ${quote(params.property)}` }
    default:
      return { pointer, message: describeValue(error, params) }
  }
}

/** Keys. */
const VISIBLE = '^[\\x21-\\x7e]+$'

/** Plugins have either of them for the same thing. */
const OTHER_NAMES: Readonly<Record<string, string>> = { id: 'name', name: 'id' }

/** How to write the given value as the expected type, if that can be derived. */
function spelling(type: unknown, data: unknown, schema: unknown): string {
  const isScalar = isText(data) || typeof data === 'number'
  if (type === 'array' && isScalar) return ': write [ … ]'
  if (type === 'string') return typeof data === 'number' || typeof data === 'boolean' ? ': put it in quotes' : ''
  if (type === 'array' && isMap(data)) {
    return isMapOfDashes(data) ? ': write a blank behind the -' : ': write [{ … }]'
  }
  if (!isText(data)) return ''
  if (type === 'object' && /^[A-Za-z_][\w-]*:(?!\/\/)\S/.test(data)) return ': write a blank behind the :'
  if (type === 'object')
    return spellingOfMap(schema as { required?: readonly string[]; properties?: object } | undefined)
  const form = type === 'integer' ? /^\d+ ?([A-Za-z]{1,7})?$/ : /^\d+(?:\.\d+)? ?([A-Za-z]{1,7})?$/
  const [number, unit] = form.exec(data) ?? []
  if (number === undefined || (type !== 'number' && type !== 'integer')) return ''
  return unit === undefined ? ': write it without quotes' : ': write the number alone, without a unit'
}

/** With the only member that it needs, or the first of those that it may have. */
function spellingOfMap({
  required = [],
  properties = {},
}: {
  required?: readonly string[]
  properties?: object
} = {}): string {
  const names = required.length > 0 ? required : Object.keys(properties).slice(0, 1)
  if (names.length === 0) return ''
  const more = required.length === 0 && Object.keys(properties).length > 1 ? ', …' : ''
  return `: write { ${names.map((name) => `${name}: …`).join(', ')}${more} }`
}

const isMap = (data: unknown): data is object => typeof data === 'object' && data !== null && !Array.isArray(data)

/** `-use: policy`, which YAML reads as a key that begins with a dash. */
const isMapOfDashes = (data: object): boolean => Object.keys(data).some((name) => /^-\w/.test(name))

/** A message at the member, or at what it is in if its name may be a secret. */
function ofMember(pointer: string, member: string, own: string, around: string): SchemaMessage {
  return isWord(member) ? { pointer, member, message: own } : { pointer, hidden: member, message: around }
}

function describeValue({ keyword, data, message, parentSchema }: ErrorObject, params: Record<string, unknown>): string {
  const got = typeof data === 'number' ? `; got ${shortNumberOf(data)}` : ''
  switch (keyword) {
    case 'type': {
      const types = [params.type].flat().map((type) => TYPE_NAMES[String(type)] ?? String(type))
      const got = params.type === 'integer' ? shortNumberOf(data) : kindOf(data)
      return `must be ${[...new Set(types)].join(' or ')}; got ${got}${spelling(params.type, data, parentSchema)}`
    }
    case 'enum':
    case 'const': {
      const values = (params.allowedValues ?? [params.allowedValue]) as readonly unknown[]
      const types = ((params.types ?? []) as readonly string[]).map((type) => `${TYPE_NAMES[type] ?? type} or `)
      const one = values.length > 1 ? 'one of ' : ''
      return `must be ${types.join('')}${one}${list(values)}; ${gotInstead(data, values)}`
    }
    case 'minimum':
    case 'exclusiveMinimum':
    case 'maximum':
    case 'exclusiveMaximum':
    case 'multipleOf':
      return `${message}${got}`
    case 'minLength':
      return params.limit === 1 ? 'must not be empty' : `must have at least ${params.limit} characters`
    case 'maxLength':
      return `must have at most ${params.limit} characters`
    case 'minItems':
    case 'minProperties':
      return params.limit === 1 ? 'must not be empty' : `must have at least ${params.limit} entries`
    case 'maxItems':
    case 'maxProperties':
      return `must have at most ${params.limit} entries`
    case 'uniqueItems':
      return `entries ${params.i} and ${params.j} are equal`
    case 'pattern': {
      if (params.pattern === '^https?://') return 'must begin with http:// or https://'
      if (params.pattern === VISIBLE)
        return 'must be visible ASCII characters without blanks, and without "Bearer" before it'
      const text = (parentSchema as { description?: string } | undefined)?.description
      const form = `must match ${params.pattern}`
      return `has the wrong form: ${text === undefined ? form : `${text} (${form})`}`
    }
    case 'format':
      if (params.format === 're2') return `is not a valid RE2 pattern: ${re2Problem(String(data))}`
      if (params.format === 'glob') return globProblem(String(data)) ?? 'must be a glob'
      return `must be a valid ${params.format}`
    case 'false schema':
      return 'does not go with the other options here'
    case 'anyOf':
    case 'oneOf':
      return 'fits none of the allowed forms, or more than one'
    default:
      return message ?? 'is not valid'
  }
}
