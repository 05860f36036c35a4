import type { Field } from '../../json/fields.ts'
import { LazySet } from '../../util/lazy.ts'

const MAX_CLEAN = 256

/** Complete texts of a stream in which nothing was found. */
export class CleanTexts {
  readonly #marks = new LazySet<string>()

  add(field: Field): void {
    if (this.#marks.all.size < MAX_CLEAN) this.#marks.add(markOf(field))
  }

  has(field: Field): boolean {
    return this.#marks.has(markOf(field))
  }
}

const markOf = ({ path, place, text }: Field): string => `${path.join('\0')}\0${place}\0${text}`
