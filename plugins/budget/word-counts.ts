import { RecentMap } from 'governed-gateway/kit'

/** Counts the tokens of a text. */
export type Count = (text: string) => number

/** Characters of the longest word whose count is kept. */
const LONGEST = 24
/** Words of more tokens are rare: names, numbers, keys. They are not kept. */
const MOST_TOKENS = 2
/** Words to keep, about 100 bytes each. */
const MOST = 8192

/**
 * Counts a text word by word, with the same result: tokens of o200k_base never span a border of two words. Words come again
 * all the time, and a small table answers faster than the vocabulary of 200,000.
 */
export function byWords(count: Count): Count {
  const known = new RecentMap<string, number>(MOST)
  const countWord = (word: string): number => {
    if (word.length > LONGEST) return count(word)
    const before = known.get(word)
    if (before !== undefined) return before
    // A copy, since a slice would keep the whole prompt in memory.
    const own = word.split('').join('')
    const tokens = count(own)
    if (tokens <= MOST_TOKENS) known.set(own, tokens)
    return tokens
  }
  return (text) => {
    let tokens = 0
    let from = 0
    for (let at = text.indexOf(' '); at >= 0; at = text.indexOf(' ', at + 1)) {
      if (at === from || !isBorder(text, at)) continue
      tokens += countWord(text.slice(from, at))
      from = at
    }
    return tokens + countWord(text.slice(from))
  }
}

/**
 * Whether a token must begin with the space at `at`: one between visible ASCII or the end of a line and an ASCII letter. Of the
 * alternatives of the vocabulary's pattern, only those for blanks go on over a space behind its first character. They do not
 * begin with anything visible, and end with the line if they can.
 */
function isBorder(text: string, at: number): boolean {
  const left = text.charCodeAt(at - 1)
  if ((left <= SPACE && left !== LINE_FEED) || left >= DELETE) return false
  const right = text.charCodeAt(at + 1) | 0x20
  return right >= 0x61 && right <= 0x7a
}

const [LINE_FEED, SPACE, DELETE] = [0x0a, 0x20, 0x7f]
