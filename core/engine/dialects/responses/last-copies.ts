import type { Field } from '../../json/fields.ts'
import type { TextOrder } from './order.ts'
import type { StreamedText } from './streamed-text.ts'

/** A text that clients show as one with others. */
export interface LastCopy {
  readonly field: Field
  /** Its place. */
  readonly key: string
}

/** Either a copy of what was inspected before, or part of a text that is to be inspected. */
type ReadCopy = LastCopy &
  (
    | { readonly grows: undefined; readonly streamed: StreamedText }
    | { readonly grows: string; readonly streamed?: undefined }
  )

/**
 * The copies, in a finished item or the last event, of texts that clients show as one. Its reader joins them as they stand
 * there, so they are copies only if they begin with all that grew before, in the same order; what is after that continues.
 * Else all are read again, one after the other.
 */
export class LastCopies {
  readonly #wholes = new Map<string, LastCopy[]>()
  readonly #again: string
  readonly #output: number | undefined

  /** @param output the item, if the texts are those of one item. @param again begins the names of texts that are read again */
  constructor(again: string, output?: number) {
    this.#again = again
    this.#output = output
  }

  add(whole: string, copy: LastCopy): void {
    const copies = this.#wholes.get(whole)
    if (copies === undefined) this.#wholes.set(whole, [copy])
    else copies.push(copy)
  }

  /** All copies, by whole; `grows` is the name of the text that one is to be read as a part of. */
  *all(order: TextOrder): Iterable<ReadCopy> {
    for (const [whole, copies] of this.#wholes) {
      const grown = order.grown(whole, this.#output).filter(({ raw }) => raw !== '')
      const begins = grown.every(({ raw }, i) => copies[i]?.field.text === raw)
      for (const [i, copy] of copies.entries()) {
        const streamed = begins ? grown[i] : undefined
        if (streamed !== undefined) yield { ...copy, grows: undefined, streamed }
        else yield { ...copy, grows: begins ? whole : `${this.#again}:${whole}` }
      }
    }
  }
}
