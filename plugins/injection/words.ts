/** Cuts a text into words; each ideograph or kana is a word. Linear, no look-behind. */
import { TextUnits } from 'governed-gateway/kit'
import type { Lexicon } from './lexicon.ts'

/** The words of one text. Valid until the next text is cut. */
export class Words {
  count = 0
  /** What each word means, by number in the lexicon. */
  classes = new Uint16Array(0)
  /** Offsets of the first character of each word, and after its last. */
  starts = new Uint32Array(0)
  ends = new Uint32Array(0)
  /**
   * Position for distances, in half words: grows by one word per word, and more at the end of a sentence, so that gaps do
   * not cross sentences.
   */
  places = new Uint32Array(0)

  /** Takes at most `most` words from now on. */
  open(most: number): this {
    this.count = 0
    if (this.classes.length < most) {
      this.classes = new Uint16Array(most)
      this.starts = new Uint32Array(most)
      this.ends = new Uint32Array(most)
      this.places = new Uint32Array(most)
    }
    return this
  }

  push(word: number, start: number, end: number, place: number): void {
    const at = this.count++
    this.classes[at] = word
    this.starts[at] = start
    this.ends[at] = end
    this.places[at] = place
  }
}

/** Characters of the longest text that is read at once. Longer ones may be read in turns, so they have words of their own. */
export const LONGEST_AT_ONCE = 32 * 1024
const WORDS = new Words()
const JOINED = new Words()
const wordsFor = (text: string, usual: Words): Words =>
  (text.length > LONGEST_AT_ONCE ? new Words() : usual).open(text.length)

/** Distance that the end of a sentence or paragraph adds, in half words. */
const SENTENCE = 6
const WHOLE = 2
/** Two ideographs count as about one word. */
const IDEOGRAPHIC = 1
const DOT = 0x2e
const BREAK = 0x0a
/** A word with letters of other scripts; it ends at an ideograph. */
const WORD =
  /[[\p{L}\p{M}\p{N}]--[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]]+(?:['’][\p{L}--[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]]+)*/vy
const LEET: Readonly<Record<string, string>> = { 0: 'o', 1: 'i', 3: 'e', 4: 'a', 5: 's', 7: 't', 8: 'b', 9: 'g' }

/** By character code of a digit. */
const LEET_CODE = Uint8Array.from({ length: 58 }, (_, code) => LEET[code - 48]?.charCodeAt(0) ?? code)

const OTHER = 0
const LETTER = 1
const SENTENCE_END = 2
const APOSTROPHE = 3
const DIGIT = 4
/** Any other letter, mark, number or half of a pair that is not ASCII, and `’`. */
const FOREIGN = 5
/** An ideograph, a kana or a Thai character: each is a word. */
const IDEOGRAPH = 6
/** A Latin letter with an accent, or another one beyond ASCII. */
const ACCENTED = 7

/** By character. */
const KIND = new Uint8Array(0x10000).fill(FOREIGN)
for (let code = 0; code < 128; code++) {
  const char = String.fromCharCode(code)
  KIND[code] = /[A-Za-z]/.test(char)
    ? LETTER
    : /[0-9]/.test(char)
      ? DIGIT
      : /[.!?\n]/.test(char)
        ? SENTENCE_END
        : char === "'"
          ? APOSTROPHE
          : OTHER
}
// Signs beyond ASCII end a word like those of ASCII, without the expression. `’` may stand within one.
const ALL = Buffer.from(Uint16Array.from(KIND.keys()).buffer).toString('utf16le')
for (const { 0: run, index } of ALL.matchAll(/[^\x00-\x7f\ud800-\udfff\u{10000}-\u{10ffff}\p{L}\p{M}\p{N}’]+/gu))
  KIND.fill(OTHER, index, index + run.length)
for (const char of '。！？') KIND[char.charCodeAt(0)] = SENTENCE_END
for (const [first, last] of [
  [0x0e00, 0x0e7f],
  [0x3040, 0x30ff],
  [0x3400, 0x9fff],
  [0xf900, 0xfaff],
] as const)
  for (let code = first; code <= last; code++)
    if (/[\p{L}\p{M}\p{N}]/u.test(String.fromCharCode(code))) KIND[code] = IDEOGRAPH

/** By Latin letter: in lower case, without accent. */
const PLAIN = new Uint16Array(0x1f00)
for (let code = 0; code < PLAIN.length; code++) {
  const isAccented = (code >= 0xc0 && code < 0x250) || code >= 0x1e00
  const char = String.fromCharCode(code)
  if (KIND[code] !== LETTER && !(isAccented && /\p{L}/u.test(char) && char.toLowerCase().length === 1)) continue
  PLAIN[code] = plain(char).charCodeAt(0)
  if (isAccented) KIND[code] = ACCENTED
}
const isInWord = (code: number): boolean => KIND[code] === LETTER || KIND[code] === DIGIT
/** A letter of ASCII, but for an accent. */
const isLetter = (code: number): boolean => KIND[PLAIN[code] ?? 0] === LETTER

const UNITS = new TextUnits()

/** Cuts a text into words; `lexicon` tells what they mean. Long texts take several steps, with other texts in between. */
export function* cutWords(text: string, lexicon: Lexicon): Generator<undefined, Words> {
  const cutter = new Cutter(text, lexicon)
  for (let end = LONGEST_AT_ONCE; cutter.cutTo(end) < text.length; end += LONGEST_AT_ONCE) yield
  if (!cutter.isSpaced) return cutter.words
  if (text.length > LONGEST_AT_ONCE) yield
  return yield* joinLetters(text, lexicon, cutter.words)
}

/** Apart from the generator, in which the same loop takes longer. */
class Cutter {
  readonly words: Words
  /** Whether {@link SPACED} words of one letter are in sequence. */
  isSpaced = false
  readonly #text: string
  readonly #lexicon: Lexicon
  readonly #units: Uint16Array
  #at = 0
  #place = 0
  #ended = false
  /** Words of one letter in sequence. */
  #singles = 0
  /** Where the run of Latin ends that was looked at last. It may be read in several words. */
  #runEnd = 0

  constructor(text: string, lexicon: Lexicon) {
    this.words = wordsFor(text, WORDS)
    this.#text = text
    this.#lexicon = lexicon
    this.#units = (text.length > LONGEST_AT_ONCE ? new TextUnits() : UNITS).of(text)
  }

  /** Cuts up to about a position. Returns how far it came. */
  cutTo(end: number): number {
    const text = this.#text
    const lexicon = this.#lexicon
    const units = this.#units
    const { words: out } = this
    const { next } = lexicon
    const n = text.length
    const until = Math.min(end, n)
    let i = this.#at
    let place = this.#place
    let ended = this.#ended
    let singles = this.#singles
    let runEnd = this.#runEnd
    while (i < until) {
      let code = units[i] as number
      const kind = KIND[code]
      if (kind === OTHER || kind === APOSTROPHE) {
        i++
        continue
      }
      if (kind === LETTER) {
        let state = 1
        let end = i
        // Down the tree as far as it goes, then to the end of the word. After the text is a unit that ends it.
        do {
          const step = next[(state << 5) | (code & 31)] as number
          if (step === 0) break
          state = step
          code = units[++end] as number
        } while (KIND[code] === LETTER)
        const isWhole = KIND[code] !== LETTER
        while (KIND[code] === LETTER) code = units[++end] as number
        const after = KIND[code]
        if (
          after === OTHER ||
          after === SENTENCE_END ||
          after === IDEOGRAPH ||
          (after === APOSTROPHE && !isInWord(units[end + 1] as number))
        ) {
          out.push(lexicon.classAt(state, isWhole), i, end, place)
          place += WHOLE
          singles = end === i + 1 ? singles + 1 : 0
          if (singles === SPACED) this.isSpaced = true
          ended = false
          i = end
          continue
        }
      }
      if (kind === SENTENCE_END) {
        // A dot inside a number or name does not end a sentence.
        if (!ended && (code !== DOT || i + 1 === n || isBlank(text, i + 1))) {
          place += code === BREAK && units[i + 1] !== BREAK ? WHOLE : SENTENCE
          ended = true
        }
        i++
        continue
      }
      if (kind === IDEOGRAPH) {
        out.push(lexicon.classOf(text[i] as string), i, i + 1, place)
        place += IDEOGRAPHIC
        singles = 0
        ended = false
        i++
        continue
      }
      if (kind !== FOREIGN && i >= runEnd) runEnd = latinEnd(units, i)
      const irregular = kind === FOREIGN ? i : runEnd
      if (irregular > i && KIND[units[irregular] as number] !== FOREIGN) {
        out.push(classOfLatin(units, i, irregular, lexicon), i, irregular, place)
        place += WHOLE
        singles = irregular === i + 1 && isLetter(units[i] as number) ? singles + 1 : 0
        if (singles === SPACED) this.isSpaced = true
        ended = false
        i = irregular
        continue
      }
      WORD.lastIndex = i
      const word = WORD.exec(text)?.[0]
      if (word === undefined) {
        i++
        continue
      }
      out.push(lexicon.classOf(plain(word)), i, i + word.length, place)
      place += WHOLE
      singles = word.length === 1 && isLetter(units[i] as number) ? singles + 1 : 0
      if (singles === SPACED) this.isSpaced = true
      ended = false
      i += word.length
    }
    this.#at = i
    this.#place = place
    this.#ended = ended
    this.#singles = singles
    this.#runEnd = runEnd
    return i
  }
}

const isBlank = (text: string, at: number): boolean => /\s/.test(text[at] as string)

/** End of letters, digits, and apostrophes between them. */
function latinEnd(units: Uint16Array, at: number): number {
  let end = at
  for (;;) {
    const code = units[end] as number
    if (isInWord(code) || KIND[code] === ACCENTED || (KIND[code] === APOSTROPHE && isInWord(units[end + 1] as number)))
      end++
    else return end
  }
}

/** The class of such a word in its plain form. */
function classOfLatin(units: Uint16Array, start: number, end: number, lexicon: Lexicon): number {
  let hasLetter = false
  for (let i = start; i < end && !hasLetter; i++) hasLetter = KIND[units[i] as number] === LETTER
  let state = 1
  for (let i = start; i < end; i++) {
    const code = units[i] as number
    if (KIND[code] === APOSTROPHE) continue
    // In a word with letters of ASCII, a digit may imitate one.
    const step = lexicon.step(state, PLAIN[code] || (hasLetter ? (LEET_CODE[code] as number) : code))
    if (step === 0) return lexicon.classAt(state, false)
    state = step
  }
  return lexicon.classAt(state, true)
}

/** Lower case, without apostrophes and accents; replaces digits in a word by the letters that they imitate. */
function plain(word: string): string {
  let out = word.toLowerCase()
  if (/^[a-z]+$/.test(out)) return out
  if (/['’]/.test(out)) out = out.replace(/['’]/g, '')
  if (/[0-9]/.test(out) && /[a-z]/.test(out)) out = out.replace(/[0-9]/g, (digit) => LEET[digit] ?? digit)
  return /[\u00c0-\u024f\u1e00-\u1eff]/.test(out)
    ? out.normalize('NFD').replace(/\p{M}/gu, '').replace(/ł/g, 'l').replace(/ı/g, 'i').replace(/đ/g, 'd')
    : out
}

/** Letters in sequence that are one word. */
const SPACED = 4

const isSingle = (text: string, { starts, ends }: Words, at: number): boolean =>
  ends[at] === starts[at]! + 1 && isLetter(text.charCodeAt(starts[at]!))

/** The class of a word of single letters. */
function classOfLetters(text: string, { starts }: Words, from: number, to: number, lexicon: Lexicon): number {
  let state = 1
  for (let at = from; at < to; at++) {
    const step = lexicon.step(state, PLAIN[text.charCodeAt(starts[at]!)]!)
    if (step === 0) return lexicon.classAt(state, false)
    state = step
  }
  return lexicon.classAt(state, true)
}

/** Joins spaced letters: `i g n o r e` becomes `ignore`. Needs four single letters. */
function* joinLetters(text: string, lexicon: Lexicon, all: Words): Generator<undefined, Words> {
  const { classes, starts, ends, places, count } = all
  const out = wordsFor(text, JOINED)
  // Letters joined into one word take one place.
  let saved = 0
  let stepEnd = LONGEST_AT_ONCE
  for (let i = 0; i < count; ) {
    if (i >= stepEnd) {
      stepEnd = i + LONGEST_AT_ONCE
      yield
    }
    let j = i
    while (j < count && isSingle(text, all, j)) j++
    if (j - i >= SPACED) {
      // Letters of one word stand closer together than words, or have another sign between them.
      for (let k = i; k < j; ) {
        let end = k + 1
        const gap = (k + 1 < count ? starts[k + 1]! : 0) - ends[k]!
        const sign = text[ends[k]!]
        while (end < j && starts[end]! - ends[end - 1]! <= gap && text[ends[end - 1]!] === sign) end++
        out.push(classOfLetters(text, all, k, end, lexicon), starts[k]!, ends[end - 1]!, places[k]! - saved)
        saved += (end - k - 1) * WHOLE
        k = end
      }
      i = j
    } else {
      out.push(classes[i]!, starts[i]!, ends[i]!, places[i]! - saved)
      i++
    }
  }
  return out
}
