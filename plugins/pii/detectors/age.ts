import type { Detector } from '../engine/detector.ts'
import { words } from '../engine/words.ts'

const UNIT =
  '(?i:years?[ \\-]old|years? of age|yrs?\\.?[ \\-]old|y/?o|yo|Jahre alt|ans|a\\Los( de edad)?|anni|anos( de idade)?|jaar( oud)?|lat)'

const kind = { type: 'age', title: 'Age', level: 'CONFIDENTIAL', advisory: true } as const

/** `34 years old`, `34-year-old`, `34 Jahre alt`, `34 ans`. */
export const ageWithUnit: Detector = {
  ...kind,
  check: '0 to 120 and what says that it is an age',
  patterns: [`\\d{1,3}[ \\-]?${UNIT}`],
  judge(m) {
    if (Number.parseInt(m.value, 10) > 120 || m.before(1) === '-') return 0
    return /old|alt|edad|idade|oud|y\/?o|of age/i.test(m.value) || m.contextBefore() > 0.8 ? 0.7 : 0
  },
}

/** The head of a column, or a sentence, that ends before the number. */
const ELSEWHERE = /\n\s*\p{L}|\p{L}[.!?]\s/u
/** `max-age=60` of a cache. */
const LIFETIME = /max-?age\W{0,4}$/i

/** `Age: 34`, `aged 34`. */
export const age: Detector = {
  ...kind,
  check: '0 to 120 right after the word',
  onlyInContext: true,
  patterns: ['\\d{1,3}'],
  context: words(`
    age, aged, ages, alter, im alter von, âge, âgé de, âgée de, edad, età, idade, leeftijd, wiek, ålder, ikä, turned,
    turning
  `),
  judge(m) {
    if (ELSEWHERE.test(m.sinceContext) || LIFETIME.test(m.text.slice(Math.max(0, m.start - 12), m.start))) return 0
    if (Number(m.value) > 120 || m.before(1) === '-' || /[.%,:]/.test(m.after(1)))
      return m.after(1) === '.' && !/\d/.test(m.after(2)) && m.contextBefore() > 0.9 ? 0.6 : 0
    return m.contextBefore() > 0.9 ? 0.6 : 0
  },
}
