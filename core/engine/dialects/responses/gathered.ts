import { type Field, FieldList } from '../../json/fields.ts'
import { Spellings } from '../../json/spellings.ts'
import { Many } from '../many.ts'
import type { TextPiece, ToolPiece } from '../stream.ts'
import type { Grown } from './event.ts'
import type { Told } from './told.ts'

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

  call(piece: ToolPiece): void {
    this.#many.add()
    this.tools.push(piece)
  }

  settle(fields: Iterable<string>): void {
    for (const field of fields) this.settled.push({ choice: 0, field })
  }
}
