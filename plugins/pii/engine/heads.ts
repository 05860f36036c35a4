/** Lines that name what is below them: heads of tables, and captions of lists. */
import type { Keywords, WindowReader } from './keywords.ts'
import { unitsOf } from './units.ts'

const BAR = 0x7c
const TAB = 0x09
const SEMICOLON = 0x3b
const COMMA = 0x2c
/** No separator: a cell is a line. */
export const NONE = 0
/** The separator of a head is the first of these that it has. */
const SEPARATORS = [BAR, TAB, SEMICOLON, COMMA] as const
const LONGEST_CELL = 48
const FEWEST_CELLS = 2
/** Without a separator: with a colon at the end, or a name alone. */
const LONGEST_CAPTION = 96
const LONGEST_NAME = 32
/** Where a row without separator may have its first letter. */
const LONGEST_INDENT = 48

/** What heads of tables do not have; code and JSON do. */
const IS_FOREIGN = new Uint8Array(128)
for (const sign of '{}=<>$\\@!?~%^&') IS_FOREIGN[sign.charCodeAt(0)] = 1

/** A cell of a head that names what is below it. */
export interface Head {
  readonly text: string
  /** 1 for each group that has a name in it. */
  readonly names: Uint8Array
}

export interface Table {
  /** UTF-16 unit, or {@link NONE}. */
  readonly separator: number
  readonly columns: readonly (Head | undefined)[]
}

/** Between a head and its rows, or at the edges of a table. */
const RULE = /^[ |+:=-]+\r?$/
const MARKER = /^ {0,4}(?:[-*•+–]|\d{1,3}[.)])[ \t]/
const LETTER = /\p{L}/u
const NUMBER = /\d{3}/
/** `Passport no.`, `SSN:`, `**SIN**`, `National ID (Kenya)`: a name ends there. */
const ENDS =
  /^[^\p{L}\p{N}]*(?:(?:no|nr|num|number|n[°º]?|code|id)[^\p{L}\p{N}]*)?(?:\([^()]{1,24}\)[^\p{L}\p{N}]*)?$/iu

export class Heads {
  readonly #reader: WindowReader
  readonly #groups: number
  readonly #other: number

  /** @param other the group of words for other numbers */
  constructor(keywords: Keywords, other: number) {
    this.#reader = keywords.reader()
    this.#groups = keywords.groups
    this.#other = other
  }

  /** The table that a line heads; undefined if it names nothing. */
  tableOf(line: string): Table | undefined {
    const separator = separatorOf(line)
    if (separator === undefined) return undefined
    if (separator === NONE) {
      const head = isCaption(line) ? this.#headOf(line, true) : undefined
      return head && { separator, columns: [head] }
    }
    const cells = cellsOf(line, separator)
    if (cells.length < FEWEST_CELLS || !cells.every(isHead) || !this.#hasName(line)) return undefined
    const columns = cells.map((cell) => this.#headOf(cell, false))
    return columns.some((head) => head !== undefined) ? { separator, columns } : undefined
  }

  /** The head that a cell of a table is; undefined if it names nothing. */
  cellOf(cell: string): Head | undefined {
    return isHead(cell) ? this.#headOf(cell, false) : undefined
  }

  #hasName(text: string): boolean {
    this.#reader.reset()
    this.#reader.read(unitsOf(text), 0, text.length)
    return this.#reader.any
  }

  /** @param atEnd whether the name must end the text */
  #headOf(text: string, atEnd: boolean): Head | undefined {
    if (!this.#hasName(text)) return undefined
    const other = this.#reader.end(this.#other)
    const names = new Uint8Array(this.#groups)
    let isNamed = false
    for (let group = 0; group < this.#groups; group++) {
      const end = this.#reader.end(group)
      if (group === this.#other || end < 0 || other > end || (atEnd && !ENDS.test(text.slice(end)))) continue
      names[group] = 1
      isNamed = true
    }
    return isNamed ? { text, names } : undefined
  }
}

/** The separator of a line that may be a head; undefined if it is none. A quick look. */
function separatorOf(line: string): number | undefined {
  let has = 0
  for (let i = 0; i < line.length; i++) {
    const code = line.charCodeAt(i)
    if (code >= 128) continue
    if (IS_FOREIGN[code] === 1) return undefined
    if (code === BAR) has |= 1
    else if (code === TAB) has |= 2
    else if (code === SEMICOLON) has |= 4
    else if (code === COMMA) has |= 8
  }
  return has === 0 ? NONE : SEPARATORS[31 - Math.clz32(has & -has)]
}

/** Cells of a head, without bars at its ends. */
function cellsOf(line: string, separator: number): string[] {
  const cells = line.split(String.fromCharCode(separator)).map((cell) => cell.trim())
  if (separator !== BAR) return cells
  if (cells[0] === '') cells.shift()
  if (cells.at(-1) === '') cells.pop()
  return cells
}

/** `SSN`, `Participants and their passport numbers:`. */
const isCaption = (line: string): boolean =>
  line.length > 1 && line.length <= (/:[ *_]{0,4}\r?$/.test(line) ? LONGEST_CAPTION : LONGEST_NAME)

const isHead = (cell: string): boolean => cell.length <= LONGEST_CELL && !NUMBER.test(cell)

/** Whether a line is of a table, so that more may follow. */
export function belongs(line: string, { separator }: Table): boolean {
  if (RULE.test(line) && line.includes('-')) return true
  if (separator === NONE) return isItem(line) || !LETTER.test(line.slice(0, LONGEST_INDENT))
  return line.includes(String.fromCharCode(separator))
}

/** Whether a line begins like an item of a list. */
export const isItem = (line: string): boolean => MARKER.test(line)

/** Whether a separator may stand in quoted values. */
export const mayBeQuoted = (separator: number): boolean => separator === COMMA || separator === SEMICOLON

/** Whether a separator may stand at the left edge of a table, too. */
export const mayBeEdge = (separator: number): boolean => separator === BAR
