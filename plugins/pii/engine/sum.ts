/** `94962 × 4694 = ` */
const SUM_BEFORE = /(?<![\p{L}\p{N}.,-])(\d{1,15}) ?([-+−*×·]) ?(\d{1,15}) ?= ?$/u
const WHOLE = /^\d+$/

/** Whether a number is what the sum before it comes to: anything may stand behind an equals sign, but not so. */
export function isResult(before: string, value: string): boolean {
  const [, one, sign = '', other] = SUM_BEFORE.exec(before) ?? []
  if (one === undefined || other === undefined || !WHOLE.test(value)) return false
  const [a, b] = [BigInt(one), BigInt(other)]
  return BigInt(value) === (sign === '+' ? a + b : '-−'.includes(sign) ? a - b : a * b)
}
