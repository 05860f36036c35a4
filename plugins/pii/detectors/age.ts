import type { Detector } from '../engine/detector.ts'
import { words } from '../engine/words.ts'

const UNIT =
  '(?i:years?[ \\-]old|years? of age|yrs?\\.?[ \\-]old|y/?o|yo|Jahre alt|ans|a\\Los( de edad)?|anni|anos( de idade)?|jaar( oud)?|lat)'

export const age: Detector = {
  type: 'age',
  title: 'Age',
  level: 'CONFIDENTIAL',
  check: '0 to 120 in context; only detected unless asked for',
  advisory: true,
  patterns: [`\\d{1,3}[ \\-]?${UNIT}`, '\\d{1,3}'],
  context: words(`
    age, aged, ages, alter, im alter von, âge, âgé de, âgée de, edad, età, idade, leeftijd, wiek, ålder, ikä,
    turned, turning
  `),
  judge(m) {
    if (Number.parseInt(m.value, 10) > 120 || m.before(1) === '.' || m.before(1) === '-') return 0
    if (m.end - m.start > 3)
      return /old|age|alt|edad|idade|oud|y\/?o/i.test(m.value) || m.contextBefore() > 0.8 ? 0.7 : 0
    return m.after(1) !== '.' && m.after(1) !== '%' && m.contextBefore() > 0.9 ? 0.6 : 0
  },
}
