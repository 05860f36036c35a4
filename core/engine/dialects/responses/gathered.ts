import type { Json } from '../../contract/plugin.ts'
import { type Field, FieldList } from '../../json/fields.ts'
import { Spellings } from '../../json/spellings.ts'
import type { JsonObject, Path } from '../../json/strict.ts'
import { Many } from '../many.ts'
import { Neighbours } from '../neighbours.ts'
import { Repeats } from '../repeats.ts'
import { endOf, type Growth, type Over, Replaced } from '../replaced.ts'
import type { TextPiece, ToolPiece } from '../stream.ts'
import type { Walk } from '../walk.ts'
import { placeOf } from './delta-kinds.ts'
import type { Grown } from './event.ts'
import { StreamedText } from './streamed-text.ts'

const ROLE = 'assistant'

/** What the walk of one event finds. */
export class Gathered {
  pieces: TextPiece[] = []
  grown: Grown[] = []
  tools: ToolPiece[] = []
  fixed: FieldList | undefined = undefined
  settled: { readonly choice: number; readonly field: string }[] = []
  /** Names of calls that are complete. */
  ended: string[] = []
  source = new Spellings('')
  readonly #many = new Many()
  readonly #repeats = new Repeats()
  readonly #replaced = new Replaced()
  readonly #neighbours = new Neighbours()
  #alone = 0

  restart(payload: string): void {
    this.pieces = []
    this.grown = []
    this.tools = []
    this.fixed = undefined
    this.settled = []
    this.ended = []
    this.source = new Spellings(payload)
    this.#many.restart()
  }

  /** Complete texts, of a value that is small. */
  collect(walk: (list: FieldList) => void): void {
    const list = this.#many.list(this.source)
    walk(list)
    for (const field of list.fields) this.keep(field)
  }

  /** Counts a text that is complete or a copy. */
  counted(field: Field): Field {
    this.#many.addTexts(1)
    return field
  }

  keep(field: Field): void {
    this.fixed ??= new FieldList(this.source)
    this.fixed.fields.push(field)
  }

  grow(piece: TextPiece, streamed: StreamedText): void {
    this.#many.add()
    const { path, text } = piece
    this.pieces.push(piece)
    this.grown.push({ path, streamed, at: streamed.append(text), length: text.length })
  }

  /** The name of a text that is whole by itself, though it may continue. */
  alone(): string {
    return `#${this.#alone++}`
  }

  /**
   * Every text of an unknown value, each as one that grows.
   *
   * @param place where it grows; events of several places may take turns
   * @param after what stood before it, and left
   */
  growAll(field: string, path: Path, value: Json, place?: string, behind = ''): void {
    if (typeof value === 'string') {
      if (value === '') return
      const name = place === undefined ? field : `${field}@${place}`
      const before =
        place === undefined ? { behind } : this.#neighbours.before(field, place, value, behind || undefined)
      const more = { still: true, part: this.alone(), ...before, ...(place !== undefined && { line: field }) }
      this.grow({ channel: 'other', choice: 0, field: name, path, text: value, ...more }, new StreamedText())
    } else if (typeof value === 'number') this.collect((list) => list.addAll('other', path, value, ROLE))
    else if (Array.isArray(value)) {
      for (let i = 0; i < value.length; i++) this.growAll(field, [...path, i], value[i] as Json, place)
    } else if (value !== null && typeof value === 'object') {
      for (const key in value) {
        this.collect((list) => list.add('other', [...path, key], key, ROLE, 'key'))
        this.growAll(`${field}.${key}`, [...path, key], value[key] as Json, place)
      }
    }
  }

  /** A member that most events have. */
  common({ exempts, over }: Walk, place: string, path: Path, value: Json): void {
    const isExempt = exempts?.(value) === true
    if (typeof value === 'string' && over !== 'apart' && this.replaces(place, path, value, isExempt, over)) return
    if (!isExempt) this.collect((list) => list.addAll('other', path, value))
  }

  /**
   * Whether a text is part of one that grows, since another one stood in its place.
   *
   * @param fits it is a word of its shape
   */
  replaces(place: string, path: Path, text: string, fits: boolean, over?: Over): boolean {
    const growth = text === '' ? undefined : this.#replaced.note(place, text, fits, over)
    if (growth !== undefined) this.#growBehind(place, path, text, growth)
    return growth !== undefined
  }

  #growBehind(place: string, path: Path, text: string, growth: { behind: string; run?: string | undefined }): void {
    const piece = { channel: 'other', choice: 0, field: `replaced:${place}`, path, text, still: true } as const
    this.grow({ ...piece, part: this.alone(), ...growth }, new StreamedText())
  }

  /** A word, or another text, in the place of words; undefined while it needs no inspection. */
  begin(place: string, text: string, fits: boolean): Growth | undefined {
    return this.#replaced.begin(place, text, fits)
  }

  /** Another text at a place of the output, or later the first one again. */
  again(place: string, path: Path, text: string, first: string): void {
    const hasRoom = this.knows(place) || this.#replaced.note(place, first, false) === undefined
    if (!hasRoom) this.#growBehind(place, path, text, { behind: endOf(first) })
    else this.replaces(place, path, text, false)
  }

  /** A word stood at a place of the output, or several texts did. */
  knows(place: string): boolean {
    return this.#replaced.knows(place)
  }

  /** An unknown member: it grows, unless it repeats in every event. */
  member(event: JsonObject, key: string, value: Json): void {
    const [type, place] = [String(event.type), placeOf(event)]
    this.collect((list) => list.add('other', [key], key, ROLE, 'key'))
    const state = this.#repeats.note(`${type}\0${key}\0${place}`, JSON.stringify(value))
    const name = `event:${type}:${key}`
    if (state === 'repeats') this.collect((list) => list.addAll('other', [key], value, ROLE))
    else this.growAll(name, [key], value, place)
    // Complete: it holds back no further text.
    if (state === 'settles') this.settle([...fieldsIn(value, name)].map((field) => `${field}@${place}`))
  }

  call(piece: ToolPiece): void {
    this.#many.add()
    this.tools.push(piece)
  }

  settle(fields: Iterable<string>): void {
    for (const field of fields) this.settled.push({ choice: 0, field })
  }
}

/** Names of the texts in a value. */
function* fieldsIn(value: Json, name: string): Iterable<string> {
  if (typeof value === 'string') yield name
  else if (Array.isArray(value)) for (const one of value) yield* fieldsIn(one, name)
  else if (typeof value === 'object' && value !== null)
    for (const key in value) yield* fieldsIn(value[key] as Json, `${name}.${key}`)
}
