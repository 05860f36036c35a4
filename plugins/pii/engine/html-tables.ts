/** Tables of HTML: a cell of the first row, or a `<th>`, names all values below it. */
import { Cells } from './cells.ts'
import type { Head, Heads } from './heads.ts'

const TAG = /<(\/?)(table|tr|th|td)(?=[\s>/])[^<>]{0,256}>/giy
/** Longest tag that may be cut, with its signs. */
const LONGEST_TAG = 264
/** A longer cell is no head. */
const LONGEST_HEAD = 64
const LESS = '<'

export class HtmlTables {
  readonly #heads: Heads
  readonly cells = new Cells()
  /** Absolute position up to which text was read. */
  #at = 0
  /** A tag that is not complete yet. */
  #cut = ''
  /** Heads of the columns; undefined outside of tables. */
  #columns: (Head | undefined)[] | undefined
  #row = -1
  #column = -1
  /** Text of a cell that may be a head, so far. */
  #text: string | undefined

  constructor(heads: Heads) {
    this.#heads = heads
  }

  /** Absolute position of a tag that is not complete, which may end a cell; infinite without one. */
  get cutAt(): number {
    return this.#cut === '' ? Number.POSITIVE_INFINITY : this.#at - this.#cut.length
  }

  /** Text is missing. */
  restart(): void {
    this.#cut = ''
    this.#columns = this.#text = undefined
    this.cells.clear()
  }

  /** Reads on. `at` is the absolute position of the text's beginning. */
  read(added: string, at: number): void {
    this.#at = at + added.length
    if (this.#cut === '' && this.#columns === undefined && !added.includes(LESS)) return
    const text = this.#cut + added
    const base = at - this.#cut.length
    this.#cut = ''
    let from = 0
    for (let i = text.indexOf(LESS); i >= 0; i = text.indexOf(LESS, i + 1)) {
      TAG.lastIndex = i
      const tag = TAG.exec(text)
      if (tag !== null) {
        this.#keep(text, from, i)
        from = i + tag[0].length
        this.#take(tag[2]!.toLowerCase(), tag[1] !== '', base + i, base + from)
        i = from - 1
      } else if (text.length - i < LONGEST_TAG && !/[>]|.</s.test(text.slice(i))) {
        this.#keep(text, from, i)
        this.#cut = text.slice(i)
        return
      }
    }
    this.#keep(text, from, text.length)
  }

  #keep(text: string, from: number, to: number): void {
    if (this.#text === undefined || this.#text.length > LONGEST_HEAD) return
    this.#text += text.slice(from, Math.min(to, from + LONGEST_HEAD + 1))
  }

  #take(name: string, closes: boolean, start: number, end: number): void {
    this.#close(start)
    if (name === 'table') {
      this.#columns = closes ? undefined : []
      this.#row = -1
    } else if (name === 'tr') {
      if (closes) return
      this.#columns ??= []
      this.#row++
      this.#column = -1
    } else if (!closes) this.#open(name, end)
  }

  #open(name: string, at: number): void {
    if (this.#columns === undefined) return
    this.#column++
    if (name === 'th' || this.#row === 0) this.#text = ''
    else this.cells.open(this.#columns[this.#column], at)
  }

  #close(at: number): void {
    this.cells.close(at)
    if (this.#text === undefined || this.#columns === undefined) return
    if (this.#text.length <= LONGEST_HEAD) this.#columns[this.#column] = this.#heads.cellOf(this.#text.trim())
    this.#text = undefined
  }
}
