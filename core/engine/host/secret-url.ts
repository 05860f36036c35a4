/** Which urls are secrets by themselves, as those of chat hooks are. */
import type { Json } from '../contract/plugin.ts'

/** Words and short numbers, such as `collector`, `v2` or `gateway-events_2026`. */
const WORDS = /^_?(?:[A-Za-z]{1,15}|v?\d{1,4})(?:[-_.](?:[A-Za-z]{1,15}|v?\d{1,4}))*$/

/**
 * True for a url with user info, a query or a fragment, or with a path in which anything but words stands: tokens have
 * no form of their own, so that the plain ones are told apart instead. What is no url could be anything.
 */
export function carriesSecret(value: Json | undefined): boolean {
  if (typeof value !== 'string') return false
  if (!URL.canParse(value)) return true
  const { username, password, search, hash, pathname } = new URL(value)
  if (`${username}${password}${search}${hash}` !== '') return true
  return pathname.split('/').some((segment) => segment !== '' && !WORDS.test(segment))
}
