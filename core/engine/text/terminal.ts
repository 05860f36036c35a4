/** Invisible terminal colours, such as `\x1b[1;31m` in the output of tools; they are not part of a value. */

const ESCAPE = 0x1b
/** Equals the escape character and a bracket. */
const INTRODUCER = 0x9b
const COLOUR = /\[(?:\d{1,3}(?:[;:]\d{1,3}){0,5})?[mK]|\(B/y
const COLOUR_C1 = /(?:\d{1,3}(?:[;:]\d{1,3}){0,5})?[mK]/y

/** Any other control sequence, such as `\x1b[2J` or `\x1b[?25l`. */
const SEQUENCE = /\[[?>=!]?[\d;:]{0,22}[ !"$'*]?[A-Za-z@`~]/y

/** The end of the control sequence whose first character stands left of `at`; `at` if none. */
export function sequenceEnd(raw: string, at: number): number {
  if (raw.charCodeAt(at - 1) !== ESCAPE) return at
  SEQUENCE.lastIndex = at
  return SEQUENCE.test(raw) ? SEQUENCE.lastIndex : at
}

/** The end of the colour sequence whose first character stands left of `at`; `at` if none. */
export function colourEnd(raw: string, at: number): number {
  const first = raw.charCodeAt(at - 1)
  if (first !== ESCAPE && first !== INTRODUCER) return at
  const colour = first === ESCAPE ? COLOUR : COLOUR_C1
  colour.lastIndex = at
  return colour.test(raw) ? colour.lastIndex : at
}
