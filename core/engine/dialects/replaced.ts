import { REACH, startOfEnd } from '../text/ends.ts'
import { LazyMap } from '../util/lazy.ts'

/** Members of one stream whose last value is known; others count as texts that grow. */
const MAX_KNOWN = 4096
/** Characters of all of them; what is beyond counts as a text that grows. */
const MAX_CHARACTERS = 1024 * 1024
/** How far a text may continue in media, characters. */
const LEFT = 256

/** A word of a member's shape. `spells`: it may be a piece of another text. `media`: it is long, and no text. */
export type Over = 'spells' | 'media' | 'apart' | undefined

interface Known {
  /** What it said last; of media, the end. */
  last: string
  /** What it said before it grew. */
  usual: string
  /** The end of all that it said until it grew. */
  before: string
  /** How often it said that since. */
  repeats: number
  /** It has the shape of its member. */
  fits: boolean
  grows: boolean
  /** Counts how often it went on to say something else. */
  runs: number
  inRun: boolean
  /** Characters of media that still belong to the text before them. */
  open: number
}

/** A text that is part of one that grows. */
export interface Growth {
  /** What stood before it, and left. */
  readonly behind: string
  /** Names the texts that are also read as one from the first of them on; undefined for what the member said before. */
  readonly run: string | undefined
  /** Until now it was no text that grows, but something stood in its place. */
  readonly begins: boolean
}

const ALL: Growth = { behind: '', run: undefined, begins: true }

/**
 * Members that events tell again, such as the name of the model, and words in texts that grow. Most clients replace them, some
 * join all strings of one path. So a member that takes another value is a text that grows.
 */
export class Replaced {
  readonly #known = new LazyMap<string, Known>()
  #characters = 0

  /**
   * A member whose first value is whole. Returns undefined while it says the same, or words of its shape; else the text grows.
   *
   * @param fits it is a word of its shape
   */
  note(mark: string, text: string, fits: boolean, over?: Over): Growth | undefined {
    const isWord = fits && over !== 'spells'
    const known = this.#known.get(mark)
    if (known === undefined) return this.#add(mark, text, isWord) ? undefined : isWord ? undefined : ALL
    if (!known.grows) {
      if (repeats(known, text) || passes(known, text, isWord)) return undefined
      known.open = LEFT
    }
    return growth(known, text, isWord && over === 'media')
  }

  /** A text that grows from its beginning. Returns undefined for words of its shape that come before it. */
  begin(mark: string, text: string, fits: boolean, over?: Over): Growth | undefined {
    const known = this.#known.get(mark)
    if (known !== undefined) {
      if (!known.grows && passes(known, text, fits)) return undefined
      return growth(known, text, fits && over === 'media')
    }
    if (!this.#add(mark, fits ? text : '', true) || fits) return fits ? undefined : ALL
    return this.begin(mark, text, false)
  }

  /** A member said the same so many times more. */
  repeat(mark: string, times: number): void {
    const known = this.#known.get(mark)
    if (known !== undefined) known.repeats += times
  }

  knows(mark: string): boolean {
    return this.#known.get(mark) !== undefined
  }

  /** Returns whether there is room for it. */
  #add(mark: string, text: string, fits: boolean): boolean {
    if (this.#characters + text.length > MAX_CHARACTERS || this.#known.all.size >= MAX_KNOWN) return false
    const before = endOf(text)
    const last = fits ? before : text
    this.#characters += last.length
    this.#known.set(mark, { last, usual: last, before, repeats: 0, fits, grows: false, runs: 0, inRun: false, open: 0 })
    return true
  }
}

function repeats(known: Known, text: string): boolean {
  if (known.last !== text) return false
  known.repeats++
  return true
}

/** The end of what it said so far. */
function soFar(known: Known): string {
  const { last, before, repeats: times } = known
  known.repeats = 0
  return last === '' || times === 0
    ? before
    : endOf(before + last.repeat(Math.min(times, Math.ceil(REACH / last.length))))
}

/** Whether a word takes the place of another one. */
function passes(known: Known, text: string, fits: boolean): boolean {
  if (!fits || !known.fits) return false
  const end = endOf(text)
  if (repeats(known, end)) return true
  known.before = endOf(soFar(known) + end)
  known.last = known.usual = end
  return true
}

/** @param isMedia it goes on only a little after a text */
function growth(known: Known, text: string, isMedia: boolean): Growth | undefined {
  if (isMedia && known.open <= 0) return undefined
  known.open = isMedia ? known.open - text.length : LEFT
  const returns = text === known.usual
  if (!returns && !known.inRun) known.runs++
  known.inRun = !returns
  const begins = !known.grows && known.before !== ''
  if (!known.grows) known.before = soFar(known)
  known.grows = true
  return { behind: known.before, run: returns ? undefined : String(known.runs), begins }
}

/** The end of a text, with all of the word that it begins in. A copy, so that nothing of a long text is kept. */
export function endOf(text: string): string {
  const start = startOfEnd(text)
  return start === 0 ? text : Buffer.from(text.slice(start), 'utf16le').toString('utf16le')
}
