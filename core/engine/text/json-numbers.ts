/**
 * Numbers of JSON that is written in a text, as in structured replies: what replaces one must be a string, or the text is no
 * longer JSON. Only what stands around a number is looked at, since a stream does not show the whole text.
 */
import { type Report, type Rewrite, rewrites } from './findings.ts'

/** Characters before a number that are looked at. */
export const JSON_CONTEXT = 256

const LONGEST = 64
const MOST_LISTS = 8
const NUMBER = /^-?\d[\d.eE+-]*$/
const DIGITS = '-?\\d+(?:\\.\\d+)?(?:[eE][+-]?\\d+)?'
/** One whole number, or several elements of a list. */
const NUMBERS = new RegExp(`^${DIGITS}(?:\\s*,\\s*${DIGITS})*$`)
const EACH_NUMBER = new RegExp(DIGITS, 'g')
/** What may become a number. */
const BEGINNING = /^-?(?:\d|$)/
const IN_NUMBER = '0123456789.eE+-'
/** What must not stand between quotation marks as it is. */
const UNQUOTED = /["\\\p{Cc}]/u
/** What follows a number in JSON, unless the text ends there: not the end of a link in Markdown, but a written-out line break. */
const AFTER = /^(?:$|[\s,}]|\](?![(:])|\\+[nrt]|\\$)/
/** The last quotation mark of a name, or the first one of a text in a text. */
const AFTER_NAME = /(\\*)"\s*:$/
const TEXT_BEGINS = /:\s*(\\*)"$/
const OF_LIST = /[\d.eE+\-,:\\\s]/
const WORD = /(?:null|true|false|\\[nrt])$/

type TextOf = (start: number, end: number) => string

/**
 * A report on digits of a number, extended to the whole number with its sign, fraction and exponent. A report on several
 * elements of a list becomes one for each, so that the list keeps its length.
 *
 * @param textOf as in {@link asJsonValue}
 */
export function wholeJsonNumbers(report: Report, textOf: TextOf): readonly Report[] {
  if (report.restore || !rewrites(report) || report.end - report.start > JSON_CONTEXT) return [report]
  const start = report.start - runBefore(textOf(report.start - LONGEST, report.start))
  const end = report.end + runAfter(textOf(report.end, report.end + LONGEST))
  const value = textOf(start, end)
  const isList = value.includes(',')
  if ((start === report.start && end === report.end && !isList) || !NUMBERS.test(value)) return [report]
  if (!AFTER.test(textOf(end, end + 2))) return [report]
  const before = textOf(start - JSON_CONTEXT, start)
  if (quoteBehind(before) === undefined || (isList && withoutBlanks(before).endsWith(':'))) return [report]
  const numbers = [...value.matchAll(EACH_NUMBER)]
  if (numbers.some(([number]) => number.length > LONGEST)) return [report]
  return numbers.map(({ 0: number, index }, i) => ({
    ...report,
    start: start + index,
    end: start + index + number.length,
    continued: report.continued || i > 0,
  }))
}

/**
 * Where a stream must cut so that it splits no number that is a value of JSON; `at` if it splits none. A number that the
 * text does not end counts as split.
 */
export function beforeJsonNumber(at: number, textOf: TextOf): number {
  const last = textOf(at - 1, at)
  // Of `[4111](`, a link, nothing is a value.
  const end = last === ']' && textOf(at, at + 1) === '' ? at - 1 : at
  if (end === at && !IN_NUMBER.includes(last)) return at
  const after = textOf(end, end + 2)
  const before = textOf(end - LONGEST, end)
  const length = runBefore(before)
  if (length === 0 || length === LONGEST || !BEGINNING.test(before.slice(-length))) return at
  if (after.length === 2 && runAfter(after) === 0) return at
  const start = end - length
  return quoteBehind(textOf(start - JSON_CONTEXT, start)) === undefined ? at : start
}

/** Number of characters at the end of a text that may be of a number. */
function runBefore(text: string): number {
  let start = text.length
  while (start > 0 && IN_NUMBER.includes(text[start - 1]!)) start--
  return text.length - start
}

/** The same at the beginning. */
function runAfter(text: string): number {
  let end = 0
  while (end < text.length && IN_NUMBER.includes(text[end]!)) end++
  return end
}

/**
 * The rewrite with quotation marks, if it replaces a number that is a value of JSON.
 *
 * @param textOf gives the raw text of a span, or the part of it that there is, from 256 characters before to two after it
 */
export function asJsonValue(rewrite: Rewrite, textOf: TextOf): Rewrite {
  const { start, end, text, action } = rewrite
  if (action === undefined || end - start > LONGEST || UNQUOTED.test(text)) return rewrite
  if (!NUMBER.test(textOf(start, end)) || !AFTER.test(textOf(end, end + 2))) return rewrite
  const quote = quoteBehind(textOf(start - JSON_CONTEXT, start))
  return quote === undefined ? rewrite : { ...rewrite, text: quote + text + quote }
}

/**
 * The quotation mark of the JSON in which a value may stand behind a text; undefined if none may.
 *
 * @param lists how many lists around it are looked at
 */
function quoteBehind(text: string, lists = MOST_LISTS): string | undefined {
  const before = withoutBlanks(text)
  const ofName = quoteOfName(before)
  if (ofName !== undefined || lists === 0 || !/[[,]$/.test(before)) return ofName
  const list = listStart(before)
  if (list < 0) return undefined
  const outer = withoutBlanks(before.slice(0, list))
  if (outer === '') return quote(0)
  const inner = outer.endsWith('"') ? TEXT_BEGINS.exec(outer)?.[1] : undefined
  return inner === undefined ? quoteBehind(outer, lists - 1) : quote(levelOf(inner.length) + 1)
}

/** Blanks may be written out. */
function withoutBlanks(text: string): string {
  let end = text.length
  for (;;) {
    const before = end
    while (end > 0 && /\s/.test(text[end - 1] as string)) end--
    if (end > 1 && /[nrt]/.test(text[end - 1] as string) && text[end - 2] === '\\')
      end -= 1 + backslashesBefore(text, end - 1)
    if (end === before) return text.slice(0, end)
  }
}

function quoteOfName(before: string): string | undefined {
  const backslashes = before.endsWith(':') ? AFTER_NAME.exec(before)?.[1] : undefined
  return backslashes === undefined ? undefined : quote(levelOf(backslashes.length))
}

/** How many texts hold a quotation mark, one within another: each doubles the backslashes before it, and adds one. */
function levelOf(backslashes: number): number {
  let level = 0
  while ((backslashes >> level) % 2 === 1) level++
  return level
}

const quote = (level: number): string => `${'\\'.repeat(2 ** level - 1)}"`

/** Where the list begins whose elements end a text; -1 if there is none in sight. */
function listStart(before: string): number {
  let depth = 0
  for (let at = before.length; at > 0; ) {
    const char = before[at - 1] as string
    if (char === '[' && depth === 0) return at - 1
    if (char === ']' || char === '}') depth++
    else if (char === '[' || char === '{') depth--
    if (depth < 0) return -1
    if (char === '"') at = textStart(before, at - 1)
    else if ('[]{}'.includes(char) || (OF_LIST.test(char) && !WORD.test(before.slice(Math.max(0, at - 5), at)))) at--
    else {
      const word = WORD.exec(before.slice(Math.max(0, at - 5), at))?.[0]
      if (word === undefined) return -1
      at -= word.length
    }
  }
  return -1
}

/** Where a text begins whose last quotation mark is at a place; 0 if it begins earlier. */
function textStart(before: string, last: number): number {
  const level = levelOf(backslashesBefore(before, last))
  for (let at = last - 1; at >= 0; at--) {
    if (before[at] !== '"') continue
    const backslashes = backslashesBefore(before, at)
    if (levelOf(backslashes) === level) return at - backslashes
  }
  return 0
}

function backslashesBefore(text: string, end: number): number {
  let at = end
  while (at > 0 && text[at - 1] === '\\') at--
  return end - at
}
