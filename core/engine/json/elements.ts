import type { Json } from '../contract/plugin.ts'
import type { ElementShape, EndText, SequenceEnds, SequenceText } from './element-shape.ts'
import type { Field, FieldList } from './fields.ts'
import { closingQuote, skipSpace, stringIn } from './read.ts'
import type { JsonObject, Path } from './strict.ts'

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

/** The first elements of an array, known together. */
interface Begun {
  readonly key: string
  readonly count: number
}

/** A body whose known elements are not parsed; see outlined.ts. */
interface OutlinedBody {
  readonly outline: JsonObject
  readonly tree: JsonObject
  begun(member: string): Begun | undefined
  elementOf(member: string, index: number): Json
  /** Bytes of the body. */
  rangeOf(member: string, index: number): readonly [start: number, end: number] | undefined
}

/** A message, tool or other object in an array of the body; or several of the first, known together. */
export interface Element {
  /** Of the body. */
  readonly member: string
  /** Its place in the array, or that of the first of them. */
  readonly index: number
  /** How many elements of the array it stands for. */
  readonly count: number
  /** The array begins with it as an earlier one did, and the key is that of the whole beginning. */
  readonly isBegun: boolean
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
  lookUp(
    member: string,
    index: number,
    range?: readonly [start: number, end: number],
  ): { readonly key: string; readonly shape: ElementShape | undefined } | undefined
  /** The shape of the first elements of an array, if none of them need be walked. */
  shapeOf(key: string): ElementShape | undefined
}

type WalkElement = (list: FieldList, path: Path, value: Json) => void

/** Longer lists are walked each time: they would make entries of the memory large. */
const MOST_FIELDS = 256
const MOST_IN_SEQUENCE = 8
/** Roles and names that are in a shape. Others are text of the caller. */
const ROLES: ReadonlySet<unknown> = new Set([undefined, 'system', 'developer', 'user', 'assistant', 'tool', 'function'])
const STEPS: ReadonlySet<unknown> = new Set(['content', 'text', 'output'])

/** The elements of one body, in order. Those that the memory knows are not walked. */
export class Elements {
  readonly all: Element[] = []
  readonly #memory: ElementMemory
  readonly #knowsBegun: boolean
  #outlined: OutlinedBody | undefined = undefined

  /** @param knowsBegun whether elements may be known together */
  constructor(memory: ElementMemory, knowsBegun = true) {
    this.#memory = memory
    this.#knowsBegun = knowsBegun
  }

  /** The tree to walk. */
  treeOf(document: OutlinedBody): JsonObject {
    this.#outlined = document
    return document.outline
  }

  each(list: FieldList, member: string, values: readonly Json[], walk: WalkElement): void {
    const begun = this.#outlined?.begun(member)
    if (begun === undefined) return this.#all(list, member, values, walk)
    const shape = this.#knowsBegun ? this.#memory.shapeOf(begun.key) : undefined
    const { tree } = this.#outlined as OutlinedBody
    if (shape?.ends === undefined || !mayFollow(list, shape.ends))
      return this.#all(list, member, tree[member] as readonly Json[], walk)
    this.#skipBegun(list, member, begun, shape, shape.ends, walk)
    list.repeat(values.length - begun.count, (i) => {
      this.#one(list, member, begun.count + i, values[begun.count + i] as Json, walk)
    })
  }

  /** Walks nothing of the elements that are known together, except those that are read by themselves. */
  #skipBegun(
    list: FieldList,
    member: string,
    { key, count }: Begun,
    { fields, uninspected, open = [] }: ElementShape,
    ends: SequenceEnds,
    walk: WalkElement,
  ): void {
    const from = list.fields.length
    const inSequence = list.sequence.length
    list.repeat(open.length + 1, (i) => {
      const { index, from: until } = open[i] ?? { index: count, from: fields }
      const first = (open[i - 1]?.index ?? -1) + 1
      const at = list.fields.length
      skipTo(list, from + until)
      const range = { from: at, to: list.fields.length }
      // What cannot be inspected in all of them is reported once.
      const shape = { fields: range.to - at, sequence: [], uninspected: i === 0 ? uninspected : [] }
      const known = { key, member, index: first, count: index - first, isBegun: true, isSkipped: true }
      this.all.push({ ...known, ...range, shape, walk: (other) => this.#walkBegun(other, known, walk) })
      if (index < count) this.#one(list, member, index, this.#elementOf(member, index), walk)
    })
    list.afterwards(() => {
      // Their borders are known.
      list.sequence.length = inSequence
      this.#addEnds(list, { ends, member, from, ahead: inSequence })
      addUninspected(list, uninspected)
    })
  }

  #walkBegun(
    list: FieldList,
    { member, index, count }: Pick<Element, 'member' | 'index' | 'count'>,
    walk: WalkElement,
  ) {
    const whole = (this.#outlined as OutlinedBody).tree[member] as readonly Json[]
    for (let i = index; i < index + count; i++) walk(list, [member, i], whole[i] as Json)
  }

  #elementOf(member: string, index: number): Json {
    return (this.#outlined as OutlinedBody).elementOf(member, index)
  }

  #addEnds(list: FieldList, earlier: NonNullable<FieldList['earlier']>): void {
    const { ends, member, from } = earlier
    const texts = [...ends.all, ...ends.user, ...ends.tool, ...(ends.heads ?? [])]
    for (const { at, element, path: below, channel, role } of texts) {
      if (list.fields[from + at] !== SKIPPED) continue
      const text = valueAt(this.#elementOf(member, element), below) as string
      const path = [member, element, ...below]
      list.fields[from + at] = { channel, role, text, choice: list.choice, path, place: 'value', inner: undefined }
    }
    if (ends.count > 0) list.earlier = earlier
  }

  #all(list: FieldList, member: string, values: readonly Json[], walk: WalkElement): void {
    list.repeat(values.length, (index) => this.#one(list, member, index, values[index] as Json, walk))
  }

  #one(list: FieldList, member: string, index: number, value: Json, walk: WalkElement): void {
    const path = [member, index]
    const known = isContainer(value)
      ? this.#memory.lookUp(member, index, this.#outlined?.rangeOf(member, index))
      : undefined
    const from = list.fields.length
    const again = (other: FieldList) => walk(other, path, value)
    const one = { member, index, count: 1, isBegun: false }
    if (known?.shape !== undefined) {
      skip(list, path, value, known.shape)
      this.all.push({ ...known, ...one, from, to: list.fields.length, isSkipped: true, walk: again })
      return
    }
    const before = {
      sequence: list.sequence.length,
      joined: list.joined.length + list.groups.length,
      uninspected: [...list.uninspected],
    }
    list.around(
      () => again(list),
      (isOver) => {
        if (!isOver) return
        const shape = shapeOf(list, from, before)
        this.all.push({ key: known?.key, ...one, from, to: list.fields.length, shape, isSkipped: false, walk: again })
      },
    )
  }
}

/** Whether the borders of elements that are known together can be distinguished from those with the texts before them. */
const mayFollow = ({ fields, sequence }: FieldList, { count, heads }: SequenceEnds): boolean =>
  sequence.length === 0 || count === 0 || (heads !== undefined && sequence.every((at) => isApart(fields[at] as Field)))

/** Texts of the user and of tools have borders of their own, too. */
const isApart = ({ role, channel }: Field): boolean => role !== 'user' && channel !== 'tool_result'

const isContainer = (value: Json): boolean => typeof value === 'object' && value !== null

/** A known conversation has hundreds of fields, which all stay as they are. */
function skipTo({ fields }: FieldList, end: number): void {
  const from = fields.length
  if (end <= from) return
  fields.length = end
  fields.fill(SKIPPED, from)
}

function skip(list: FieldList, path: Path, value: Json, shape: ElementShape): void {
  const from = list.fields.length
  skipTo(list, from + shape.fields)
  for (const { at, path: below, channel, role } of shape.sequence) {
    const text = valueAt(value, below) as string
    const place = { choice: list.choice, path: [...path, ...below], place: 'value', inner: undefined } as const
    list.fields[from + at] = { channel, role, text, ...place }
    list.sequence.push(from + at)
  }
  addUninspected(list, shape.uninspected)
}

function addUninspected(list: FieldList, uninspected: ElementShape['uninspected']): void {
  for (const [kind, count] of uninspected) {
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
  if (
    fields > MOST_FIELDS ||
    texts.length > MOST_IN_SEQUENCE ||
    list.joined.length + list.groups.length > before.joined
  )
    return undefined
  const sequence: SequenceText[] = []
  for (const index of texts) {
    const { channel, role, path, inner } = list.fields[index] as Field
    const below = path.slice(2)
    if (inner !== undefined || !isPlain(below, role)) return undefined
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

/** Nothing of the caller is in it. */
const isPlain = (below: Path, role: string | undefined): boolean =>
  ROLES.has(role) && below.every((step) => typeof step === 'number' || STEPS.has(step))

/** Texts of a list, for the shape of several elements; undefined if one of them cannot be found again without a walk. */
export function endTexts(
  { fields }: FieldList,
  from: number,
  texts: readonly { readonly field: number; readonly place: number }[],
): EndText[] | undefined {
  const ends: EndText[] = []
  for (const { field: index, place } of texts) {
    const { channel, role, path, inner } = fields[index] as Field
    const [, element, ...below] = path
    if (inner !== undefined || typeof element !== 'number' || !isPlain(below, role)) return undefined
    ends.push({ at: index - from, path: below, channel, role, element, place })
  }
  return ends
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
      at = endOfValue(text, at)
      continue
    }
    const ranges: number[] = []
    at = skipSpace(text, at + 1)
    while (text.charCodeAt(at) !== CLOSE_BRACKET) {
      const end = endOfValue(text, at)
      ranges.push(at, end)
      at = skipSpace(text, end)
      if (text.charCodeAt(at) === COMMA) at = skipSpace(text, at + 1)
    }
    at++
    found.set(name, ranges)
  }
}

/** End of the value that begins at `start` of a valid JSON text. In another it may be any position after, or -1. */
export function endOfValue(text: string, start: number): number {
  const first = text.charCodeAt(start)
  if (first === QUOTE) return closingQuote(text, start) + 1 || -1
  if (first !== OPEN_BRACE && first !== OPEN_BRACKET) {
    END_OF_SCALAR.lastIndex = start
    return END_OF_SCALAR.exec(text)?.index ?? text.length
  }
  let depth = 0
  for (let at = start; at < text.length; at++) {
    const c = text.charCodeAt(at)
    if (c === QUOTE) {
      at = closingQuote(text, at)
      if (at < 0) return -1
    } else if (c === OPEN_BRACE || c === OPEN_BRACKET) depth++
    else if ((c === CLOSE_BRACE || c === CLOSE_BRACKET) && --depth === 0) return at + 1
  }
  return text.length
}

const END_OF_SCALAR = /[\s,\]}]/g
