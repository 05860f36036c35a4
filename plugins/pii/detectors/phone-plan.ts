/**
 * Numbering plans, from the metadata of libphonenumber-js. Its parser takes 10 to 25 µs per number and one country
 * per call; reading the plans takes a fraction. A test compares the answers. They differ only for shared calling
 * codes: here the plan of any of their countries is enough.
 */

import type { CountryCode } from 'libphonenumber-js/core'
import metadata from 'libphonenumber-js/metadata.min'

interface Plan {
  readonly pattern: RegExp
  readonly lengths: ReadonlySet<number>
}

/** Position of each field in a country's entry, version 4 of the metadata. */
const PATTERN = 2
const LENGTHS = 3

const plans = new Map<string, Plan>()

function planOf(country: CountryCode): Plan {
  let plan = plans.get(country)
  if (plan === undefined) {
    const entry = metadata.countries[country]!
    plan = { pattern: new RegExp(`^(?:${entry[PATTERN]})$`), lengths: new Set<number>(entry[LENGTHS]) }
    plans.set(country, plan)
  }
  return plan
}

/** Whether `national`, without trunk prefix, is a number in the country's plan. */
export function isNational(national: string, country: CountryCode): boolean {
  const plan = planOf(country)
  return plan.lengths.has(national.length) && plan.pattern.test(national)
}

const callingCodes: Readonly<Record<string, readonly CountryCode[]>> = metadata.country_calling_codes

/** Countries of the calling code at the beginning of `digits`, and the digits after it. */
export function splitCallingCode(digits: string): { countries: readonly CountryCode[]; national: string } | undefined {
  for (let length = 1; length <= 3; length++) {
    const code = digits.slice(0, length)
    if (Object.hasOwn(callingCodes, code)) return { countries: callingCodes[code]!, national: digits.slice(length) }
  }
  return undefined
}
