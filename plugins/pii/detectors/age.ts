import type { Candidate } from '../engine/candidate.ts'
import type { Detector } from '../engine/detector.ts'
import { afterMarks, beforeMarks, withoutMarks } from '../engine/emphasis.ts'
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
    if (/old|alt|edad|idade|oud|y\/?o|of age/i.test(m.value) || m.contextBefore() > 0.8) return 0.7
    // "J'ai 20 ans d'expérience" counts years of something, "twee jaar geleden" those since then.
    const isOwn =
      HAS.test(beforeMarks(m.text.slice(Math.max(0, m.start - NEAR), m.start))) &&
      !/^ (?:d[ei'’]|geleden)/.test(afterMarks(m.following(12)))
    return isOwn ? 0.7 : 0
  },
}

/** Characters before a number that tell of whom it is the age. */
const NEAR = 48
/** `J'ai 70 ans`, `Tengo 92 años`, `Ho 33 anni`; not `il y a 70 ans`. */
const HAS =
  /(?:^|[^\p{L}])(?:j['’]ai|(?:il|elle|on|qui) a(?:vait)?|tu as|vous avez|(?:mon|ma|son|sa) \p{L}+ a|tengo|tiene[ns]?|tenía|cumpl[eo]|cumplió|cumplí|ho|(?:lui|lei|che|mio|mia|figli[oa]|padre|madre) ha|hai|compi[eo]|tenho|(?:ele|ela|que) tem|fiz|fez|ik ben|(?:hij|zij|ze) is|mam|(?:on|ona) ma) (?:déjà |ya |già |já |al )?$/iu

/** Apertures of lenses. */
const APERTURES: ReadonlySet<number> = new Set([11, 16, 22, 32, 45, 64])

/** `M/78`. */
export const ageBeside: Detector = {
  ...kind,
  check: '0 to 120 with the sex of a patient',
  patterns: ['[MF]/\\d{1,3}', '\\d{1,3}/[MF]'],
  judge(m) {
    const years = Number(/\d+/.exec(m.value))
    const isAperture = m.value.startsWith('F') && APERTURES.has(years)
    return years > 120 || isAperture || m.isJoined || /[A-Za-z0-9/]/.test(m.before(1)) ? 0 : 0.6
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
    if (isInColumn(m)) return 0.6
    // Other tables are statistics as often as records.
    if (m.head !== '') return 0
    if (ELSEWHERE.test(m.sinceContext) || LIFETIME.test(m.text.slice(Math.max(0, m.start - 12), m.start))) return 0
    if (Number(m.value) > 120 || m.before(1) === '-' || /[.%,:]/.test(m.after(1)))
      return m.after(1) === '.' && !/\d/.test(m.after(2)) && m.contextBefore() > 0.9 ? 0.6 : 0
    return m.contextBefore() > 0.9 ? 0.6 : 0
  },
}

/** How far back the head of a table is read, characters: less than a stream keeps. */
const TABLE = 90
const AGE = /^(?:age|alter|âge|edad|età|idade|leeftijd|wiek|ålder|ikä)$/i
const NAME =
  /^(?:(?:first|last|full|user)?[ _]?name|vorname|nachname|nom|prénom|nombre|nome|naam|imię|namn|nimi|patient|person|student|employee|customer|kunde)$/i
const SEPARATORS = [',', ';', '\t', '|', ' '] as const
/** Between the head of a table in Markdown and its lines. */
const RULE = /^[ |:+-]+$/
const CAPITAL = /^[\p{Lu}\p{Lo}]/u

/**
 * `name,age\nJohn,34`: the head of the table names a column of names and a later one of ages, and the lines since have as
 * many columns. Names of people begin with a capital, those of servers and containers rarely do.
 */
function isInColumn(m: Candidate): boolean {
  if (!m.sinceContext.includes('\n') || Number(m.value) > 120) return false
  const from = Math.max(0, m.start - TABLE)
  const heads = m.text.slice(from, m.start).split('\n')
  const row = `${heads.pop()}0`
  // It may be cut.
  if (from > 0) heads.shift()
  return heads.some((head, n) => {
    const separator = SEPARATORS.find((sign) => head.trim().includes(sign))
    if (separator === undefined) return false
    const columns = cells(head, separator)
    const name = columns.findIndex((cell) => NAME.test(cell))
    const age = columns.findIndex((cell) => AGE.test(cell))
    // `NAME AGE` lists what runs.
    if (name < 0 || age < name || (separator === ' ' && columns[age] === 'AGE')) return false
    const values = cells(row, separator)
    if (values.length - 1 !== age || values[age] !== '0' || !CAPITAL.test(values[name]!)) return false
    const since = heads.slice(n + 1).filter((line) => !RULE.test(line))
    return since.every((line) => cells(line, separator).length === columns.length) && endsCell(m, separator)
  })
}

/** Without quotes and other marks, and blanks around them. */
const cells = (line: string, separator: string): string[] =>
  (separator === ' ' ? line.trim().split(/ +/) : line.split(separator)).map((cell) => withoutMarks(cell.trim()))

function endsCell(m: Candidate, separator: string): boolean {
  const behind = m.following(6)
  const next = (separator === '|' ? behind.replace(/^["']/, '') : afterMarks(behind)).replace(
    /^ {1,2}(?=[|\r\n]|$)/,
    '',
  )
  return next === '' || next.startsWith(separator) || /^[\r\n]/.test(next)
}
