/**
 * Finds where a value of many lines begins and ends, of which a position may be part: the lines of a private key, or of
 * a file in base64, are long runs of letters and digits, one soon after the other.
 */
import type { Steps } from '../util/steps.ts'
import { isAlnum, isDigit } from './char-kinds.ts'
import { STEP } from './long-texts.ts'

/** This many characters of a line show that it belongs to a key. Fewer are a word or a number. */
const SHORTEST = 16
const PLUS = 0x2b
const SLASH = 0x2f

export class LongLines {
  readonly #text: string
  /** Most characters between two lines. */
  readonly #gap: number
  /** No line is between the last reported end and here. */
  #looked = 0

  constructor(text: string, gap: number) {
    this.#text = text
    this.#gap = gap
  }

  /** Where the lines begin that lead to a position; the position if there are none. */
  *startOf(at: number, floor: number): Steps<number> {
    let start = at
    let run = 0
    let marked = false
    for (let i = at - 1; i >= floor; i--) {
      if (i % STEP === 0) yield
      const c = this.#text.charCodeAt(i)
      if (isOfLine(c)) {
        run++
        marked ||= isMark(c)
        if (run >= SHORTEST && marked) start = i
        continue
      }
      run = 0
      marked = false
      if (start - i > this.#gap) break
    }
    return start
  }

  /** Where the lines end that follow a position; the position if there are none. Positions must not decrease. */
  *endOf(at: number): Steps<number> {
    const { length } = this.#text
    let end = at
    let run = 0
    let marked = false
    let i = Math.max(at, this.#looked)
    for (; i < length; i++) {
      if (i % STEP === 0) yield
      const c = this.#text.charCodeAt(i)
      if (isOfLine(c)) {
        run++
        marked ||= isMark(c)
        if (run >= SHORTEST && marked) end = i + 1
        continue
      }
      run = 0
      marked = false
      if (i - end > this.#gap) break
    }
    this.#looked = i
    return end
  }
}

const isOfLine = (c: number): boolean => isAlnum(c) || c === PLUS || c === SLASH

/** Long words and paths of letters alone are common. */
const isMark = (c: number): boolean => isDigit(c) || c === PLUS
