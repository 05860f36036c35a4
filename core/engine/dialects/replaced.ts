import { LazyMap } from '../util/lazy.ts'

/** Members of one stream whose last value is known; others count as texts that grow. */
const MAX_KNOWN = 1024
/** Characters of all of them; what is beyond counts as a text that grows. */
const MAX_CHARACTERS = 1024 * 1024
/** What stood before, at most. */
const LEFT = 256

interface Known {
  /** Once it grows: what it said before. */
  text: string
  /** It has the shape of its member. */
  fits: boolean
  grows: boolean
  /** Counts how often it went on to say something else. */
  runs: number
  inRun: boolean
}

/** A text that is part of one that grows. */
export interface Growth {
  /** What stood before it, and left. */
  readonly behind: string
  /** Names the texts that are also read as one from the first of them on; undefined for what the member said before. */
  readonly run: string | undefined
}

const ALL: Growth = { behind: '', run: undefined }

/**
 * Members that events tell again, such as the name of the model. Most clients replace them, some join all strings of one
 * path. So a member that takes another value is a text that grows.
 */
export class Replaced {
  readonly #known = new LazyMap<string, Known>()
  #characters = 0

  /**
   * Returns undefined while a member says the same, or words of its shape; else the text grows.
   *
   * @param fits it is a word, of a shape that is never a piece of another text
   */
  note(mark: string, text: string, fits: boolean): Growth | undefined {
    const known = this.#known.get(mark)
    if (known === undefined) {
      const isFull = this.#characters + text.length > MAX_CHARACTERS || this.#known.all.size >= MAX_KNOWN
      if (isFull) return fits ? undefined : ALL
      this.#characters += text.length
      this.#known.set(mark, { text, fits, grows: false, runs: 0, inRun: false })
      return undefined
    }
    if (known.grows) return growth(known, text)
    if (known.text === text) return undefined
    if (fits && known.fits) {
      known.text = text
      return undefined
    }
    known.grows = true
    return growth(known, text)
  }
}

function growth(known: Known, text: string): Growth {
  const returns = text === known.text
  if (!returns && !known.inRun) known.runs++
  known.inRun = !returns
  return { behind: known.text.slice(-LEFT), run: returns ? undefined : String(known.runs) }
}
