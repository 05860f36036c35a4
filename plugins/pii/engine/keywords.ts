/**
 * Finds groups of context words in a short window before or after a candidate. The phrases of all detectors form one
 * Aho-Corasick automaton, so the cost of a window does not depend on their number. Spaces, underscores, hyphens and
 * dots between words are equal, and so are runs of them. Case and apostrophes are ignored. A phrase of several words
 * also matches when written as one (`dateOfBirth`).
 */

/** Nodes have numbers of 16 bits. */
const MAX_NODES = 2 ** 16 - 1
const SKIP = 0
const SPACE = 1
/** A character that no phrase contains. */
const ALIEN = 2
/** State bit: the last character was a space. */
const AFTER_SPACE = 1
/** Capitals have one sigma for both. */
const FINAL_SIGMA = 'ς'
const SIGMA = 0x3c3
/** Codes of a page of the table. The letters of English are on the first page, so that its rows fit a line of cache. */
const PAGE = 32

export class Keywords {
  /** By UTF-16 unit. */
  readonly codeOf: Uint16Array
  /** By node and code of the first page, then the rows of further pages. */
  readonly next: Uint16Array
  /** Row of a node, by node and further page. */
  readonly rowOf: Uint16Array
  /** Number of further pages. */
  readonly pages: number
  /** Phrases that end at each node, including suffixes. */
  readonly #ends: readonly (readonly End[])[]
  /** By node, 1 where phrases end. */
  readonly isEnd: Uint8Array
  readonly #groups: readonly string[]

  constructor(groups: Readonly<Record<string, readonly string[]>>) {
    this.#groups = Object.keys(groups)
    this.codeOf = assignCodes(groups)
    const trie = new Trie()
    for (const [group, name] of this.#groups.entries()) {
      for (const phrase of groups[name]!) this.#add(trie, phrase, group)
    }
    const table = trie.close(lastOf(this.codeOf))
    this.next = table.next
    this.rowOf = table.rowOf
    this.pages = table.pages
    this.isEnd = table.isEnd
    this.#ends = table.ends
  }

  /** Number of a group. */
  group(name: string): number {
    const group = this.#groups.indexOf(name)
    if (group < 0) throw new Error(`no context words named ${name}`)
    return group
  }

  /** A reader for one text. Its windows may only move forward; overlapping text is read once. */
  reader(): WindowReader {
    return new WindowReader(this)
  }

  get groups(): number {
    return this.#groups.length
  }

  /** Phrases that end at a node. */
  ends(node: number): readonly End[] {
    return this.#ends[node]!
  }

  /** Start of a phrase that ends at `last`; -1 inside a longer word, such as "dob" in "adobe". */
  begin(units: Uint16Array, last: number, end: End): number {
    const isLetter = LETTERS
    const tail = units[last]!
    if (isLetter[units[last + 1]!] === 1 && isLetter[tail] === 1) {
      // The border inside a camelCase word counts: "phoneNumber".
      if (!isUpper(units[last + 1]!) || isUpper(tail)) return -1
    }
    let at = last
    for (let left = end.letters; left > 0 && at >= 0; at--) {
      const code = this.codeOf[units[at]!]!
      if (code !== SKIP && code !== SPACE) left--
    }
    const first = units[at + 1]!
    if (at >= 0 && isDigit(units[at]!) && isLetter[first] === 1) return -1
    if (at < 0 || isLetter[units[at]!] !== 1 || isLetter[first] !== 1) return at + 1
    return isUpper(first) && !isUpper(units[at]!) ? at + 1 : -1
  }

  #add(trie: Trie, phrase: string, group: number): void {
    const codes: number[] = []
    for (let i = 0; i < phrase.length; i++) {
      const code = this.codeOf[phrase.toLowerCase().charCodeAt(i)]!
      if (code !== SKIP && !(code === SPACE && codes.at(-1) === SPACE)) codes.push(code)
    }
    const joined = codes.filter((code) => code !== SPACE)
    trie.add(codes, { group, letters: joined.length })
    // Short phrases would match in codes, such as "a/c" in "9ac".
    if (joined.length < codes.length && joined.length > 3) trie.add(joined, { group, letters: joined.length })
  }
}

/** Positions of context words in the windows of one text. */
export class WindowReader {
  readonly #keywords: Keywords
  /** Start and end of each group's last phrase. */
  readonly #begins: Int32Array
  readonly #ends: Int32Array
  #state = 0
  #from = 0
  #to = -1
  /** Start of the phrase of any group that starts last. */
  #latest = -1
  /** Whether a phrase was noted since the last text. */
  #isUsed = true

  constructor(keywords: Keywords) {
    this.#keywords = keywords
    this.#begins = new Int32Array(keywords.groups)
    this.#ends = new Int32Array(keywords.groups)
  }

  reset(): void {
    this.#to = -1
  }

  /** Reads from `from` to `to`. Both may only grow for the same text. */
  read(units: Uint16Array, from: number, to: number): void {
    const keywords = this.#keywords
    const { codeOf, next, rowOf, pages, isEnd } = keywords
    let i = this.#to
    if (i < from) {
      if (i < 0 && this.#isUsed) this.#clear()
      // Phrases that ended before are out of the window.
      this.#state = AFTER_SPACE
      i = from
    }
    let state = this.#state
    for (; i < to; i++) {
      const code = codeOf[units[i]!]!
      if (code <= SPACE) {
        // Runs of spaces count as one.
        if (code === SPACE && (state & AFTER_SPACE) === 0)
          state = (next[(state >> 1) * PAGE + SPACE]! << 1) | AFTER_SPACE
      } else {
        const node = state >> 1
        const row = code < PAGE ? node : rowOf[node * pages + (code >> 5) - 1]!
        state = next[row * PAGE + (code & (PAGE - 1))]! << 1
      }
      if (isEnd[state >> 1] === 1) this.#note(units, i, keywords.ends(state >> 1))
    }
    this.#state = state
    this.#from = from
    this.#to = to
  }

  #note(units: Uint16Array, last: number, ends: readonly End[]): void {
    for (const end of ends) {
      const begin = this.#keywords.begin(units, last, end)
      if (begin < 0) continue
      this.#begins[end.group] = begin
      if (begin > this.#latest) this.#latest = begin
      this.#ends[end.group] = last + 1
      this.#isUsed = true
    }
  }

  #clear(): void {
    this.#begins.fill(-1)
    this.#ends.fill(-1)
    this.#latest = -1
    this.#isUsed = false
  }

  /** False if the window has no phrase of any group; nearly exact, and quick. */
  get mayHaveAny(): boolean {
    return this.#latest >= this.#from
  }

  /** Whether the window has a phrase of any group. */
  get any(): boolean {
    return this.#latest >= this.#from && this.#begins.some((begin) => begin >= this.#from)
  }

  /** End of the group's last phrase in the window, or -1. */
  end(group: number): number {
    return this.#begins[group]! >= this.#from ? this.#ends[group]! : -1
  }
}

interface End {
  readonly group: number
  /** Length of the phrase without spaces. */
  readonly letters: number
}

const isDigit = (c: number): boolean => c >= 48 && c <= 57
const isUpper = (c: number): boolean => c >= 65 && c <= 90

/** Letters that continue a word. Excludes scripts without word borders. */
const LETTERS: Uint8Array = buildLetters()

function buildLetters(): Uint8Array {
  const table = new Uint8Array(0x10000)
  for (let c = 0; c < 0x700; c++) if (/^\p{L}$/u.test(String.fromCharCode(c))) table[c] = 1
  table.fill(1, 0x900, 0xe00)
  return table
}

interface Table {
  readonly next: Uint16Array
  readonly rowOf: Uint16Array
  readonly pages: number
  readonly isEnd: Uint8Array
  readonly ends: readonly (readonly End[])[]
}

const NO_ENDS: readonly End[] = []

class Trie {
  /** Of each node, as lists: the last child added, the sibling added before, the code that leads here. 0 ends a list. */
  readonly #child = [0]
  readonly #sibling = [0]
  readonly #code = [0]
  readonly #ends: (readonly End[])[] = [NO_ENDS]

  add(codes: readonly number[], end: End): void {
    let node = 0
    for (const code of codes) node = this.#find(node, code) || this.#grow(node, code)
    const ends = this.#ends[node]!
    if (!ends.some((e) => e.group === end.group)) this.#ends[node] = [...ends, end]
  }

  /** 0 if there is no such child. */
  #find(node: number, code: number): number {
    let child = this.#child[node]!
    while (child !== 0 && this.#code[child] !== code) child = this.#sibling[child]!
    return child
  }

  #grow(node: number, code: number): number {
    const child = this.#child.push(0) - 1
    this.#sibling.push(this.#child[node]!)
    this.#child[node] = child
    this.#code.push(code)
    this.#ends.push(NO_ENDS)
    return child
  }

  /** Adds the failure links, so that every node has a target for every code. */
  close(last: number): Table {
    const nodes = this.#child.length
    if (nodes > MAX_NODES) throw new Error('too many context words')
    const pages = last >> 5
    const rows = new Rows(nodes)
    const rowOf = new Uint16Array(pages * nodes)
    for (let page = 0; page < pages; page++) rowOf[page] = rows.add()
    const fail = new Int32Array(nodes)
    const queue = [0]
    for (const node of queue) {
      const link = fail[node]!
      if (node !== 0) {
        if (this.#ends[link] !== NO_ENDS) this.#ends[node] = [...this.#ends[node]!, ...this.#ends[link]!]
        // Everything else goes where it goes from the failure link, which is nearer to the root.
        rows.copy(link, node)
        // On further pages, nodes without children of their own share its rows.
        rowOf.copyWithin(node * pages, link * pages, (link + 1) * pages)
      }
      for (let child = this.#child[node]!; child !== 0; child = this.#sibling[child]!) {
        const code = this.#code[child]!
        let row = node
        if (code >= PAGE) {
          const page = (code >> 5) - 1
          const shared = rowOf[link * pages + page]!
          row = rowOf[node * pages + page]!
          if (node !== 0 && row === shared) {
            row = rows.add()
            rowOf[node * pages + page] = row
            rows.copy(shared, row)
          }
        }
        const cell = row * PAGE + (code & (PAGE - 1))
        fail[child] = rows.cells[cell]!
        rows.cells[cell] = child
        queue.push(child)
      }
    }
    const ends = this.#ends
    return {
      next: rows.cells.slice(0, rows.count * PAGE),
      rowOf,
      pages,
      isEnd: Uint8Array.from(ends, (all) => (all.length > 0 ? 1 : 0)),
      ends,
    }
  }
}

class Rows {
  cells: Uint16Array
  count: number

  constructor(count: number) {
    this.count = count
    this.cells = new Uint16Array(2 * count * PAGE)
  }

  add(): number {
    const row = this.count++
    if (row > 0xffff) throw new Error('too many context words')
    if (this.count * PAGE > this.cells.length) {
      const larger = new Uint16Array(2 * this.cells.length)
      larger.set(this.cells)
      this.cells = larger
    }
    return row
  }

  copy(from: number, to: number): void {
    this.cells.copyWithin(to * PAGE, from * PAGE, (from + 1) * PAGE)
  }
}

function lastOf(codeOf: Uint16Array): number {
  let last = 0
  for (let unit = 0; unit < codeOf.length; unit++) if (codeOf[unit]! > last) last = codeOf[unit]!
  return last
}

/** Both cases of a letter have one code. Letters of English come first, then characters by script. */
function assignCodes(groups: Readonly<Record<string, readonly string[]>>): Uint16Array {
  const code = new Uint16Array(0x10000).fill(ALIEN)
  for (const space of ' \t\n\r_-./\u00a0') code[space.charCodeAt(0)] = SPACE
  for (const skip of "'’`´") code[skip.charCodeAt(0)] = SKIP
  const lower: number[] = []
  const upperOf = new Map<number, number>()
  for (const phrases of Object.values(groups)) {
    for (const char of phrases.join('').toLowerCase()) {
      const unit = char === FINAL_SIGMA ? SIGMA : char.charCodeAt(0)
      if (code[unit] !== ALIEN) continue
      code[unit] = ALIEN + 1
      lower.push(unit)
      const upper = char.toUpperCase()
      if (upper.length !== 1 || code[upper.charCodeAt(0)] !== ALIEN) continue
      code[upper.charCodeAt(0)] = ALIEN + 1
      upperOf.set(unit, upper.charCodeAt(0))
    }
  }
  lower.sort((a, b) => Number(isSmall(b)) - Number(isSmall(a)) || a - b)
  for (const [i, unit] of lower.entries()) {
    code[unit] = ALIEN + 1 + i
    const upper = upperOf.get(unit)
    if (upper !== undefined) code[upper] = ALIEN + 1 + i
  }
  code[FINAL_SIGMA.charCodeAt(0)] = code[SIGMA]!
  if (lower.length > 1000) throw new Error('too many different characters in context words')
  return code
}

const isSmall = (c: number): boolean => c >= 97 && c <= 122
