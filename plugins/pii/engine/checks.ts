/** Arithmetic and conditions that several detectors share and no library offers. */
import type { Candidate } from './candidate.ts'

/** Sum of the digits, each multiplied by its weight. */
export function weightedSum(digits: string, weights: readonly number[]): number {
  let sum = 0
  for (let i = 0; i < weights.length; i++) sum += (digits.charCodeAt(i) - 48) * weights[i]!
  return sum
}

/** A decimal number of any length, modulo `m`. */
export function modulo(digits: string, m: number): number {
  let rest = 0
  for (let i = 0; i < digits.length; i++) rest = (rest * 10 + digits.charCodeAt(i) - 48) % m
  return rest
}

const DAYS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

/** Whether any year has this day. */
export const isDayOfYear = (month: number, day: number): boolean => day >= 1 && day <= (DAYS[month - 1] ?? 0)

/** Whether the digits are a date, `YYMMDD` or `DDMMYY`. */
export function isShortDate(digits: string, order: 'ymd' | 'dmy' = 'ymd'): boolean {
  const month = Number(digits.slice(2, 4))
  const day = Number(order === 'ymd' ? digits.slice(4, 6) : digits.slice(0, 2))
  return isDayOfYear(month, day)
}

/** Equal or consecutive digits, as typed for examples. */
export function isTrivial(digits: string): boolean {
  const step = digits.charCodeAt(1) - digits.charCodeAt(0)
  if (step < -1 || step > 1) return false
  for (let i = 2; i < digits.length; i++) {
    const difference = digits.charCodeAt(i) - digits.charCodeAt(i - 1)
    if (difference !== step && !(step !== 0 && Math.abs(difference) === 9)) return false
  }
  return true
}

/** `255 250 250`: three numbers up to 255, as colours have them. */
const isColour = (value: string): boolean =>
  /^\d{3} \d{3} \d{3}$/.test(value) && value.split(' ').every((part) => Number(part) <= 255)

/** Whether nine digits that nothing names are no id of three thirds: undivided, another number, an amount, a row or a colour. */
export const isNoThirds = (m: Candidate): boolean =>
  m.end - m.start === 9 || m.isOtherNumber || m.isAmount || m.isInRun || isColour(m.value) || m.digits.endsWith('000')
