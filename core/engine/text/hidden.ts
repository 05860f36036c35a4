/**
 * Text that people cannot see but a model reads: a sentence in tag characters, bytes in variation selectors, bits in
 * long runs of zero-width characters. docs/decisions/0020-hidden-text.md lists the harmless cases that are kept.
 */
import { codePointAt } from './code-points.ts'

/** No script needs this many invisible characters in a row. */
const LONG_RUN = 8
/** Units to the left that decide whether a run is hidden text. */
export const HIDDEN_CONTEXT = 16

const BLACK_FLAG = '\u{1f3f4}'
const TAGS = 0xe0000
/** England, Scotland and Wales: the subdivision flags that are recommended for interchange. */
const FLAGS = ['gbeng', 'gbsct', 'gbwls'].map(
  (name) => `${String.fromCodePoint(...[...name].map((char) => TAGS + char.charCodeAt(0)))}\u{e007f}`,
)
const IDEOGRAPH = /\p{Ideographic}$/u

const isTag = (c: number): boolean => c >= TAGS && c <= 0xe007f
const isSmallSelector = (c: number): boolean => c >= 0xfe00 && c <= 0xfe0f
const isLargeSelector = (c: number): boolean => c >= 0xe0100 && c <= 0xe01ef
/** Excludes the two selectors that choose between text and emoji. */
const isOddSelector = (c: number): boolean => c >= 0xfe00 && c < 0xfe0e
const isSelector = (c: number): boolean => isSmallSelector(c) || isLargeSelector(c)
const isControl = (c: number): boolean => c < 0x20 || (c >= 0x7f && c < 0xa0)
/** A blank Braille pattern or an Arabic stretch: readers see that something is there. */
const hasWidth = (c: number): boolean => c === 0x2800 || c === 0x640

/**
 * Start of hidden text in a run of invisible characters, or -1 if the run is harmless.
 *
 * @param left text before `raw`, at least its last `HIDDEN_CONTEXT` units
 * @param run how many invisible characters, no controls, end `left`
 */
export function hiddenFrom(raw: string, start: number, end: number, left: string): number {
  // Fast path for most runs: one joiner within a word, or an emoji's selector.
  if (end - start === 1 && start > 0 && !isOddSelector(raw.charCodeAt(start))) return -1
  const before =
    start >= HIDDEN_CONTEXT
      ? raw.slice(start - HIDDEN_CONTEXT, start)
      : (left + raw.slice(0, start)).slice(-HIDDEN_CONTEXT)
  const from = start + flagTags(raw, start, before)
  let { count, last } = start === 0 ? endOf(left) : { count: 0, last: 0 }
  if (from === start && count === 0 && startsOddly(codePointAt(raw, start), before)) return start
  for (let i = from; i < end; ) {
    const c = codePointAt(raw, i)
    if (isTag(c) || (isLargeSelector(c) && i > from) || (isSelector(c) && isSelector(last))) return from
    if (isControl(c) || hasWidth(c)) count = 0
    else if (++count >= LONG_RUN) return from
    last = c
    i += c > 0xffff ? 2 : 1
  }
  return -1
}

/** Length of the tags that turn the preceding black flag into another flag. */
function flagTags(raw: string, start: number, before: string): number {
  if (!before.endsWith(BLACK_FLAG)) return 0
  return FLAGS.find((flag) => raw.startsWith(flag, start))?.length ?? 0
}

/**
 * Whether the preceding character cannot take this selector: large selectors are for ideographs, small ones are not for
 * letters.
 */
function startsOddly(c: number, before: string): boolean {
  if (isLargeSelector(c)) return !IDEOGRAPH.test(before)
  return isOddSelector(c) && /[A-Za-z \n]$/.test(before)
}

const INVISIBLE_END = /[\p{Default_Ignorable_Code_Point}\p{Cf}]+$/u

/** The run of invisible characters that a text ends with. */
function endOf(left: string): { count: number; last: number } {
  const run = left === '' ? null : INVISIBLE_END.exec(left)
  if (run === null) return { count: 0, last: 0 }
  const chars = [...run[0]]
  return { count: chars.length, last: chars.at(-1)!.codePointAt(0)! }
}
