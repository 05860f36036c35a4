/**
 * Shapes of the members that are not inspected. A member is exempt only while it has this shape; anything else at the
 * same place is a text like every other.
 */

/** Ids, model names, fingerprints and enums: no spaces, no `@`. */
export const isInert = (value: unknown): boolean => typeof value === 'string' && INERT.test(value)
const INERT = /^[\w.:/+-]{0,256}$/

export const isBase64 = (value: unknown): boolean => typeof value === 'string' && BASE64.test(value)
const BASE64 = /^[A-Za-z0-9+/_-]*={0,2}$/

/** `data:` URL with a base64 body, as images and files are sent. */
export function isBase64DataUrl(value: unknown): boolean {
  if (typeof value !== 'string' || !value.startsWith('data:')) return false
  const comma = value.indexOf(',')
  return comma > 0 && comma < 256 && DATA_HEAD.test(value.slice(0, comma)) && isBase64(value.slice(comma + 1))
}
const DATA_HEAD = /^data:[\w.+-]+\/[\w.+-]+(?:;[\w.+-]+=[\w.+-]+)*;base64$/

export const isNumeric = (value: unknown): boolean =>
  value === null || typeof value === 'number' || typeof value === 'boolean'
