import type { JsonObject } from '../../json/strict.ts'
import type { Json } from '../../plugin.ts'

/**
 * Shapes of the members that are not inspected. A member is exempt only while it has this shape; anything else at the
 * same place is a text like every other.
 */

/** Ids, model names, fingerprints and enums: no spaces, no `@`. */
export const isInert = (value: unknown): boolean => typeof value === 'string' && INERT.test(value)
const INERT = /^[\w.:/+-]{0,256}$/

/** Base64 of media. What is short enough for a value somebody looks for is looked at. */
export const isMedia = (value: unknown): boolean => isBase64(value) && (value as string).length >= 64

export const isBase64 = (value: unknown): boolean => typeof value === 'string' && BASE64.test(value)
const BASE64 = /^[A-Za-z0-9+/_-]*={0,2}$/

/** `data:` URL with a base64 body, as images and files are sent. */
export function isBase64DataUrl(value: unknown): boolean {
  if (typeof value !== 'string' || !value.startsWith('data:')) return false
  const comma = value.indexOf(',')
  return comma > 0 && comma < 256 && DATA_HEAD.test(value.slice(0, comma)) && isBase64(value.slice(comma + 1))
}
const DATA_HEAD = /^data:[\w.+-]+\/[\w.+-]+(?:;[\w.+-]+=[\w.+-]+)*;base64$/

/** Grades and categories of a provider's filter. */
export const isWord = (value: unknown): boolean => typeof value === 'string' && /^[a-z_]{1,40}$/.test(value)

/**
 * Token probabilities in the form of the API: they spell the text once more, token by token, and are dropped whenever
 * the text is rewritten.
 */
export function isLogprobs(value: Json): boolean {
  if (value === null) return true
  if (!isRecord(value)) return false
  for (const name in value)
    if (!((name === 'content' || name === 'refusal') && isTokens(value[name] as Json))) return false
  return true
}

function isTokens(list: Json): boolean {
  if (list === null) return true
  return Array.isArray(list) && list.every((token) => isToken(token, (top) => top === null || isAlternatives(top)))
}

const isAlternatives = (list: Json): boolean => Array.isArray(list) && list.every((one) => isToken(one, () => false))

function isToken(token: Json, isTop: (top: Json) => boolean): boolean {
  if (!isRecord(token)) return false
  for (const name in token) {
    const value = token[name] as Json
    if (name === 'token') {
      if (typeof value !== 'string') return false
    } else if (name === 'logprob') {
      if (!isNumeric(value)) return false
    } else if (name === 'bytes') {
      if (!(value === null || (Array.isArray(value) && value.every(isNumeric)))) return false
    } else if (!(name === 'top_logprobs' && isTop(value))) return false
  }
  return true
}

const isRecord = (value: Json): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const isNumeric = (value: unknown): boolean =>
  value === null || typeof value === 'number' || typeof value === 'boolean'
