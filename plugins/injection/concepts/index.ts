import { CHINESE, HINDI, INDONESIAN, JAPANESE, KOREAN, VIETNAMESE } from './asian.ts'
import { ENGLISH } from './english.ts'
import { DUTCH, GERMAN, SWEDISH } from './germanic.ts'
import { ARABIC, FARSI, GREEK, THAI, TURKISH } from './more.ts'
import type { Phrases } from './phrases.ts'
import { FRENCH, SPANISH } from './romance.ts'
import { ITALIAN, PORTUGUESE, ROMANIAN } from './romance-more.ts'
import { CZECH, POLISH, RUSSIAN, SOUTH_SLAVIC } from './slavic.ts'

export type { Concept, Phrases } from './phrases.ts'

const LANGUAGES: readonly Phrases[] = [
  ENGLISH,
  GERMAN,
  DUTCH,
  SWEDISH,
  SPANISH,
  FRENCH,
  ITALIAN,
  PORTUGUESE,
  ROMANIAN,
  POLISH,
  CZECH,
  RUSSIAN,
  SOUTH_SLAVIC,
  CHINESE,
  JAPANESE,
  KOREAN,
  VIETNAMESE,
  INDONESIAN,
  HINDI,
  TURKISH,
  ARABIC,
  FARSI,
  THAI,
  GREEK,
]

/**
 * Other languages list "your instructions" under SYSTEM_PROMPT. With a possessive, such a phrase means the model's
 * own.
 */
function withOwn(phrases: Phrases): Phrases {
  const { YOUR: own, SYSTEM_PROMPT: prompts, OWN_PROMPT: known } = phrases
  if (known !== undefined || own === undefined || prompts === undefined) return phrases
  const isOwn = (phrase: string): boolean =>
    phrase.split(' ').some((word) => own.includes(word)) ||
    own.some((word) => word.length === 2 && phrase.startsWith(word))
  return { ...phrases, OWN_PROMPT: prompts.filter(isOwn) }
}

export const VOCABULARIES: readonly Phrases[] = LANGUAGES.map(withOwn)
