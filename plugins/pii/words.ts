import type { Detector } from './engine/detector.ts'
import { SYMBOL_OF, WIDE_LETTER } from './engine/symbols.ts'
import type { Options } from './schema.ts'

type WordList = Options['words'][number]

/** Word lists as detectors: the automaton finds them with all the rest, and a stream waits only for what may become one. */
export function wordDetectors(lists: readonly WordList[]): Detector[] {
  return lists.map((list) => {
    const words = new Set(list.words.map(fold))
    return {
      type: list.type,
      title: 'Word list',
      level: list.level,
      check: 'whole words',
      patterns: list.words.map((word) => `(?i:${word.trim().split(/\s+/).map(toPattern).join('\\s')})`),
      judge: (m) => (words.has(fold(m.value)) ? 1 : 0),
    }
  })
}

const fold = (word: string): string => word.trim().toLowerCase().replace(/\s+/g, ' ')

/** Letters beyond ASCII are one class in the automaton; `judge` looks at them closely. */
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

/** A word must begin where words begin in a text; one that does not cannot be found. */
export const isFindable = (word: string): boolean => {
  const symbol = SYMBOL_OF[word.trim().charCodeAt(0)]!
  return symbol === WIDE_LETTER || (symbol < 128 && /[A-Za-z0-9+(]/.test(word.trim()[0]!))
}
