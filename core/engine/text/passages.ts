import type { Field } from '../json/fields.ts'
import type { Remembered } from './memo.ts'

/** Bounds what is hashed, and inspected again for one changed text. A longer text is a passage of its own. */
const MOST_TEXTS = 256
const MOST_CHARACTERS = 64 * 1024

/** A `FieldView`, as far as the memo needs it. */
export interface PassageText {
  readonly raw: string
  readonly text: string
  /** Invisible text stands in it. */
  readonly hides: boolean
  /** What tells it from other texts, besides its characters. */
  readonly place: string
  readonly path: string
  passage: Passage | undefined
  indexInPassage: number
}

/**
 * Texts that come again together: those of one message, tool or other element of a request. The memo knows them as one,
 * since tools have hundreds of texts that take less time to inspect than to hash.
 */
export class Passage {
  readonly views: PassageText[] = []
  /** What tells it from other passages; views that are made of others add nothing. */
  readonly sources: PassageText[] = []
  /** What the memo knows of it, once looked up. */
  remembered: Remembered | undefined = undefined

  /** @param isSource whether the view is a text of the request, not several of them put together */
  add(view: PassageText, isSource: boolean): void {
    view.passage = this
    view.indexInPassage = this.views.push(view) - 1
    if (isSource) this.sources.push(view)
  }

  /** Path of its first text. */
  get path(): string {
    return (this.views[0] as PassageText).path
  }
}

/** Groups the texts of a request, in their order. */
export function groupIntoPassages(fields: readonly Field[], views: readonly PassageText[]): void {
  let passage = new Passage()
  let characters = 0
  let member: string | number | undefined
  let element: string | number | undefined
  for (const [i, view] of views.entries()) {
    const field = fields[i] as Field
    const { length } = field.text
    const path = field.inner?.path ?? field.path
    const of = typeof path[1] === 'number' ? path[1] : undefined
    const isFull = passage.views.length >= MOST_TEXTS || characters + length > MOST_CHARACTERS
    if (isFull || path[0] !== member || of !== element) {
      passage = new Passage()
      characters = 0
      member = path[0]
      element = of
    }
    passage.add(view, true)
    characters += length
  }
}
