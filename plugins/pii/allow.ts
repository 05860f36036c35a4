import type { Found } from './found.ts'
import type { Options } from './schema.ts'

const compact = (value: string): string => value.toLowerCase().replace(/[\s\-.()/]/g, '')
const digits = (value: string): string => value.replace(/\D/g, '')

/** Values that the operator declared public. */
export class AllowList {
  readonly #domains: readonly string[]
  readonly #phones: ReadonlySet<string>
  readonly #values: ReadonlySet<string>
  readonly isEmpty: boolean

  constructor(allow: Options['allow']) {
    this.#domains = (allow.domains ?? []).map((domain) => domain.toLowerCase().replace(/^@/, ''))
    // Compare the last nine digits: they ignore calling code and trunk zero, and still differ between numbers.
    this.#phones = new Set((allow.phones ?? []).map((phone) => digits(phone).slice(-9)))
    this.#values = new Set((allow.values ?? []).map(compact))
    this.isEmpty = this.#domains.length + this.#phones.size + this.#values.size === 0
  }

  has({ type, start, end }: Found, text: string): boolean {
    if (this.isEmpty) return false
    const value = text.slice(start, end)
    if (this.#values.has(compact(value))) return true
    if (type === 'phone') return this.#phones.has(digits(value).slice(-9))
    return type === 'email' && this.#isOwnDomain(value)
  }

  #isOwnDomain(value: string): boolean {
    const domain = value.slice(value.lastIndexOf('@') + 1).toLowerCase()
    return this.#domains.some((own) => domain === own || domain.endsWith(`.${own}`))
  }
}
