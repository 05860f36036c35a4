import type { Channel, Json } from '../contract/plugin.ts'
import { isObject as isMap } from '../util/is-object.ts'
import { allSteps, Pace, type Steps } from '../util/steps.ts'
import { Spellings } from './spellings.ts'
import { type Edit, spliceInSteps } from './splice.ts'
import { type JsonObject, type Path, parseStrictText } from './strict.ts'

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
}

/** The result of walking a document. */
export class FieldList {
  readonly fields: Field[] = []
  /** Several text parts of one message: their location, and their indexes in `fields`. */
  readonly joined: { readonly path: Path; readonly fields: readonly number[] }[] = []
  /** Texts that a model reads in sequence, the contents of messages: indexes in `fields`. */
  readonly sequence: number[] = []
  /** Index of the choice being walked; 0 outside of choices. */
  choice = 0
  /** Default role of texts in the message being walked. */
  role: string | undefined = undefined
  /** Kind and count of content that cannot be inspected. */
  readonly uninspected = new Map<string, number>()
  #source: Spellings
  #inner: InnerDocument | undefined = undefined

  readonly #parsed: Parsed | undefined

  /**
   * @param source the document; lists of one document share its spellings
   * @param parsed already parsed JSON texts in strings of the document
   */
  constructor(source: string | Spellings, parsed?: Parsed) {
    this.#source = typeof source === 'string' ? new Spellings(source) : source
    this.#parsed = parsed
  }

  add(channel: Channel, path: Path, text: unknown, role?: string, place: Field['place'] = 'value'): void {
    if (typeof text !== 'string' || text === '') return
    this.fields.push({ channel, role: role ?? this.role, choice: this.choice, path, place, text, inner: this.#inner })
  }

  /** Takes over the fields of another walk, and which of them are one text. */
  append({ fields, joined }: FieldList): void {
    const first = this.fields.length
    for (const field of fields) this.fields.push(field)
    for (const { path, fields: parts } of joined) this.joined.push({ path, fields: parts.map((at) => first + at) })
  }

  skip(kind: string): void {
    this.uninspected.set(kind, (this.uninspected.get(kind) ?? 0) + 1)
  }

  /** Every string, every number of six digits or more, and every key below `value`. */
  addAll(channel: Channel, path: Path, value: Json | undefined, role?: string): void {
    if (typeof value === 'string') this.add(channel, path, value, role)
    else if (typeof value === 'number') this.#addNumber(channel, path, value, role)
    else if (typeof value === 'object' && value !== null) this.#addBelow(channel, [...path], value, role)
  }

  /** Like `addAll`, for a large document. */
  *addAllInSteps(channel: Channel, path: Path, value: Json | undefined, role?: string): Steps<void> {
    if (typeof value !== 'object' || value === null) return this.addAll(channel, path, value, role)
    let last = this.fields.length
    let looked = 0
    for (const key in value) {
      const isArray = Array.isArray(value)
      const below = [...path, isArray ? Number(key) : key]
      const inner = isArray ? value[Number(key)] : value[key]
      if (!isArray) this.add(channel, below, key, role, 'key')
      if (typeof inner === 'object' && inner !== null) yield* this.addAllInSteps(channel, below, inner, role)
      else this.addAll(channel, below, inner, role)
      if (this.fields.length - last < FIELDS_OF_STEP && ++looked % VALUES_OF_STEP !== 0) continue
      yield
      last = this.fields.length
    }
  }

  /** @param path of the container; changed temporarily */
  #addBelow(channel: Channel, path: (string | number)[], value: Json[] | JsonObject, role: string | undefined): void {
    if (Array.isArray(value)) {
      for (let i = 0; i < value.length; i++) {
        const item = value[i] as Json
        if (item === null || isShort(item)) continue
        path.push(i)
        if (typeof item === 'object') this.#addBelow(channel, path, item, role)
        else this.addAll(channel, path.slice(), item, role)
        path.pop()
      }
      return
    }
    for (const key in value) {
      const item = value[key] as Json
      path.push(key)
      const own = path.slice()
      this.add(channel, own, key, role, 'key')
      if (typeof item === 'object' && item !== null) this.#addBelow(channel, path, item, role)
      else this.addAll(channel, own, item, role)
      path.pop()
    }
  }

  /** JSON text in a string: adds every text inside it, or the whole string if it is not strict JSON. */
  addJsonText(channel: Channel, path: Path, text: unknown, role?: string): void {
    if (typeof text !== 'string' || text === '') return
    const tree = this.#parsed?.has(text) === true ? this.#parsed.get(text) : strictTree(text)
    if (tree === undefined) return this.add(channel, path, text, role)
    const source = this.#source
    this.#inner = { path, text }
    this.#source = new Spellings(text)
    this.addAll(channel, [], tree, role)
    this.#inner = undefined
    this.#source = source
  }

  #addNumber(channel: Channel, path: Path, value: number, role: string | undefined): void {
    if (isShort(value)) return
    if (Number.isSafeInteger(value)) {
      this.add(channel, path, String(value), role, 'number')
      return
    }
    // The tree loses digits beyond 2^53, so use the source text.
    const text = this.#source.at(path) ?? String(value)
    if (text.replace(/\D/g, '').length < 6) return
    this.add(channel, path, text, role, 'number')
  }
}

/** Parsed JSON by its text; undefined if it is not strict JSON. */
export type Parsed = ReadonlyMap<string, Json | undefined>

/** Work to do before other exchanges run. */
const FIELDS_OF_STEP = 4096
const VALUES_OF_STEP = 64 * 1024

/** A number of less than six digits, a boolean or null. */
const isShort = (value: Json): boolean =>
  typeof value === 'number' ? Number.isSafeInteger(value) && Math.abs(value) < 100_000 : typeof value === 'boolean'

function strictTree(text: string): Json | undefined {
  try {
    return parseStrictText(text).tree
  } catch {
    return undefined
  }
}

export interface Change {
  readonly field: Field
  readonly text: string
}

/** Turns new texts into edits of the outer document. Texts inside a JSON string stay valid JSON there. */
export const toEdits = (changes: readonly Change[]): Edit[] => allSteps(toEditsInSteps(changes))

/** Characters of new text for each step, and what each change counts besides. */
const STEP = 128 * 1024
const PER_CHANGE = 64

/** Like `toEdits`, for many or long changes. */
export function* toEditsInSteps(changes: readonly Change[]): Steps<Edit[]> {
  const pace = new Pace(STEP)
  const edits: Edit[] = []
  const inner = new Map<InnerDocument, Edit[]>()
  for (const change of changes) {
    const edit = toEdit(change)
    if (change.field.inner === undefined) edits.push(edit)
    else {
      const known = inner.get(change.field.inner)
      if (known === undefined) inner.set(change.field.inner, [edit])
      else known.push(edit)
    }
    if (pace.spent(change.text.length + PER_CHANGE)) yield
  }
  for (const [document, changed] of inner) {
    const text = yield* spliceInSteps(document.text, changed)
    edits.push({ kind: 'replace', path: document.path, json: JSON.stringify(text) })
    if (pace.spent(text.length)) yield
  }
  return edits
}

const toEdit = ({ field, text }: Change): Edit =>
  field.place === 'key'
    ? { kind: 'rename', path: field.path, name: text }
    : { kind: 'replace', path: field.path, json: JSON.stringify(text) }

/** Whether a value is a JSON object: neither null nor an array. The kit exports it as `isJsonObject`. */
export const isObject = (value: Json | undefined): value is JsonObject => isMap(value)
