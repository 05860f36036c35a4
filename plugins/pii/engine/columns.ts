/**
 * Tables and lists in a text: the head of a column names all values below it, also where a stream has released it long ago.
 * CSV with commas, semicolons or tabs, tables of Markdown, of HTML and of shells of databases, rows of SQL, and lists under a line that names them.
 * What is known of a value depends only on the text up to the end of its cell, however the text was cut.
 */
import { type Cell, Cells } from './cells.ts'
import { belongs, type Head, type Heads, isItem, mayBeEdge, mayBeQuoted, NONE, type Table } from './heads.ts'
import { HtmlTables } from './html-tables.ts'
import { SqlInserts } from './sql-inserts.ts'

const QUOTE = 0x22
const SPACE = 0x20
/** Longer lines are no heads. */
const LONGEST_HEAD = 400
/** Of a longer line, as much as shows whether it is an item of a list. */
const LINE_BEGINNING = 48
/** Blanks and marks before a value, and behind it. */
const MOST_MARKS = 48

/** How far a line of a table is read. */
interface Row {
  column: number
  isQuoted: boolean
  /** Only blanks so far. */
  isEmpty: boolean
}

export class Columns {
  readonly #heads: Heads
  readonly #html: HtmlTables
  readonly #sql: SqlInserts
  /** Those under a head that names something. */
  readonly #cells = new Cells()
  /** Absolute position of the first character of the text that was read last. */
  #base = 0
  /** Absolute position up to which text was read. */
  #at: number
  /** The line that is being read, as far as it may be a head. */
  #line = ''
  #lineAt: number
  #isTooLong = false
  #table: Table | undefined
  #row: Row | undefined

  /** @param at absolute position of the text's beginning */
  constructor(heads: Heads, at: number) {
    this.#heads = heads
    this.#html = new HtmlTables(heads)
    this.#sql = new SqlInserts(heads)
    this.#at = this.#lineAt = at
  }

  /**
   * Reads what is new in a text.
   *
   * @param base absolute position of its first character
   */
  read(text: string, base: number): void {
    this.#base = base
    if (this.#at < base) this.#restart(base)
    this.#cells.forget(base)
    this.#html.cells.forget(base)
    this.#sql.cells.forget(base)
    let i = this.#at - base
    const added = i === 0 ? text : text.slice(i)
    this.#html.read(added, this.#at)
    this.#sql.read(added, this.#at)
    while (i < text.length) {
      const stop = text.indexOf('\n', i)
      const end = stop < 0 ? text.length : stop
      this.#readLine(text, i, end)
      if (stop >= 0) this.#endLine(base + stop)
      i = end + 1
    }
    this.#at = Math.max(this.#at, base + text.length)
  }

  /** Whether a position in the text is in a cell whose head names anything. A quick look. */
  hasCell(at: number): boolean {
    return this.#cellAt(at) !== undefined
  }

  /**
   * The head over a value that is all that its cell has, but for marks, or that ends an item of a list. With `open` if
   * further text decides.
   *
   * @param span in the text that was read last
   */
  headOf(span: {
    readonly units: Uint16Array
    readonly text: string
    readonly start: number
    readonly end: number
    readonly final: boolean
  }): { readonly head: Head; readonly open: boolean } | undefined {
    const cell = this.#cellAt(span.start)
    if (cell === undefined) return undefined
    const { units, start, end } = span
    const first = Math.max(0, cell.start - this.#base)
    let from = start
    while (from > first && start - from < MOST_MARKS && isMark(units[from - 1]!)) from--
    if (from > first && !(cell.isItem && units[start - 1] === SPACE)) return undefined
    const stop = Math.min(span.text.length, cell.end - this.#base, this.#html.cutAt - this.#base)
    let to = end
    while (to < stop && to - end < MOST_MARKS && isMark(units[to]!)) to++
    if (to < stop) return undefined
    return { head: cell.head, open: cell.end === Number.POSITIVE_INFINITY && !span.final }
  }

  #cellAt(at: number): Cell | undefined {
    const position = this.#base + at
    return this.#cells.at(position) ?? this.#html.cells.at(position) ?? this.#sql.cells.at(position)
  }

  /** Text is missing: what its line began with is not known. */
  #restart(base: number): void {
    this.#at = this.#lineAt = base
    this.#line = ''
    this.#isTooLong = true
    this.#table = this.#row = undefined
    this.#cells.clear()
    this.#html.restart()
    this.#sql.restart()
  }

  #readLine(text: string, from: number, end: number): void {
    if (!this.#isTooLong) {
      this.#line += text.slice(from, Math.min(end, from + LONGEST_HEAD + 1))
      this.#isTooLong = this.#line.length > LONGEST_HEAD
      if (this.#isTooLong) this.#line = this.#line.slice(0, LINE_BEGINNING)
    }
    if (this.#table !== undefined) this.#readCells(this.#table, text, from, end)
  }

  #readCells(table: Table, text: string, from: number, end: number): void {
    if (this.#row === undefined) {
      this.#row = { column: 0, isQuoted: false, isEmpty: true }
      this.#cells.open(table.columns[0], this.#lineAt)
    }
    const { separator } = table
    if (separator === NONE) {
      this.#cells.last!.isItem = isItem(this.#line)
      return
    }
    const row = this.#row
    const hasQuotes = mayBeQuoted(separator)
    const hasEdge = mayBeEdge(separator)
    for (let i = from; i < end; i++) {
      const code = text.charCodeAt(i)
      if (code === QUOTE && hasQuotes) row.isQuoted = !row.isQuoted
      if (code === separator && !row.isQuoted) {
        this.#cells.close(this.#base + i)
        if (!row.isEmpty || !hasEdge) row.column++
        this.#cells.open(table.columns[row.column], this.#base + i + 1)
      }
      if (code !== SPACE) row.isEmpty = false
    }
  }

  #endLine(end: number): void {
    this.#cells.close(end)
    if (this.#table === undefined || !belongs(this.#line, this.#table))
      this.#table = this.#isTooLong ? undefined : this.#heads.tableOf(this.#line)
    this.#line = ''
    this.#isTooLong = false
    this.#row = undefined
    this.#lineAt = end + 1
  }
}

/** No letter and no digit. */
const isMark = (code: number): boolean =>
  code < 0x30 || (code > 0x39 && code < 0x41) || (code > 0x5a && code < 0x61) || (code > 0x7a && code < 0xaa)
