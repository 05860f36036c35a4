import { GatewayError, isGatewayError } from '../contract/errors.ts'
import type { Json } from '../contract/plugin.ts'
import { isObject } from '../json/fields.ts'
import { parseStrictInSteps } from '../json/in-steps.ts'
import { readTree } from '../json/read.ts'
import { isBeyond, type JsonDocument, parseStrictText } from '../json/strict.ts'
import type { Steps } from '../util/steps.ts'

/**
 * Parses a reply. If parsers may disagree about its text, re-serialises our reading, so that the inspected reply is the
 * one sent.
 */
export function parseReply(text: string): JsonDocument {
  try {
    return parseStrictText(text)
  } catch {
    try {
      const plain = withoutMark(text)
      JSON.parse(plain)
      const tree = withoutPrototypes(readTree(plain))
      return { tree, text: JSON.stringify(tree) }
    } catch {
      throw unreadable(text.trim() === '' ? 'that is empty' : 'that is not JSON')
    }
  }
}

function withoutPrototypes(value: Json): Json {
  if (typeof value !== 'object' || value === null) return value
  if (!Array.isArray(value)) {
    Reflect.deleteProperty(value, '__proto__')
    const inner = Object.hasOwn(value, 'constructor') ? (value as { constructor: Json }).constructor : null
    if (isObject(inner)) Reflect.deleteProperty(inner, 'prototype')
  }
  for (const inner of Object.values(value)) withoutPrototypes(inner)
  return value
}

/** Longest text that is read at once if strict parsing refuses it. */
export const MOST_AT_ONCE = 512 * 1024

/** Like `parseReply`, for a large reply. Text that strict parsing refuses is parsed at once, if it is not too long. */
export function* parseReplyInSteps(text: string): Steps<JsonDocument> {
  const plain = withoutMark(text)
  try {
    return yield* parseStrictInSteps(plain)
  } catch (cause) {
    if (isGatewayError(cause) && cause.code === 'GW_TOO_MANY_VALUES')
      throw unreadable('with more members than one object may have')
    if (isBeyond(cause)) throw unreadable('that nests too deep, or has too long a number')
    if (plain.length > MOST_AT_ONCE) throw unreadable('that is not JSON, or is large and repeats a member')
    return parseReply(plain)
  }
}

const withoutMark = (text: string): string => (text.charCodeAt(0) === 0xfeff ? text.slice(1) : text)

const unreadable = (how: string): GatewayError =>
  new GatewayError('GW_UPSTREAM_INVALID', `The provider answered with a body ${how}.`)
