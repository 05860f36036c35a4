/** Makes names of persons, places and organisations. */
import { existsSync, readFileSync } from 'node:fs'
import { allLocales } from '@faker-js/faker'
import type { Random } from '../eval/random.ts'
import {
  COMMON_FAMILY,
  COMMON_GIVEN,
  COUNTRIES,
  cityNames,
  EN,
  ENDS,
  FIELDS,
  type Forms,
  formsOf,
  jobs,
  type Locale,
  locales,
  ORG_FIRST,
  ORG_NOUNS,
  ORGS,
  PUBLIC,
  REGIONS,
  streets,
} from './lists.ts'

export class Names {
  readonly #random: Random
  readonly #cities: readonly string[]

  /** @param cities a file with a city and its population on each line; optional */
  constructor(random: Random, cities: string) {
    this.#random = random
    const more = existsSync(cities)
      ? readFileSync(cities, 'utf8')
          .split('\n')
          .map((line) => line.split('\t')[0]!)
          .filter((name) => /^\p{Lu}/u.test(name) && /^[\p{L}\p{M}'’. -]+$/u.test(name))
      : []
    this.#cities = [...more, ...more.slice(0, 1500), ...more.slice(0, 1500), ...more.slice(0, 300), ...cityNames]
  }

  #locale(language: string): Locale {
    const r = this.#random
    if (language === 'en' && r.chance(0.35)) return r.chance(0.6) ? { given: COMMON_GIVEN, family: COMMON_FAMILY } : EN
    if (language !== 'en' && r.chance(0.6)) {
      const own = allLocales[language as 'de' | 'fr' | 'es']
      return { given: formsOf(own.person?.first_name as Forms), family: formsOf(own.person?.last_name as Forms) }
    }
    return r.pick(locales)
  }

  given(language: string): string {
    return this.#random.chance(0.12) ? this.#unheard() : this.#random.pick(this.#locale(language).given)
  }

  family(language: string): string {
    return this.#random.chance(0.25) ? this.#unheard() : this.#random.pick(this.#locale(language).family)
  }

  /** A name that nobody has, of the pieces of two: only its surroundings tell that it is one. */
  #unheard(): string {
    const r = this.#random
    const a = r.pick(this.#locale('en').family)
    const b = r.pick(this.#locale('en').given)
    const made =
      a.slice(0, r.int(2, Math.max(2, a.length - 2))) + b.slice(Math.min(b.length - 2, r.int(1, 4))).toLowerCase()
    return /^\p{Lu}[\p{L}]+$/u.test(made) ? made : a
  }

  person(language: string): string {
    const r = this.#random
    const { given, family } = this.#locale(language)
    const first = r.chance(0.1) ? this.#unheard() : r.pick(given)
    const last = r.chance(0.2) ? this.#unheard() : r.pick(family)
    const kind = r.int(0, 19)
    if (kind === 0) return `${first} ${first[0]!}. ${last}`
    if (kind === 1) return `${first[0]!}. ${last}`
    if (kind === 2) return `${first} ${r.pick(given)} ${last}`
    if (kind === 3) return `${first} ${last}-${r.pick(family)}`
    if (kind === 4) return `${first} ${r.pick(family)[0]!}. ${last}`
    if (kind === 5 && language === 'es') return `${first} ${last} ${r.pick(family)}`
    if (kind === 6)
      return `${first} ${r.pick(['van', 'von', 'de', 'van der', 'de la', 'al', 'bin', 'di', 'da', 'del'])} ${last}`
    return `${first} ${last}`
  }

  city(): string {
    return this.#random.chance(0.05) ? this.#unheard() : this.#random.pick(this.#cities)
  }

  country(language: string): string {
    return this.#random.pick(COUNTRIES[language] ?? COUNTRIES.en!)
  }

  place(language: string): string {
    const r = this.#random
    return r.chance(0.6) ? this.city() : r.chance(0.5) ? this.country(language) : r.pick(REGIONS)
  }

  street(language: string): string {
    const r = this.#random
    const name = r.chance(0.3)
      ? this.family(language)
      : r.pick([
          'Oak',
          'Maple',
          'Main',
          'High',
          'Church',
          'Park',
          'Station',
          'Mill',
          'Victoria',
          'King',
          'Queen',
          'Lake',
          'Hill',
          'Elm',
          '5th',
        ])
    if (language === 'de')
      return r.chance(0.4)
        ? r.pick(streets)
        : `${this.family('de')}${r.pick(['straße', 'weg', 'platz', 'allee', 'gasse'])}`
    if (language === 'fr')
      return `${r.pick(['rue', 'avenue', 'boulevard', 'place'])} ${r.pick(['de la République', 'Victor Hugo', 'de Paris', 'du Moulin', 'Jean Jaurès'])}`
    if (language === 'es')
      return `${r.pick(['Calle', 'Avenida', 'Plaza'])} ${r.pick(['Mayor', 'Real', 'de Alcalá', 'del Sol', 'Goya'])}`
    return `${name} ${r.pick(['Street', 'St', 'Avenue', 'Ave', 'Road', 'Rd', 'Lane', 'Drive', 'Blvd', 'Court', 'Way', 'Terrace', 'Close'])}`
  }

  org(language: string): string {
    const r = this.#random
    const kind = r.int(0, 11)
    if (kind <= 2) return r.pick(ORGS)
    if (kind === 3) return `${this.family(language)} ${r.pick(ENDS[language]!)}`
    if (kind === 4) return `${r.pick(ORG_FIRST)} ${r.pick(ORG_NOUNS)}`
    if (kind === 5) return `${r.pick(ORG_FIRST)} ${r.pick(ORG_NOUNS)} ${r.pick(ENDS[language]!)}`
    if (kind === 6) return `${this.family(language)} ${r.pick(ORG_NOUNS)}`
    if (kind === 7) return `${this.family(language)} & ${this.family(language)}`
    if (kind === 8)
      return `${r.pick(ORG_FIRST)}${r.pick(['soft', 'tech', 'corp', 'lab', 'works', 'data', 'net', 'ware', 'ify', 'ly', 'Hub', 'Base', 'Point', 'Wave'])}`
    if (kind === 9 && r.chance(0.6)) return r.fill(r.pick(['AAA', 'AAAA', 'AA']))
    return r
      .pick(PUBLIC[language]!)
      .replace('{c}', () => this.city())
      .replace('{f}', () => this.family(language))
      .replace('{g}', () => this.given(language))
      .replace('{x}', () => r.pick(FIELDS))
  }

  job(): string {
    return this.#random.pick(jobs)
  }
}
