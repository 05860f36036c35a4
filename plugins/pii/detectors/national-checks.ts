/** Check digits of national numbers that share their name or shape with other things. */
import { validator } from '../engine/validator.ts'

/** Israel, France's health professions: Luhn; leading zeros do not count. */
export const isLuhn = (digits: string): boolean => validator.isLuhnNumber(digits)

const isWeighted = (digits: string, isCheck: (rest: number, check: number) => boolean): boolean => {
  let sum = 0
  for (let i = 0; i < digits.length - 1; i++) sum += Number(digits[i]) * (digits.length - i)
  return isCheck(sum % 11, Number(digits.at(-1)))
}

/** Iran: weights 10 to 2, modulo 11. */
export const isIranian = (digits: string): boolean =>
  isWeighted(digits, (rest, check) => check === (rest < 2 ? rest : 11 - rest))

/** Scotland's community health index: a day of birth, and weights 10 to 2, modulo 11 (NHS Scotland). */
export const isChi = (digits: string): boolean =>
  isDayMonth(digits) && isWeighted(digits, (rest, check) => check === (11 - rest) % 11)

/** Whether a number begins with day and month. */
export const isDayMonth = (digits: string): boolean => /^(?:0[1-9]|[12]\d|3[01])(?:0[1-9]|1[0-2])/.test(digits)

/** Chile's RUN and RUT: weights 2 to 7 from the right, modulo 11; K is 10. */
export function isRut(compact: string): boolean {
  const body = compact.slice(0, -1)
  let sum = 0
  for (let i = 0; i < body.length; i++) sum += Number(body[body.length - 1 - i]) * (2 + (i % 6))
  return '0K987654321'[sum % 11] === compact.at(-1)
}

/** Belgium's identity card: the first ten digits modulo 97. */
export const isBelgianCard = (digits: string): boolean =>
  (Number(digits.slice(0, 10)) % 97 || 97) === Number(digits.slice(10))
