import { CLASS_OF, DIGIT, isWord, LOWER, UPPER } from './characters.ts'
import type { Run, Word } from './runs.ts'

/** Features of one word. */
export const FEATURES = 37

/** Signs and words around a run. */
export interface Beside {
  readonly left: readonly [string, string, string]
  readonly right: readonly [string, string]
}

/** Rows of the weights for each word of a run; reused for the next run. */
export class Features {
  rows = new Uint32Array(FEATURES * 16)
  readonly #mask: number
  #at = 0

  /** @param bits the weights have 2^bits rows */
  constructor(bits: number) {
    this.#mask = 2 ** bits - 1
  }

  /** Fills `rows`: FEATURES for each word. */
  read(text: string, run: Run, beside: Beside): void {
    const { words } = run
    const n = words.length
    if (this.rows.length < n * FEATURES) this.rows = new Uint32Array(n * FEATURES * 2)
    const [l1, l2, l3] = beside.left.map(hash) as [number, number, number]
    const [r1, r2] = beside.right.map(hash) as [number, number]
    const hashes = words.map((word) => hash(word.lower))
    const shapes = words.map((word) => shapeOf(text, word))
    const first = hashes[0]!
    const last = hashes[n - 1]!
    const many = Math.min(n, 5)
    this.#at = 0
    for (let i = 0; i < n; i++) {
      const word = words[i]!
      const w = hashes[i]!
      const shape = shapes[i]!
      const p1 = i > 0 ? hashes[i - 1]! : l1
      const p2 = i > 1 ? hashes[i - 2]! : i > 0 ? l1 : l2
      const p3 = i > 2 ? hashes[i - 3]! : i > 1 ? l1 : i > 0 ? l2 : l3
      const f1 = i + 1 < n ? hashes[i + 1]! : r1
      const f2 = i + 2 < n ? hashes[i + 2]! : i + 1 < n ? r1 : r2
      const before = i > 0 ? shapes[i - 1]! : 0
      const after = i + 1 < n ? shapes[i + 1]! : 0
      const position = (i === 0 ? 1 : 0) + (i === n - 1 ? 2 : 0)
      this.#add(1, 1)
      this.#add(2, w)
      this.#add(3, p1)
      this.#add(4, p2)
      this.#add(5, f1)
      this.#add(6, f2)
      this.#add(7, pair(p1, w))
      this.#add(8, pair(w, f1))
      this.#add(9, shape)
      this.#add(10, pair(pair(before, shape), after))
      this.#add(11, pair(p2, p1))
      this.#add(12, pair(p1, f1))
      this.#add(13, pair(f1, f2))
      this.#add(14, pair(shape, p1))
      this.#add(15, pair(shape, f1))
      this.#add(16, pair(position, pair(shape, many)))
      this.#add(17, last)
      this.#add(18, first)
      this.#add(19, pair(last, position))
      this.#add(20, pair(glue(text, word), shape))
      this.#add(21, pair(position, l1))
      this.#add(22, pair(pair(l2, l1), position))
      this.#add(23, pair(l1, r1))
      this.#add(24, pair(position, r1))
      this.#add(25, pair(l3, pair(l2, l1)))
      this.#add(26, p3)
      this.#affixes(word.lower)
      this.#add(36, pair(l1, pair(many, shape)))
      this.#add(37, pair(many, pair(r1, l1)))
    }
  }

  #affixes(lower: string): void {
    const n = lower.length
    let prefix = 7
    for (let k = 0; k < 5; k++) {
      prefix = k < n ? Math.imul(prefix ^ lower.charCodeAt(k), 0x01000193) : 0
      if (k > 0) this.#add(26 + k, prefix)
    }
    let suffix = 11
    for (let k = 0; k < 5; k++) {
      suffix = k < n ? Math.imul(suffix ^ lower.charCodeAt(n - 1 - k), 0x01000193) : 0
      this.#add(31 + k, suffix)
    }
  }

  #add(template: number, value: number): void {
    let h = Math.imul(value ^ Math.imul(template, 0x9e3779b1), 0x85ebca6b)
    h = Math.imul(h ^ (h >>> 15), 0xc2b2ae35)
    this.rows[this.#at++] = (h ^ (h >>> 13)) & this.#mask
  }
}

const pair = (a: number, b: number): number => Math.imul(Math.imul(a, 31) ^ (b >>> 7) ^ (b << 9), 0x5bd1e995)

function hash(word: string): number {
  let h = 0x811c9dc5
  for (let i = 0; i < word.length; i++) h = Math.imul(h ^ word.charCodeAt(i), 0x01000193)
  return h
}

/** Small and capital letters, digits and other signs of a word, with its length if it is short. */
function shapeOf(text: string, { start, end, dotted }: Word): number {
  let kinds = 0
  let last = -1
  for (let i = start; i < end; i++) {
    const c = text.charCodeAt(i)
    const kind = CLASS_OF[c] === DIGIT ? 3 : CLASS_OF[c] === UPPER ? 1 : CLASS_OF[c] === LOWER ? 2 : 4
    if (kind !== last) kinds = (kinds * 5 + kind) & 0xffffff
    last = kind
  }
  return (kinds << 4) | (Math.min(end - start, 6) << 1) | (dotted ? 1 : 0)
}

/** The signs that touch a word. */
function glue(text: string, { start, end }: Word): number {
  return sign(text, start - 1) * 65_536 + sign(text, end)
}

function sign(text: string, at: number): number {
  if (at < 0 || at >= text.length) return 1
  const c = text.charCodeAt(at)
  return isWord(CLASS_OF[c]!) ? 2 : c < 128 ? c : 3
}
