import type { Spellings } from '../json/spellings.ts'
import { RepeatList } from './repeat-list.ts'

/** Values of one event that may each continue in the next one, and are looked at in one step; no API sends so many. */
const MOST = 16 * 1024
/** Complete texts of one event: each takes a place in tables whose growth cannot pause. */
const MOST_TEXTS = 64 * 1024

/** Counts the values of one event that cannot be put off, and its complete texts. */
export class Many {
  #count = 0
  #texts = 0

  restart(): void {
    this.#count = 0
    this.#texts = 0
  }

  /** A list for complete texts of the event. */
  list(source: Spellings): RepeatList {
    this.add()
    const list = new RepeatList(source)
    list.most = MOST_TEXTS
    return list
  }

  /** @throws RangeError if there are too many */
  addTexts(count: number): void {
    this.#texts += count
    if (this.#texts > MOST_TEXTS) throw new RangeError('An event with too many texts.')
  }

  /** @throws RangeError if there are too many */
  add(): void {
    if (++this.#count > MOST) throw new RangeError('An event with too many values.')
  }
}
