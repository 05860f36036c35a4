import type { TextView } from '../engine/contract/plugin.ts'
import { isWordUnit } from '../engine/text/char-kinds.ts'
import { normalise } from '../engine/text/unicode.ts'
import { type Steps, wholeCharacter } from '../engine/util/steps.ts'
import { formsOf, sharpSpellings } from './keyword-spellings.ts'
import { SkipTable } from './skip-table.ts'

/** A literal to find, and the number that a hit is reported with. */
export interface Literal {
  readonly text: string
  readonly owner: number
  /** Hits must start and end at word borders. */
  readonly wholeWords: boolean
}

export type SearchedView = Pick<TextView, 'text' | 'before' | 'final'>

type ReportLiteral = (literal: Literal, start: number, end: number) => void

/** Where a search stands. */
interface Scan {
  /** Id of the node. */
  at: number
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
/** What parts words in names and wrapped lines: a blank of a literal fits them, too. */
const JOINTS = '\t\n\r-_'

const ASCII = 128
/** Nodes up to this depth have a row in the table: ordinary text seldom gets deeper. */
const TABLE_DEPTH = 2
/** Bounds the table for literals of many different characters. Four bytes each. */
const TABLE_CELLS = 1 << 20

interface End {
  readonly literal: Literal
  readonly length: number
  /** The folded literal if it has joints, which must stand in the text as they are. */
  readonly joints: string | undefined
}

interface Node {
  /** Children by class of character. */
  readonly next: Map<number, Node>
  readonly depth: number
  readonly ends: End[]
  /** A literal below it may start within a word. */
  isLoose: boolean
  /** The node of the longest proper suffix. */
  fail: Node
  /** The nearest node at which literals end, itself included; the root if none. */
  nearestEnd: Node
  /** Breadth first; the root is 0. */
  id: number
}

/**
 * Finds any number of literals in one pass (Aho-Corasick): the time hardly depends on how many there are. Also across the
 * chunks of a stream, of which it holds exactly the end that may still become a literal; a literal with a hyphen may hold
 * the same with a blank.
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
  /** Length of the longest literal, UTF-16 units. */
  readonly longest: number

  /** @param caseSensitive whether the case of letters matters */
  constructor(literals: readonly Literal[], caseSensitive: boolean) {
    this.#fold = !caseSensitive
    const root = newNode(0)
    let longest = 0
    const inserted: (readonly number[])[] = []
    const all = literals.map((literal) => ({ literal, spellings: this.#spellings(literal.text) }))
    const hasBlanks = all.some(({ spellings }) => spellings.some((spelling) => spelling.includes(' ')))
    if (hasBlanks) for (const char of JOINTS) this.#ascii[char.charCodeAt(0)] = this.#classOf(BLANK)
    for (const { literal, spellings } of all) {
      const known = new Set<string>()
      for (const spelling of spellings) {
        const { length } = spelling
        if (length === 0) continue
        const classes = Array.from({ length }, (_, i) => this.#classOf(spelling.charCodeAt(i)))
        const name = classes.join()
        if (known.has(name)) continue
        known.add(name)
        longest = Math.max(longest, length)
        const joints = hasBlanks && HAS_JOINT.test(spelling) ? spelling : undefined
        insert(root, classes, { literal, length, joints })
        inserted.push(classes)
      }
    }
    this.longest = longest
    this.#nodes = link(root)
    this.#isEnd = Uint8Array.from(this.#nodes, ({ nearestEnd }) => (nearestEnd.depth > 0 ? 1 : 0))
    const shallow = this.#nodes.filter(({ depth }) => depth <= TABLE_DEPTH).length
    this.#rows = Math.min(shallow, Math.ceil(TABLE_CELLS / this.#classes))
    this.#table = tableOf(this.#nodes.slice(0, this.#rows), this.#classes)
    this.#skips = SkipTable.of(inserted, this.#classes)
  }

  /** The class of a character of a literal, which the other forms of its letter share. */
  #classOf(code: number): number {
    const known = code < ASCII ? this.#ascii[code] : this.#wide.get(code)
    if (known !== undefined && known !== 0) return known
    const made = this.#classes++
    for (const form of this.#fold ? formsOf(code) : [code]) {
      if (form < ASCII) this.#ascii[form] = made
      else this.#wide.set(form, made)
    }
    return made
  }

  /** A literal, and how capitals spell it, Greek ones without accents, too: STRASSE for straße, and the other way round. */
  #spellings(literal: string): readonly string[] {
    // A text has signs such as `²` as they are or as what they stand for; see unicode.ts.
    const plain = [...new Set([normalise(literal).text, normalise(literal.normalize('NFKC')).text])]
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
    const scan = { at: 0, held: length }
    this.#scan(view, 0, length, scan, report)
    return this.#heldFrom(view, scan)
  }

  /** Like `find`, for a long text. */
  *findInSteps(view: SearchedView, report: ReportLiteral): Steps<number> {
    const { length } = view.text
    const scan = { at: 0, held: length }
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
    let { text } = view
    /** Where `text` begins in the view. */
    let base = 0
    let isFolded = !this.#fold
    let { at, held } = scan
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
      if (kind === 0) at = 0
      else if (at < rows) at = table[at * classes + kind] as number
      else at = this.#step(at, kind)
      if (isEnd[at] === 0) continue
      for (let node = (this.#nodes[at] as Node).nearestEnd; node.depth > 0; node = node.fail.nearestEnd) {
        for (const { literal, length: size, joints } of node.ends) {
          const start = i + 1 - size
          if (joints !== undefined && !hasJoints(view.text, start, joints)) continue
          const border = literal.wholeWords ? borderOf(view, start, i + 1) : 'yes'
          if (border === 'yes') report(literal, start, i + 1)
          else if (border === 'open') held = Math.min(held, start)
        }
      }
    }
    scan.at = at
    scan.held = held
  }

  /**
   * The first place from `from` on where a literal may begin, or where `to` is too near to decide; or the beginning of a window
   * that must be folded first.
   */
  #skip({ window, steps, mask }: SkipTable, text: string, from: number, to: number, isFolded: boolean): number {
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
      if (step === 0) break
      last += step
    }
    return last - window + 1
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
    for (let node = this.#nodes[end] as Node; node.depth > 0; node = node.fail) {
      if (node.next.size === 0) continue
      if (node.isLoose || isBorderBefore(view, view.text.length - node.depth)) return node.depth
    }
    return 0
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

const lowerCase = (char: string): string => {
  const lower = char.toLowerCase()
  return lower.length === char.length ? lower : char
}

function newNode(depth: number): Node {
  const node: Partial<Node> = { next: new Map(), depth, ends: [], isLoose: false, id: 0 }
  node.fail = node as Node
  node.nearestEnd = node as Node
  return node as Node
}

const HAS_JOINT = /[\t\n\r_-]/

/** Whether each joint of a literal is in the text itself. */
function hasJoints(text: string, start: number, literal: string): boolean {
  for (let i = 0; i < literal.length; i++) {
    const char = literal[i] as string
    if (JOINTS.includes(char) && text[start + i] !== char) return false
  }
  return true
}

function insert(root: Node, classes: readonly number[], end: End): void {
  let node = root
  for (const kind of classes) {
    node.isLoose ||= !end.literal.wholeWords
    const child = node.next.get(kind) ?? newNode(node.depth + 1)
    node.next.set(kind, child)
    node = child
  }
  node.ends.push(end)
}

/** Breadth first, so that a parent's links are known before its children's; returns the nodes in that order. */
function link(root: Node): Node[] {
  const nodes = [root]
  for (const node of nodes) {
    for (const [kind, child] of node.next) {
      let { fail } = node
      while (fail !== root && !fail.next.has(kind)) fail = fail.fail
      const found = fail.next.get(kind)
      child.fail = found === undefined || found === child ? root : found
      child.nearestEnd = child.ends.length > 0 ? child : child.fail.nearestEnd
      child.id = nodes.push(child) - 1
    }
  }
  return nodes
}

/** A missing child is the one of the node's suffix, whose row is complete already. */
function tableOf(nodes: readonly Node[], classes: number): Int32Array {
  const table = new Int32Array(nodes.length * classes)
  for (const { id, next, fail } of nodes) {
    const row = id * classes
    if (id > 0) table.copyWithin(row, fail.id * classes, (fail.id + 1) * classes)
    for (const [kind, child] of next) table[row + kind] = child.id
  }
  return table
}
