/** A whole line `key = value` of a configuration file: every sign of its value belongs to it, also the last. */

const MAX_KEY = 96
const MAX_VALUE = 64
const KEY = /^[ \t]{0,32}(?:- |(?:export|ENV|set) )?[\p{L}\p{N}_.-]+[ \t]{0,24}([=:])[ \t]{0,24}$/u
/** A bracket that nothing closes: no call and no element. */
const UNCLOSED = /^[\w$]+[([][^()[\]{},]*[A-Za-z\d]$/
/** Signs at which no expression ends, a quote, a bracket that nothing opened, or a word with a capital and its number. */
const SIGN = /[!@#$%^&*+=~?"'`<>]|^[^([{]*[\])}][A-Za-z\d]|^(?=[a-z]*[A-Z])[A-Za-z]{3,}-\d{2,4}$/
/** Escapes, repetitions, classes, groups and anchors of a regular expression; elements and calls in code. */
const EXPRESSION = /\\[A-Za-z.*+?()[\]]|\.[*+?]|\[[^\]]*\]|\([^)]*\)|[)\]}][*+?$]|\{\d*(?:,\d*)?\}|^\^.*\$$|^\/.*\/$/

/** The name and the sign of assignment before a value at `start`, if its line begins with them. */
function keyBefore(text: string, start: number): string | undefined {
  const from = Math.max(0, start - MAX_KEY)
  const before = text.slice(from, start)
  const line = before.lastIndexOf('\n') + 1
  return line === 0 && from > 0 ? undefined : KEY.exec(before.slice(line))?.[1]
}

const endsLine = (text: string, end: number): boolean =>
  end === text.length || text.charCodeAt(end) === 10 || text.charCodeAt(end) === 13

export const isExpression = (value: string): boolean => EXPRESSION.test(value)

export const isUnclosed = (value: string): boolean => UNCLOSED.test(value)

/**
 * Whether an unquoted value from `start` to `end` is the rest of a line that begins with its name, has letters, digits
 * and a sign, and is no expression. Reads no more than a stream has before the value.
 */
export function isSignedLine(text: string, start: number, end: number): boolean {
  if (!endsLine(text, end) || end - start > MAX_VALUE) return false
  const value = text.slice(start, end)
  if (!/\d/.test(value) || !/[A-Za-z]/.test(value) || isExpression(value)) return false
  return (SIGN.test(value) || UNCLOSED.test(value)) && keyBefore(text, start) !== undefined
}

/** One quote, or one angle bracket that is no arrow, between letters and digits. */
const LONE_QUOTE = /^[^"'`<>]*[^"'`<>=(-]["'`][A-Za-z\d][^"'`<>]*$/
const LONE_ANGLE = /^[^"'`<>]*[^"'`<>=-][<>][A-Za-z\d][^"'`<>]*$/

/**
 * Where the value continues after a quote or an angle bracket at `end` that belongs to it, up to the end of the line; the
 * end of the text if more of it decides.
 */
export function pastSign(text: string, start: number, end: number, firm: boolean, final: boolean): number {
  if (end === start || end === text.length || !/["'`<>]/.test(text[end]!)) return end
  if (keyBefore(text, start) === undefined) return end
  const limit = Math.min(text.length, start + MAX_VALUE)
  let to = end
  while (to < limit && text.charCodeAt(to) > 32) to++
  if (to === text.length && !final) return to
  const value = text.slice(start, to)
  return endsLine(text, to) && (LONE_QUOTE.test(value) || (firm && LONE_ANGLE.test(value))) ? to : end
}

/** The end of a value with the signs that a sentence may have after it: in a line of a file they belong to it. */
export const withLastSigns = (text: string, start: number, end: number, to: number): number =>
  endsLine(text, to) && /^[.:?|*_]+$/.test(text.slice(end, to)) && keyBefore(text, start) === '=' ? to : end
