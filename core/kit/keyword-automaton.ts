import type { TextView } from '../engine/contract/plugin.ts'
import { isWordUnit } from '../engine/text/char-kinds.ts'
import { normaliseSeamlessly } from '../engine/text/unicode.ts'
import { type Steps, wholeCharacter } from '../engine/util/steps.ts'
import { JointedLiteral, Joints, LONGEST_ROW } from './keyword-joints.ts'
import { insert, type Literal, link, type Node, newNode, tableOf } from './keyword-nodes.ts'
import { formsOf, sharpSpellings, signsOf } from './keyword-spellings.ts'
import { ONCE, SkipTable } from './skip-table.ts'

export type SearchedView = Pick<TextView, 'text' | 'before' | 'final'>

type ReportLiteral = (literal: Literal, start: number, end: number) => void

/** Where a search stands. */
interface Scan {
  /** Id of the node. */
  at: number
  /** Joints in a row that end here. */
  row: number
  /** Where the text starts that may still become a hit. */
  held: number
}

/** Characters of a step. */
const STEP = 128 * 1024

/** Letters from here on are of other scripts than Latin, Greek and Cyrillic: Korean particles, say, follow foreign names directly. */
const OTHER_SCRIPTS = 0x530

/** Whether the word that a hit begins or ends with goes on in its neighbour. */
function goesOn(edge: string, neighbour: string): boolean {
  const [within, beyond] = [edge.charCodeAt(0), neighbour.charCodeAt(0)]
  return isWordUnit(within) && isWordUnit(beyond) && within >= OTHER_SCRIPTS === beyond >= OTHER_SCRIPTS
}

const BLANK = 0x20
/** The class of joints if no literal has a blank. */
const NO_CLASS = -1

const ASCII = 128
/** Nodes up to this depth have a row in the table: ordinary text seldom gets deeper. */
const TABLE_DEPTH = 2
/** Bounds the table for literals of many different characters. Four bytes each. */
const TABLE_CELLS = 1 << 20

/**
 * Finds any number of literals in one pass (Aho-Corasick): the time hardly depends on how many there are. Also across the
 * chunks of a stream, of which it holds exactly the end that may still become a literal; a literal with a hyphen may hold
 * the same with a blank. If a literal has blanks, a row of joints is one step.
 */
export class KeywordAutomaton {
  readonly #fold: boolean
  /** Class of an ASCII character; 0 is in no literal. Both cases of a letter share one if case does not matter. */
  readonly #ascii = new Uint32Array(ASCII)
  /** The same for all other characters. */
  readonly #wide = new Map<number, number>()
  #classes = 1
  readonly #nodes: readonly Node[]
  /** Id of the next node, by id of the node and class. */
  readonly #table: Int32Array
  /** By id: 1 if a literal ends there. */
  readonly #isEnd: Uint8Array
  /** Nodes with a row in the table. */
  readonly #rows: number
  readonly #skips: SkipTable | undefined
  readonly #joints: Joints
  /** The class of joints, of which a row is one step. */
  readonly #joint: number
  /** Length of the longest row of joints to keep for the literals that begin with it. */
  readonly #leading: number
  /** Length of the longest text that is kept back, UTF-16 units. */
  readonly longest: number

  /** @param caseSensitive whether the case of letters matters */
  constructor(literals: readonly Literal[], caseSensitive: boolean) {
    this.#fold = !caseSensitive
    const root = newNode(0)
    let longest = 0
    const inserted: (readonly number[])[] = []
    const all = literals.map((literal) => ({ literal, spellings: this.#spellings(literal.text) }))
    const hasBlanks = all.some(({ spellings }) => spellings.some((spelling) => spelling.includes(' ')))
    this.#joints = new Joints(all.flatMap(({ spellings }) => spellings))
    if (hasBlanks) for (const code of this.#joints.codes) this.#setClass(code, this.#classOf(BLANK))
    this.#joint = hasBlanks ? this.#classOf(BLANK) : NO_CLASS
    let leading = 0
    for (const { literal, spellings } of all) {
      const known = new Set<string>()
      for (const spelling of spellings) {
        if (spelling.length === 0) continue
        const jointed =
          hasBlanks && this.#joints.isIn(spelling) ? new JointedLiteral(spelling, this.#joints) : undefined
        const units = jointed?.units ?? spelling
        const { length } = units
        const classes = Array.from({ length }, (_, i) => this.#classOf(units.charCodeAt(i)))
        const name = `${classes.join()} ${jointed === undefined ? '' : spelling}`
        if (known.has(name)) continue
        known.add(name)
        longest = Math.max(longest, jointed?.longest ?? length)
        if (jointed !== undefined) leading = Math.max(leading, jointed.leading - (jointed.isOneRow ? 1 : 0))
        insert(root, classes, { literal, length, jointed })
        inserted.push(classes)
      }
    }
    this.#leading = leading
    this.longest = longest
    this.#nodes = link(root)
    this.#isEnd = Uint8Array.from(this.#nodes, ({ nearestEnd }) => (nearestEnd.depth > 0 ? 1 : 0))
    const shallow = this.#nodes.filter(({ depth }) => depth <= TABLE_DEPTH).length
    this.#rows = Math.min(shallow, Math.ceil(TABLE_CELLS / this.#classes))
    this.#table = tableOf(this.#nodes.slice(0, this.#rows), this.#classes)
    this.#skips = SkipTable.of(inserted, this.#classes, this.#joint)
  }

  /** The class of a character of a literal, which the other forms of its letter share. */
  #classOf(code: number): number {
    const known = code < ASCII ? this.#ascii[code] : this.#wide.get(code)
    if (known !== undefined && known !== 0) return known
    const made = this.#classes++
    for (const form of this.#fold ? formsOf(code) : signsOf(code)) this.#setClass(form, made)
    return made
  }

  #setClass(code: number, to: number): void {
    if (code < ASCII) this.#ascii[code] = to
    else this.#wide.set(code, to)
  }

  /** A literal, and how capitals spell it, Greek ones without accents, too: STRASSE for straße, and the other way round. */
  #spellings(literal: string): readonly string[] {
    // A text has signs such as `²` as they are or as what they stand for; see unicode.ts.
    const plain = [
      ...new Set([
        normaliseSeamlessly(literal).text,
        normaliseSeamlessly(literal.normalize('NFKC')).text,
        asName(literal),
      ]),
    ]
    return this.#fold ? [...new Set(plain.flatMap((text) => this.#otherCases(text)))] : plain
  }

  #otherCases(text: string): readonly string[] {
    const capitals = [text.toUpperCase(), text.toLocaleUpperCase('el')].map((form) => form.normalize('NFKC'))
    const forms = [text, ...capitals].map((form) => this.#folded(form))
    return [...new Set([...new Set(forms)].flatMap(sharpSpellings(text)))]
  }

  /** Lower case that keeps every offset. */
  #folded(text: string): string {
    if (!this.#fold) return text
    const one = text.includes('İ') ? text.replaceAll('İ', 'i') : text
    const lower = one.toLowerCase()
    return lower.length === text.length ? lower : [...one].map(lowerCase).join('')
  }

  /**
   * Reports the hits in a view, in the order of their ends, longer ones first.
   *
   * @returns where the text starts that may still become a hit; its length if none, and always for a final view
   */
  find(view: SearchedView, report: ReportLiteral): number {
    const { length } = view.text
    const scan = { at: 0, row: 0, held: length }
    this.#scan(view, 0, length, scan, report)
    return this.#heldFrom(view, scan)
  }

  /** Like `find`, for a long text. */
  *findInSteps(view: SearchedView, report: ReportLiteral): Steps<number> {
    const { length } = view.text
    const scan = { at: 0, row: 0, held: length }
    for (let from = 0; from < length; ) {
      const to = wholeCharacter(view.text, Math.min(length, from + STEP))
      this.#scan(view, from, to, scan, report)
      from = to
      yield
    }
    return this.#heldFrom(view, scan)
  }

  #heldFrom(view: SearchedView, { at, held }: Scan): number {
    const { length } = view.text
    return view.final ? length : Math.min(held, length - this.#openLength(at, view))
  }

  #scan(view: SearchedView, from: number, to: number, scan: Scan, report: ReportLiteral): void {
    const ascii = this.#ascii
    const table = this.#table
    const rows = this.#rows
    const classes = this.#classes
    const isEnd = this.#isEnd
    const skips = this.#skips
    const joint = this.#joint
    let { text } = view
    /** Where `text` begins in the view. */
    let base = 0
    let isFolded = !this.#fold
    let { at, row, held } = scan
    for (let i = from; i < to; i++) {
      // Nothing has begun.
      if (at === 0 && skips !== undefined) i = base + this.#skip(skips, text, i - base, to - base, isFolded)
      let code = text.charCodeAt(i - base)
      // The classes of ASCII fold by themselves, so most texts need no copy.
      if (code >= ASCII && !isFolded) {
        text = this.#folded(text.slice(i, to))
        base = i
        isFolded = true
        code = text.charCodeAt(0)
      }
      const kind = code < ASCII ? (ascii[code] as number) : (this.#wide.get(code) ?? 0)
      row = kind === joint ? row + 1 : 0
      if (row > LONGEST_ROW) at = this.#step(0, kind)
      else if (row > 1) {
        // The row is one step, which it has taken.
      } else if (kind === 0) at = 0
      else if (at < rows) at = table[at * classes + kind] as number
      else at = this.#step(at, kind)
      if (isEnd[at] === 0) continue
      for (let node = (this.#nodes[at] as Node).nearestEnd; node.depth > 0; node = node.fail.nearestEnd) {
        for (const { literal, length: size, jointed } of node.ends) {
          const start = jointed === undefined ? i + 1 - size : jointed.startIn(view.text, i + 1)
          if (start < 0) continue
          const border = literal.wholeWords ? borderOf(view, start, i + 1) : 'yes'
          if (border === 'yes') report(literal, start, i + 1)
          else if (border === 'open') held = Math.min(held, start)
        }
      }
    }
    scan.at = at
    scan.row = row
    scan.held = held
  }

  /**
   * The first place from `from` on where a literal may begin, or where `to` is too near to decide; or the beginning of a window
   * that must be folded first.
   */
  #skip(
    { window, steps, mask, endsWord }: SkipTable,
    text: string,
    from: number,
    to: number,
    isFolded: boolean,
  ): number {
    const ascii = this.#ascii
    const classes = this.#classes
    let last = from + window - 1
    while (last < to) {
      const a = text.charCodeAt(last - 2)
      const b = text.charCodeAt(last - 1)
      const c = text.charCodeAt(last)
      let step: number
      if ((a | b | c) < ASCII) {
        step = steps[
          (((ascii[a] as number) * classes + (ascii[b] as number)) * classes + (ascii[c] as number)) & mask
        ] as number
      } else {
        if (!isFolded) break
        step = steps[((this.#kindOf(a) * classes + this.#kindOf(b)) * classes + this.#kindOf(c)) & mask] as number
      }
      if (step >= ONCE) step = this.#hasRow(endsWord, text, last - window + 1, last) ? 0 : step - ONCE
      if (step === 0) {
        const first = this.#firstBeginning(text, last - window + 1, last + 1)
        if (first === last - window + 1) break
        last = first + window - 1
      } else last += step
    }
    return last - window + 1
  }

  /** Whether two joints stand side by side behind what may be a word of a literal. */
  #hasRow(endsWord: Uint8Array, text: string, first: number, last: number): boolean {
    const ascii = this.#ascii
    const joint = this.#joint
    for (let i = last, row = 0; i >= first; i--) {
      const code = text.charCodeAt(i)
      const kind = code < ASCII ? (ascii[code] as number) : this.#wide.get(code)
      if (kind === joint) row++
      // Other characters may not be folded yet.
      else if (row > 1 && (code >= ASCII || endsWord[kind as number] === 1)) return true
      else row = 0
    }
    return false
  }

  /** The first character with which a literal may begin. */
  #firstBeginning(text: string, from: number, to: number): number {
    const ascii = this.#ascii
    const table = this.#table
    for (let at = from; at < to; at++) {
      const code = text.charCodeAt(at)
      if (code >= ASCII || table[ascii[code] as number] !== 0) return at
    }
    return to
  }

  #kindOf(code: number): number {
    return code < ASCII ? (this.#ascii[code] as number) : (this.#wide.get(code) ?? 0)
  }

  /** A step from a node without a row in the table. */
  #step(from: number, kind: number): number {
    let at = from
    while (at >= this.#rows) {
      const node = this.#nodes[at] as Node
      const next = node.next.get(kind)
      if (next !== undefined) return next.id
      at = node.fail.id
    }
    return this.#table[at * this.#classes + kind] as number
  }

  /** Length of the longest suffix that may start a literal here. */
  #openLength(end: number, view: SearchedView): number {
    const { text } = view
    for (let node = this.#nodes[end] as Node; node.depth > 0; node = node.fail) {
      if (node.next.size === 0 && this.#joints.rowBefore(text, text.length) >= node.trailing) continue
      const start = this.#startOf(node, text)
      if (start < text.length && (node.isLoose || isBorderBefore(view, start))) return text.length - start
    }
    return 0
  }

  /** Where the units of a node begin that a text ends with. */
  #startOf({ depth }: Node, text: string): number {
    if (this.#joint === NO_CLASS) return text.length - depth
    let at = text.length
    for (let units = depth; units > 0; units--) {
      const row = this.#joints.rowBefore(text, at)
      at -= row === 0 ? 1 : units > 1 ? row : Math.min(row, this.#leading)
    }
    return at
  }
}

/** `open`: the next character decides whether a word ends here. */
function borderOf(view: SearchedView, start: number, end: number): 'yes' | 'no' | 'open' {
  const { text } = view
  if (!isBorderBefore(view, start)) return 'no'
  const last = text[end - 1] as string
  if (end === text.length) return view.final || !isWordUnit(last.charCodeAt(0)) ? 'yes' : 'open'
  return goesOn(last, text[end] as string) ? 'no' : 'yes'
}

function isBorderBefore({ text, before }: SearchedView, start: number): boolean {
  const left = start > 0 ? text[start - 1] : before.at(-1)
  return left === undefined || !goesOn(text[start] as string, left)
}

/** As it reads with `_` for its blanks: some letters read otherwise in names. */
const asName = (literal: string): string =>
  literal.includes('_')
    ? normaliseSeamlessly(literal).text
    : normaliseSeamlessly(literal.replaceAll(' ', '_')).text.replaceAll('_', ' ')

const lowerCase = (char: string): string => {
  const lower = char.toLowerCase()
  return lower.length === char.length ? lower : char
}
