/** Names that a sentence gives to the value before them: `46 454 286 is my SIN`, `046454286 (SIN)`. */
import {
  endsName,
  IN_COMMENT,
  IN_PARENTHESES,
  IS_CLOSING,
  isApposition,
  isClause,
  LINK,
  MOST_MARKS,
  mayBeComment,
  mayBeLink,
  NAMES_NEXT,
  STOP,
} from './asides.ts'
import type { WindowReader } from './keywords.ts'

/** A name is this near; the verb before it counts, too. */
const WITHIN = 48
const SPACE = 0x20
const SEMICOLON = 0x3b
const PARENTHESIS = 0x28
const CARET = 0x5e
const COLON = 0x3a
/** Ends a component or a field of HL7 2: `9434765919^^^NHS^NH|`. */
const END_OF_FIELD = /[\^|\r\n]/

interface Span {
  readonly text: string
  readonly units: Uint16Array
  readonly start: number
  readonly end: number
  readonly final: boolean
  /** Set if the answer depends on text that has not arrived. */
  unsettled: boolean
}

/** What is known of one span, looked at once. */
export class Behind {
  readonly #reader: WindowReader
  readonly #other: number
  /** End for which the name was looked for, and whether there is any. */
  #end = -1
  #isNamed = false
  /** End of the parentheses that have the name; -1 if a verb links it. */
  #closing = -1
  /** The name stands beside the value, without a verb. */
  #isApposition = false

  /** @param other the group of words for other numbers */
  constructor(reader: WindowReader, other: number) {
    this.#reader = reader
    this.#other = other
  }

  /** Forgets the last span. */
  begin(): void {
    this.#end = -1
  }

  /** Whether a name of the group is behind the span. */
  is(span: Span, group: number): boolean {
    if (!this.read(span)) return false
    const end = this.#reader.end(group)
    const other = this.#reader.end(this.#other)
    if (end > 0 && this.#isApposition && NAMES_NEXT.test(span.text.slice(end, end + WITHIN))) return false
    if (this.#closing >= 0 && !endsName(span.text.slice(Math.max(0, end), this.#closing))) return false
    return end > 0 && (other < 0 || other === end)
  }

  /** Reads what a sentence says behind the span; false if it does not continue from the span to a name of any kind. */
  read(span: Span): boolean {
    if (this.#end !== span.end) {
      this.#end = span.end
      this.#isNamed = this.#find(span)
    }
    return this.#isNamed
  }

  #find(span: Span): boolean {
    const { text, units, start, end, final } = span
    let blank = end
    while (blank < end + MOST_MARKS && IS_CLOSING[units[blank]!] === 1) blank++
    // Nearly all spans stop here.
    const sign = units[blank]
    const isCast = sign === COLON && (units[blank + 1] === COLON || units[blank + 1] === 0)
    const isField = units[end] === CARET && units[end + 1] === CARET
    if (blank < text.length && sign !== SPACE && sign !== SEMICOLON && !isField && !isCast && !isClause(units, blank))
      return false
    // So `Is` and `the` need not wait for a number.
    for (let i = start; i < end; i++) if (units[i]! >= 97 && units[i]! <= 122) return false
    // `ISBN 978…`, `USD 250…`: a word names it before.
    if ((units[start + 3] === SPACE || units[start + 4] === SPACE) && units[start + 2]! >= 65) return false
    const most = Math.min(text.length, end + WITHIN)
    const words = text.slice(end, most)
    const isCut = !final && most === text.length
    this.#isApposition = false
    if (isField) {
      const from = end + words.search(/[^^]|$/)
      const length = text.slice(from, most).search(END_OF_FIELD)
      if (length < 0 && isCut) span.unsettled = true
      this.#closing = length < 0 ? most : from + length
      return length !== 0 && this.#hasName(span, this.#closing)
    }
    const comment = mayBeComment(words, blank - end) ? IN_COMMENT.exec(words) : null
    if (comment !== null) {
      if (isCut && !words.includes('\n')) span.unsettled = true
      const stop = end + comment[0].length
      this.#closing = stop + 1
      return (stop < most || most === text.length) && this.#hasName(span, stop)
    }
    const inside = units[blank + 1] === PARENTHESIS ? (IN_PARENTHESES.exec(words)?.[0].length ?? 0) : 0
    this.#closing = inside === 0 ? -1 : end + inside
    if (inside > 0) {
      if (inside === words.length && isCut) span.unsettled = true
      return words[inside] === ')' && this.#hasName(span, end + inside)
    }
    const link = LINK.exec(words)
    if (link === null) {
      if (isCut && mayBeLink(words)) span.unsettled = true
      return false
    }
    this.#isApposition = isApposition(link[0])
    const from = link[0].length - 1
    const stop = words.slice(from).search(STOP)
    if (stop < 0 && isCut) span.unsettled = true
    return this.#hasName(span, stop < 0 ? most : end + from + stop)
  }

  #hasName({ units, end }: Span, until: number): boolean {
    this.#reader.reset()
    this.#reader.read(units, end, until)
    return this.#reader.any
  }
}
