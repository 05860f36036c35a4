/** Validates results of taps and promises of plugins: an almost valid result must not count as none. */

import { didYouMean } from '../util/suggest.ts'
import { CATALOGUE, type ErrorCode, GatewayError } from './errors.ts'
import { plainJson } from './plain-json.ts'
import type { Answer, ErrorSpec, Rejection, Verdict } from './plugin.ts'

/** Member names from a record, so that the compiler reports missing ones. */
const namesOf = <T>(known: Readonly<Record<keyof T, true>>) => Object.keys(known) as (keyof T & string)[]

const VERDICT = namesOf<Verdict>({ reason: true, policy: true, code: true, status: true, type: true, details: true })
const REJECTION = namesOf<Rejection>({ error: true, message: true, param: true, retryAfter: true })
const ANSWER = namesOf<Answer['answer']>({ contentType: true, headers: true, body: true })

const STATUSES: readonly unknown[] = [402, 403, 429]
const TYPES: readonly unknown[] = ['policy_block', 'insufficient_quota']

const TEXT = 'a text for the client, of at most 4096 characters'
const NAME = 'a string of at most 256 characters'
export const isText = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value.length <= 4096
export const isName = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value.length <= 256

export const contractError = (message: string): GatewayError => new GatewayError('GW_PLUGIN_CONTRACT', message)

export const guardrailUnavailable = (plugin: string): GatewayError =>
  new GatewayError(
    'GW_GUARDRAIL_UNAVAILABLE',
    `The guard '${plugin}' is unavailable, so the request was stopped. Try again later.`,
  )

/** `undefined`, or `null` from JSON. */
const isNothing = (value: unknown): value is undefined | null => value === undefined || value === null

/** Throws if a tap without a result type returned one. */
export function expectNothing(plugin: string, where: string, value: unknown): void {
  if (isNothing(value)) return
  throw contractError(
    `Plugin ${plugin} returned ${kindOf(value)} from ${where}, which has no result: it would do nothing. ${REMEDY[where] ?? 'Return nothing.'}`,
  )
}

const BY_CALLS = 'Report findings, or call x.reply.block(verdict); put braces around the body of an arrow function.'
const REMEDY: Readonly<Record<string, string>> = {
  detect: 'Report findings on the view; put braces around the body of an arrow function.',
  classify: 'Report findings, or return verdicts from block; put braces around the body of an arrow function.',
  onChunk: BY_CALLS,
  postResponse: 'The reply is over; put braces around the body of an arrow function.',
}

/** The result of a `hold` promise: nothing, or a verdict. */
export function readHeldVerdict(plugin: string, value: unknown): Verdict | undefined {
  return isNothing(value) ? undefined : readVerdict(plugin, 'the promise of hold()', value)
}

/** The plugin of a result, and the errors it declares. */
interface Giver {
  readonly name: string
  readonly errors?: Readonly<Record<string, ErrorSpec>> | undefined
}

/** Copies the result of a `preRequest` or `block` tap; reads each member once. */
export function readStop(
  { name: plugin, errors = {} }: Giver,
  where: string,
  value: unknown,
): Verdict | Rejection | Answer | undefined {
  if (isNothing(value)) return undefined
  const result = objectOf(plugin, where, value)
  if (has(result, 'answer')) return readAnswer(plugin, where, result)
  if (has(result, 'error') || has(result, 'message')) return readRejection(plugin, where, result, errors)
  return readVerdict(plugin, where, result)
}

export function readVerdict(plugin: string, where: string, value: unknown): Verdict {
  const { reason, policy, code, status, type, details } = read(plugin, where, 'verdict', value, VERDICT)
  const wrong = (member: string, rule: string) =>
    contractError(`Plugin ${plugin} gave ${where} a verdict whose \`${member}\` must be ${rule}.`)
  if (!isText(reason)) throw wrong('reason', TEXT)
  if (policy !== undefined && !isName(policy)) throw wrong('policy', NAME)
  if (code !== undefined && !isName(code)) throw wrong('code', NAME)
  if (status !== undefined && !STATUSES.includes(status)) throw wrong('status', STATUSES.join(' or '))
  if (type !== undefined && !TYPES.includes(type)) throw wrong('type', TYPES.join(' or '))
  if (details !== undefined && !isMap(details)) throw wrong('details', 'an object')
  return {
    policy: policy ?? plugin,
    reason,
    ...(code !== undefined && { code }),
    ...(status !== undefined && { status: status as 403 }),
    ...(type !== undefined && { type: type as 'policy_block' }),
    ...(details !== undefined && { details: plainJson(`\`details\` of a verdict of plugin ${plugin}`, details) }),
  }
}

function readRejection(plugin: string, where: string, value: object, own: object): Rejection {
  const { error, message, param, retryAfter } = read(plugin, where, 'rejection', value, REJECTION)
  const wrong = (member: string, rule: string) =>
    contractError(`Plugin ${plugin} gave ${where} a rejection whose \`${member}\` must be ${rule}.`)
  if (typeof error !== 'string' || !(Object.hasOwn(CATALOGUE, error) || Object.hasOwn(own, error))) {
    const near = typeof error === 'string' ? didYouMean(error, [...Object.keys(CATALOGUE), ...Object.keys(own)]) : ''
    throw wrong(
      'error',
      `a code of the catalogue, such as GW_RATE_LIMITED, or of \`errors\` of the plugin${near === '' ? '' : `.${near.slice(0, -1)}`}`,
    )
  }
  if (!isText(message)) throw wrong('message', TEXT)
  if (param !== undefined && !isName(param)) throw wrong('param', NAME)
  if (retryAfter !== undefined && !(typeof retryAfter === 'number' && retryAfter >= 0 && retryAfter < 1e9)) {
    throw wrong('retryAfter', 'a number of seconds')
  }
  return {
    error,
    message,
    ...(param !== undefined && { param }),
    ...(retryAfter !== undefined && { retryAfter: retryAfter as number }),
  }
}

/** The client's error for a rejection; `declared` are the errors of the chain's plugins. */
export function errorOf(rejection: Rejection, declared: ReadonlyMap<string, ErrorSpec>): GatewayError {
  const { error, message, param, retryAfter } = rejection
  const options = { ...(param !== undefined && { param }), ...(retryAfter !== undefined && { retryAfter }) }
  const own = declared.get(error)
  if (own === undefined) return new GatewayError(error as ErrorCode, message, options)
  const { status, type = status < 500 ? 'invalid_request_error' : 'server_error', retryable } = own
  return new GatewayError('GW_PLUGIN_REJECTION', message, { ...options, status, type, code: error, retryable })
}

function readAnswer(plugin: string, where: string, value: object): Answer {
  const { answer } = read(plugin, where, 'result', value, ['answer'])
  const { contentType, headers, body } = read(plugin, where, 'answer', answer, ANSWER)
  const wrong = (member: string, rule: string) =>
    contractError(`Plugin ${plugin} gave ${where} an answer whose \`${member}\` must be ${rule}.`)
  if (typeof contentType !== 'string') throw wrong('contentType', 'a media type')
  if (headers !== undefined && !isMap(headers)) throw wrong('headers', 'an object')
  const isBody = body instanceof Uint8Array || (isObject(body) && typeof body[Symbol.asyncIterator] === 'function')
  if (!isBody) throw wrong('body', 'a Uint8Array, or an async iterable of them')
  const copied =
    headers === undefined ? undefined : plainJson<Record<string, string>>('`headers` of an answer', headers)
  if (Object.values(copied ?? {}).some((header) => typeof header !== 'string'))
    throw wrong('headers', 'strings by name')
  return { answer: { contentType, body: body as Uint8Array, ...(copied !== undefined && { headers: copied }) } }
}

/** Reads each known member once. Unknown members are errors, because they would have no effect. */
function read<K extends string>(
  plugin: string,
  where: string,
  what: string,
  value: unknown,
  known: readonly K[],
): Record<K, unknown> {
  const object = objectOf(plugin, where, value) as Record<string, unknown>
  const found = {} as Record<K, unknown>
  try {
    const unknown = Object.keys(object).find((name) => !known.includes(name as K))
    if (unknown !== undefined) {
      throw contractError(
        `Plugin ${plugin} gave ${where} a ${what} with a member that is not known.${nearest(unknown, known)} It may have ${known.join(', ')}.`,
      )
    }
    for (const name of known) found[name] = object[name]
  } catch (error) {
    throw error instanceof GatewayError
      ? error
      : contractError(`Plugin ${plugin} gave ${where} a ${what} that cannot be read.`)
  }
  return found
}

/** The name may be a value that a plugin took from a text, so show it only if it resembles a known name. */
function nearest(name: string, known: readonly string[]): string {
  const near = didYouMean(name, known)
  return near === '' ? '' : ` "${name.slice(0, 64)}":${near}`
}

function objectOf(plugin: string, where: string, value: unknown): object {
  if (isObject(value)) return value
  throw contractError(
    `Plugin ${plugin} gave ${where} ${kindOf(value)}, which is no result: return a verdict or nothing.`,
  )
}

function has(value: object, name: string): boolean {
  try {
    return name in value
  } catch {
    return false
  }
}

const isObject = (value: unknown): value is Record<PropertyKey, unknown> => typeof value === 'object' && value !== null
const isMap = (value: unknown): boolean => isObject(value) && !Array.isArray(value)

/** Describes a value's type without its content. */
function kindOf(value: unknown): string {
  if (value === true || value === false) return String(value)
  if (Array.isArray(value)) return 'an array'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}

export const isRejection = (value: object): value is Rejection => 'error' in value
export const isAnswer = (value: object): value is Answer => 'answer' in value
