/**
 * Finds anchors in one pass over the text. Three adjacent characters, folded to five bits each, index a table of
 * 32,768 entries. Anchors are compared only where the table is set. Ordinary text costs about a nanosecond per
 * character.
 */

import { beginnings } from './beginnings.ts'
import { BLOCK_HEADS } from './blocks.ts'
import { CALLS } from './calls.ts'
import type { Kind } from './kinds/index.ts'
import { LABEL_WORDS, type LabelWord } from './labels.ts'
import { NOTATIONS } from './notations.ts'
import { compilePattern, isLong, literalOf, type Pattern, type Segment } from './pattern.ts'

export type Anchor =
  | {
      readonly kind: 'pattern'
      readonly type: string
      readonly pattern: Pattern
      readonly literal: string
      readonly inWord: boolean
      readonly entropy: number
      readonly capitals: boolean
      readonly bothCases: boolean
      readonly noHash: boolean
      readonly unspoken: boolean
      readonly opaque: boolean
      /** Of any length behind a known beginning, see `beginnings.ts`. */
      readonly anyLength: boolean
    }
  | { readonly kind: 'label'; readonly label: LabelWord; readonly shift: number }
  | { readonly kind: 'bearer' | 'basic' | 'url' | 'jwt' | 'pem' | 'user' | 'block' }

export interface Anchors {
  readonly table: Uint16Array
  /** One bit for each entry of the table that is set. In 4 KB, so it stays near. */
  readonly hot: Int32Array
  /** Anchors by table entry; 0 is unused. */
  readonly lists: readonly (readonly Anchor[])[]
  /** By number of a list: the characters after the three that one of its anchors may have, folded, as bits. */
  readonly behind: Int32Array
  /** Endings of a text that the next character could turn into an anchor, if the anchor is part of the secret. */
  readonly openings: ReadonlyMap<string, Opening>
  /** By the last three characters of a text, folded: how long an opening it may end in. */
  readonly openingLengths: Uint8Array
  /** By first character: 0 opens nothing, 1 opens at the start of a word, 2 anywhere. */
  readonly openers: Uint8Array
  /** By the last character of a text: endings that may stand before a pattern or within its fixed characters. */
  readonly endings: readonly (readonly Ending[])[]
}

interface Opening {
  readonly inWord: boolean
  /** See `isLong`. */
  readonly isLong: boolean
}

interface Ending {
  readonly before: Segment
  /** The beginning of the pattern that follows; empty where the class itself may continue. */
  readonly mark: string
}

export const fold = (rolling: number, code: number): number => ((rolling << 5) | (code & 31)) & 0x7fff

/** The table's index of three characters. */
export const foldThree = (text: string, at: number): number =>
  fold(fold(fold(0, text.charCodeAt(at)), text.charCodeAt(at + 1)), text.charCodeAt(at + 2))

export function buildAnchors(kinds: readonly Kind[], labelled: boolean): Anchors {
  const table = new Uint16Array(32768)
  const hot = new Int32Array(table.length / 32)
  const lists: Anchor[][] = [[]]
  const openings = new Map<string, Opening>()
  const endings: Ending[][] = Array.from({ length: 128 }, () => [])
  const add = (head: string, anchor: Anchor): void => {
    const index = foldThree(head, 0)
    if (table[index] === 0) {
      table[index] = lists.push([]) - 1
      hot[index >> 5]! |= 1 << (index & 31)
    }
    const list = lists[table[index]!]!
    if (!list.includes(anchor)) list.push(anchor)
  }
  for (const kind of kinds) {
    for (const source of kind.patterns) {
      const pattern = compilePattern(source)
      addPattern(kind, pattern, add, openings)
      const { before } = pattern
      if (before !== undefined) addEndings(before, prefixes(literalOf(pattern.segments)), endings)
    }
  }
  for (const { kind, pattern } of beginnings(kinds)) addPattern(kind, pattern, add, openings, true)
  if (labelled) for (const label of [...LABEL_WORDS, ...NOTATIONS, ...CALLS]) addLabel(label, add)
  if (labelled) for (const head of BLOCK_HEADS) add(head, { kind: 'block' })
  add('bea', { kind: 'bearer' })
  add('bas', { kind: 'basic' })
  add('://', { kind: 'url' })
  add('eyJ', { kind: 'jwt' })
  add('ewo', { kind: 'jwt' })
  add('eyA', { kind: 'jwt' })
  for (const option of ['-u ', '-u=', '--u', '-a ', '--a', '--p']) add(option, { kind: 'user' })
  add('BEG', { kind: 'pem' })
  open(openings, prefixes('-----BEGIN '), true)
  open(openings, ['e', 'ey', 'ew', 'eyA'], false)
  const openers = new Uint8Array(128)
  // Shorter ones have no three characters of their own.
  const openingLengths = new Uint8Array(table.length).fill(2)
  for (const [opening, { inWord }] of openings) {
    const code = opening.charCodeAt(0)
    openers[code] = Math.max(openers[code]!, inWord ? 2 : 1)
    const last = foldThree(opening, opening.length - 3)
    if (opening.length > 2) openingLengths[last] = Math.max(openingLengths[last]!, opening.length)
  }
  const behind = Int32Array.from(lists, (list) => list.reduce((bits, anchor) => bits | bitBehind(anchor), 0))
  return {
    table,
    hot,
    lists,
    behind,
    openings,
    openingLengths,
    openers,
    endings,
  }
}

const ANY = -1
const bitOf = (text: string, at: number): number => (at < text.length ? 1 << (text.charCodeAt(at) & 31) : ANY)

/** The folded character after the three of an anchor, as a bit. */
function bitBehind(anchor: Anchor): number {
  if (anchor.kind === 'pattern') return anchor.pattern.before === undefined ? bitOf(anchor.literal, 3) : ANY
  return anchor.kind === 'label' && anchor.label.word.length > 2 ? bitOf(anchor.label.word, 3 - anchor.shift) : ANY
}

/** Whether a character may stand after the three of an anchor; those beyond ASCII may be letters of it. */
export const mayFollow = (bits: number, code: number): boolean => code > 127 || ((bits >>> (code & 31)) & 1) !== 0

function addEndings(before: Segment, marks: readonly string[], endings: Ending[][]): void {
  for (const mark of marks) endings[mark.charCodeAt(mark.length - 1)]!.push({ before, mark })
  for (let code = 0; code < 128; code++) {
    const list = endings[code]!
    const longer = ({ before: other, mark }: Ending) =>
      mark === '' && other.max >= before.max && isWithin(before, other)
    if (before.set[code] === 1 && !list.some(longer)) list.push({ before: { ...before, min: 1 }, mark: '' })
  }
}

const isWithin = ({ set }: Segment, other: Segment): boolean => set.every((bit, code) => bit <= other.set[code]!)

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

function open(openings: Map<string, Opening>, list: readonly string[], inWord: boolean, isLong = false): void {
  for (const opening of list) {
    const known = openings.get(opening)
    openings.set(opening, { inWord: inWord || known?.inWord === true, isLong: isLong || known?.isLong === true })
  }
}

function addPattern(
  kind: Kind,
  pattern: Pattern,
  add: (head: string, anchor: Anchor) => void,
  openings: Map<string, Opening>,
  anyLength = false,
): void {
  const literal = literalOf(pattern.segments)
  const anchor: Anchor = {
    kind: 'pattern',
    type: kind.type,
    pattern,
    literal,
    inWord: kind.inWord === true,
    entropy: kind.entropy ?? 2.2,
    capitals: kind.capitals === true,
    bothCases: kind.bothCases === true,
    noHash: kind.noHash === true,
    unspoken: kind.unspoken === true,
    opaque: kind.opaque === true,
    anyLength,
  }
  for (const head of pattern.heads) add(head, anchor)
  // Context before the secret may be released; only the secret itself has to wait.
  if (pattern.from > 0 || pattern.before !== undefined) return
  for (const opening of literal.length >= 3 ? [literal] : pattern.heads)
    open(openings, prefixes(opening), anchor.inWord, isLong(literal))
}

const prefixes = (literal: string): string[] => [...literal].slice(0, -1).map((_, i) => literal.slice(0, i + 1))
