import { mayBeValue } from '../util/outside.ts'

/**
 * Ids that need no inspection: what stands behind their prefix is what providers draw at random, or too short for a
 * value. Values with a structure of their own, such as accounts, wallets and national numbers, have capitals without
 * small letters, long rows of digits or other lengths. Ids like these are texts.
 */

/** A UUID with a version, a variant and three letters. The first sixteen digits are no card. */
const UUID =
  '(?=(?:[^a-f]*[a-f]){3})(?![2-6]\\d{7}-\\d{4}-\\d{4}-)[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}'
/** Eight digits, decimal or hexadecimal: numbers as short are known by the words beside them alone. */
const COUNTED = '[0-9a-f]{8}'
/** Accounts begin with two letters and two digits. */
const HEX = '(?![a-f]{2}\\d{2})(?=(?:\\d*[a-f]){3})(?!.*\\d{12})[0-9a-f]{24,64}'
/** Wallets begin with 1 or 3 and have 25 characters or more. */
const MIXED = '(?=\\D*\\d)(?=.*[a-z])(?!.*\\d{6})(?![13].{24}|LTAI)[A-Za-z0-9]{20,31}'
const SHORT = '(?=\\D*\\d)(?=.{1,7}$)[A-Za-z0-9]+(?:[-_][A-Za-z0-9]+)*'
const RANDOM = `(?:(?:tool|bdrk|vrtx|\\d\\d)[-_])?(?:${MIXED}|${HEX}|${SHORT})`

/** In these, six digits by themselves are no number. */
const FIXED = `(?:${UUID}|${COUNTED})`

/**
 * Whether a text is an id behind one of these prefixes that needs no inspection.
 *
 * @param prefixes separated by `|`
 */
export function idsOf(prefixes: string): (value: string) => boolean {
  const id = new RegExp(`^(?:${prefixes})[-_](?:${FIXED}|${RANDOM})$`)
  const fixed = new RegExp(`^[a-z]+(?:-tool)?[-_]${FIXED}$`)
  return (value) => id.test(value) && (fixed.test(value) || !mayBeValue(value))
}

const BARE = /^(?:(?=[^a-f]*[a-f])[0-9a-f]{32}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/
const BARE_UUID = new RegExp(`^${UUID}$`)
/** An id without a prefix: 32 hexadecimal digits or a UUID. */
export const isBareId = (value: string): boolean => BARE_UUID.test(value) || (BARE.test(value) && !mayBeValue(value))
