/**
 * The pattern language of the detectors, a regular subset of the usual syntax: literals, `\d`, `\l` (letter of any
 * script with spaces), `\L` (non-ASCII one), `\c` (letter of a script without spaces), `\o` (any other non-ASCII character,
 * also `\c`), `\w`, `\s`, `[…]`, `( )`, `|`, `?`, `+`, `*`, `{m,n}`, and `(?i:…)`. No anchors, no look-around: a match begins and ends with a word, and the detector
 * checks its surroundings.
 */
import { APOSTROPHE, DEGREE, FULL_STOP, OTHER, SYMBOL_OF, SYMBOLS, UNSPACED, WIDE_LETTER } from './symbols.ts'

export type Node =
  | { readonly kind: 'set'; readonly set: Uint8Array }
  | { readonly kind: 'seq'; readonly items: readonly Node[] }
  | { readonly kind: 'alt'; readonly items: readonly Node[] }
  | { readonly kind: 'repeat'; readonly item: Node; readonly min: number; readonly max: number }

/** `max` of `+` and `*`; the length of the whole match is limited. */
const UNBOUNDED = Number.POSITIVE_INFINITY

const sets = new Map<string, Uint8Array>()

export function parsePattern(source: string): Node {
  return new Parser(source).parse()
}

class Parser {
  readonly #source: string
  #at = 0
  #ignoreCase = false

  constructor(source: string) {
    this.#source = source
  }

  parse(): Node {
    const node = this.#alternatives()
    if (this.#at < this.#source.length) this.#fail('unbalanced parenthesis')
    return node
  }

  #alternatives(): Node {
    const items = [this.#sequence()]
    while (this.#peek() === '|') {
      this.#at++
      items.push(this.#sequence())
    }
    return items.length === 1 ? items[0]! : { kind: 'alt', items }
  }

  #sequence(): Node {
    const items: Node[] = []
    for (let next = this.#peek(); next !== undefined && next !== '|' && next !== ')'; next = this.#peek()) {
      items.push(this.#quantified(this.#atom()))
    }
    return { kind: 'seq', items }
  }

  #quantified(item: Node): Node {
    const next = this.#peek()
    if (next === '?') return this.#advance({ kind: 'repeat', item, min: 0, max: 1 })
    if (next === '+') return this.#advance({ kind: 'repeat', item, min: 1, max: UNBOUNDED })
    if (next === '*') return this.#advance({ kind: 'repeat', item, min: 0, max: UNBOUNDED })
    if (next !== '{') return item
    const close = this.#source.indexOf('}', this.#at)
    const counts = /^(\d+)(?:,(\d+))?$/.exec(this.#source.slice(this.#at + 1, close))
    if (counts === null) this.#fail('bad quantifier')
    this.#at = close + 1
    const min = Number(counts![1])
    return { kind: 'repeat', item, min, max: counts![2] === undefined ? min : Number(counts![2]) }
  }

  #advance(node: Node): Node {
    this.#at++
    return node
  }

  #atom(): Node {
    const from = this.#at
    const char = this.#source[this.#at++]!
    if (char === '(') return this.#group()
    if (char === '[') this.#skipClass()
    else if (char === '\\') this.#at++
    // Parse each spelling once: the automaton compares sets by identity.
    const key = `${this.#ignoreCase ? 'i' : ''}${this.#source.slice(from, this.#at)}`
    let set = sets.get(key)
    if (set === undefined) {
      this.#at = from + 1
      set = this.#set(char)
      sets.set(key, set)
    }
    return { kind: 'set', set }
  }

  #set(char: string): Uint8Array {
    if (char === '[') return this.#class()
    const set = new Uint8Array(SYMBOLS)
    if (char === '\\') this.#escape(set)
    else this.#add(set, symbol(char))
    return set
  }

  #skipClass(): void {
    while (this.#at < this.#source.length && this.#source[this.#at] !== ']')
      this.#at += this.#source[this.#at] === '\\' ? 2 : 1
    this.#at++
  }

  #group(): Node {
    const outer = this.#ignoreCase
    if (this.#source.startsWith('?i:', this.#at)) {
      this.#ignoreCase = true
      this.#at += 3
    }
    const node = this.#alternatives()
    if (this.#peek() !== ')') this.#fail('unclosed group')
    this.#at++
    this.#ignoreCase = outer
    return node
  }

  #class(): Uint8Array {
    const set = new Uint8Array(SYMBOLS)
    while (this.#peek() !== ']') {
      const char = this.#source[this.#at++]
      if (char === undefined) this.#fail('unclosed class')
      if (char === '\\') this.#escape(set)
      else if (this.#peek() === '-' && this.#source[this.#at + 1] !== ']') {
        this.#at++
        const to = symbol(this.#source[this.#at++]!)
        for (let s = symbol(char!); s <= to; s++) this.#add(set, s)
      } else this.#add(set, symbol(char!))
    }
    this.#at++
    return set
  }

  #escape(set: Uint8Array): void {
    const char = this.#source[this.#at++]
    if (char === undefined) this.#fail('ends in a backslash')
    const ranges = CLASSES[char!]
    if (ranges === undefined) return this.#add(set, symbol(char!))
    for (const [from, to] of ranges) set.fill(1, from, to + 1)
  }

  #add(set: Uint8Array, s: number): void {
    set[s] = 1
    if (!this.#ignoreCase) return
    if (s >= 65 && s <= 90) set[s + 32] = 1
    if (s >= 97 && s <= 122) set[s - 32] = 1
  }

  #peek(): string | undefined {
    return this.#source[this.#at]
  }

  #fail(problem: string): never {
    throw new Error(`pattern ${JSON.stringify(this.#source)}: ${problem} at ${this.#at}`)
  }
}

const DIGITS: readonly [number, number] = [48, 57]
const LETTERS: readonly (readonly [number, number])[] = [
  [65, 90],
  [97, 122],
  [WIDE_LETTER, WIDE_LETTER],
]
const CLASSES: Readonly<Record<string, readonly (readonly [number, number])[]>> = {
  d: [DIGITS],
  l: LETTERS,
  L: [[WIDE_LETTER, WIDE_LETTER]],
  w: [...LETTERS, DIGITS],
  c: [[UNSPACED, UNSPACED]],
  o: [[OTHER, FULL_STOP]],
  s: [
    [9, 10],
    [13, 13],
    [32, 32],
  ],
}

function symbol(char: string): number {
  const s = SYMBOL_OF[char.charCodeAt(0)]!
  if (s < 128 || s === DEGREE || s === APOSTROPHE || s === FULL_STOP) return s
  throw new Error(`pattern holds ${JSON.stringify(char)}; write \\L for a letter beyond ASCII`)
}
