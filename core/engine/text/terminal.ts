/** Colours of a terminal, `\x1b[1;31m`, which tools print and nobody sees: they are no part of a value. */

const ESCAPE = 0x1b
/** The same as the escape character and a bracket. */
const INTRODUCER = 0x9b
const COLOUR = /\[(?:\d{1,3}(?:[;:]\d{1,3}){0,5})?[mK]|\(B/y
const COLOUR_C1 = /(?:\d{1,3}(?:[;:]\d{1,3}){0,5})?[mK]/y

/** Where the colour ends whose first character stands left of `at`; `at` when there is none. */
export function colourEnd(raw: string, at: number): number {
  const first = raw.charCodeAt(at - 1)
  if (first !== ESCAPE && first !== INTRODUCER) return at
  const colour = first === ESCAPE ? COLOUR : COLOUR_C1
  colour.lastIndex = at
  return colour.test(raw) ? colour.lastIndex : at
}
