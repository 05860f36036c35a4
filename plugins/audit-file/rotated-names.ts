import { basename } from 'node:path'

/** What is between stem and ending: the second (UTC), and a number. Early versions began a second without one. */
const MARK = /^\d{8}T\d{6}Z(-?\d{3,})?$/

/** Names of the files that were rotated away from a path, such as `audit-20260316T100000Z-000.jsonl`. */
export class RotatedNames {
  readonly #front: string
  readonly #end: string

  constructor(path: string) {
    const name = basename(path)
    const dot = name.lastIndexOf('.')
    this.#front = `${dot <= 0 ? name : name.slice(0, dot)}-`
    this.#end = dot <= 0 ? '' : name.slice(dot)
  }

  /** Those among others, oldest first: by number, since early ones are not in the order of their names. */
  among(names: readonly string[]): string[] {
    return names
      .filter((name) => name.startsWith(this.#front) && name.endsWith(this.#end) && MARK.test(this.#mark(name)))
      .sort((a, b) => this.#mark(a).localeCompare(this.#mark(b), 'en', { numeric: true }))
  }

  /** A new one that is after the others, sorted by name, also when the clock went back. */
  after(names: readonly string[], now: number): string {
    const second = new Date(now).toISOString().replace(/\.\d+|[-:]/g, '')
    const last = this.#mark(this.among(names).sort().at(-1) ?? '')
    return `${this.#front}${last < second ? `${second}-000` : following(last)}${this.#end}`
  }

  #mark(name: string): string {
    return name.slice(this.#front.length, name.length - this.#end.length)
  }
}

/** `-997`, `-998`, `-999000`, `-999001`: numbers that get longer stay in order as text. */
function following(mark: string): string {
  // Only digits are sorted after the dot that follows the mark.
  if (mark.endsWith('Z')) return `${mark}000`
  const number = Number(mark.slice(-3))
  return mark.slice(0, -3) + (number < 998 ? String(number + 1).padStart(3, '0') : '999000')
}
