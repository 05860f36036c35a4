/**
 * Numbers of JSON that is written in a text, as in structured replies: what replaces one must be a string, or the text is no
 * longer JSON. Only what stands around a number is looked at, since a stream does not show the whole text.
 */
import type { Rewrite } from './findings.ts'

/** Characters before a number that are looked at. */
const JSON_CONTEXT = 256

const LONGEST = 64
/** What must not stand between quotation marks as it is. */
const UNQUOTED = /["\\\p{Cc}]/u
const NUMBER = /^-?\d[\d.eE+-]*$/
/** What follows a number in JSON, unless the text ends there. */
const AFTER = /^[\s,}\]]?$/
/** Characters of a list of numbers. */
const OF_NUMBERS = new Set('0123456789.eE+-, \t\r\n')
/** The name of a member, whose quotation mark may be written with backslashes. */
const MEMBER = /(\\*)"\s*:$/
const MOST_BACKSLASHES = 16

/**
 * The rewrite with quotation marks, if it replaces a number that is a value of JSON.
 *
 * @param textOf gives the raw text of a span, or the part of it that there is, from `JSON_CONTEXT` characters before to one after it
 */
export function asJsonValue(rewrite: Rewrite, textOf: (start: number, end: number) => string): Rewrite {
  const { start, end, text, action } = rewrite
  if (action === undefined || end - start > LONGEST || UNQUOTED.test(text)) return rewrite
  if (!NUMBER.test(textOf(start, end)) || !AFTER.test(textOf(end, end + 1))) return rewrite
  const quote = quoteOf(textOf(start - JSON_CONTEXT, start).trimEnd())
  return quote === undefined ? rewrite : { ...rewrite, text: quote + text + quote }
}

/** The quotation mark of the JSON in which a value may stand behind a text; undefined if none may. */
function quoteOf(before: string): string | undefined {
  const ofMember = quoteOfMember(before)
  if (ofMember !== undefined) return ofMember
  let at = before.length
  while (at > 0 && OF_NUMBERS.has(before[at - 1] as string)) at--
  if (before[at - 1] !== '[' || !/[[,]$/.test(before)) return undefined
  const outer = before.slice(0, at - 1).trimEnd()
  return quoteOfMember(outer) ?? (outer === '' || /(?:\[|\],)$/.test(outer) ? '"' : undefined)
}

function quoteOfMember(before: string): string | undefined {
  const backslashes = before.endsWith(':') ? MEMBER.exec(before)?.[1] : undefined
  return backslashes === undefined || backslashes.length > MOST_BACKSLASHES ? undefined : `${backslashes}"`
}
