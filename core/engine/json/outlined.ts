import { isAscii, isUtf8 } from 'node:buffer'
import type { Json, PromptSums } from '../contract/plugin.ts'
import { deepFreeze } from '../util/deep-freeze.ts'
import { type ArrayPlace, arrayPlaces } from './array-places.ts'
import { parseJson } from './read.ts'
import { type JsonDocument, type JsonObject, parseStrictText } from './strict.ts'

/** The first elements of an array of a body, in bytes that were accepted before. */
export interface Beginning {
  /** Names its bytes and place. */
  readonly key: string
  /** Start and end of each element, bytes from the start of the first. */
  readonly ranges: readonly number[]
  /** What the API's reader noted of each element. */
  readonly notes: readonly string[]
  /** What plugins added up over its elements. */
  readonly sums: PromptSums
}

/** Beginnings of one caller in one API. */
export interface Beginnings<B extends Beginning = Beginning> {
  /** The longest one that is at `start` of a body. */
  find(member: string, body: Buffer, start: number): B | undefined
  /**
   * Returns what names it, if it is kept.
   *
   * @param known how `beginning` begins, as it was found
   */
  keep(
    member: string,
    body: Buffer,
    start: number,
    beginning: Pick<Beginning, 'ranges' | 'notes'>,
    known?: B,
  ): Named | undefined
}

type Named = Pick<Beginning, 'key' | 'sums'>

/** The first elements of an array, as later ones may begin. */
export interface NamedBeginning extends Named {
  readonly member: string
  readonly count: number
}

/** How many elements of an array are to be known again: others will change. */
type LastOf = (member: string, elements: readonly Json[]) => number

type Outline = ArrayPlace<Beginning>

/** Of a new element; undefined if it should not be known again. */
type NoteOf = (member: string, element: JsonObject) => string | undefined

/** The document of a tree whose arrays are read when they are asked for. */
const DOCUMENT = Symbol('document')
interface Lazy {
  readonly [DOCUMENT]: OutlinedDocument
}
/** By name; only those of known APIs. */
const members = new Map<string, PropertyDescriptor>()

/**
 * A body whose arrays begin as in an earlier body: a conversation that is sent again with each turn. What was accepted before
 * is neither parsed nor checked again, until a plugin asks for it. See docs/decisions/0073-what-was-accepted-before.md.
 */
export class OutlinedDocument implements JsonDocument {
  /** The body, with 0 for each known element. */
  readonly outline: JsonObject
  readonly #body: Buffer
  #isKept = false
  readonly #isAscii: boolean
  readonly #arrays: ReadonlyMap<string, Outline>
  readonly #beginnings: Beginnings
  readonly #keys: NamedBeginning[] = []
  #text: string | undefined = undefined
  #tree: JsonObject | undefined = undefined
  readonly #whole = new Map<string, Json[]>()
  #isFrozen = false

  private constructor(body: Buffer, arrays: ReadonlyMap<string, Outline>, beginnings: Beginnings, whole?: JsonObject) {
    this.#body = body
    this.#isAscii = isAscii(body)
    this.#arrays = arrays
    this.#beginnings = beginnings
    this.outline = whole ?? (parseStrictText(this.#outlineText()).tree as JsonObject)
  }

  /**
   * Undefined if the body is not read that way: then it must be read as a whole, which also reports what is wrong with it.
   *
   * @param members the arrays of objects that may begin so
   * @throws GatewayError GW_INVALID_JSON
   */
  static read(body: Buffer, members: ReadonlySet<string>, beginnings: Beginnings): OutlinedDocument | undefined {
    if (!isUtf8(body)) return undefined
    const arrays = arrayPlaces(body, members, (member, start) => beginnings.find(member, body, start))
    return arrays === undefined ? undefined : new OutlinedDocument(body, arrays, beginnings)
  }

  /**
   * Like `read`, for a large body: undefined also if more than `most` bytes of it are new.
   *
   * @throws GatewayError GW_INVALID_JSON
   */
  static readKnown(
    body: Buffer,
    members: ReadonlySet<string>,
    beginnings: Beginnings,
    most: number,
  ): OutlinedDocument | undefined {
    if (!isUtf8(body)) return undefined
    let isKnown = false
    const arrays = arrayPlaces(body, members, (member, start) => {
      const known = beginnings.find(member, body, start)
      isKnown ||= known !== undefined
      return known
    })
    if (arrays === undefined || !isKnown) return undefined
    let left = body.length
    for (const { known } of arrays.values()) left -= known?.ranges.at(-1) ?? 0
    return left > most ? undefined : new OutlinedDocument(body, arrays, beginnings)
  }

  /** A body that was read as a whole, so that later ones may begin as it does. */
  static of(
    body: Buffer,
    whole: JsonObject,
    members: ReadonlySet<string>,
    beginnings: Beginnings,
  ): OutlinedDocument | undefined {
    const arrays = arrayPlaces<Beginning>(body, members, () => undefined)
    return arrays === undefined ? undefined : new OutlinedDocument(body, arrays, beginnings, whole)
  }

  /** Number of known elements at the start of an array. */
  known(member: string): number {
    return this.beginningOf(member)?.notes.length ?? 0
  }

  beginningOf(member: string): Beginning | undefined {
    return this.#arrays.get(member)?.known
  }

  /** The known elements of an array. */
  begun(member: string): { readonly key: string; readonly count: number } | undefined {
    const known = this.beginningOf(member)
    return known === undefined ? undefined : { key: known.key, count: known.notes.length }
  }

  /** What names the elements of each array that is kept. */
  get keys(): readonly NamedBeginning[] {
    return this.#keys
  }

  rangeOf(member: string, index: number): readonly [start: number, end: number] | undefined {
    const outline = this.#arrays.get(member)
    if (outline === undefined) return undefined
    const { start, ranges } = outline
    return [start + (ranges[2 * index] as number), start + (ranges[2 * index + 1] as number)]
  }

  /** The whole body was accepted. */
  keep(noteOf: NoteOf, lastOf?: LastOf): void {
    if (this.#isKept) return
    this.#isKept = true
    for (const [member, { start, ranges: all, known }] of this.#arrays) {
      const every = this.outline[member] as readonly Json[]
      const elements = lastOf === undefined ? every : every.slice(0, lastOf(member, every))
      const ranges = elements.length === every.length ? all : all.slice(0, 2 * elements.length)
      const notes = [...(known?.notes ?? [])]
      if (known !== undefined && elements.length <= notes.length) {
        this.#keys.push({ member, key: known.key, sums: known.sums, count: notes.length })
        continue
      }
      for (let i = notes.length; i < elements.length; i++) {
        const note = noteOf(member, elements[i] as JsonObject)
        if (note === undefined) break
        notes.push(note)
      }
      if (notes.length < elements.length) continue
      const kept = this.#beginnings.keep(member, this.#body, start, { ranges, notes }, known)
      if (kept !== undefined) this.#keys.push({ member, key: kept.key, sums: kept.sums, count: notes.length })
    }
  }

  get text(): string {
    this.#text ??= this.#slice(0, this.#body.length)
    return this.#text
  }

  /** The whole body; known elements are parsed when their array is read. */
  get tree(): JsonObject {
    this.#tree ??= this.#makeTree()
    return this.#tree
  }

  /** The same, frozen. */
  get frozen(): JsonObject {
    const { tree } = this
    if (this.#isFrozen) return tree
    this.#isFrozen = true
    for (const name in tree) if (this.known(name) === 0) deepFreeze(tree[name])
    for (const array of this.#whole.values()) deepFreeze(array)
    return Object.freeze(tree)
  }

  /** One element, known or not. */
  elementOf(member: string, index: number): Json {
    const { start, ranges } = this.#arrays.get(member) as Outline
    if (index >= this.known(member)) return (this.outline[member] as readonly Json[])[index] as Json
    return parseJson(this.#slice(start + (ranges[2 * index] as number), start + (ranges[2 * index + 1] as number)))
  }

  #makeTree(): JsonObject {
    const { outline } = this
    const tree: JsonObject = {}
    for (const name in outline) {
      if (this.known(name) === 0) tree[name] = outline[name] as Json
      else Object.defineProperty(tree, name, OutlinedDocument.#memberOf(name))
    }
    Object.defineProperty(tree, DOCUMENT, { value: this })
    return tree
  }

  /** One getter for all bodies: V8 keeps what a getter sees until it collects the whole heap. */
  static #memberOf(name: string): PropertyDescriptor {
    let member = members.get(name)
    if (member === undefined) {
      const get = function (this: Lazy) {
        return this[DOCUMENT].#wholeOf(name)
      }
      member = { enumerable: true, get }
      members.set(name, member)
    }
    return member
  }

  #wholeOf(member: string): Json[] {
    let whole = this.#whole.get(member)
    if (whole === undefined) {
      const { start } = this.#arrays.get(member) as Outline
      const { ranges, notes } = this.beginningOf(member) as Beginning
      const known = parseJson(`[${this.#slice(start, start + (ranges.at(-1) as number))}]`) as Json[]
      whole = known.concat((this.outline[member] as Json[]).slice(notes.length))
      if (this.#isFrozen) deepFreeze(whole)
      this.#whole.set(member, whole)
    }
    return whole
  }

  #outlineText(): string {
    let text = ''
    let from = 0
    for (const { start, known } of this.#arrays.values()) {
      if (known === undefined) continue
      text += `${this.#slice(from, start)}0${',0'.repeat(known.notes.length - 1)}`
      from = start + (known.ranges.at(-1) as number)
    }
    return text + this.#slice(from, this.#body.length)
  }

  #slice(start: number, end: number): string {
    return this.#body.toString(this.#isAscii ? 'latin1' : 'utf8', start, end)
  }
}
