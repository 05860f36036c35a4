import type { Channel, Json } from '../contract/plugin.ts'
import { isObject as isMap } from '../util/is-object.ts'
import { Spellings } from './spellings.ts'
import { type Edit, splice } from './splice.ts'
import { type JsonObject, type Path, parseStrictText } from './strict.ts'

/** A JSON text inside a string of the document, such as the arguments of a tool call. */
export interface InnerDocument {
  /** Where the string stands in the outer document. */
  readonly path: Path
  readonly text: string
}

/** One text of a document, with what is needed to put another in its place. */
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

/** What a walk over a document found. */
export class FieldList {
  readonly fields: Field[] = []
  /** The text parts of one message, where there are several: where they stand, and their indexes in `fields`. */
  readonly joined: { readonly path: Path; readonly fields: readonly number[] }[] = []
  /** Texts that a model reads one behind the other, the contents of messages: indexes in `fields`. */
  readonly sequence: number[] = []
  /** Index of the choice that is being walked; 0 outside of choices. */
  choice = 0
  /** Role of the message that is being walked, where a text names none. */
  role: string | undefined = undefined
  /** Kind of content that cannot be inspected, and how often. */
  readonly uninspected = new Map<string, number>()
  #source: Spellings
  #inner: InnerDocument | undefined = undefined

  /** @param source the document; lists of one document share its spellings */
  constructor(source: string | Spellings) {
    this.#source = typeof source === 'string' ? new Spellings(source) : source
  }

  add(channel: Channel, path: Path, text: unknown, role?: string, place: Field['place'] = 'value'): void {
    if (typeof text !== 'string' || text === '') return
    this.fields.push({ channel, role: role ?? this.role, choice: this.choice, path, place, text, inner: this.#inner })
  }

  skip(kind: string): void {
    this.uninspected.set(kind, (this.uninspected.get(kind) ?? 0) + 1)
  }

  /** Every string, every number of six digits or more, and every key below `value`. */
  addAll(channel: Channel, path: Path, value: Json | undefined, role?: string): void {
    if (typeof value === 'string') this.add(channel, path, value, role)
    else if (typeof value === 'number') this.#addNumber(channel, path, value, role)
    else if (Array.isArray(value)) {
      for (let i = 0; i < value.length; i++) this.addAll(channel, [...path, i], value[i], role)
    } else if (typeof value === 'object' && value !== null) {
      for (const key in value) {
        const below = [...path, key]
        this.add(channel, below, key, role, 'key')
        this.addAll(channel, below, value[key], role)
      }
    }
  }

  /** A JSON text in a string: every text inside it, or the whole as one when it is not strict JSON. */
  addJsonText(channel: Channel, path: Path, text: unknown, role?: string): void {
    if (typeof text !== 'string' || text === '') return
    let tree: Json
    try {
      tree = parseStrictText(text).tree
    } catch {
      this.add(channel, path, text, role)
      return
    }
    const source = this.#source
    this.#inner = { path, text }
    this.#source = new Spellings(text)
    this.addAll(channel, [], tree, role)
    this.#inner = undefined
    this.#source = source
  }

  #addNumber(channel: Channel, path: Path, value: number, role: string | undefined): void {
    if (Number.isSafeInteger(value)) {
      if (Math.abs(value) >= 100_000) this.add(channel, path, String(value), role, 'number')
      return
    }
    // Digits beyond 2^53 are lost in the tree, so the text has the last word.
    const text = this.#source.at(path) ?? String(value)
    if (text.replace(/\D/g, '').length < 6) return
    this.add(channel, path, text, role, 'number')
  }
}

export interface Change {
  readonly field: Field
  readonly text: string
}

/** Turns new texts into edits of the outer document; texts inside a JSON string stay valid JSON there. */
export function toEdits(changes: readonly Change[]): Edit[] {
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
  }
  for (const [document, changed] of inner) {
    edits.push({ kind: 'replace', path: document.path, json: JSON.stringify(splice(document.text, changed)) })
  }
  return edits
}

const toEdit = ({ field, text }: Change): Edit =>
  field.place === 'key'
    ? { kind: 'rename', path: field.path, name: text }
    : { kind: 'replace', path: field.path, json: JSON.stringify(text) }

/** True for a JSON object: neither null nor an array. Plugins know it as `isJsonObject` of the kit. */
export const isObject = (value: Json | undefined): value is JsonObject => isMap(value)
