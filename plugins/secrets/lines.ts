/** A whole line `key = value` of a configuration file: every sign of its value belongs to it, also the last. */

const MAX_KEY = 96
const MAX_VALUE = 64
const KEY = /^[ \t]{0,32}(?:- |(?:export|ENV|set) )?[\p{L}\p{N}_.-]+[ \t]{0,24}[=:][ \t]{0,24}$/u
/** Signs at which no expression ends, a bracket that nothing opened, or a word with a capital and its number. */
const SIGN = /[!@#$%^&*+=~?]|^[^([{]*[\])}][A-Za-z\d]|^(?=[a-z]*[A-Z])[A-Za-z]{3,}-\d{2,4}$/
/** Escapes, repetitions, classes, groups and anchors of a regular expression; elements and calls in code. */
const EXPRESSION = /\\[A-Za-z.*+?()[\]]|\.[*+?]|\[[^\]]*\]|\([^)]*\)|[)\]}][*+?$]|\{\d*,?\d*\}|^\^.*\$$|^\/.*\/$/

/**
 * Whether an unquoted value from `start` to `end` is the rest of a line that begins with its name, has letters, digits
 * and a sign, and is no expression. Reads no more than a stream has before the value.
 */
export function isSignedLine(text: string, start: number, end: number): boolean {
  const next = text.charCodeAt(end)
  if ((end < text.length && next !== 10 && next !== 13) || end - start > MAX_VALUE) return false
  const line = text.lastIndexOf('\n', start - 1) + 1
  if (start - line > MAX_KEY) return false
  const value = text.slice(start, end)
  if (!/\d/.test(value) || !/[A-Za-z]/.test(value) || !SIGN.test(value) || EXPRESSION.test(value)) return false
  return KEY.test(text.slice(line, start))
}
