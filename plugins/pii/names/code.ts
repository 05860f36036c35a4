import { type Run, WORD_BESIDE } from './runs.ts'

/** How far beside a run letters and digits of one code are read, characters. */
const REACH = 40
/** Shortest code that is recognised, characters. */
const SHORTEST = 20
/** How far before a word its line is read, characters. */
const LINE = 60
const PART = /[A-Za-z0-9+/=_-]/
/** From a small letter to a capital, or between letters and digits: rare in words, usual in codes. */
const CHANGE = /[a-z][A-Z]|[A-Za-z]\d|\d[A-Za-z]/
/** One change in so many characters; words have one in each, or none. */
const CHANGES_EVERY = 6

/**
 * Whether a run is part of a hash or of base64, such as `sha512-MJt5BRRSScPDwG2hLelYhAAKh9imjHK5+NE/tvnR…`; undefined if that depends on
 * text that has not arrived.
 */
export function isInHash(text: string, { start, end }: Run, final: boolean): boolean | undefined {
  let from = start
  while (from > 0 && start - from < REACH && PART.test(text[from - 1]!)) from--
  let to = end
  while (to < text.length && to - end < REACH && PART.test(text[to]!)) to++
  if (isHash(text.slice(from, to))) return true
  return to === text.length && to > end && to - end < REACH && !final ? undefined : false
}

function isHash(code: string): boolean {
  if (code.length < SHORTEST || !/\d/.test(code)) return false
  let changes = 0
  for (let i = 1; i < code.length; i++) if (CHANGE.test(code.slice(i - 1, i + 1))) changes++
  return changes * CHANGES_EVERY >= code.length
}

/** `DictRecognizerResult`. */
const IDENTIFIER = /^(?:[A-Z][a-z\d]+){3,}[A-Z]*$|^[A-Z]{2,}(?:[A-Z][a-z\d]+){3,}$/
/** `HuggingFace`, `OpenAI`; not `McDonald`. */
const COMPOUND = /^(?!Ma?c[A-Z]|De[A-Z]|La[A-Z]|Le[A-Z]|Di[A-Z]|Fitz[A-Z]|O[A-Z])[A-Z]+[a-z]+[A-Z][A-Za-z]*$/
/** Begins a line of a program. */
const STATEMENT =
  /(?:^|\n)[ \t]*(?:from \S+ import|import|export|class|def|async def|return|raise|except|elif|const|let|var|func|fn|interface|public|private|static|await|yield|@)[^\n]*$/
/** One of the names that a program imports, each on its line. */
const LISTED = /\n[ \t]+$/
const BEFORE = /(?:[[(<|=]|->|[\w\])] ?:|[[,(] ?["'])[ \t]*$/
const BEHIND = /^(?:[[(\]]|["']?[\])][\]),: ]|,\n|:\n|\.[a-z_]+\(| =|\{| \{)/

/** Whether a single word is the name of something in a program. */
export function isIdentifier(text: string, { start, end, words }: Run): boolean {
  if (words.length !== 1) return false
  const word = text.slice(start, end)
  if (IDENTIFIER.test(word)) return true
  if (/^\[["'A-Za-z]/.test(text.slice(end, end + 2))) return true
  if (!COMPOUND.test(word)) return false
  // What is cut off is no beginning of a line.
  const before = start > LINE ? `.${text.slice(start - LINE, start)}` : text.slice(0, start)
  if (LISTED.test(before) && text.startsWith(',\n', end)) return true
  return STATEMENT.test(before) || (BEFORE.test(before) && BEHIND.test(text.slice(end, end + WORD_BESIDE)))
}
