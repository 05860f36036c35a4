import type { Json } from '../../contract/plugin.ts'
import { type Field, FieldList } from '../../json/fields.ts'
import { Spellings } from '../../json/spellings.ts'
import type { Path } from '../../json/strict.ts'
import { Many } from '../many.ts'
import type { TextPiece, ToolPiece } from '../stream.ts'
import type { Grown } from './event.ts'
import { Told } from './told.ts'

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

  grow(piece: TextPiece, told: Told): void {
    this.#many.add()
    const { path, text } = piece
    this.pieces.push(piece)
    this.grown.push({ path, told, at: told.append(text), length: text.length })
  }

  /** The name of a text that is whole by itself, though it may go on. */
  alone(): string {
    return String(this.#alone++)
  }

  /** Every text of a value that nobody knows, each as one that grows. */
  growAll(field: string, path: Path, value: Json, still: boolean): void {
    if (typeof value === 'string') {
      if (value === '') return
      this.grow({ channel: 'other', choice: 0, field, path, text: value, still, part: this.alone() }, new Told())
    } else if (typeof value === 'number') this.collect((list) => list.addAll('other', path, value, ROLE))
    else if (Array.isArray(value)) {
      for (let i = 0; i < value.length; i++) this.growAll(field, [...path, i], value[i] as Json, still)
    } else if (value !== null && typeof value === 'object') {
      for (const key in value) {
        this.collect((list) => list.add('other', [...path, key], key, ROLE, 'key'))
        this.growAll(`${field}.${key}`, [...path, key], value[key] as Json, still)
      }
    }
  }

  call(piece: ToolPiece): void {
    this.#many.add()
    this.tools.push(piece)
  }

  settle(fields: Iterable<string>): void {
    for (const field of fields) this.settled.push({ choice: 0, field })
  }
}
