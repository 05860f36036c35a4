import { isDayOfYear } from '../engine/checks.ts'
import type { Detector } from '../engine/detector.ts'
import { words } from '../engine/words.ts'

/** Month names and their short forms in the languages of the context words; `\L` is an accented letter. */
const MONTH = `(?i:${[
  'jan(uary|uar|vier|eiro|uari)?|j\\Lnner|ene(ro)?|genn(aio)?|stycznia|tammikuuta',
  'feb(ruary|ruar|rero|braio|ruari)?|f\\Lv(rier)?|fev(ereiro)?|lutego|mar(ch|s|zo|ca)?|m\\Lrz|mrz|maart|mar\\Lo',
  'apr(il|ile)?|avr(il)?|abr(il)?|kwietnia|may|mai|mayo|mag(gio)?|maio|mei|maja?|jun(e|i|io|ho)?|juin|giu(gno)?|czerwca',
  'jul(y|i|io|ho)?|juil(let)?|lug(lio)?|lipca|aug(ust|usti|ustus)?|ao\\Lt|ago(sto)?|sierpnia',
  'sep(t|tember|tembre|tiembre)?|set(embro|tembre)?|wrze\\Lnia|oct(ober|obre|ubre)?|okt(ober)?|ott(obre)?|out(ubro)?|pa\\Ldziernika',
  'nov(ember|embre|iembre|embro)?|listopada|dec(ember)?|dez(ember|embro)?|d\\Lc(embre)?|dic(embre|iembre)?|grudnia',
].join('|')})`
const DAY = '\\d{1,2}(st|nd|rd|th|er|°|o|\\.)?'

export const dateOfBirth: Detector = {
  type: 'date_of_birth',
  title: 'Date of birth in context',
  level: 'CONFIDENTIAL',
  check: 'a date from 1905 on, in context',
  onlyInContext: true,
  patterns: [
    '\\d{1,2} ?[/.\\-] ?\\d{1,2} ?[/.\\-] ?\\d{2,4}',
    '\\d{4}[/.\\-]\\d{1,2}[/.\\-]\\d{1,2}',
    '\\d{1,2} \\d{1,2} \\d{4}',
    '\\d{8}',
    `${DAY}[ \\-/](of |de |d')?${MONTH}\\.?,?[ \\-/](of |de |del |do )?\\d{2,4}`,
    `${MONTH}\\.?[ \\-/]${DAY},? ?[ \\-/]\\d{2,4}`,
    `\\d{4}[ \\-/]${MONTH}[ \\-/]\\d{1,2}`,
  ],
  context: words(`
    born, born on, dob, d.o.b, date of birth, birth date, birthdate, birthday, birth, bday, birth day, geboren,
    geboren am, geb, geburtsdatum, geburtstag, né le, née le, né, née, date de naissance, naissance, anniversaire,
    nacido, nacida, nació, nací, fecha de nacimiento, nacimiento, cumpleaños, nato, nata, nato il, nata il,
    data di nascita, nascita, compleanno, nascido, nascida, nasceu, data de nascimento, nascimento, geboortedatum,
    geboren op, urodzony, urodzona, data urodzenia, ur, född, födelsedatum, syntynyt, syntymäaika, fødselsdato, født,
    sünniaeg, dzimšanas datums, gimimo data, datum narození, narozen, narozena, dátum narodenia, datum rođenja, datum rojstva,
    születési dátum, született, data nașterii, data naşterii, născut, doğum tarihi, дата рождения, родился, родилась,
    дата народження, дата на раждане, роден, датум рођења, датум на раѓање, ημερομηνία γέννησης, ημ. γέννησης, γεννήθηκε,
    תאריך לידה, تاريخ الميلاد, ngày sinh, tanggal lahir, tarikh lahir, วันเกิด, 出生日期, 出生年月日, 生日, 生年月日, 誕生日,
    생년월일, जन्म तिथि, जन्मतिथि
  `),
  judge(m) {
    const near = m.contextBefore()
    return near > 0 && isPlausible(m.value) && !OTHER_DATE.test(m.sinceContext) ? 0.7 + near * 0.25 : 0
  },
}

/** The name of another date right before it. */
const OTHER_DATE =
  /(?:due|start|end|order|delivery|expiry|expiration|issue|created?|updated?|modified|posted|published|shipped)[_ -]?(?:date|at|on)["'`]?\s?[:=]\s?["'`]?$/i

/** A calendar day in a plausible birth year of a living person. */
function isPlausible(value: string): boolean {
  const numbers = (value.match(/\d+/g) ?? []).map(Number)
  if (numbers.length === 1) {
    const [only] = value.match(/\d{8}/) ?? []
    if (only === undefined) return false
    return (
      isDate(Number(only.slice(0, 4)), Number(only.slice(4, 6)), Number(only.slice(6))) ||
      isDate(Number(only.slice(4)), Number(only.slice(2, 4)), Number(only.slice(0, 2))) ||
      isDate(Number(only.slice(4)), Number(only.slice(0, 2)), Number(only.slice(2, 4)))
    )
  }
  if (numbers.length === 2) return isYear(Math.max(...numbers)) || isYear(numbers[1]!)
  const [a, b, c] = numbers as [number, number, number]
  return isDate(a, b, c) || isDate(c, b, a) || isDate(c, a, b)
}

const isDate = (year: number, month: number, day: number): boolean => isYear(year) && isDayOfYear(month, day)
const isYear = (year: number): boolean => (year >= 1905 && year <= 2039) || (year >= 0 && year <= 99)
