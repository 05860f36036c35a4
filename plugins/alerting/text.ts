/** Foreign text in messages: model names, reasons and session ids are chosen by clients, keys and types by others. */

/** Break what chat clients turn into links, mentions and macros by themselves: nothing is seen, nothing is triggered. */
const ZERO_WIDTH = '\u200b'

/** Blank letters: they count as text, and a receiver that trims them refuses an empty message. */
const BLANK_LETTERS = /[\u115f\u1160\u2800\u3164\uffa0]/g

/**
 * One line of well-formed text: no control, direction or zero-width characters, no line breaks. What has nothing to see
 * becomes a dash, because Slack refuses messages with an empty text.
 */
export function clean(text: string): string {
  // Longer than any limit of a message; a hostile megabyte is not worth looking at.
  const line = text
    .slice(0, 10_000)
    .toWellFormed()
    .replace(BLANK_LETTERS, ' ')
    .replace(/[\p{Cc}\p{Z}]+/gu, ' ')
    .replace(/[\p{Cf}\p{Co}\p{Cn}]/gu, '')
    .trim()
  return /[\p{L}\p{N}\p{P}\p{S}]/u.test(line) ? line : '-'
}

/** `clean`, and neither a link, a mention nor a macro in any client that looks for them in plain text. */
export function inert(text: string): string {
  return clean(text)
    .replace(/@/g, `@${ZERO_WIDTH}`)
    .replace(/:(?=\/\/)/g, `:${ZERO_WIDTH}`)
    .replace(/\bwww(?=\.)/gi, (www) => www + ZERO_WIDTH)
    .replace(/\{(?=\{)/g, `{${ZERO_WIDTH}`)
}

/**
 * Escapes character by character and stops at `max` UTF-16 units of the outcome, with an ellipsis: nothing is ever cut
 * within an escape or a pair of surrogates.
 */
export function fit(
  text: string,
  max: number,
  encode: (character: string) => string = (character) => character,
): string {
  let out = ''
  /** Where to cut, should it not fit: one unit is left for the ellipsis. */
  let fallback = ''
  for (const character of text) {
    out += encode(character)
    if (out.length < max) fallback = out
    if (out.length > max) return `${fallback}…`
  }
  return out
}
