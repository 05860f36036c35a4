/** Values of one event that may each go on in the next one, and are looked at in one step; no API sends so many. */
const MOST = 16 * 1024

/** Counts the values of one event that cannot be put off. */
export class Many {
  #count = 0

  restart(): void {
    this.#count = 0
  }

  /** @throws RangeError if there are too many */
  add(): void {
    if (++this.#count > MOST) throw new RangeError('An event with too many values.')
  }
}
