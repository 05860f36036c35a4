/**
 * Builds the automaton of context words: an Aho-Corasick trie whose failure links are resolved, so that every node has a
 * target for every code.
 */

/** Nodes have numbers of 16 bits. */
const MAX_NODES = 2 ** 16 - 1
export const SKIP = 0
export const SPACE = 1
/** A character that no phrase contains. */
const ALIEN = 2
/** Capitals have one sigma for both. */
const FINAL_SIGMA = 'ς'
const SIGMA = 0x3c3
/** Codes of a page of the table. The letters of English are on the first page, so that its rows fit a line of cache. */
export const PAGE = 32

/** A phrase that ends at a node. */
export interface End {
  readonly group: number
  /** Length of the phrase without spaces. */
  readonly letters: number
}

export interface KeywordTables {
  readonly groups: readonly string[]
  /** By UTF-16 unit. */
  readonly codeOf: Uint16Array
  /** By node and code of the first page, then the rows of further pages. */
  readonly next: Uint16Array
  /** Row of a node, by node and further page. */
  readonly rowOf: Uint16Array
  /** Number of further pages. */
  readonly pages: number
  /** By node, the list of the phrases that end there, including suffixes; 0 for none. */
  readonly endsOf: Uint16Array
  readonly lists: readonly (readonly End[])[]
}

/** Words that phrases would be without their spaces: `sa id`. */
const WORDS = new Set(['said'])

/** @param groups phrases by the name of their group */
export function keywordTables(groups: Readonly<Record<string, readonly string[]>>): KeywordTables {
  const names = Object.keys(groups)
  const codeOf = assignCodes(groups)
  const trie = new Trie()
  for (const [group, name] of names.entries()) for (const phrase of groups[name]!) add(trie, codeOf, phrase, group)
  return { groups: names, codeOf, ...trie.close(lastOf(codeOf)) }
}

function add(trie: Trie, codeOf: Uint16Array, phrase: string, group: number): void {
  const codes: number[] = []
  const lower = phrase.toLowerCase()
  for (let i = 0; i < phrase.length; i++) {
    const code = codeOf[lower.charCodeAt(i)]!
    if (code !== SKIP && !(code === SPACE && codes.at(-1) === SPACE)) codes.push(code)
  }
  const joined = codes.filter((code) => code !== SPACE)
  trie.add(codes, { group, letters: joined.length })
  // Short phrases would match in codes, such as "a/c" in "9ac".
  const isJoined = joined.length < codes.length && joined.length > 3 && !WORDS.has(lower.replace(/[^a-z]/g, ''))
  if (isJoined) trie.add(joined, { group, letters: joined.length })
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
  close(last: number): Omit<KeywordTables, 'groups' | 'codeOf'> {
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
    const lists = new Map<string, readonly End[]>([['', NO_ENDS]])
    const numbers = new Map([['', 0]])
    const endsOf = Uint16Array.from(this.#ends, (list) => {
      const key = list.map(({ group, letters }) => `${group} ${letters}`).join()
      if (!numbers.has(key)) numbers.set(key, numbers.size)
      lists.set(key, list)
      return numbers.get(key)!
    })
    return { next: rows.cells.slice(0, rows.count * PAGE), rowOf, pages, endsOf, lists: [...lists.values()] }
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
