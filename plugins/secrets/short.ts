/** Values in the place of a key or token that are shorter than keys are: of services with short ones, and typed by people. */
import { isJoined, isPlaceholder, isUnspoken, RANDOM, REFERENCE, shapeOf, TECHNICAL } from './values.ts'

/** A word, a sign that no name has, and more, as people type passwords: `qwe%m7tJ!`, `Zürich$o14rg9`. */
const TYPED_PASSWORD = /^(?=.*[!$%*^])\p{L}{3,12}([!#$_-]?)(?:%(?![\dA-F]{2}))?([A-Za-z\d]{4,10})[!?*#$%^]?[a-z\d]?$/u
/** With a sign at its end, too: `Tiger-zMv7X&7`, `Zürich#kD7XmK?x`. */
const SIGNED_TWICE = /^\p{L}{3,12}(?:[!#$^*_-]|%(?![\dA-F]{2}))([A-Za-z\d]{4,10})[!?*#$%^&][a-z\d]?$/u

/** Whether a person made it as a password, in the place of a key or token. */
export function isTypedPassword(value: string): boolean {
  if (isPlaceholder(value) || REFERENCE.test(value)) return false
  const middle = SIGNED_TWICE.exec(value)?.[1]
  if (middle !== undefined && /[A-Z]/.test(middle) && (/\d/.test(middle) || isUnspoken(middle))) return true
  const [, sign, rest] = TYPED_PASSWORD.exec(value) ?? []
  if (rest === undefined) return false
  const { digits, turns, upper } = shapeOf(rest)
  return digits > 1 ? turns > (sign === '!' && upper > 0 ? 0 : 1) : turns > 0 && isUnspoken(rest)
}

/** Letters of both cases and digits. */
const OF_ALL_KINDS = /^(?=(?:.*[A-Z]){2})(?=(?:.*[a-z]){2})(?=.*\d)[A-Za-z\d]{8,15}$/
/** Groups of the same length, with digits: `MIJ-NLE-CS5-QQ4`. */
const GROUPS =
  /^(?=(?:.*\d){2})(?=(?:.*[A-Z]){4})(?:[A-Z\d]{3}(?:-[A-Z\d]{3}){3,}|[A-Z\d]{4}(?:-[A-Z\d]{4}){3,}|[A-Z\d]{5}(?:-[A-Z\d]{5}){3,})$/

/** A key of fewer characters than tokens have, random all over; only where it is assigned to a key or token. */
export function isShortKey(value: string): boolean {
  if (GROUPS.test(value)) return isUnspoken(value) || value.length > 15
  if (value.length > 9 && value.length < 16 && /\d/.test(value) && isJoined(value, RANDOM)) return !isPlaceholder(value)
  if (!OF_ALL_KINDS.test(value) || TECHNICAL.test(value) || isPlaceholder(value)) return false
  return shapeOf(value).turns > (value.length < 10 ? 3 : 2) && isUnspoken(value)
}

/** Numbers longer than ids, or at least than numbers of accounts, that no one counted up. */
export const isNumericKey = (value: string, isSecret: boolean): boolean =>
  (isSecret ? /^[1-9]\d{17,39}$/ : /^[1-9]\d{21,39}$/).test(value) && !/01234|12345|54321|(\d)\1{4}|0{4}/.test(value)
