/** A person of one exchange, in all forms of the name. */
export interface Person {
  /** The form that came first; names the token. */
  readonly first: string
  /** The fullest form; what the token becomes in the reply. */
  fullest: string
  words: readonly string[]
}

/** The persons that the names of an exchange stand for: `Ann Smith`, `Smith` and `A. Smith` are one. */
export class People {
  readonly #persons: Person[] = []
  readonly #known = new Map<string, Person>()

  /** @param form without titles */
  of(form: string): Person {
    const words = wordsOf(form)
    const key = words.join(' ')
    let person = this.#known.get(key)
    if (person === undefined) {
      person = this.#match(words)
      if (person === undefined) {
        person = { first: form, fullest: form, words }
        this.#persons.push(person)
      } else if (form.length > person.fullest.length) {
        person.fullest = form
        person.words = words
      }
      this.#known.set(key, person)
    }
    return person
  }

  /** The only person whom this may be. */
  #match(words: readonly string[]): Person | undefined {
    let found: Person | undefined
    for (const person of this.#persons) {
      if (!isSame(words, person.words)) continue
      if (found !== undefined) return undefined
      found = person
    }
    return found
  }
}

const wordsOf = (form: string): string[] => form.toLowerCase().match(/[\p{L}\p{M}\p{N}'’-]+/gu) ?? [form]

function isSame(a: readonly string[], b: readonly string[]): boolean {
  const [short, long] = a.length <= b.length ? [a, b] : [b, a]
  if (short.length === 1) return short[0] === long[0] || short[0] === long.at(-1)
  return short.at(-1) === long.at(-1) && mayBe(short[0]!, long[0]!)
}

/** The same given name, or its initial. */
const mayBe = (a: string, b: string): boolean => a === b || ((a.length === 1 || b.length === 1) && a[0] === b[0])
