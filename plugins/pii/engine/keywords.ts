/**
 * Finds groups of context words in a short window before or after a candidate. The phrases of all detectors form one
 * Aho-Corasick automaton, so the cost of a window does not depend on their number. Spaces, underscores, hyphens and
 * dots between words are equal, and so are runs of them. Case and apostrophes are ignored. A phrase of several words
 * also matches when written as one (`dateOfBirth`).
 */

const SPACE = 1
const SKIP = 0
/** A character that no phrase contains. */
const ALIEN = 2
/** State bit: the last character was a space. */
const AFTER_SPACE = 1

export class Keywords {
  readonly #code = new Uint16Array(0x10000).fill(ALIEN)
  readonly #letter: Uint8Array
  #codes = ALIEN + 1
  #goto: Int16Array
  /** Phrases that end at each node, including suffixes. */
  readonly #ends: (readonly End[] | undefined)[] = []
  readonly #groups: readonly string[]
  constructor(groups: Readonly<Record<string, readonly string[]>>) {
    this.#groups = Object.keys(groups)
    this.#letter = LETTERS
    this.#assignCodes(groups)
    const trie = new Trie()
    for (const [group, name] of this.#groups.entries()) {
      for (const phrase of groups[name]!) this.#add(trie, phrase, group)
    }
    this.#goto = trie.close(this.#codes, this.#ends)
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

  /**
   * Reads one more unit.
   *
   * @param state the result of the previous call; 0 at the beginning
   */
  step(state: number, unit: number): number {
    const code = this.#code[unit]!
    // Runs of spaces count as one.
    if (code === SKIP || (code === SPACE && (state & AFTER_SPACE) !== 0)) return state
    const node = this.#goto[(state >> 1) * this.#codes + code]!
    return (node << 1) | (code === SPACE ? AFTER_SPACE : 0)
  }

  /** Phrases that end in a state. */
  ends(state: number): readonly End[] | undefined {
    return this.#ends[state >> 1]
  }

  /** Start of a phrase that ends at `last`; -1 inside a longer word, such as "dob" in "adobe". */
  begin(text: string, last: number, end: End): number {
    const isLetter = this.#letter
    const tail = text.charCodeAt(last)
    if (last + 1 < text.length && isLetter[text.charCodeAt(last + 1)] === 1 && isLetter[tail] === 1) {
      // The border inside a camelCase word counts: "phoneNumber".
      if (!isUpper(text.charCodeAt(last + 1)) || isUpper(tail)) return -1
    }
    let at = last
    for (let left = end.letters; left > 0 && at >= 0; at--) {
      const code = this.#code[text.charCodeAt(at)]!
      if (code !== SKIP && code !== SPACE) left--
    }
    const first = text.charCodeAt(at + 1)
    if (at >= 0 && isDigit(text.charCodeAt(at)) && isLetter[first] === 1) return -1
    if (at < 0 || isLetter[text.charCodeAt(at)] !== 1 || isLetter[first] !== 1) return at + 1
    return isUpper(first) && !isUpper(text.charCodeAt(at)) ? at + 1 : -1
  }

  #assignCodes(groups: Readonly<Record<string, readonly string[]>>): void {
    for (const space of ' \t\n\r_-./\u00a0') this.#code[space.charCodeAt(0)] = SPACE
    for (const skip of "'’`´") this.#code[skip.charCodeAt(0)] = SKIP
    for (const phrases of Object.values(groups)) {
      for (const char of phrases.join('').toLowerCase()) {
        const unit = char.charCodeAt(0)
        if (this.#code[unit] !== ALIEN) continue
        const code = this.#codes++
        this.#code[unit] = code
        const upper = char.toUpperCase()
        if (upper.length === 1 && this.#code[upper.charCodeAt(0)] === ALIEN) this.#code[upper.charCodeAt(0)] = code
      }
    }
    if (this.#codes > 1000) throw new Error('too many different characters in context words')
  }

  #add(trie: Trie, phrase: string, group: number): void {
    const codes: number[] = []
    for (let i = 0; i < phrase.length; i++) {
      const code = this.#code[phrase.toLowerCase().charCodeAt(i)]!
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

  constructor(keywords: Keywords) {
    this.#keywords = keywords
    this.#begins = new Int32Array(keywords.groups)
    this.#ends = new Int32Array(keywords.groups)
  }

  reset(): void {
    this.#to = -1
  }

  /** Reads `text[from..to]`. Both may only grow for the same text. */
  read(text: string, from: number, to: number): void {
    const keywords = this.#keywords
    let i = this.#to
    if (i < from) {
      this.#begins.fill(-1)
      this.#ends.fill(-1)
      this.#state = 1 // as after a space
      i = from
    }
    let state = this.#state
    for (; i < to; i++) {
      state = keywords.step(state, text.charCodeAt(i))
      const ends = keywords.ends(state)
      if (ends === undefined) continue
      for (const end of ends) {
        const begin = keywords.begin(text, i, end)
        if (begin < 0) continue
        this.#begins[end.group] = begin
        this.#ends[end.group] = i + 1
      }
    }
    this.#state = state
    this.#from = from
    this.#to = to
  }

  /** Whether the window has a phrase of any group. */
  get any(): boolean {
    return this.#begins.some((begin) => begin >= this.#from)
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

class Trie {
  readonly #children: Map<number, number>[] = [new Map()]
  readonly #ends: End[][] = [[]]

  add(codes: readonly number[], end: End): void {
    let node = 0
    for (const code of codes) {
      let child = this.#children[node]!.get(code)
      if (child === undefined) {
        child = this.#children.push(new Map()) - 1
        this.#ends.push([])
        this.#children[node]!.set(code, child)
      }
      node = child
    }
    if (!this.#ends[node]!.some((e) => e.group === end.group)) this.#ends[node]!.push(end)
  }

  /** Adds the failure links, so that every node has a target for every code. */
  close(codes: number, ends: (readonly End[] | undefined)[]): Int16Array {
    const table = new Int16Array(this.#children.length * codes)
    const fail = new Int32Array(this.#children.length)
    const queue = [0]
    for (let head = 0; head < queue.length; head++) {
      const node = queue[head]!
      const inherited = node === 0 ? [] : this.#ends[fail[node]!]!
      this.#ends[node]!.push(...inherited)
      ends[node] = this.#ends[node]!.length === 0 ? undefined : this.#ends[node]
      const row = node * codes
      // Everything else goes where it goes from the failure link, which is nearer to the root.
      if (node !== 0) table.copyWithin(row, fail[node]! * codes, (fail[node]! + 1) * codes)
      for (const [code, child] of this.#children[node]!) {
        fail[child] = table[row + code]!
        table[row + code] = child
        queue.push(child)
      }
    }
    return table
  }
}
