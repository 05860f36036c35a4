import { isUtf8 } from 'node:buffer'
import { GatewayError, isGatewayError } from '../contract/errors.ts'
import type { Json } from '../contract/plugin.ts'
import { DepthError, MAX_DEPTH, namesOf, readTree } from './read.ts'

export type JsonObject = { [key: string]: Json }
export type Path = readonly (string | number)[]

/** A JSON text and its parsed tree. Edits are spliced into the text; the tree is never serialised again. */
export interface JsonDocument {
  readonly text: string
  readonly tree: Json
}

export const REPEATED = 'The body repeats a member name within one object. Send each name once.'

const invalid = (what: string, cause?: unknown) => new GatewayError('GW_INVALID_JSON', what, { cause })

export const misplaced = (at: number): GatewayError => invalid(`The body is not valid JSON (at character ${at}).`)

/**
 * Parses a request body that every parser must read in the same way: UTF-8 without BOM, no duplicate members, no
 * `__proto__`, bounded depth.
 *
 * @throws GatewayError GW_INVALID_JSON
 */
export function parseStrict(bytes: Buffer): JsonDocument {
  if (bytes.length === 0) throw invalid('The body is empty. Send JSON, such as {}.')
  return parseStrictText(textOf(bytes))
}

/** @throws GatewayError GW_INVALID_JSON */
export function textOf(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw invalid('The body is not valid UTF-8. Encode the JSON text as UTF-8.')
  return bytes.toString('utf8')
}

/**
 * Like `parseStrict`, for decoded text.
 *
 * @param offset start of the text in its enclosing text
 */
export function parseStrictText(text: string, offset = 0): JsonDocument {
  const parsed = parse(text, offset)
  const { count, escaped } = namesOf(text)
  const tree = escaped ? reread(text) : parsed
  if (count !== countTreeMembers(tree, 0)) {
    throw invalid(REPEATED)
  }
  return { text, tree }
}

/** Whether an object of the text repeats a member name; the tree keeps only the last one. */
export const hasDuplicates = (text: string, tree: Json): boolean => namesOf(text).count !== countTreeMembers(tree, 0)

function parse(text: string, offset: number): Json {
  if (text.charCodeAt(0) === 0xfeff) throw invalid('The body starts with a byte order mark. Send JSON without it.')
  try {
    return JSON.parse(text) as Json
  } catch (cause) {
    // The engine's message quotes the body, so pass on only the position.
    const position = cause instanceof Error ? /position (\d+)/.exec(cause.message)?.[1] : undefined
    const at = position === undefined ? '' : ` (at character ${Number(position) + offset})`
    throw invalid(`The body is not valid JSON${at}.`)
  }
}

/** Beyond a bound of the gateway, though a parser might read it: reading it in another way only costs time. */
export const beyond = (what: string): GatewayError => invalid(what, new BoundError())

export const isBeyond = (error: unknown): boolean => isGatewayError(error) && error.cause instanceof BoundError

class BoundError extends Error {}

export const tooDeep = (): GatewayError => beyond(`The body nests deeper than ${MAX_DEPTH} levels.`)

function reread(text: string): Json {
  try {
    return readTree(text)
  } catch (cause) {
    throw cause instanceof DepthError ? tooDeep() : cause
  }
}

/** Counts the tree's members, and refuses names that no reader should see. */
function countTreeMembers(value: Json, depth: number): number {
  if (typeof value !== 'object' || value === null) return 0
  if (depth >= MAX_DEPTH) throw tooDeep()
  let members = 0
  if (Array.isArray(value)) {
    for (const item of value) members += countTreeMembers(item, depth + 1)
    return members
  }
  for (const key in value) {
    if (key === '__proto__' || key === 'constructor') refusePolluting(value, key)
    members += 1 + countTreeMembers(value[key] as Json, depth + 1)
  }
  return members
}

/** Names that reach a prototype if another reader copies the object carelessly (CWE-1321). */
function refusePolluting(object: JsonObject, key: string): void {
  const value = Object.getOwnPropertyDescriptor(object, key)?.value as Json
  if (key === 'constructor' && !(typeof value === 'object' && value !== null && Object.hasOwn(value, 'prototype')))
    return
  refusePrototype()
}

export function refusePrototype(): never {
  throw invalid('The body has a forbidden member name (`__proto__` or `constructor.prototype`).')
}

/** `messages[2].content`, for reasons and logs. */
export function pathToString(path: Path): string {
  let out = ''
  for (const step of path) {
    if (typeof step === 'number') out += `[${step}]`
    else out += out === '' ? step : `.${step}`
  }
  return out
}
