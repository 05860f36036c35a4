/** Ends of texts, at which the next one may continue. */

/** Characters of an end at least; a shorter text is all of it. */
export const REACH = 256
/** Characters of the word beyond that, at most: a value that is encoded twice is one word. */
const LONGEST_WORD = 1024

/** Where the last {@link REACH} characters begin, or the word there. */
export function startOfEnd(text: string): number {
  const at = text.length - REACH
  if (at <= 0) return 0
  for (let i = at; i >= at - LONGEST_WORD; i--) if (i === 0 || isBlank(text, i - 1)) return i
  return at
}

/** Where the first {@link REACH} characters end, or the word there. */
export function endOfStart(text: string): number {
  if (text.length <= REACH) return text.length
  for (let i = REACH; i <= REACH + LONGEST_WORD; i++) if (i === text.length || isBlank(text, i)) return i
  return REACH
}

const isBlank = (text: string, at: number): boolean => text.charCodeAt(at) <= 0x20
