import type { Element } from '../json/elements.ts'
import type { Field } from '../json/fields.ts'
import type { Remembered } from './memo.ts'

/** Bounds what is hashed, and inspected again for one changed text. A longer text is a passage of its own. */
const MOST_TEXTS = 256
const MOST_CHARACTERS = 64 * 1024
/** A shorter element of a list costs more by itself than it takes to inspect; characters. */
const SHORT = 64

/** A `FieldView`, as far as the memo needs it. */
export interface PassageText {
  readonly raw: string
  readonly text: string
  /** Invisible text is in it. */
  readonly hides: boolean
  /** What identifies it besides its characters. */
  readonly place: string
  readonly path: string
  passage: Passage | undefined
  indexInPassage: number
}

/** A conversation of a thousand messages with a hundred tools has 20,000. */
const MANY_TEXTS = 50_000

const NONE: PassageText[] = []

/**
 * Texts that come again together: those of one message, tool or other element of a request. The memo knows them as one,
 * since tools have hundreds of texts that take less time to inspect than to hash.
 */
export class Passage {
  #views: PassageText[] = NONE
  /** Those that are not made of others, if not all are. */
  #sources: PassageText[] | undefined = undefined
  /** The element that it is all of. */
  readonly element: Element | undefined
  /** What the memo knows of it, once looked up. */
  remembered: Remembered | undefined = undefined

  constructor(element?: Element) {
    this.element = element
  }

  get views(): readonly PassageText[] {
    return this.#views
  }

  /** What identifies it among passages; derived views add nothing. */
  get sources(): readonly PassageText[] {
    return this.#sources ?? this.#views
  }

  /** Number of its texts, with or without views. */
  get size(): number {
    const { element } = this
    return element === undefined ? this.views.length : Math.max(this.views.length, element.to - element.from)
  }

  /** All its texts, some of which had no views before. */
  fill(views: readonly PassageText[]): void {
    this.#views = NONE
    this.#sources = undefined
    for (const view of views) this.add(view, true)
  }

  /** @param isSource whether the view is a text of the request, not several of them put together */
  add(view: PassageText, isSource: boolean): void {
    view.passage = this
    view.indexInPassage = this.#views.length
    if (!isSource) this.#sources ??= [...this.#views]
    else if (this.#sources !== undefined) this.#sources.push(view)
    // Most passages have one text, and an array that was empty gets room for many.
    if (this.#views.length === 0) this.#views = [view]
    else this.#views.push(view)
  }

  /** Takes a view while others do not exist. */
  keep(view: PassageText | undefined, index: number): void {
    if (view === undefined) return
    view.passage = this
    view.indexInPassage = index
  }

  /** Path of its first text. */
  get path(): string {
    return (this.views[0] as PassageText).path
  }
}

/**
 * Groups the texts of a request, in their order. Returns the passages of elements that were not walked: they have few
 * views or none.
 */
export function groupIntoPassages(
  fields: readonly Field[],
  views: readonly (PassageText | undefined)[],
  elements: readonly Element[] = [],
): Passage[] {
  const skipped: Passage[] = []
  let next = 0
  let run = new Run()
  for (let i = 0; i < fields.length; i++) {
    while (next < elements.length && (elements[next] as Element).to <= i) next++
    const element = elements[next]
    if (element === undefined || element.from !== i || element.to === i) {
      run.add(fields[i] as Field, views[i] as PassageText)
      continue
    }
    run = new Run()
    if (element.isSkipped) {
      const passage = new Passage(element)
      for (let at = element.from; at < element.to; at++) passage.keep(views[at], at - element.from)
      skipped.push(passage)
    } else {
      const isOne = fitsPassage(fields, element)
      run = new Run(isOne ? element : undefined)
      for (let at = element.from; at < element.to; at++) run.add(fields[at] as Field, views[at] as PassageText)
    }
    run = new Run()
    i = element.to - 1
  }
  return skipped
}

/** Whether the texts are too many to group, and all of them were walked. */
export const areMany = (fields: readonly Field[], elements: readonly Element[] = []): boolean =>
  fields.length > MANY_TEXTS && !elements.some(({ isSkipped }) => isSkipped)

/** Borders of one passage: a conversation that continues has the same blocks again, and each is hashed at once. */
const BLOCK = 8

/** Groups borders of one kind; the last ones, which are still few, stay apart. */
export function groupInBlocks(borders: readonly PassageText[]): void {
  for (let end = BLOCK; end <= borders.length; end += BLOCK) {
    const passage = new Passage()
    for (const view of borders.slice(end - BLOCK, end)) passage.add(view, true)
  }
}

function fitsPassage(fields: readonly Field[], { from, to, key }: Element): boolean {
  if (key === undefined || to - from > MOST_TEXTS) return false
  let characters = 0
  for (let at = from; at < to; at++) characters += (fields[at] as Field).text.length
  return characters <= MOST_CHARACTERS
}

/** Neighbouring texts, in one passage or several. */
class Run {
  #passage: Passage
  #characters = 0
  #member: string | number | undefined = undefined
  #element: string | number | undefined = undefined

  constructor(element?: Element) {
    this.#passage = new Passage(element)
  }

  add({ text: { length }, inner, path: own }: Field, view: PassageText): void {
    const path = inner?.path ?? own
    const isShort = path.length === 2 && length < SHORT
    const of = typeof path[1] === 'number' && !isShort ? path[1] : undefined
    const isFull = this.#passage.views.length >= MOST_TEXTS || this.#characters + length > MOST_CHARACTERS
    const isFirst = this.#passage.views.length === 0
    if (!isFirst && (isFull || path[0] !== this.#member || of !== this.#element)) {
      this.#passage = new Passage()
      this.#characters = 0
    }
    this.#member = path[0]
    this.#element = of
    this.#passage.add(view, true)
    this.#characters += length
  }
}
