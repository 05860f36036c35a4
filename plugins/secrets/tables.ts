/** Tables with a column of passwords: CSV, Markdown, what databases print and load. */
import { nextEntry } from './blocks.ts'
import { type Answer, isMatch } from './match.ts'

/** Characters from the head of a table to its first password, and from one to the next; a stream keeps more. */
const REACH = 160

interface Table {
  /** The line of the head before the label; its first group has the columns, each with what parts it from the next. */
  readonly before: RegExp
  readonly parts: string
  /** The rest of the head, up to the end of a line. Sticky. */
  readonly after: RegExp
  /** From the end of a line to the cell. */
  readonly cell: (columns: number) => string
  /** Expressions of an entry by its column; each is made when a table has it. */
  readonly entries: RegExp[]
  /** Signs that end a cell. */
  readonly signs: string
}

const separated = (sign: string): Table => ({
  before: new RegExp(`(?:^|\\n)((?:"?[\\w.-]{1,24}"?${sign}){0,8})"?$`),
  parts: sign,
  after: new RegExp(`"?(?:${sign}"?[\\w.-]{1,24}"?){0,8}(?=\\r?\\n)`, 'y'),
  cell: (columns) => `(?:(?:"[^"\\n]{0,60}"|[^"${sign}\\n]{0,60})${sign}){${columns}}`,
  entries: [],
  signs: sign,
})

const TABLES: readonly Table[] = [
  separated(','),
  separated(';'),
  separated('\t'),
  {
    before: /(?:^|\n)[ \t]{0,8}\|?((?:[^|\n]{1,32}\|){0,8})[ \t*`]{0,16}$/,
    parts: '|',
    after: /[ \t*`]{0,16}(?:\|[^|\n]{0,32}){0,8}\r?\n[ \t]{0,8}[|:+-][|:+ \t-]{2,96}(?=\r?\n)/y,
    cell: (columns) => `[ \\t]{0,8}\\|?(?:[^|\\n]{1,60}\\|){${columns}}[ \\t*\`]{0,24}`,
    entries: [],
    signs: '|`',
  },
  {
    before: /\bcopy [\w."]{1,40} \(((?:"?\w{1,24}"?, ?){0,8})"?$/i,
    parts: ',',
    after: /"?(?:, ?"?\w{1,24}"?){0,8}\) from stdin[^\n;]{0,40};(?=\r?\n)/iy,
    cell: (columns) => `(?:[^\\t\\n]{0,60}\\t){${columns}}`,
    entries: [],
    signs: '\t',
  },
]

/** At the label from `at` to `end`, if it is the head of a column: the first password below it. */
export function matchTable(text: string, at: number, end: number, minEntropy: number, final: boolean): Answer {
  if (!/["'|*` \t,;)\r\n]/.test(text[end] ?? '')) return undefined
  const left = text.slice(Math.max(0, at - REACH), at)
  for (const { before, parts, after, cell, entries, signs } of TABLES) {
    const head = before.exec(left)
    after.lastIndex = end
    if (head === null || !after.test(text)) continue
    const columns = head[1]!.split(parts).length - 1
    // A line of one word is no table.
    if (columns === 0 && !text.slice(end, after.lastIndex).includes(parts)) continue
    entries[columns] ??= new RegExp(`[^\\n]{0,80}\\n(?<name>)${cell(columns)}`, 'y')
    const entry = entries[columns]
    const form = { entry, lines: false, encoded: false, declared: false, signs, type: 'password', reach: REACH }
    const answer = nextEntry(text, after.lastIndex, { ...form, indent: 0 }, minEntropy, final)
    if (answer === undefined) return undefined
    const first = at - head[0].length
    return (isMatch(answer) ? answer.start : answer.from) - first > REACH ? undefined : answer
  }
  return undefined
}
