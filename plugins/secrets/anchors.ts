/**
 * Finds anchors in one pass over the text. Three adjacent characters, folded to five bits each, index a table of
 * 32,768 entries. Anchors are compared only where the table is set. Ordinary text costs about a nanosecond per
 * character.
 */

import type { Kind } from './kinds/index.ts'
import { LABEL_WORDS, type LabelWord } from './labels.ts'
import { NOTATIONS } from './notations.ts'
import { compilePattern, type Pattern } from './pattern.ts'

export type Anchor =
  | {
      readonly kind: 'pattern'
      readonly type: string
      readonly pattern: Pattern
      readonly literal: string
      readonly inWord: boolean
      readonly entropy: number
      readonly capitals: boolean
    }
  | { readonly kind: 'label'; readonly label: LabelWord; readonly shift: number }
  | { readonly kind: 'bearer' | 'basic' | 'url' | 'jwt' | 'pem' | 'mailchimp' | 'user' }

export interface Anchors {
  readonly table: Uint16Array
  /** One bit for each entry of the table that is set, or whose last character may be a colon. In 4 KB, so it stays near. */
  readonly hot: Int32Array
  /** Anchors by table entry; 0 is unused. */
  readonly lists: readonly (readonly Anchor[])[]
  /** Endings of a text that the next character could turn into an anchor, if the anchor is part of the secret. */
  readonly openings: ReadonlyMap<string, { readonly inWord: boolean }>
  readonly longestOpening: number
  /** By first character: 0 opens nothing, 1 opens at the start of a word, 2 anywhere. */
  readonly openers: Uint8Array
}

/** Before it may be the number of a bot, which has no anchor. */
export const COLON = 0x3a

export const fold = (rolling: number, code: number): number => ((rolling << 5) | (code & 31)) & 0x7fff

export function buildAnchors(kinds: readonly Kind[], labelled: boolean): Anchors {
  const table = new Uint16Array(32768)
  const lists: Anchor[][] = [[]]
  const openings = new Map<string, { inWord: boolean }>()
  const add = (head: string, anchor: Anchor): void => {
    const index = fold(fold(fold(0, head.charCodeAt(0)), head.charCodeAt(1)), head.charCodeAt(2))
    if (table[index] === 0) table[index] = lists.push([]) - 1
    const list = lists[table[index]!]!
    if (!list.includes(anchor)) list.push(anchor)
  }
  for (const kind of kinds) {
    for (const source of kind.patterns) addPattern(kind, compilePattern(source), add, openings)
  }
  if (labelled) for (const label of [...LABEL_WORDS, ...NOTATIONS]) addLabel(label, add)
  add('bea', { kind: 'bearer' })
  add('bas', { kind: 'basic' })
  add('://', { kind: 'url' })
  add('eyJ', { kind: 'jwt' })
  add('ewo', { kind: 'jwt' })
  add('-u ', { kind: 'user' })
  add('-u=', { kind: 'user' })
  add('--u', { kind: 'user' })
  add('BEG', { kind: 'pem' })
  add('-us', { kind: 'mailchimp' })
  open(openings, prefixes('-----BEGIN '), true)
  open(openings, ['e', 'ey', 'ew'], false)
  const openers = new Uint8Array(128)
  for (const [opening, { inWord }] of openings) {
    const code = opening.charCodeAt(0)
    openers[code] = Math.max(openers[code]!, inWord ? 2 : 1)
  }
  const hot = new Int32Array(table.length / 32)
  for (let index = 0; index < table.length; index++)
    if (table[index] !== 0 || (index & 31) === (COLON & 31)) hot[index >> 5]! |= 1 << (index & 31)
  return {
    table,
    hot,
    lists,
    openings,
    openers,
    longestOpening: Math.max(...[...openings.keys()].map((opening) => opening.length)),
  }
}

function addLabel(label: LabelWord, add: (head: string, anchor: Anchor) => void): void {
  const { word, anchor: at } = label
  if (word.length > 2) {
    add(word.slice(at, at + 3), { kind: 'label', label, shift: -at })
    return
  }
  // Two ideographs; anything may precede them.
  const anchor: Anchor = { kind: 'label', label, shift: 1 }
  for (let code = 0; code < 32; code++) add(String.fromCharCode(code) + word, anchor)
}

function open(openings: Map<string, { inWord: boolean }>, list: readonly string[], inWord: boolean): void {
  for (const opening of list) openings.set(opening, { inWord: inWord || openings.get(opening)?.inWord === true })
}

function addPattern(
  kind: Kind,
  pattern: Pattern,
  add: (head: string, anchor: Anchor) => void,
  openings: Map<string, { inWord: boolean }>,
): void {
  const literal = literalOf(pattern)
  const anchor: Anchor = {
    kind: 'pattern',
    type: kind.type,
    pattern,
    literal,
    inWord: kind.inWord === true,
    entropy: kind.entropy ?? 2.2,
    capitals: kind.capitals === true,
  }
  for (const head of pattern.heads) {
    add(head, anchor)
    // Context before the secret may be released; only the secret itself has to wait.
    if (pattern.from === 0) open(openings, prefixes(literal.length >= 3 ? literal : head), anchor.inWord)
  }
}

/** Fixed characters at the beginning of a pattern. */
function literalOf({ segments }: Pattern): string {
  let literal = ''
  for (const { set, min, max } of segments) {
    const first = set.indexOf(1)
    if (first < 0 || set.lastIndexOf(1) !== first || min !== 1 || max !== 1) break
    literal += String.fromCharCode(first)
  }
  return literal
}

const prefixes = (literal: string): string[] => [...literal].slice(0, -1).map((_, i) => literal.slice(0, i + 1))
