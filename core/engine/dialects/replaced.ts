import { LazyMap } from '../util/lazy.ts'

/** Members of one stream whose last value is known; others count as texts that grow. */
const MAX_KNOWN = 1024
/** Characters of all of them; what is beyond counts as a text that grows. */
const MAX_CHARACTERS = 1024 * 1024
/** What stood before, at most. */
const LEFT = 256

interface Known {
  text: string
  /** It has the shape of its member. */
  fits: boolean
  grows: boolean
}

/**
 * Members that events tell again, such as the name of the model. Most clients replace them, some join all strings of one
 * path. So a member that takes another value is a text that grows.
 */
export class Replaced {
  readonly #known = new LazyMap<string, Known>()
  #characters = 0

  /**
   * Returns undefined while a member says the same, or words of its shape; else the text grows, behind what is returned.
   *
   * @param fits it is a word, of a shape that is never a piece of another text
   */
  note(mark: string, text: string, fits: boolean): string | undefined {
    const known = this.#known.get(mark)
    if (known === undefined) {
      const isFull = this.#characters + text.length > MAX_CHARACTERS || this.#known.all.size >= MAX_KNOWN
      if (isFull) return fits ? undefined : ''
      this.#characters += text.length
      this.#known.set(mark, { text, fits, grows: false })
      return undefined
    }
    if (known.grows) return ''
    if (known.text === text) return undefined
    const before = known.text
    if (fits && known.fits) {
      known.text = text
      return undefined
    }
    known.grows = true
    known.text = ''
    return before.slice(-LEFT)
  }
}
