/** Words and beginnings of words that phrases consist of, as a tree of letters. A word of a text is one walk down. */

/** What a word of a text means to phrases and rules. Words that mean nothing share one object. */
export interface WordClass {
  /** Numbers of the same word and of its stems: the word first, then shorter stems before longer ones. */
  readonly tokens: readonly number[]
  /** Sets that the word belongs to, as bits. */
  readonly sets: number
}

/** Number of the class of words that mean nothing. */
export const NOTHING = 1
const NO_MEANING: WordClass = { tokens: [], sets: 0 }
const ROOT = 1
/** Columns of a state: letters of ASCII, by their last five bits. */
const COLUMNS = 32

/** Words that belong to a set; its bits are returned with them. */
export type WordSets = readonly (readonly [bit: number, words: string])[]

export class Lexicon {
  /** Next state by state and letter; 0 is none. */
  #next = new Uint16Array(COLUMNS * 2048)
  /** The same for all other characters, by state and character. */
  readonly #others = new Map<number, number>()
  /** Number of the word, and of the stem, that ends in a state; 0 for none. */
  readonly #words: number[] = [0, 0]
  readonly #stems: number[] = [0, 0]
  readonly #sets = new Map<number, number>()
  /** State before each, so that stems on the way are found. */
  readonly #parents: number[] = [0, 0]
  /** Number of the class of words that end in a state, and after it of those that continue where no state follows. 0 is unknown. */
  #classOf = new Uint16Array(0)
  /** Classes by number, from 1. */
  readonly classes: WordClass[] = [NO_MEANING, NO_MEANING]
  #numbers = 0
  /** By state in which a misspelling ends: the word that is meant. */
  readonly #meant = new Map<number, string>()

  constructor(sets: WordSets) {
    for (const [bit, words] of sets) {
      for (const word of words.split(' ')) {
        const state = this.#grow(word)
        this.#sets.set(state, (this.#sets.get(state) ?? 0) | bit)
      }
    }
  }

  /** Adds a word, or a stem with `*`. Returns its number. */
  add(word: string): number {
    const isStem = word.endsWith('*')
    const state = this.#grow(isStem ? word.slice(0, -1) : word)
    const numbers = isStem ? this.#stems : this.#words
    numbers[state] ||= ++this.#numbers
    return numbers[state] as number
  }

  /** Has a misspelling mean what a word means, unless it is a word itself. All words must be known. */
  addMisspelling(misspelling: string, word: string): void {
    const state = this.#grow(misspelling)
    if (this.#classAt(state, true) === NO_MEANING) this.#meant.set(state, word)
  }

  #grow(word: string): number {
    let state = ROOT
    for (let i = 0; i < word.length; i++) {
      const code = word.charCodeAt(i)
      const known = this.step(state, code)
      if (known !== 0) {
        state = known
        continue
      }
      const fresh = this.#words.push(0) - 1
      this.#stems.push(0)
      this.#parents.push(state)
      if (isLetter(code)) {
        this.#makeRoom(fresh)
        this.#next[state * COLUMNS + (code & 31)] = fresh
      } else this.#others.set(state * 0x10000 + code, fresh)
      state = fresh
    }
    return state
  }

  #makeRoom(state: number): void {
    if (state > 0xffff) throw new Error('too many words')
    if ((state + 1) * COLUMNS <= this.#next.length) return
    const larger = new Uint16Array(2 * this.#next.length)
    larger.set(this.#next)
    this.#next = larger
  }

  /** For walks over a text: index it with `(state << 5) | (code & 31)`, for letters of ASCII in either case. */
  get next(): Uint16Array {
    return this.#next
  }

  /** The state after a character in lower case; 0 for none. Begins at 1. */
  step(state: number, code: number): number {
    return isLetter(code)
      ? (this.#next[state * COLUMNS + (code & 31)] ?? 0)
      : (this.#others.get(state * 0x10000 + code) ?? 0)
  }

  /**
   * Number of a class.
   *
   * @param isWhole false for a word with more letters than the tree has
   */
  classAt(state: number, isWhole: boolean): number {
    const at = 2 * state + (isWhole ? 0 : 1)
    return this.#classOf[at] || this.#learn(at, state, isWhole)
  }

  #learn(at: number, state: number, isWhole: boolean): number {
    if (this.#classOf.length === 0) this.#classOf = new Uint16Array(2 * this.#words.length)
    const number = this.#numberOf(state, isWhole)
    this.#classOf[at] = number
    return number
  }

  #numberOf(state: number, isWhole: boolean): number {
    const meant = isWhole ? this.#meant.get(state) : undefined
    if (meant !== undefined) return this.classOf(meant)
    const known = this.#classAt(state, isWhole)
    return known === NO_MEANING ? NOTHING : this.classes.push(known) - 1
  }

  #classAt(state: number, isWhole: boolean): WordClass {
    const stems: number[] = []
    for (let at = state; at !== 0; at = this.#parents[at] as number) {
      const stem = this.#stems[at] as number
      if (stem !== 0) stems.unshift(stem)
    }
    const word = isWhole ? (this.#words[state] as number) : 0
    const tokens = word === 0 ? stems : [word, ...stems]
    const sets = isWhole ? (this.#sets.get(state) ?? 0) : 0
    return tokens.length === 0 && sets === 0 ? NO_MEANING : { tokens, sets }
  }

  /** Number of the class of a word in its plain form. */
  classOf(word: string): number {
    let state = ROOT
    for (let i = 0; i < word.length; i++) {
      const next = this.step(state, word.charCodeAt(i))
      if (next === 0) return this.classAt(state, false)
      state = next
    }
    return this.classAt(state, true)
  }
}

const isLetter = (code: number): boolean => code >= 97 && code <= 122
