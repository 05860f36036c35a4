import type { Channel, Json } from '../contract/plugin.ts'
import { isObject as isMap } from '../util/is-object.ts'
import { Pace, type Steps } from '../util/steps.ts'
import { Names } from './beside.ts'
import type { EarlierFields } from './element-shape.ts'
import { type Group, Groups } from './groups.ts'
import { tooMany } from './in-steps.ts'
import { isFlat, isLossy, isShort } from './leaves.ts'
import { Spellings } from './spellings.ts'
import type { JsonObject, Path } from './strict.ts'
import { strictTree, strictTreeInSteps } from './strict-tree.ts'
import { Unseen } from './unseen.ts'

/** JSON text inside a string of the document, such as tool call arguments. */
export interface InnerDocument {
  /** Location of the string in the outer document. */
  readonly path: Path
  readonly text: string
}

/** One text of a document, and what is needed to replace it. */
export interface Field {
  readonly channel: Channel
  readonly role: string | undefined
  readonly choice: number
  /** Path in the document, or in `inner` when that is set. */
  readonly path: Path
  readonly place: 'value' | 'number' | 'key'
  readonly text: string
  readonly inner: InnerDocument | undefined
  /** What names the value beside it; see `TextView.beside`. */
  readonly beside?: string | undefined
}

/** Texts that are read as one. */
export interface JoinedFields {
  readonly path: Path
  /** Indexes in the list of fields. */
  readonly fields: readonly number[]
  /** What readers see between two of them; nothing if absent. */
  readonly between?: string
  /** What is before each of them, where only values that are cut over several count. */
  readonly gaps?: readonly string[]
}

/** Walks the elements of the arrays of a body; see elements.ts. */
interface ElementsOfBody {
  treeOf(document: { readonly outline: JsonObject }): JsonObject
  each(
    list: FieldList,
    member: string,
    values: readonly Json[],
    walk: (list: FieldList, path: Path, value: Json) => void,
  ): void
}

/** The result of walking a document. */
export class FieldList extends Unseen {
  readonly fields: Field[] = []
  /** Several texts that are read as one, such as the parts of a message. */
  readonly joined: JoinedFields[] = []
  /** Neighbours in free JSON that may be one value; see groups.ts. */
  readonly groups: Group[] = []
  /** Texts that a model reads in sequence, the contents of messages: indexes in `fields`. */
  readonly sequence: number[] = []
  /** Texts in sequence that are not in `sequence`. */
  earlier: EarlierFields | undefined = undefined
  /** Index of the choice being walked; 0 outside of choices. */
  choice = 0
  /** Default role of texts in the message being walked. */
  role: string | undefined = undefined
  /** Written by the client, which may give secrets to the provider on purpose. */
  isRequest = false
  /** The elements of the body, where a memory of them is of use. */
  elements: ElementsOfBody | undefined = undefined
  /** Most fields that it may have; GW_TOO_MANY_VALUES beyond it. */
  most = MOST
  #source: Spellings
  #inner: InnerDocument | undefined = undefined
  /** Set while `inSteps` runs a step. */
  #walking: Walking | undefined = undefined
  readonly #parsed: Parsed | undefined

  /**
   * @param source the document; lists of one document share its spellings
   * @param parsed already parsed JSON texts in strings of the document
   */
  constructor(source: string | { readonly text: string } | Spellings, parsed?: Parsed) {
    super()
    this.#source = source instanceof Spellings ? source : new Spellings(source)
    this.#parsed = parsed
  }

  /** Of a request, whose values `listen.max_json_values` has limited. */
  static ofRequest(source: string | { readonly text: string }, parsed?: Parsed): FieldList {
    const list = new FieldList(source, parsed)
    list.most = Number.POSITIVE_INFINITY
    list.namesMedia = true
    return list
  }

  add(
    channel: Channel,
    path: Path,
    text: unknown,
    role?: string,
    place: Field['place'] = 'value',
    beside?: string,
  ): void {
    if (typeof text !== 'string' || text === '') return
    if (this.fields.length >= this.most) throw tooMany(this.most)
    if (place === 'value') this.look(channel, path, text)
    const { choice } = this
    this.fields.push({ channel, role: role ?? this.role, choice, path, place, text, inner: this.#inner, beside })
    this.#walking?.pace.add(PER_FIELD)
  }

  /** An empty list for the same document. */
  another(): FieldList {
    const list = new FieldList(this.#source, this.#parsed)
    list.isRequest = this.isRequest
    list.most = this.most
    list.namesMedia = this.namesMedia
    return list
  }

  /** Takes over the fields of another walk, and which are one text. */
  append({ fields, joined, groups }: FieldList): void {
    const first = this.fields.length
    for (const field of fields) this.fields.push(field)
    const moved = <J extends JoinedFields>(one: J): J => ({ ...one, fields: one.fields.map((at) => first + at) })
    for (const one of joined) this.joined.push(moved(one))
    for (const one of groups) this.groups.push(moved(one))
  }

  /** Whether a walk is taken in steps. */
  get isInSteps(): boolean {
    return this.#walking !== undefined
  }

  /**
   * Does `work` for each index, in order. While `inSteps` walks a large document, it comes after what runs now, and
   * others may run in between: so walks put all work into it that grows with the document.
   */
  repeat(count: number, work: (index: number) => void): void {
    if (this.#walking === undefined) for (let i = 0; i < count; i++) work(i)
    else this.#walking.put.push(times(count, work))
  }

  /** Does `work` once everything that was walked before is done. */
  afterwards(work: () => void): void {
    this.repeat(1, work)
  }

  /** Walks texts that have this role by default. */
  as(role: string | undefined, walk: () => void): void {
    let before = this.role
    this.around(walk, (isOver) => {
      if (!isOver) before = this.role
      this.role = isOver ? before : role
    })
  }

  /** Looks at each field that a walk adds. */
  found(walk: () => void, look: (field: Field, index: number) => void): void {
    let from = 0
    this.around(walk, (isOver) => {
      if (!isOver) from = this.fields.length
      else for (let i = from; i < this.fields.length; i++) look(this.fields[i] as Field, i)
    })
  }

  /** Calls back when a walk begins and when it ends. */
  around(walk: () => void, tell: (isOver: boolean) => void): void {
    if (this.#walking === undefined) {
      tell(false)
      walk()
      tell(true)
    } else {
      this.afterwards(() => tell(false))
      this.afterwards(walk)
      this.afterwards(() => tell(true))
    }
  }

  /** Walks a large document, with the same result as `walk` at once. */
  *inSteps(walk: () => void): Steps<this> {
    const walking: Walking = { pace: new Pace(STEP_OF_WALK), put: [] }
    const { pace, put } = walking
    const open = [times(1, walk)]
    for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
      this.#walking = walking
      if (top.next().done === true) open.pop()
      this.#walking = undefined
      // Parts come before what follows the whole.
      for (let part = put.pop(); part !== undefined; part = put.pop()) open.push(part)
      pace.add(1)
      if (!pace.isOver) continue
      yield
      pace.restart()
    }
    return this
  }

  /** Every string, every number of six digits or more, and every key below `value`. */
  addAll(channel: Channel, path: Path, value: Json | undefined, role?: string): void {
    const walking = this.#walking
    if (typeof value !== 'object' || value === null) {
      if (walking !== undefined && isLossy(value))
        walking.put.push(this.#numberInSteps(channel, path, value, role, walking.pace, undefined))
      else this.#addLeaf(channel, path, value, role, undefined)
    } else if (walking === undefined) this.#addBelow(channel, [...path], value, role, undefined)
    else walking.put.push(this.#belowInSteps(channel, [...path], value, role, walking.pace, undefined))
  }

  #addLeaf(
    channel: Channel,
    path: Path,
    value: Json | undefined,
    role: string | undefined,
    beside: string | undefined,
  ): void {
    if (typeof value === 'string') this.add(channel, path, value, role, 'value', beside)
    else if (typeof value === 'number') this.#addNumber(channel, path, value, role, beside)
  }

  /**
   * @param path of the container; changed temporarily
   * @param beside what names the container
   */
  #addBelow(
    channel: Channel,
    path: (string | number)[],
    value: Container,
    role: string | undefined,
    beside: string | undefined,
  ): void {
    const beneath = new Names(value)
    const groups = Groups.in(this, channel, path, value)
    if (Array.isArray(value)) {
      for (let i = 0; i < value.length; i++) {
        const item = value[i] as Json
        const isGrouped = groups?.has(i) === true
        if (item === null || (isShort(item) && !isGrouped)) continue
        path.push(i)
        if (isGrouped) groups.take(this, i, channel, path.slice(), item, role, beneath.of(i) ?? beside)
        else if (typeof item === 'object') this.#addBelow(channel, path, item, role, beside)
        else this.#addLeaf(channel, path.slice(), item, role, beneath.of(i) ?? beside)
        path.pop()
      }
      return
    }
    let at = 0
    for (const key in value) {
      const item = value[key] as Json
      path.push(key)
      const own = path.slice()
      this.add(channel, own, key, role, 'key')
      const named = beneath.of(key) ?? beside
      if (groups?.has(at++) === true) groups.take(this, at - 1, channel, own, item, role, named)
      else if (typeof item === 'object' && item !== null) this.#addBelow(channel, path, item, role, named)
      else this.#addLeaf(channel, own, item, role, named)
      path.pop()
    }
  }

  /** Like `#addBelow`, with pauses. */
  *#belowInSteps(
    channel: Channel,
    path: (string | number)[],
    value: Container,
    role: string | undefined,
    pace: Pace,
    beside: string | undefined,
  ): Steps<void> {
    const isArray = Array.isArray(value)
    const names = isArray ? undefined : Object.keys(value)
    const beneath = new Names(value)
    const groups = Groups.in(this, channel, path, value)
    for (let i = 0; i < (names ?? (value as Json[])).length; i++) {
      const key = names?.[i] ?? i
      const item = (value as JsonObject)[key] as Json
      pace.add(1)
      if (pace.isOver) yield
      const isGrouped = groups?.has(i) === true
      if (isArray && (item === null || (isShort(item) && !isGrouped))) continue
      path.push(key)
      if (!isArray) this.add(channel, path.slice(), key as string, role, 'key')
      const named = beneath.of(key) ?? beside
      if (isGrouped) groups.take(this, i, channel, path.slice(), item, role, named)
      else if (isFlat(item)) this.#addBelow(channel, path, item, role, isArray ? beside : named)
      else if (typeof item === 'object' && item !== null)
        yield* this.#belowInSteps(channel, path, item, role, pace, isArray ? beside : named)
      else if (isLossy(item)) yield* this.#numberInSteps(channel, path.slice(), item, role, pace, named)
      else this.#addLeaf(channel, path.slice(), item, role, named)
      path.pop()
    }
  }

  *#numberInSteps(
    channel: Channel,
    path: Path,
    value: number,
    role: string | undefined,
    pace: Pace,
    beside: string | undefined,
  ): Steps<void> {
    yield* this.#source.readInSteps(pace)
    this.#addNumber(channel, path, value, role, beside)
  }

  /** JSON text in a string: adds every text inside it, or the whole string if it is not strict JSON. */
  addJsonText(channel: Channel, path: Path, text: unknown, role?: string): void {
    if (typeof text !== 'string' || text === '') return
    const walking = this.#walking
    if (walking !== undefined && text.length > LONG) {
      walking.put.push(this.#jsonTextInSteps(channel, path, text, role, walking.pace))
      return
    }
    const tree = this.#parsed?.has(text) === true ? this.#parsed.get(text) : strictTree(text)
    if (tree === undefined) return this.add(channel, path, text, role)
    const source = this.#enter(path, text)
    this.#walking = undefined
    this.addAll(channel, [], tree, role)
    this.#walking = walking
    walking?.pace.add(text.length / CHARACTERS_OF_VALUE)
    this.#leave(source)
  }

  *#jsonTextInSteps(channel: Channel, path: Path, text: string, role: string | undefined, pace: Pace): Steps<void> {
    const tree = this.#parsed?.has(text) === true ? this.#parsed.get(text) : yield* strictTreeInSteps(text, pace)
    if (tree === undefined) return this.add(channel, path, text, role)
    const source = this.#enter(path, text)
    if (typeof tree === 'object' && tree !== null) yield* this.#belowInSteps(channel, [], tree, role, pace, undefined)
    else if (isLossy(tree)) yield* this.#numberInSteps(channel, [], tree, role, pace, undefined)
    else this.#addLeaf(channel, [], tree, role, undefined)
    this.#leave(source)
  }

  /** Begins with the texts of a document inside this one. */
  #enter(path: Path, text: string): Spellings {
    const source = this.#source
    this.#inner = { path, text }
    this.#source = new Spellings(text)
    return source
  }

  #leave(source: Spellings): void {
    this.#inner = undefined
    this.#source = source
  }

  #addNumber(channel: Channel, path: Path, value: number, role: string | undefined, beside: string | undefined): void {
    if (isShort(value)) return
    if (!isLossy(value)) {
      this.add(channel, path, String(value), role, 'number', beside)
      return
    }
    // The tree loses digits beyond 2^53, so use the source text.
    const text = this.#source.at(path) ?? String(value)
    if (text.replace(/\D/g, '').length < 6) return
    this.add(channel, path, text, role, 'number', beside)
  }
}

/** Parsed JSON by its text; undefined if it is not strict JSON. */
export type Parsed = ReadonlyMap<string, Json | undefined>

type Container = Json[] | JsonObject

/** A walk that pauses. */
interface Walking {
  readonly pace: Pace
  /** What the running step put off, in order. */
  readonly put: Steps<void>[]
}

function* times(count: number, work: (index: number) => void): Steps<void> {
  for (let i = 0; i < count; i++) {
    work(i)
    if (i < count - 1) yield
  }
}

const MOST = 500_000 // of a reply: token probabilities and vectors in unknown forms have almost as many
/** Work to do before other exchanges run: values and members, and what a text among them counts besides. */
const STEP_OF_WALK = 16 * 1024
const PER_FIELD = 8
const CHARACTERS_OF_VALUE = 8 // of JSON text
const LONG = 32 * 1024 // shorter JSON texts are read at once

/** Whether a value is a JSON object: neither null nor an array. The kit exports it as `isJsonObject`. */
export const isObject = (value: Json | undefined): value is JsonObject => isMap(value)
