/** Finds the texts that are values of records: JSON, one or more a text, or in a string of JSON, and what prints like it. Linear. */

/** A text as it was meant. Its characters have the same distances as in the record. */
export interface Value {
  readonly text: string
  readonly start: number
}

/** The beginning of an object, or of a list of strings, objects or lists. */
const RECORD = /^\s*(?:\{\s*["']|\[\s*["'{[])/
/** JSON is a string in JSON, and so on. */
const MOST_LEVELS = 4
/** Names, codes and dates have fewer blanks. */
const SENTENCE = /\S\s+\S+\s+\S+\s+\S|[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]{6}/
const SHORTEST = 16
const QUOTE = /["']/g
const ENDS = { '"': /\\[\s\S]|"/g, "'": /\\[\s\S]|'/g } as const
const ESCAPE = /(\\+)(u00[01][0-9a-f]|[\s\S]|$)/g
const MEANT: Readonly<Record<string, string>> = { n: '\n', r: '\n', t: '\t', b: ' ', f: ' ' }

export function valuesOf(text: string): Value[] {
  const found: Value[] = []
  collect(text, 0, MOST_LEVELS, found)
  return found
}

function collect(text: string, offset: number, levels: number, found: Value[]): void {
  if (!RECORD.test(text)) return
  QUOTE.lastIndex = 0
  for (let quote = QUOTE.exec(text); quote !== null; quote = QUOTE.exec(text)) {
    const { index } = quote
    if (!'{[:,'.includes(text[blanksBefore(text, index) - 1] ?? ' ')) continue
    const start = index + 1
    const end = endOf(text, start, quote[0] as '"' | "'")
    const isName = text[blanksFrom(text, end + 1)] === ':'
    if (!isName && end - start >= SHORTEST) add(text.slice(start, end), offset + start, levels, found)
    // Records within used it, too.
    QUOTE.lastIndex = end + 1
  }
}

function add(value: string, start: number, levels: number, found: Value[]): void {
  if (!SENTENCE.test(value)) return
  const text = value.includes('\\') ? value.replace(ESCAPE, meant) : value
  if (levels > 1 && RECORD.test(text)) collect(text, start, levels - 1, found)
  else found.push({ text, start })
}

/** Blanks for what an escape takes beyond its character. Escapes of escapes are those of a string within. */
function meant(all: string, backslashes: string, char: string): string {
  const kept = '\\'.repeat(backslashes.length >> 1)
  const is = backslashes.length % 2 === 0 ? char : char.length > 1 ? '\n' : (MEANT[char] ?? char)
  return (kept + is).padStart(all.length)
}

/** Where a string ends: at a quote that a sign of the record follows. */
function endOf(text: string, start: number, quote: '"' | "'"): number {
  const ends = ENDS[quote]
  ends.lastIndex = start
  for (let match = ends.exec(text); match !== null; match = ends.exec(text)) {
    if (match[0] === quote && ',:}]'.includes(text[blanksFrom(text, match.index + 1)] ?? ',')) return match.index
  }
  return text.length
}

const isBlank = (char: string | undefined): boolean => char === ' ' || char === '\n' || char === '\t' || char === '\r'

function blanksFrom(text: string, from: number): number {
  let at = from
  while (isBlank(text[at])) at++
  return at
}

function blanksBefore(text: string, to: number): number {
  let at = to
  while (isBlank(text[at - 1])) at--
  return at
}
