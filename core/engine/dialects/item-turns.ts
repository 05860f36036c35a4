import { LazyMap, LazySet } from '../util/lazy.ts'

/** Names that a place is known to have had. */
const MAX_NAMES = 1024

/**
 * Whose text grows at a place: the item or call of that id, or the member of that name. The texts of a place are read as one, one after
 * the other. Some clients keep them apart, so none may continue after another: its reader would not see the text in between.
 */
export class ItemTurns {
  readonly #now = new LazyMap<string, string>()
  readonly #left = new LazySet<string>()

  /**
   * Returns whether another one grew there until now.
   *
   * @throws RangeError if it grew there before that one
   */
  turnTo(place: string, name: string): boolean {
    const before = this.#now.get(place)
    if (before === name) return false
    if (this.#left.has(`${place}\0${name}`)) throw new RangeError('A text continues after that of another item.')
    this.end(place)
    this.#now.set(place, name)
    return before !== undefined
  }

  /** What grew there until now grows no more. */
  end(place: string): void {
    const before = this.#now.get(place)
    if (before === undefined) return
    this.#now.delete(place)
    if (this.#left.all.size < MAX_NAMES) this.#left.add(`${place}\0${before}`)
  }
}
