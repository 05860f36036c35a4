/** Characters of repeats after which a member is known to say the same with every event. */
const SETTLED = 32

interface Known {
  readonly text: string
  size: number
  state: 'new' | 'constant' | 'varies'
}

/**
 * Tells members that grow from event to event from those that repeat. Both begin alike, and a value may be cut into equal
 * pieces, so a member is a text that grows until it has said the same often enough.
 */
export class Repeats {
  readonly #known = new Map<string, Known>()

  /** `grows`, `settles` when it is known to repeat from now on, `repeats`, or `departs` when it does so no more. */
  note(mark: string, text: string): 'grows' | 'settles' | 'repeats' | 'departs' {
    const known = this.#known.get(mark)
    if (known === undefined) {
      this.#known.set(mark, { text, size: text.length, state: 'new' })
      return 'grows'
    }
    if (known.state === 'varies') return 'grows'
    if (known.text !== text) {
      const departs = known.state === 'constant'
      known.state = 'varies'
      return departs ? 'departs' : 'grows'
    }
    if (known.state === 'constant') return 'repeats'
    known.size += text.length
    if (known.size < SETTLED) return 'grows'
    known.state = 'constant'
    return 'settles'
  }
}
