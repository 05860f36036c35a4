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
const DOT = 0x2e
const BREAK = 0x0a
const WORD = /[\p{L}\p{M}\p{N}]+(?:['’][\p{L}]+)*|[。！？]/uy
const SINGLE = /[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]/
const SCRIPTS =
  /[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]|[^\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]+/g
const LEET: Readonly<Record<string, string>> = { 0: 'o', 1: 'i', 3: 'e', 4: 'a', 5: 's', 7: 't', 8: 'b', 9: 'g' }

/** By character code of a digit. */
const LEET_CODE = Uint8Array.from({ length: 58 }, (_, code) => LEET[code - 48]?.charCodeAt(0) ?? code)

const OTHER = 0
const LETTER = 1
const SENTENCE_END = 2
const APOSTROPHE = 3
const DIGIT = 4
/** Not ASCII. */
const FOREIGN = 5

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
const isInWord = (code: number): boolean => KIND[code] === LETTER || KIND[code] === DIGIT

const UNITS = new TextUnits()

/** Cuts a text into words; `lexicon` tells what they mean. */
export function cutWords(text: string, lexicon: Lexicon): Words {
  const out = wordsFor(text, WORDS)
  const units = UNITS.of(text)
  const { next } = lexicon
  const n = text.length
  let place = 0
  let ended = false
  /** Words of one letter in sequence. */
  let singles = 0
  let isSpaced = false
  let i = 0
  /** Where the run of ASCII ends that was looked at last. It may be read in several words. */
  let runEnd = 0
  while (i < n) {
    let code = units[i] as number
    const kind = KIND[code]
    if (kind === OTHER || kind === APOSTROPHE) {
      i++
      continue
    }
    if (kind === LETTER) {
      let state = 1
      let end = i
      // Down the tree as far as it goes, then to the end of the word. Behind the text is a unit that ends it.
      do {
        const step = next[(state << 5) | (code & 31)] as number
        if (step === 0) break
        state = step
        code = units[++end] as number
      } while (KIND[code] === LETTER)
      const isWhole = KIND[code] !== LETTER
      while (KIND[code] === LETTER) code = units[++end] as number
      const after = KIND[code]
      if (after === OTHER || after === SENTENCE_END || (after === APOSTROPHE && !isInWord(units[end + 1] as number))) {
        out.push(lexicon.classAt(state, isWhole), i, end, place)
        place += WHOLE
        singles = end === i + 1 ? singles + 1 : 0
        if (singles === SPACED) isSpaced = true
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
    if (kind !== FOREIGN && i >= runEnd) runEnd = asciiEnd(units, i)
    const irregular = kind === FOREIGN ? i : runEnd
    if (irregular > i && irregular < n && KIND[units[irregular] as number] !== FOREIGN) {
      out.push(classOfAscii(units, i, irregular, lexicon), i, irregular, place)
      place += WHOLE
      // It has a digit or more than one letter.
      singles = 0
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
    if (/^[。！？]$/.test(word)) {
      if (!ended) place += SENTENCE
      ended = true
      i += word.length
      continue
    }
    const before = out.count
    place = pushRun(out, lexicon, word, i, place)
    i += word.length
    ended = false
    for (let at = before; at < out.count; at++) {
      singles = isSingle(text, out, at) ? singles + 1 : 0
      if (singles === SPACED) isSpaced = true
    }
  }
  return isSpaced ? joinLetters(text, lexicon, out) : out
}

const isBlank = (text: string, at: number): boolean => /\s/.test(text[at] as string)

/** End of letters, digits, and apostrophes between them. */
function asciiEnd(units: Uint16Array, at: number): number {
  let end = at
  for (;;) {
    const code = units[end] as number
    if (isInWord(code) || (KIND[code] === APOSTROPHE && isInWord(units[end + 1] as number))) end++
    else return end
  }
}

/** The class of such a word in its plain form. */
function classOfAscii(units: Uint16Array, start: number, end: number, lexicon: Lexicon): number {
  let hasLetter = false
  for (let i = start; i < end && !hasLetter; i++) hasLetter = KIND[units[i] as number] === LETTER
  let state = 1
  for (let i = start; i < end; i++) {
    const code = units[i] as number
    if (KIND[code] === APOSTROPHE) continue
    // Letters in lower case; in a word with letters, also the digits that imitate one.
    const step = lexicon.step(state, KIND[code] === LETTER ? code | 32 : hasLetter ? (LEET_CODE[code] as number) : code)
    if (step === 0) return lexicon.classAt(state, false)
    state = step
  }
  return lexicon.classAt(state, true)
}

/** Adds a run of letters of any script. Two ideographs count as about one word. */
function pushRun(out: Words, lexicon: Lexicon, run: string, at: number, place: number): number {
  if (!SINGLE.test(run)) {
    out.push(lexicon.classOf(plain(run)), at, at + run.length, place)
    return place + WHOLE
  }
  let next = place
  for (const match of run.matchAll(SCRIPTS)) {
    const single = SINGLE.test(match[0])
    const word = lexicon.classOf(single ? match[0] : plain(match[0]))
    out.push(word, at + match.index, at + match.index + match[0].length, next)
    next += single ? 1 : WHOLE
  }
  return next
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

const plainAt = (text: string, { starts, ends }: Words, at: number): string => plain(text.slice(starts[at], ends[at]))
const isSingle = (text: string, words: Words, at: number): boolean => /^[a-z]$/.test(plainAt(text, words, at))

/** Joins spaced letters: `i g n o r e` becomes `ignore`. Needs four single letters. */
function joinLetters(text: string, lexicon: Lexicon, all: Words): Words {
  const { classes, starts, ends, places, count } = all
  const out = wordsFor(text, JOINED)
  // Letters joined into one word take one place.
  let saved = 0
  for (let i = 0; i < count; ) {
    let j = i
    while (j < count && isSingle(text, all, j)) j++
    if (j - i >= SPACED) {
      // Letters of one word stand closer together than words: split at wider gaps.
      for (let k = i; k < j; ) {
        let end = k + 1
        const gap = (k + 1 < count ? starts[k + 1]! : 0) - ends[k]!
        while (end < j && starts[end]! - ends[end - 1]! <= gap) end++
        let word = ''
        for (let at = k; at < end; at++) word += plainAt(text, all, at)
        out.push(lexicon.classOf(word), starts[k]!, ends[end - 1]!, places[k]! - saved)
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
