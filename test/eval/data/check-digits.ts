/** Check digits for made-up values, written apart from the detectors so that both do not share a mistake. */
const digitsOf = (text: string): number[] => [...text].map(Number)

/** Appends the Luhn digit. */
export function luhn(body: string): string {
  let sum = 0
  for (const [i, digit] of digitsOf(body).reverse().entries()) {
    const doubled = i % 2 === 0 ? digit * 2 : digit
    sum += doubled > 9 ? doubled - 9 : doubled
  }
  return body + ((10 - (sum % 10)) % 10)
}

export const remainder = (digits: string, m: number): number => Number(BigInt(digits) % BigInt(m))

export const weighted = (digits: string, weights: readonly number[]): number =>
  weights.reduce((sum, weight, i) => sum + weight * Number(digits[i]), 0)

/** ISO 13616: country, two check digits, account. */
export function iban(country: string, account: string): string {
  const numeric = `${account}${country}00`.replace(/[A-Z]/g, (c) => String(c.charCodeAt(0) - 55))
  return country + String(98 - remainder(numeric, 97)).padStart(2, '0') + account
}

const DIHEDRAL = [
  '0123456789',
  '1234067895',
  '2340178956',
  '3401289567',
  '4012395678',
  '5987604321',
  '6598710432',
  '7659821043',
  '8765932104',
  '9876543210',
]
const PERMUTATION = [
  '0123456789',
  '1576283094',
  '5803796142',
  '8916043527',
  '9453126870',
  '4286573901',
  '2793806415',
  '7046913258',
]

/** Appends the Verhoeff digit. */
export function verhoeff(body: string): string {
  let check = 0
  for (const [i, digit] of digitsOf(body).reverse().entries()) {
    check = Number(DIHEDRAL[check]![Number(PERMUTATION[(i + 1) % 8]![digit])])
  }
  return body + '0432156789'[check]
}

/** ISO 7064 mod 11,10 (German tax identification number). */
export function mod1110(body: string): string {
  let product = 10
  for (const digit of digitsOf(body)) {
    const sum = (digit + product) % 10 || 10
    product = (sum * 2) % 11
  }
  return body + ((11 - product) % 10)
}
