import { SEAM } from '../engine/text/decorations.ts'

/**
 * What stands between the words of a keyword: a blank of it fits a row of these. They part words in names, wrapped lines with their
 * marks of comments and quotes, and Markdown. What shows nothing, or a blank, is a seam in a text.
 */
const JOINTS = ` \t\n\v\f\r\x85\u2028\u2029-_*\`~>#${SEAM}`
/** Marks before the lines of comments. In one line they part words that do not belong together. */
const LINE_MARKS = '/;%|'
/** Characters of a row; longer ones part words that belong to different sentences. */
export const LONGEST_ROW = 32

const IS_BLANK = /^\s+$/
const SPACE = 0x20
const LINE_BREAKS: ReadonlySet<number> = codesOf('\n\v\f\r\x85\u2028\u2029')

function codesOf(chars: string): Set<number> {
  return new Set([...chars].map((char) => char.charCodeAt(0)))
}

/** The joints of some literals: those that are always, and each mark of lines that none of the literals has. */
export class Joints {
  readonly codes: ReadonlySet<number>
  readonly #marks: ReadonlySet<number>

  constructor(literals: readonly string[]) {
    const marks = [...LINE_MARKS].filter((mark) => !literals.some((literal) => literal.includes(mark))).join('')
    this.codes = codesOf(JOINTS + marks)
    this.#marks = codesOf(marks)
  }

  isIn(text: string): boolean {
    return [...text].some((char) => this.codes.has(char.charCodeAt(0)))
  }

  /** Length of the row of joints that ends at `end`, up to a length. */
  rowBefore(text: string, end: number, most: number = LONGEST_ROW): number {
    let at = end
    while (at > 0 && end - at < most && this.codes.has(text.charCodeAt(at - 1))) at--
    return end - at
  }

  /** Whether a row parts words of a keyword: if it has marks, they stand behind a line break. */
  partsWords(text: string, from: number, to: number): boolean {
    for (let i = from; i < to; i++) {
      const code = text.charCodeAt(i)
      if (code === SPACE) continue
      if (LINE_BREAKS.has(code)) return true
      if (this.#marks.has(code)) return false
    }
    return true
  }
}

/** A part of a literal: letters and the like, or a row of joints. */
interface Part {
  readonly text: string
  readonly isRow: boolean
}

/** A literal in which rows of joints stand for one unit each. */
export class JointedLiteral {
  readonly #joints: Joints
  /** The last one first. */
  readonly #parts: readonly Part[]
  /** Length of the row that it begins with, and of the one that it ends with; 0 if none. A literal may be one row: it begins with it. */
  readonly leading: number
  readonly trailing: number
  /** Length of the longest text that may still become it, with its longest rows. */
  readonly longest: number

  constructor(literal: string, joints: Joints) {
    this.#joints = joints
    const parts: Part[] = []
    for (let end = literal.length; end > 0; ) {
      let from = end - joints.rowBefore(literal, end, literal.length)
      const isRow = from < end
      while (!isRow && from > 0 && !joints.codes.has(literal.charCodeAt(from - 1))) from--
      parts.push({ text: literal.slice(from, end), isRow })
      end = from
    }
    this.#parts = parts
    const [last, first] = [parts[0], parts.at(-1)]
    this.leading = first?.isRow === true ? first.text.length : 0
    this.trailing = last?.isRow === true && last !== first ? last.text.length : 0
    const inner = parts.slice(1, -1).filter(({ isRow }) => isRow)
    this.longest = inner.reduce((length, { text }) => length + LONGEST_ROW - text.length, literal.length)
  }

  get isOneRow(): boolean {
    return this.#parts.length === 1 && this.leading > 0
  }

  /** Blanks between words fit every row. */
  #isFlexible({ text, isRow }: Part, i: number): boolean {
    return isRow && i > 0 && i < this.#parts.length - 1 && IS_BLANK.test(text)
  }

  /** The literal with one unit for each row. */
  get units(): string {
    return this.#parts.reduce((units, { text, isRow }) => (isRow ? ' ' : text) + units, '')
  }

  /** Where it begins in a text that has its units before `end`; -1 if one of its rows is another one. */
  startIn(text: string, end: number): number {
    let at = end
    for (const [i, part] of this.#parts.entries()) {
      const { length } = part.text
      if (part.isRow) {
        const row = this.#joints.rowBefore(text, at)
        if (this.#isFlexible(part, i)) {
          if (!this.#joints.partsWords(text, at - row, at)) return -1
          at -= row
          continue
        }
        const begins = i === this.#parts.length - 1
        if ((begins ? row < length : row !== length) || !fits(part.text, text, at - length)) return -1
      }
      at -= length
    }
    return at
  }
}

/** Whether a row stands in a text, where its blanks are any joint. */
function fits(row: string, text: string, from: number): boolean {
  for (let i = 0; i < row.length; i++) if (row[i] !== ' ' && row[i] !== text[from + i]) return false
  return true
}
