import { defineFact, type Exchange } from 'governed-gateway'

/** One running exchange in the list of its key, or the head of that list. */
class Place {
  x: Exchange | undefined
  before: Place = this
  after: Place = this

  constructor(x?: Exchange) {
    this.x = x
  }
}

/** Where a running exchange stands. */
export const placeFact = defineFact<Place>('keys/place')

/**
 * Running exchanges by key, to end them when the key is revoked. In lists, whose places let go of each other: a set makes a
 * new table again and again, and the old ones keep ended exchanges from collections of young objects.
 */
export class RunningExchanges {
  readonly #byKey = new Map<string, Place>()

  add(x: Exchange): void {
    const { keyId } = x.caller
    let head = this.#byKey.get(keyId)
    if (head === undefined) {
      head = new Place()
      this.#byKey.set(keyId, head)
    }
    const place = new Place(x)
    place.before = head
    place.after = head.after
    head.after.before = place
    head.after = place
    x.facts.set(placeFact, place)
  }

  delete(x: Exchange): void {
    const place = x.facts.get(placeFact)
    if (place?.x === x) leave(place)
  }

  /** Ends all of a key. */
  end(keyId: string): void {
    const head = this.#byKey.get(keyId)
    this.#byKey.delete(keyId)
    while (head !== undefined && head.after !== head) {
      const { x } = head.after
      leave(head.after)
      x?.cancel(REVOKED)
    }
  }
}

function leave(place: Place): void {
  place.before.after = place.after
  place.after.before = place.before
  place.before = place.after = place
  place.x = undefined
}

/** The same error as for any key that is not valid. */
export const REVOKED = { error: 'GW_INVALID_KEY', message: 'The API key is not valid.' } as const
