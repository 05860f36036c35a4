/** Tables of Markdown: the head of a column names what is below it. */
const BAR = 0x7c
const BLANK = 0x20
/** More columns have no name near enough. */
const RULE = /^ ?\|?(?: ?:?-{1,}:? ?\|){1,8}(?: ?:?-{1,}:?)? ?\r?$/
const LONGEST_REST = 16

/** Whether a value at `start` may be in a cell under the head of a table that begins at `from` or later. A quick look. */
export function isInCell(text: string, units: Uint16Array, from: number, start: number): boolean {
  const at = units[start - 1] === BLANK ? start - 2 : start - 1
  return units[at] === BAR && text.slice(from, start).includes('--')
}

/** Whether a name that ends at `end` is in the head of the column in which a value at `start` is. */
export function isUnder(text: string, end: number, start: number): boolean {
  const lines = text.slice(end, start).split('\n')
  const [head = '', rule = ''] = lines
  if (lines.length < 3 || !RULE.test(rule) || head.indexOf('|') > LONGEST_REST) return false
  const columns = cellsOf(rule)
  return columns - cellsOf(`|${head}`) === cellsOf(`${lines.at(-1)!.trimEnd()}|`) - 1
}

/** Cells of a row; the bars at its ends may be absent. */
const cellsOf = (row: string): number =>
  row
    .trim()
    .replace(/^\||\|$/g, '')
    .split('|').length
