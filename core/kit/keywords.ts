import type { TextView } from '../engine/contract/plugin.ts'
import { normalise } from '../engine/text/unicode.ts'

/** One hit of a keyword: a half-open span of the view's text. */
export interface KeywordHit {
  readonly keyword: string
  readonly start: number
  readonly end: number
}

export interface KeywordOptions {
  /** Default false. */
  caseSensitive?: boolean
  /** Whether hits must start and end at word borders; default true. Scripts without spaces have borders everywhere. */
  wholeWords?: boolean
}

interface Node {
  readonly next: Map<number, Node>
  fail: Node
  /** The nearest failure node at which a keyword ends; the root if none. */
  shorter: Node
  depth: number
  /** Keywords that end here, longest first. */
  readonly ends: { readonly keyword: string; readonly length: number }[]
}

const WORD = /[\p{L}\p{N}\p{M}_]/u
/** Scripts that write words without spaces: every character borders a word. */
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u

const isWord = (char: string): boolean => WORD.test(char) && !UNSPACED.test(char)

/**
 * Finds any number of literal keywords in one pass (Aho-Corasick), also across the chunks of a stream. Holds exactly
 * the end of the text that may still become a keyword.
 *
 * @example
 * const secretProjects = new Keywords(['Project Falcon', 'Blue Harvest'])
 * // in a plugin with lookbehind: 0
 * detect(view) {
 *   for (const { start, end } of secretProjects.find(view)) view.report({ type: 'project', start, end, action: 'redact' })
 * }
 */
export class Keywords {
  readonly #root: Node
  readonly #fold: boolean
  readonly #wholeWords: boolean
  /** ASCII characters that start a keyword. */
  readonly #begins = new Uint8Array(128)
  /** Length of the longest keyword, UTF-16 units. */
  readonly longest: number

  constructor(keywords: readonly string[], { caseSensitive = false, wholeWords = true }: KeywordOptions = {}) {
    this.#fold = !caseSensitive
    this.#wholeWords = wholeWords
    this.#root = newNode(0)
    let longest = 0
    for (const keyword of keywords) {
      const folded = this.#folded(normalise(keyword).text)
      if (folded === '') continue
      this.#begins[folded.charCodeAt(0)] = 1
      longest = Math.max(longest, folded.length)
      insert(this.#root, folded, keyword)
    }
    this.longest = longest
    link(this.#root)
  }

  /**
   * Lower case that keeps every offset: characters with a longer lower case stay unchanged. A final sigma is like any
   * other, since a stream does not show yet where a word ends.
   */
  #folded(text: string): string {
    if (!this.#fold) return text
    const lower = text.toLowerCase()
    const even = lower.length === text.length ? lower : [...text].map(lowerCase).join('')
    return even.includes('ς') ? even.replaceAll('ς', 'σ') : even
  }

  /** The hits in a view; on an unfinished stream, also holds possible starts of a hit. */
  find(view: Pick<TextView, 'text' | 'before' | 'final' | 'hold'>): KeywordHit[] {
    const { text } = view
    const hits: KeywordHit[] = []
    const folded = this.#folded(text)
    let node = this.#root
    let held = text.length
    for (let i = 0; i < folded.length; i++) {
      const code = folded.charCodeAt(i)
      if (node === this.#root && code < 128 && this.#begins[code] === 0) continue
      node = step(node, code)
      for (let at: Node = node; at !== this.#root; at = at.shorter) {
        for (const { keyword, length } of at.ends) {
          const start = i + 1 - length
          const border = this.#border(view, start, i + 1)
          if (border === 'yes') hits.push({ keyword, start, end: i + 1 })
          else if (border === 'open') held = Math.min(held, start)
        }
      }
    }
    if (!view.final) view.hold(Math.min(held, text.length - this.#openLength(node, view)))
    return hits
  }

  /** Length of the longest suffix that may start a keyword here. */
  #openLength(end: Node, view: Pick<TextView, 'text' | 'before'>): number {
    for (let node = end; node !== this.#root; node = node.fail) {
      if (node.next.size === 0) continue
      if (!this.#wholeWords || this.#borderBefore(view, view.text.length - node.depth)) return node.depth
    }
    return 0
  }

  /** `open`: the next character decides whether a word ends here. */
  #border(view: Pick<TextView, 'text' | 'before' | 'final'>, start: number, end: number): 'yes' | 'no' | 'open' {
    const { text } = view
    if (!this.#wholeWords) return 'yes'
    if (!this.#borderBefore(view, start)) return 'no'
    if (!isWord(text[end - 1] as string)) return 'yes'
    if (end === text.length) return view.final ? 'yes' : 'open'
    return isWord(text[end] as string) ? 'no' : 'yes'
  }

  #borderBefore({ text, before }: Pick<TextView, 'text' | 'before'>, start: number): boolean {
    if (!isWord(text[start] as string)) return true
    const left = start > 0 ? text[start - 1] : before.at(-1)
    return left === undefined || !isWord(left)
  }
}

const lowerCase = (char: string): string => {
  const lower = char.toLowerCase()
  return lower.length === char.length ? lower : char
}

const newNode = (depth: number): Node => {
  const node: Node = { next: new Map(), fail: undefined as never, shorter: undefined as never, depth, ends: [] }
  node.fail = node
  node.shorter = node
  return node
}

function insert(root: Node, folded: string, keyword: string): void {
  let node = root
  for (let i = 0; i < folded.length; i++) {
    const code = folded.charCodeAt(i)
    const child = node.next.get(code) ?? newNode(i + 1)
    node.next.set(code, child)
    child.fail = root
    child.shorter = root
    node = child
  }
  node.ends.push({ keyword, length: folded.length })
}

/** Breadth first, so that a parent's failure link is known before its children's. */
function link(root: Node): void {
  const queue = [...root.next.values()]
  for (const node of queue) {
    for (const [code, child] of node.next) {
      let fail = node.fail
      while (fail !== root && !fail.next.has(code)) fail = fail.fail
      child.fail = fail.next.get(code) ?? root
      child.shorter = child.fail.ends.length > 0 ? child.fail : child.fail.shorter
      queue.push(child)
    }
  }
}

function step(node: Node, code: number): Node {
  for (let at = node; ; at = at.fail) {
    const next = at.next.get(code)
    if (next !== undefined) return next
    if (at.fail === at) return at
  }
}
