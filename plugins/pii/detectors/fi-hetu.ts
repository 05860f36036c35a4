import { isShortDate } from '../engine/checks.ts'
import type { Detector } from '../engine/detector.ts'

const CONTROL = '0123456789ABCDEFHJKLMNPRSTUVWXY'

/** Date, century sign, serial, control character modulo 31 (DVV; new signs since 2023). */
export const fiHetu: Detector = {
  type: 'fi_hetu',
  title: 'Henkilötunnus',
  level: 'RESTRICTED',
  region: 'FI',
  check: 'date of birth, control character',
  patterns: ['\\d{6}[\\-+A-FU-Ya-fu-y]\\d{3}[0-9A-Za-z]'],
  context: ['henkilötunnus', 'hetu', 'henkilötunnukseni', 'personal identity code', 'personbeteckning', 'sotu'],
  judge(m) {
    const value = m.value.toUpperCase()
    const number = Number(value.slice(0, 6) + value.slice(7, 10))
    return isShortDate(value, 'dmy') && CONTROL[number % 31] === value[10] ? 0.95 : m.named()
  },
}
