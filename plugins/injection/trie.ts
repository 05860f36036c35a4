/** Finds phrases of a vocabulary in a list of words, by one step down a tree per word. */

import type { Concept, Phrases } from './concepts/index.ts'

/** A phrase below a node that no text has reached. */
interface Rest {
  readonly words: readonly string[]
  readonly concept: Concept
  readonly languages: number
}

interface Node {
  /** Words above the node. */
  readonly depth: number
  /** Becomes children when a text first gets here: few texts reach more than some of thousands. */
  rest: Rest[] | undefined
  readonly exact: Map<string, Node>
  /** Children that match a word's beginning, letter by letter. */
  stems: Stem | undefined
  /** Concepts that end here, each with its languages as bits. */
  concepts: Map<Concept, number> | undefined
}

interface Stem {
  readonly next: Map<number, Stem>
  node: Node | undefined
}

export interface Hit {
  readonly concept: Concept
  /** Languages of the phrase, as bits. */
  readonly languages: number
  /** Indexes of the first and last word. */
  readonly first: number
  readonly last: number
}

const TECHNICAL: ReadonlySet<Concept> = new Set([
  'INSTRUCTIONS',
  'SYSTEM_PROMPT',
  'SECRET',
  'MODE',
  'NAMED',
  'AI',
  'FREE',
  'PWNED',
  'ABOUT',
  'HARM',
])

const newNode = (depth: number): Node => ({
  depth,
  rest: undefined,
  exact: new Map(),
  stems: undefined,
  concepts: undefined,
})

/** Grows where texts reach it, from its first use on. */
export class PhraseTree {
  readonly #vocabularies: readonly Phrases[]
  #root: Node | undefined

  /** The first vocabulary must be English: its technical terms apply in every language. */
  constructor(vocabularies: readonly Phrases[]) {
    this.#vocabularies = vocabularies
  }

  #plant(): Node {
    const root = newNode(0)
    const rest: Rest[] = []
    this.#vocabularies.forEach((vocabulary, index) => {
      for (const concept of Object.keys(vocabulary) as Concept[]) {
        const languages = index === 0 && TECHNICAL.has(concept) ? -1 : 1 << index
        for (const phrase of vocabulary[concept] ?? []) rest.push({ words: tokens(phrase), concept, languages })
      }
    })
    root.rest = rest
    grow(root)
    return root
  }

  /** Every phrase found, ordered by first word. */
  find(words: readonly string[]): Hit[] {
    this.#root ??= this.#plant()
    const hits: Hit[] = []
    for (let i = 0; i < words.length; i++) this.#descend(this.#root, words, i, i, hits)
    return hits
  }

  /** Depth is limited by the longest phrase, width by the number of stems of a word. */
  #descend(node: Node, words: readonly string[], first: number, at: number, hits: Hit[]): void {
    const word = words[at]
    if (word === undefined) return
    const exact = node.exact.get(word)
    if (exact !== undefined) this.#arrive(exact, words, first, at, hits)
    let stem = node.stems
    for (let i = 0; stem !== undefined && i < word.length; i++) {
      stem = stem.next.get(word.charCodeAt(i))
      if (stem?.node !== undefined) this.#arrive(stem.node, words, first, at, hits)
    }
  }

  #arrive(node: Node, words: readonly string[], first: number, at: number, hits: Hit[]): void {
    if (node.rest !== undefined) grow(node)
    if (node.concepts !== undefined)
      for (const [concept, languages] of node.concepts) hits.push({ concept, languages, first, last: at })
    this.#descend(node, words, first, at + 1, hits)
  }
}

/** Makes the children of a node. */
function grow(node: Node): void {
  const { rest = [], depth } = node
  node.rest = undefined
  for (const one of rest) {
    const word = one.words[depth]
    if (word === undefined) {
      node.concepts ??= new Map()
      node.concepts.set(one.concept, (node.concepts.get(one.concept) ?? 0) | one.languages)
      continue
    }
    const child = word.endsWith('*') ? stemChild(node, word.slice(0, -1)) : exactChild(node, word)
    child.rest ??= []
    child.rest.push(one)
  }
}

function exactChild(node: Node, word: string): Node {
  const child = node.exact.get(word) ?? newNode(node.depth + 1)
  node.exact.set(word, child)
  return child
}

function stemChild(node: Node, stem: string): Node {
  node.stems ??= { next: new Map(), node: undefined }
  let at = node.stems
  for (let i = 0; i < stem.length; i++) {
    const next = at.next.get(stem.charCodeAt(i)) ?? { next: new Map(), node: undefined }
    at.next.set(stem.charCodeAt(i), next)
    at = next
  }
  at.node ??= newNode(node.depth + 1)
  return at.node
}

/** Splits ideographs into single words, like `cutWords`. */
function tokens(phrase: string): string[] {
  return phrase
    .split(/\s+/)
    .flatMap((word) => (/^[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff]/.test(word) ? [...word] : [word]))
}
