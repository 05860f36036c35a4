import type { RE2JS } from 're2js'
import type { Steps } from '../engine/util/steps.ts'

/** Characters of a window. */
const WINDOW = 16 * 1024
/** Longest match of a pattern whose windows may overlap, UTF-16 units; others are cut where no match can go on. */
const MOST_OVERLAP = 4096
const ASCII = 128

/** Reports a match: a half-open span of the text. */
type Take = (start: number, end: number) => void

/**
 * Searches a long text in windows and finds the same as one search. A window ends where everything that begins in it is decided:
 * before the longest match and the character behind it, or, for a pattern without a longest match, after a character that no match
 * contains, such as a line break for `a.*b`. A text without such a character is one window.
 */
export class PatternSearch {
  readonly #compiled: RE2JS
  /** UTF-16 units; undefined if it is too long for an overlap. */
  readonly #longest: number | undefined
  /** By code: 1 if no match contains the ASCII character. */
  readonly #parting: Uint8Array

  constructor(compiled: RE2JS) {
    this.#compiled = compiled
    const program = compiled.re2().prog.inst as readonly Instruction[]
    const longest = longestMatch(program, compiled.re2().prog.start)
    this.#longest = longest <= MOST_OVERLAP ? longest : undefined
    this.#parting = Uint8Array.from({ length: ASCII }, (_, code) => (program.some((one) => takes(one, code)) ? 0 : 1))
  }

  /** Takes each match in order, empty ones included. */
  *matches(text: string, take: Take): Steps<void> {
    for (let at = 0; at <= text.length; ) {
      const { end, decided } = this.#window(text, at)
      // With the character before, which decides what \b and ^ are.
      const base = Math.max(0, at - 2)
      const matcher = this.#compiled.matcher(base === 0 && end === text.length ? text : text.slice(base, end))
      while (at <= decided && matcher.find(at - base)) {
        const start = base + matcher.start()
        if (start > decided) break
        const stop = base + matcher.end()
        take(start, stop)
        at = stop > start ? stop : wholeFrom(text, stop + 1)
      }
      if (end === text.length) return
      at = wholeFrom(text, Math.max(at, decided + 1))
      yield
    }
  }

  /** Where the window from `at` ends, and the last place where a match may begin whose end it decides. */
  #window(text: string, at: number): { readonly end: number; readonly decided: number } {
    const least = at + WINDOW
    if (this.#longest !== undefined) {
      // A whole character behind the longest match.
      const end = least + this.#longest + 2
      return end < text.length ? { end, decided: least } : { end: text.length, decided: text.length }
    }
    for (let i = least; i < text.length - 1; i++) {
      const code = text.charCodeAt(i)
      if (code < ASCII && this.#parting[code] === 1) return { end: i + 1, decided: i }
    }
    return { end: text.length, decided: text.length }
  }
}

/** The next place that is not within a character. */
const wholeFrom = (text: string, at: number): number =>
  isLow(text.charCodeAt(at)) && isHigh(text.charCodeAt(at - 1)) ? at + 1 : at
const isHigh = (code: number): boolean => code >= 0xd800 && code < 0xdc00
const isLow = (code: number): boolean => code >= 0xdc00 && code < 0xe000

/** An instruction of a compiled expression. */
interface Instruction {
  readonly op: number
  readonly out: number
  /** The other way of an alternative. */
  readonly arg: number
  matchRune(code: number): boolean
}

const [ALTERNATIVE, ALTERNATIVE_MATCH, FAIL, MATCH] = [1, 2, 5, 6]
/** Those that take a character. */
const [RUNES, ONE_RUNE, ANY, ANY_IN_LINE] = [8, 9, 10, 11]
const LINE_BREAK = 0x0a

function takes(one: Instruction, code: number): boolean {
  if (one.op === ANY) return true
  if (one.op === ANY_IN_LINE) return code !== LINE_BREAK
  return (one.op === RUNES || one.op === ONE_RUNE) && one.matchRune(code)
}

/** UTF-16 units; Infinity for an expression with a loop, or with instructions of another kind. */
function longestMatch(program: readonly Instruction[], from: number): number {
  const known = new Map<number, number>()
  const longest = (at: number): number => {
    const before = known.get(at)
    if (before !== undefined) return before
    known.set(at, Number.POSITIVE_INFINITY) // Where a loop comes back to.
    const { op, out, arg } = program[at] as Instruction
    let length: number
    if (op === MATCH) length = 0
    else if (op === FAIL) length = Number.NEGATIVE_INFINITY
    else if (op > ANY_IN_LINE) length = Number.POSITIVE_INFINITY
    else if (op === ALTERNATIVE || op === ALTERNATIVE_MATCH) length = Math.max(longest(out), longest(arg))
    else length = longest(out) + (op >= RUNES ? 2 : 0)
    known.set(at, length)
    return length
  }
  return longest(from)
}
