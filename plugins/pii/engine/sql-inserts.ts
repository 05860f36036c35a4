/** `INSERT INTO people (name, ssn) VALUES ('Ann', '…'), …`: the list of columns names the values of every row. */
import { Cells } from './cells.ts'
import type { Head, Heads } from './heads.ts'

/** The statement up to its rows. */
const HEAD = /^insert\s{1,8}into\s{1,8}[^\s()]{1,96}\s{0,8}\(([^()]{1,640})\)\s{0,8}values\b/i
/** One that is not complete yet. */
const PARTIAL =
  /^insert(?:\s{1,8}(?:i(?:nt?)?|into(?:\s{1,8}(?:[^\s()]{1,96}\s{0,8}(?:\([^()]{0,640}(?:\)\s{0,8}\w{0,6})?)?)?)?)?)?$/i
const VERB = 'insert'
const LONGEST_HEAD = 900
/** Quotes of names: `"ssn"`, `[ssn]`. */
const QUOTES = /^["`[\s]+|["`\]\s]+$/g

const QUOTE = 0x27
const OPENS = 0x28
const CLOSES = 0x29
const COMMA = 0x2c
const SPACE = 0x20

export class SqlInserts {
  readonly #heads: Heads
  readonly cells = new Cells()
  /** The beginning of a statement. */
  #begun = ''
  /** Of a statement whose rows are read. */
  #columns: readonly (Head | undefined)[] | undefined
  /** Parentheses around what is read; 1 in a row. */
  #depth = 0
  #column = 0
  #isQuoted = false

  constructor(heads: Heads) {
    this.#heads = heads
  }

  /** Text is missing. */
  restart(): void {
    this.#begun = ''
    this.#columns = undefined
    this.cells.clear()
  }

  /** Reads on. `at` is the absolute position of the text's beginning. */
  read(added: string, at: number): void {
    for (let i = 0; i < added.length; )
      i = this.#columns === undefined ? this.#find(added, i) : this.#readRows(added, i, at)
  }

  /** Looks for a statement; where its rows begin, or the end of the text. */
  #find(added: string, from: number): number {
    const carried = this.#begun.length
    const text = carried === 0 && from === 0 ? added : this.#begun + added.slice(from)
    this.#begun = ''
    for (let i = indexOfVerb(text, 0); i >= 0; i = indexOfVerb(text, i + 1)) {
      const piece = text.slice(i, i + LONGEST_HEAD)
      const head = HEAD.exec(piece)
      if (head !== null && i + head[0].length < text.length) {
        const columns = head[1]!.split(',').map((name) => this.#heads.cellOf(name.replace(QUOTES, '')))
        if (columns.some((column) => column !== undefined)) {
          this.#columns = columns
          this.#depth = 0
          this.#isQuoted = false
          return from + i + head[0].length - carried
        }
      } else if (text.length - i < LONGEST_HEAD && (head !== null || PARTIAL.test(piece))) {
        this.#begun = piece
        return added.length
      }
    }
    this.#begun = beginningOfVerb(text)
    return added.length
  }

  /** Reads rows; where the statement ends, or the end of the text. */
  #readRows(text: string, from: number, at: number): number {
    const columns = this.#columns!
    for (let i = from; i < text.length; i++) {
      const code = text.charCodeAt(i)
      if (code === QUOTE) this.#isQuoted = !this.#isQuoted
      if (this.#isQuoted) continue
      if (this.#depth === 0) {
        if (code === OPENS) this.#begin(columns, at + i + 1)
        else if (code !== COMMA && code > SPACE) {
          this.#columns = undefined
          return i
        }
      } else if (code === OPENS) this.#depth++
      else if (code === CLOSES) {
        this.#depth--
        if (this.#depth === 0) this.cells.close(at + i)
      } else if (code === COMMA && this.#depth === 1) {
        this.cells.close(at + i)
        this.cells.open(columns[++this.#column], at + i + 1)
      }
    }
    return text.length
  }

  #begin(columns: readonly (Head | undefined)[], at: number): void {
    this.#depth = 1
    this.#column = 0
    this.cells.open(columns[0], at)
  }
}

/** Statements are written in small letters or in capitals. */
function indexOfVerb(text: string, from: number): number {
  const small = text.indexOf(VERB, from)
  const large = text.indexOf('INSERT', from)
  return small < 0 || (large >= 0 && large < small) ? large : small
}

/** What of the verb may be at the end of a text. */
function beginningOfVerb(text: string): string {
  const length = 1 + VERB.lastIndexOf(text.slice(-1).toLowerCase(), VERB.length - 2)
  const end = text.slice(-length)
  return length > 0 && VERB.startsWith(end.toLowerCase()) ? end : ''
}
