/**
 * Addresses whose name is in quotes and may have blanks: `"karl zimmer"@example.org` (Quoted-string of RFC 5321, 4.1.2), in JSON with
 * a backslash before each quote. Words within it begin nothing, so it is looked for backwards from the at sign.
 */
import { IS_WORD } from './symbols.ts'

/** Characters between the quotes: mail allows a name of 64 with them (RFC 5321, 4.5.3.1.1). A stream holds a quotation for so long. */
const LONGEST = 62
/** Blanks in a name: mail allows more, but a stream would hold prose for so long. */
const MOST_BLANKS = 4
/** Nor does a name have these, which mail allows, too: paths, markup and code have. */
const CODE = new Set([...'/<>{}='].map((char) => char.charCodeAt(0)))

const QUOTE = 0x22
const BACKSLASH = 0x5c
const SPACE = 0x20
/** After these, a quote ends a quotation. */
const BEHIND = new Set([...'.?!)]}%_*'].map((char) => char.charCodeAt(0)))

/** Of emphasis: they open a span where they end no word. */
const MARKS = new Set([...'_*'].map((char) => char.charCodeAt(0)))
const MOST_MARKS = 3

/** Where the next quoted name from `from` on begins; the length of the text if there is none. */
export function nextQuoted(text: string, units: Uint16Array, from: number): number {
  for (let at = text.indexOf('@', from); at >= 0; at = text.indexOf('@', at + 1)) {
    const start = units[at - 1] === QUOTE ? opened(units, at - 1, from) : -1
    if (start >= 0) return start
  }
  return text.length
}

/**
 * Where a quoted name begins that may continue after `end`, not before `least`; `end` if there is none. It depends on the characters of
 * the longest name and as many before it, and what does not open one never will. So a stream can hold what may become a name.
 */
export function startOfQuoted(units: Uint16Array, end: number, least: number): number {
  if (end === least) return end
  const starts = [opening(units, end, least, false), opening(units, end, least, true)]
  const last = units[end - 1]
  if (last === QUOTE) starts.push(opened(units, end - 1, least))
  // It may be that of a quote.
  if (last === BACKSLASH) starts.push(end - 1, opening(units, end - 1, least, true))
  return Math.min(end, ...starts.filter((start) => start >= 0))
}

/** Beginning of the name that the quote at `quote` ends; -1 if there is none. */
function opened(units: Uint16Array, quote: number, least: number): number {
  const slashes = slashesBefore(units, quote)
  if (slashes % 2 === 0) return opening(units, quote, least, false)
  return slashes === 1 ? opening(units, quote - 1, least, true) : -1
}

/**
 * Beginning of the quotation that goes up to `end`; -1 if there is none. If no quote like the one that ends it opens it, the nearest
 * other one does: where the text is read with its escapes decoded, they are the same.
 */
function opening(units: Uint16Array, end: number, least: number, isEscaped: boolean): number {
  const first = Math.max(least, end - LONGEST - 1)
  let blanks = 0
  let other = -1
  for (let i = end - 1; i >= first; i--) {
    const c = units[i]!
    if (c === SPACE) blanks++
    if (c < SPACE || blanks > MOST_BLANKS || CODE.has(c)) break
    if (c !== QUOTE) continue
    const slashes = slashesBefore(units, i)
    const start = slashes === 1 ? i - 1 : i
    const opens = slashes < 2 && start >= least && mayOpen(units, start, i + 1, end)
    if (isEscaped === (slashes === 1)) {
      if (opens) return start
      if (isEscaped || slashes === 0) break
    } else if (opens && other < 0) other = start
    // A quote without a backslash ends what is before it.
    if (slashes % 2 === 0) break
  }
  return other
}

function mayOpen(units: Uint16Array, start: number, content: number, end: number): boolean {
  let marks = 0
  while (marks < MOST_MARKS && MARKS.has(units[start - marks - 1]!)) marks++
  const before = start === marks ? SPACE : units[start - marks - 1]!
  return IS_WORD[before] === 0 && !BEHIND.has(before) && (content === end || units[content] !== SPACE)
}

/** Backslashes directly before `i`, up to one more than a name can have. */
function slashesBefore(units: Uint16Array, i: number): number {
  let start = i
  while (start > 0 && units[start - 1] === BACKSLASH && i - start <= LONGEST) start--
  return i - start
}
