import type { Json } from '../contract/plugin.ts'
import { isObject } from '../json/fields.ts'
import type { JsonObject } from '../json/strict.ts'

/** The text that a list of token probabilities spells; undefined if a token and its bytes differ. */
export const spellingOf = (tokens: Json | undefined): string | undefined => bytesOfTokens(tokens)?.toString('utf8')

/** Its bytes: a token may be part of a character. */
export function bytesOfTokens(tokens: Json | undefined): Buffer | undefined {
  const all = bytesOfEach(tokens)
  return all && Buffer.concat(all)
}

/** The bytes of each token; undefined if a token and its bytes differ. */
export function bytesOfEach(tokens: Json | undefined): Buffer[] | undefined {
  if (!Array.isArray(tokens)) return []
  const all: Buffer[] = []
  for (const token of tokens) {
    const bytes = isObject(token) ? bytesOf(token) : undefined
    if (bytes === undefined) return undefined
    all.push(bytes)
  }
  return all
}

/**
 * The bytes of a token. If it lists its bytes, its text must match them or be a placeholder for part of a character.
 */
function bytesOf({ token, bytes }: JsonObject): Buffer | undefined {
  if (typeof token !== 'string') return undefined
  if (!Array.isArray(bytes)) return Buffer.from(token)
  if (!bytes.every((byte) => Number.isInteger(byte) && (byte as number) >= 0 && (byte as number) < 256))
    return undefined
  const given = Buffer.from(bytes as number[])
  const text = given.toString('utf8')
  if (token === text || (text.includes(BROKEN) && PART.test(token))) return given
  const escaped = given.toString('hex').replace(/../g, '\\x$&')
  return token.toLowerCase().replace(/^bytes: ?/, '') === escaped ? given : undefined
}
const BROKEN = '\ufffd'
const PART = /^\ufffd+$/
