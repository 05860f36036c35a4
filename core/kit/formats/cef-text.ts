/**
 * CEF version 0 texts: allowed characters in header fields and extension values, and escapes. Cuts before escaping, so
 * that no escape is split.
 */

/** Line ends, including those that only some readers know. */
const NEWLINES = /\r\n|[\n\r\u0085\u2028\u2029]/g
const CONTROLS = /[\u0000-\u001f\u007f-\u009f]/g
const LINE = '\n'

/** Characters that need work. Most values have none, so one test replaces five. */
const SPECIAL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\\=|\ud800-\udfff]|^\s|\s$/

/** A header field: one line; pipe and backslash escaped, the equals sign not. */
export function headerText(value: string, max: number): string {
  if (value.length <= max && !SPECIAL.test(value)) return value
  const clean = value.toWellFormed().replace(NEWLINES, ' ').replace(CONTROLS, ' ').trim()
  return cut(clean, max).replace(/[\\|]/g, '\\$&')
}

/** An extension value: backslash, equals sign and line ends escaped, the pipe not. */
export function valueText(value: string, max: number): string {
  if (value.length <= max && !SPECIAL.test(value)) return value
  const lines = value.toWellFormed().replace(NEWLINES, LINE)
  const clean = lines.replace(CONTROLS, (control) => (control === LINE ? LINE : ' ')).trim()
  return cut(clean, max).replace(/[\\=]/g, '\\$&').replaceAll(LINE, '\\n')
}

/** At most `max` code points, without white space at the end. */
function cut(value: string, max: number): string {
  if (value.length <= max) return value
  const points = Array.from(value)
  return points.length <= max ? value : points.slice(0, max).join('').trimEnd()
}
