/**
 * Makes untrusted text safe for messages: clients choose model names, reasons and session ids, others keys and
 * types.
 */

/** Invisible; breaks links, mentions and macros that chat clients detect in plain text. */
const ZERO_WIDTH = '\u200b'

/** Blank letters count as text, but a receiver may trim them and reject an empty message. */
const BLANK_LETTERS = /[\u115f\u1160\u2800\u3164\uffa0]/g

/**
 * One line of well-formed text without control, direction or zero-width characters. Text without visible characters
 * becomes a dash, because Slack rejects empty text.
 */
export function clean(text: string): string {
  // Longer than any limit of a message; do not process megabytes.
  const line = text
    .slice(0, 10_000)
    .toWellFormed()
    .replace(BLANK_LETTERS, ' ')
    .replace(/[\p{Cc}\p{Z}]+/gu, ' ')
    .replace(/[\p{Cf}\p{Co}\p{Cn}]/gu, '')
    .trim()
  return /[\p{L}\p{N}\p{P}\p{S}]/u.test(line) ? line : '-'
}

/** Like `clean`, but also without links, mentions and macros that clients detect in plain text. */
export function inert(text: string): string {
  return clean(text)
    .replace(/@/g, `@${ZERO_WIDTH}`)
    .replace(/:(?=\/\/)/g, `:${ZERO_WIDTH}`)
    .replace(/\bwww(?=\.)/gi, (www) => www + ZERO_WIDTH)
    .replace(/\{(?=\{)/g, `{${ZERO_WIDTH}`)
}

/**
 * Escapes one character at a time, and ends with an ellipsis at `max` UTF-16 units. Never cuts an escape or a
 * surrogate pair.
 */
export function fit(
  text: string,
  max: number,
  encode: (character: string) => string = (character) => character,
): string {
  let out = ''
  /** Where to cut if the text does not fit; leaves one unit for the ellipsis. */
  let fallback = ''
  for (const character of text) {
    out += encode(character)
    if (out.length < max) fallback = out
    if (out.length > max) return `${fallback}…`
  }
  return out
}
