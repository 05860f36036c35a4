/** Detects urls that are secrets themselves, such as those of chat hooks. */
import type { Json } from '../contract/plugin.ts'

/** Words and short numbers, such as `collector`, `v2` or `gateway-events_2026`. */
const WORDS = /^_?(?:[A-Za-z]{1,15}|v?\d{1,4})(?:[-_.](?:[A-Za-z]{1,15}|v?\d{1,4}))*$/

/**
 * Whether a url has user info, a query, a fragment, or a path with anything but words. Tokens have no common form, so
 * this recognises plain words instead. A value that is not a url could be anything.
 */
export function carriesSecret(value: Json | undefined): boolean {
  if (typeof value !== 'string') return false
  if (!URL.canParse(value)) return true
  const { username, password, search, hash, pathname } = new URL(value)
  if (`${username}${password}${search}${hash}` !== '') return true
  return pathname.split('/').some((segment) => segment !== '' && !WORDS.test(segment))
}
