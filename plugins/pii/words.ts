import type { Detector } from './engine/detector.ts'
import { SYMBOL_OF, WIDE_LETTER } from './engine/symbols.ts'
import type { Options } from './schema.ts'

type WordList = Options['words'][number]

/** Word lists as detectors: the automaton finds them with the rest, and a stream waits only for a possible match. */
export function wordDetectors(lists: readonly WordList[]): Detector[] {
  return lists.map((list) => {
    const words = new Set(list.words.map(fold))
    return {
      type: list.type,
      title: 'Word list',
      level: list.level,
      check: 'whole words',
      inSnakeCase: true,
      patterns: list.words.map((word) => `(?i:${word.trim().split(/\s+/).map(toPattern).join(JOINTS)})`),
      judge: (m) => (words.has(fold(m.value)) ? 1 : 0),
    }
  })
}

/** What parts the words of a phrase: blanks, signs of names, marks of Markdown, comments and quoted mails. */
const JOINTS = '([_\\-*`~>#]|\\s){1,8}'

/** The pattern says what may part the words. */
const fold = (word: string): string =>
  word
    .trim()
    .toLowerCase()
    .replace(/[\s_*`~>#-]+/g, ' ')

/** Non-ASCII letters share one class of the automaton; `judge` compares them exactly. */
function toPattern(word: string): string {
  let out = ''
  for (const char of word) {
    const symbol = SYMBOL_OF[char.charCodeAt(0)]!
    if (symbol === WIDE_LETTER) out += '\\L'
    else if (symbol < 128) out += /[A-Za-z0-9]/.test(char) ? char : `\\${char}`
    else out += '\\o'
  }
  return out
}

/** Whether the word begins like a word of a text; others cannot be found. */
export const isFindable = (word: string): boolean => {
  const symbol = SYMBOL_OF[word.trim().charCodeAt(0)]!
  return symbol === WIDE_LETTER || (symbol < 128 && /[A-Za-z0-9+(]/.test(word.trim()[0]!))
}
