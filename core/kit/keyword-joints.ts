/**
 * What stands between the words of a keyword: a blank of it fits a row of these. They part words in names, wrapped lines with their
 * marks of comments and quotes, and Markdown.
 */
export const JOINTS = ' \t\n\v\f\r\x85\u2028\u2029-_*`~>#'
/** Characters of a row; longer ones part words that belong to different sentences. */
export const LONGEST_ROW = 32

const IS_BLANK = /^\s+$/
const joints = new Set([...JOINTS].map((char) => char.charCodeAt(0)))

export const hasJoint = (text: string): boolean => [...text].some((char) => joints.has(char.charCodeAt(0)))

/** Length of the row of joints that ends at `end`, up to a length. */
export function rowBefore(text: string, end: number, most: number = LONGEST_ROW): number {
  let at = end
  while (at > 0 && end - at < most && joints.has(text.charCodeAt(at - 1))) at--
  return end - at
}

/** A part of a literal: letters and the like, or a row of joints. */
interface Part {
  readonly text: string
  readonly isRow: boolean
}

/** A literal in which rows of joints stand for one unit each. */
export class JointedLiteral {
  /** The last one first. */
  readonly #parts: readonly Part[]
  /** Length of the row that it begins with, and of the one that it ends with; 0 if none. A literal may be one row: it begins with it. */
  readonly leading: number
  readonly trailing: number
  /** Length of the longest text that may still become it, with its longest rows. */
  readonly longest: number

  constructor(literal: string) {
    const parts: Part[] = []
    for (let end = literal.length; end > 0; ) {
      let from = end - rowBefore(literal, end, literal.length)
      const isRow = from < end
      while (!isRow && from > 0 && !joints.has(literal.charCodeAt(from - 1))) from--
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
        const row = rowBefore(text, at)
        if (this.#isFlexible(part, i)) {
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
