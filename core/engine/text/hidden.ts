/**
 * Text that nobody sees but that a model reads: a sentence in tag characters, bytes in variation selectors, bits in long
 * runs of zero-width characters. See docs/decisions/0020-hidden-text.md for what is harmless and kept.
 */

/** So many invisible characters in a row spell nothing in any script. */
const LONG_RUN = 8
/** Units left of a run that decide what it is. */
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
/** None of the two that choose between text and emoji. */
const isOddSelector = (c: number): boolean => c >= 0xfe00 && c < 0xfe0e
const isSelector = (c: number): boolean => isSmallSelector(c) || isLargeSelector(c)
const isControl = (c: number): boolean => c < 0x20 || (c >= 0x7f && c < 0xa0)
/** A blank that has a width: it is seen as a gap. */
const isBlank = (c: number): boolean => c === 0x2800

/**
 * Where hidden text begins in a run of invisible characters, or -1 when the run is harmless.
 *
 * @param left text in front of `raw`, at least its last `HIDDEN_CONTEXT` units
 * @param run how many invisible characters, no controls, end `left`
 */
export function hiddenFrom(raw: string, start: number, end: number, left: string): number {
  // Nearly all runs: one joiner within a word, or the selector of an emoji.
  if (end - start === 1 && start > 0 && !isOddSelector(raw.charCodeAt(start))) return -1
  const before =
    start >= HIDDEN_CONTEXT
      ? raw.slice(start - HIDDEN_CONTEXT, start)
      : (left + raw.slice(0, start)).slice(-HIDDEN_CONTEXT)
  const from = start + flagTags(raw, start, before)
  let { count, last } = start === 0 ? endOf(left) : { count: 0, last: 0 }
  if (from === start && count === 0 && startsOddly(raw.codePointAt(start)!, before)) return start
  for (let i = from; i < end; ) {
    const c = raw.codePointAt(i)!
    if (isTag(c) || (isSelector(c) && isSelector(last))) return from
    if (isControl(c) || isBlank(c)) count = 0
    else if (++count >= LONG_RUN) return from
    last = c
    i += c > 0xffff ? 2 : 1
  }
  return -1
}

/** Length of the tags that make a flag of the black flag in front of them. */
function flagTags(raw: string, start: number, before: string): number {
  if (!before.endsWith(BLACK_FLAG)) return 0
  return FLAGS.find((flag) => raw.startsWith(flag, start))?.length ?? 0
}

/** A selector that no character in front of it can take: a large one is for ideographs, a small one not for letters. */
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
