import type { Channel } from '../../contract/plugin.ts'
import { LazyMap } from '../../util/lazy.ts'
import { type Behind, Neighbours } from '../neighbours.ts'

/** The lists of an answer. Clients show the parts of its content as one text; the elements of other lists they join or keep apart. */
export class Lists {
  /** The last index of a list of parts. */
  readonly #last = new LazyMap<string, number>()
  readonly #neighbours = new Neighbours()
  /** The element that is read, by the indexes of its lists; undefined outside of lists with identified elements. */
  #element: string | undefined = undefined

  /**
   * Goes on to an element, and returns where to `leave` it to.
   *
   * @param index negative if it has none
   * @throws RangeError if a part of the content continues after a later one
   */
  enter(channel: Channel, list: string, index: number): string | undefined {
    const outer = this.#element
    if (channel === 'other' || channel === 'annotation') {
      if (index < 0) this.#element = outer ?? ''
      else this.#element = outer ? `${outer} ${index}` : String(index)
    } else if (index >= 0) {
      if (index < (this.#last.get(list) ?? 0)) throw new RangeError('A part continues after a later one.')
      this.#last.set(list, index)
    }
    return outer
  }

  leave(outer: string | undefined): void {
    this.#element = outer
  }

  /** The text that a piece in an element extends, with what other elements said before; undefined outside of such lists. */
  textOf(choice: number, field: string, text: string, begun?: string): (Behind & TextInList) | undefined {
    const element = this.#element
    if (element === undefined) return undefined
    const name = element === '' ? field : `${field}@${element}`
    return { field: name, line: field, ...this.#neighbours.before(`${choice}\0${field}`, element, text, begun) }
  }
}

interface TextInList {
  readonly field: string
  /** The texts of all its elements leave in the order in which they came. */
  readonly line: string
}
