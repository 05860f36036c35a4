import type { Field } from '../../json/fields.ts'
import type { TextOrder } from './order.ts'
import type { Told } from './told.ts'

/** A text of the last event that clients show as one with others. */
export interface LastCopy {
  readonly field: Field
  /** Its place. */
  readonly key: string
}

/** Either a copy of what was inspected before, or part of a text that is to be inspected. */
type ReadCopy = LastCopy &
  ({ readonly grows: undefined; readonly told: Told } | { readonly grows: string; readonly told?: undefined })

/**
 * What the last event tells of the texts that clients show as one. Its reader joins them as they stand there, so they
 * are copies only if all of them are what grew before, in the same order; else they are read again, one behind the other.
 */
export class LastCopies {
  readonly #wholes = new Map<string, LastCopy[]>()

  add(whole: string, copy: LastCopy): void {
    const copies = this.#wholes.get(whole)
    if (copies === undefined) this.#wholes.set(whole, [copy])
    else copies.push(copy)
  }

  /** All copies, by whole; `grows` is the name of the text that one is to be read as a part of. */
  *all(order: TextOrder, known: ReadonlyMap<string, Told>): Iterable<ReadCopy> {
    for (const [whole, copies] of this.#wholes) {
      const grown = order.grown(whole).filter(({ raw }) => raw !== '')
      const isSame =
        grown.length === copies.length &&
        copies.every(({ field, key }, i) => known.get(key) === grown[i] && field.text === grown[i]?.raw)
      for (const [i, copy] of copies.entries()) {
        const told = isSame ? grown[i] : undefined
        yield told === undefined ? { ...copy, grows: `last:${whole}` } : { ...copy, grows: undefined, told }
      }
    }
  }
}
