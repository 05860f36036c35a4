import type { Channel } from '../../contract/plugin.ts'
import { LazyMap } from '../../util/lazy.ts'
import { endOf } from '../replaced.ts'

/** Elements of a list that are known to have said something. */
const MAX_LEFT = 1024

interface Told {
  /** The element whose text grows, and the end of its last piece. */
  now: string
  said: string
  /** The ends of what others said last, by their element. */
  readonly left: Map<string, string>
}

/**
 * The lists of an answer. Their texts are read as one, one behind the other, and each by itself. Some clients tell the elements apart by
 * their index: a text that goes on behind that of a later element would say to them what nobody read.
 */
export class Lists {
  /** The last index of a list of parts. */
  readonly #last = new LazyMap<string, number>()
  readonly #told = new LazyMap<string, Told>()
  /** The element that is read, by the indexes of its lists; undefined outside of lists whose elements may come again. */
  #element: string | undefined = undefined

  /**
   * Goes on to an element, and returns where to `leave` it to.
   *
   * @param index negative if it has none
   * @throws RangeError if a part of the content goes on behind a later one
   */
  enter(channel: Channel, list: string, index: number): string | undefined {
    const outer = this.#element
    if (channel === 'other' || channel === 'annotation') {
      if (index < 0) this.#element = outer ?? ''
      else this.#element = outer ? `${outer}.${index}` : String(index)
    } else if (index >= 0) {
      if (index < (this.#last.get(list) ?? 0)) throw new RangeError('A part goes on behind a later one.')
      this.#last.set(list, index)
    }
    return outer
  }

  leave(outer: string | undefined): void {
    this.#element = outer
  }

  /**
   * Returns whether another element's text grew until now. An element that is told again says what it said last.
   *
   * @throws RangeError if an element goes on behind a later one
   */
  turnTo(list: string, text: string): boolean {
    const element = this.#element
    if (element === undefined) return false
    const told = this.#told.get(list)
    if (told === undefined) this.#told.set(list, { now: element, said: endOf(text), left: new Map() })
    if (told === undefined) return false
    if (told.now !== element) {
      const before = told.left.get(element)
      if (before === endOf(text)) return false
      if (before !== undefined) throw new RangeError('An element of a list goes on behind a later one.')
      if (told.left.size < MAX_LEFT) told.left.set(told.now, told.said)
    }
    const turns = told.now !== element
    told.now = element
    told.said = endOf(text)
    return turns
  }
}
