/** Finds phrases of a vocabulary in a list of words, by one step down a tree per word. */

import type { Concept, Phrases } from './concepts/index.ts'
import { Lexicon, NOTHING, type WordClass, type WordSets } from './lexicon.ts'
import { misspellings } from './misspelt.ts'
import type { Words } from './words.ts'

/** A phrase below a node that no text has reached. */
interface Rest {
  /** Numbers of the lexicon. */
  readonly words: readonly number[]
  readonly concept: Concept
  readonly languages: number
}

interface Node<M> {
  /** Words above the node. */
  readonly depth: number
  /** Becomes children when a text first gets here: few texts reach more than some of thousands. */
  rest: Rest[] | undefined
  /** By number of the next word. */
  readonly next: Map<number, Node<M>>
  /** Concepts that end here. */
  concepts: Ending<M>[] | undefined
}

interface Ending<M> {
  readonly concept: Concept
  readonly meaning: M
  /** As bits. */
  languages: number
}

export interface Hit<M> {
  /** What its concept means. */
  readonly meaning: M
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

const newNode = <M>(depth: number): Node<M> => ({
  depth,
  rest: undefined,
  next: new Map(),
  concepts: undefined,
})

/** Grows where texts reach it, from its first use on. */
export class PhraseTree<M> {
  readonly #vocabularies: readonly Phrases[]
  readonly #sets: WordSets
  #lexicon: Lexicon | undefined
  readonly #root: Node<M> = newNode(0)
  readonly #meaningOf: (concept: Concept) => M
  /** Nodes below the root by class of the word; made when a text has it. */
  readonly #first: (readonly Node<M>[] | undefined)[] = []

  /** The first vocabulary must be English: its technical terms apply in every language. */
  constructor(vocabularies: readonly Phrases[], sets: WordSets, meaningOf: (concept: Concept) => M) {
    this.#meaningOf = meaningOf
    this.#vocabularies = vocabularies
    this.#sets = sets
  }

  /** Whether the words of all phrases are known. */
  get isPrepared(): boolean {
    return this.#lexicon !== undefined
  }

  /** The words of all phrases. */
  get lexicon(): Lexicon {
    this.#lexicon ??= this.#plant()
    return this.#lexicon
  }

  #plant(): Lexicon {
    const lexicon = new Lexicon(this.#sets)
    const rest: Rest[] = []
    this.#vocabularies.forEach((vocabulary, index) => {
      for (const concept of Object.keys(vocabulary) as Concept[]) {
        const languages = index === 0 && TECHNICAL.has(concept) ? -1 : 1 << index
        for (const phrase of vocabulary[concept] ?? []) {
          rest.push({ words: tokens(phrase).map((word) => lexicon.add(word)), concept, languages })
        }
      }
    })
    for (const [misspelling, word] of misspellings()) lexicon.addMisspelling(misspelling, word)
    this.#root.rest = rest
    grow(this.#root, this.#meaningOf)
    return lexicon
  }

  /** Every phrase found, ordered by first word. */
  find({ classes, count }: Words): Hit<M>[] {
    const hits: Hit<M>[] = []
    for (let i = 0; i < count; i++) {
      const word = classes[i] as number
      if (word === NOTHING) continue
      for (const node of this.#first[word] ?? this.#beginWith(word)) this.#arrive(node, classes, count, i, i, hits)
    }
    return hits
  }

  /** The nodes of a first word. */
  #beginWith(word: number): readonly Node<M>[] {
    const { tokens } = this.lexicon.classes[word] as WordClass
    const nodes = tokens.flatMap((token) => this.#root.next.get(token) ?? [])
    this.#first[word] = nodes
    return nodes
  }

  /** Depth is limited by the longest phrase, width by the number of stems of a word. */
  #arrive(node: Node<M>, words: Uint16Array, count: number, first: number, at: number, hits: Hit<M>[]): void {
    if (node.rest !== undefined) grow(node, this.#meaningOf)
    if (node.concepts !== undefined)
      for (const { meaning, languages } of node.concepts) hits.push({ meaning, languages, first, last: at })
    const next = at + 1
    if (next === count || words[next] === NOTHING || node.next.size === 0) return
    const { tokens } = (this.#lexicon as Lexicon).classes[words[next] as number] as WordClass
    for (const token of tokens) {
      const child = node.next.get(token)
      if (child !== undefined) this.#arrive(child, words, count, first, next, hits)
    }
  }
}

/** Makes the children of a node. */
function grow<M>(node: Node<M>, meaningOf: (concept: Concept) => M): void {
  const { rest = [], depth } = node
  node.rest = undefined
  for (const one of rest) {
    const word = one.words[depth]
    if (word === undefined) {
      node.concepts ??= []
      const known = node.concepts.find(({ concept }) => concept === one.concept)
      if (known === undefined)
        node.concepts.push({ concept: one.concept, meaning: meaningOf(one.concept), languages: one.languages })
      else known.languages |= one.languages
      continue
    }
    let child = node.next.get(word)
    if (child === undefined) {
      child = newNode(depth + 1)
      node.next.set(word, child)
    }
    child.rest ??= []
    child.rest.push(one)
  }
}

/** Splits ideographs into single words, like `cutWords`. */
function tokens(phrase: string): string[] {
  return phrase
    .split(/\s+/)
    .flatMap((word) => (/^[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff]/.test(word) ? [...word] : [word]))
}
