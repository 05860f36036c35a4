import type { Channel, Json } from '../contract/plugin.ts'
import type { Field, FieldList } from './fields.ts'
import { closingQuote, skipSpace, stringIn } from './read.ts'
import type { Path } from './strict.ts'

/** Stands for each field of an element that was not walked. */
export const SKIPPED: Field = Object.freeze({
  channel: 'other',
  role: undefined,
  choice: 0,
  path: [],
  place: 'value',
  text: '',
  inner: undefined,
})

/** What the walk of an element gave, without its texts. Enough to go on without a walk. */
export interface ElementShape {
  /** Number of its fields. */
  readonly fields: number
  readonly sequence: readonly SequenceText[]
  /** Kind and count of content that cannot be inspected. */
  readonly uninspected: readonly (readonly [kind: string, count: number])[]
}

/** A text that a model reads in sequence with those of other elements. */
interface SequenceText {
  /** Index among the fields of the element. */
  readonly at: number
  /** Below the element. */
  readonly path: Path
  readonly channel: Channel
  readonly role: string | undefined
}

/** A message, tool or other object in an array of the body. */
export interface Element {
  /** Its name in a memory of elements; undefined if it has none. */
  readonly key: string | undefined
  /** Indexes of its fields. */
  readonly from: number
  readonly to: number
  /** Undefined if the element must always be walked. */
  readonly shape: ElementShape | undefined
  /** It was not walked: its fields are `SKIPPED`, except texts in sequence. */
  readonly isSkipped: boolean
  walk(list: FieldList): void
}

export interface ElementMemory {
  /** The name of an element, and its shape if it need not be walked. */
  lookUp(member: string, index: number): { readonly key: string; readonly shape: ElementShape | undefined } | undefined
}

type WalkElement = (list: FieldList, path: Path, value: Json) => void

/** Longer lists are walked each time: they would make entries of the memory large. */
const MOST_FIELDS = 256
const MOST_IN_SEQUENCE = 8
/** Roles and names that stand in a shape. Others are text of the caller. */
const ROLES: ReadonlySet<unknown> = new Set([undefined, 'system', 'developer', 'user', 'assistant', 'tool', 'function'])
const STEPS: ReadonlySet<unknown> = new Set(['content', 'text', 'output'])

/** The elements of one body, in order. Those that the memory knows are not walked. */
export class Elements {
  readonly all: Element[] = []
  readonly #memory: ElementMemory

  constructor(memory: ElementMemory) {
    this.#memory = memory
  }

  each(list: FieldList, member: string, values: readonly Json[], walk: WalkElement): void {
    list.repeat(values.length, (index) => this.#one(list, member, index, values[index] as Json, walk))
  }

  #one(list: FieldList, member: string, index: number, value: Json, walk: WalkElement): void {
    const path = [member, index]
    const known = isContainer(value) ? this.#memory.lookUp(member, index) : undefined
    const from = list.fields.length
    const again = (other: FieldList) => walk(other, path, value)
    if (known?.shape !== undefined) {
      skip(list, path, value, known.shape)
      this.all.push({ ...known, from, to: list.fields.length, isSkipped: true, walk: again })
      return
    }
    const before = { sequence: list.sequence.length, joined: list.joined.length, uninspected: [...list.uninspected] }
    list.around(
      () => again(list),
      (isOver) => {
        if (!isOver) return
        const shape = shapeOf(list, from, before)
        this.all.push({ key: known?.key, from, to: list.fields.length, shape, isSkipped: false, walk: again })
      },
    )
  }
}

const isContainer = (value: Json): boolean => typeof value === 'object' && value !== null

function skip(list: FieldList, path: Path, value: Json, shape: ElementShape): void {
  const from = list.fields.length
  for (let i = 0; i < shape.fields; i++) list.fields.push(SKIPPED)
  for (const { at, path: below, channel, role } of shape.sequence) {
    const text = valueAt(value, below) as string
    const place = { choice: list.choice, path: [...path, ...below], place: 'value', inner: undefined } as const
    list.fields[from + at] = { channel, role, text, ...place }
    list.sequence.push(from + at)
  }
  for (const [kind, count] of shape.uninspected) {
    list.uninspected.set(kind, (list.uninspected.get(kind) ?? 0) + count)
  }
}

function valueAt(value: Json, path: Path): Json | undefined {
  let at: Json | undefined = value
  for (const step of path) at = (at as { readonly [step: string | number]: Json } | undefined)?.[step]
  return at
}

interface Before {
  readonly sequence: number
  readonly joined: number
  readonly uninspected: readonly (readonly [string, number])[]
}

function shapeOf(list: FieldList, from: number, before: Before): ElementShape | undefined {
  const fields = list.fields.length - from
  const texts = list.sequence.slice(before.sequence)
  // A view of several texts needs all of them.
  if (fields > MOST_FIELDS || texts.length > MOST_IN_SEQUENCE || list.joined.length > before.joined) return undefined
  const sequence: SequenceText[] = []
  for (const index of texts) {
    const { channel, role, path, inner } = list.fields[index] as Field
    const below = path.slice(2)
    const isPlain =
      inner === undefined && ROLES.has(role) && below.every((step) => typeof step === 'number' || STEPS.has(step))
    if (!isPlain) return undefined
    sequence.push({ at: index - from, path: below, channel, role })
  }
  const counted = new Map(before.uninspected)
  const uninspected: [string, number][] = []
  for (const [kind, count] of list.uninspected) {
    const more = count - (counted.get(kind) ?? 0)
    if (more > 0) uninspected.push([kind, more])
  }
  return { fields, sequence, uninspected }
}

const [QUOTE, COMMA] = [0x22, 0x2c]
const [OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] = [0x7b, 0x7d, 0x5b, 0x5d]

/** Where the elements of the arrays in a JSON object stand: for each member, start and end of one after the other. */
export function elementRanges(text: string): ReadonlyMap<string, readonly number[]> {
  const found = new Map<string, number[]>()
  let at = skipSpace(text, 0) + 1
  for (;;) {
    at = skipSpace(text, at)
    if (text.charCodeAt(at) === COMMA) at = skipSpace(text, at + 1)
    if (text.charCodeAt(at) !== QUOTE) return found
    const close = closingQuote(text, at)
    const name = stringIn(text, at, close + 1)
    // Past the colon.
    at = skipSpace(text, skipSpace(text, close + 1) + 1)
    if (text.charCodeAt(at) !== OPEN_BRACKET) {
      at = endOf(text, at)
      continue
    }
    const ranges: number[] = []
    at = skipSpace(text, at + 1)
    while (text.charCodeAt(at) !== CLOSE_BRACKET) {
      const end = endOf(text, at)
      ranges.push(at, end)
      at = skipSpace(text, end)
      if (text.charCodeAt(at) === COMMA) at = skipSpace(text, at + 1)
    }
    at++
    found.set(name, ranges)
  }
}

/** End of the value that begins at `start` of a valid JSON text. */
function endOf(text: string, start: number): number {
  const first = text.charCodeAt(start)
  if (first === QUOTE) return closingQuote(text, start) + 1
  if (first !== OPEN_BRACE && first !== OPEN_BRACKET) {
    END_OF_SCALAR.lastIndex = start
    return END_OF_SCALAR.exec(text)?.index ?? text.length
  }
  let depth = 0
  for (let at = start; at < text.length; at++) {
    const c = text.charCodeAt(at)
    if (c === QUOTE) at = closingQuote(text, at)
    else if (c === OPEN_BRACE || c === OPEN_BRACKET) depth++
    else if ((c === CLOSE_BRACE || c === CLOSE_BRACKET) && --depth === 0) return at + 1
  }
  return text.length
}

const END_OF_SCALAR = /[\s,\]}]/g
