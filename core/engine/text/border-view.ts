import { JoinedView, type Piece } from './joined-view.ts'
import type { FieldReading } from './reading-views.ts'
import { wholeEscapes } from './readings.ts'
import type { RawSpan } from './views.ts'

const PART_OF_VALUE = /[._\-+@=/]|\d\p{L}|\p{L}\d/u

/** The last characters of one text and the first of the next. Only a value that spans the border is a finding. */
export class BorderView extends JoinedView {
  override readonly reading = 'border'

  #borders: readonly number[] | undefined = undefined

  override get borders(): readonly number[] {
    if (this.#borders === undefined) {
      void this.text // The map comes with it.
      this.#borders = Object.freeze(this.pieces.slice(1).map(({ at }) => this.map?.fromRaw(at) ?? at))
    }
    return this.#borders
  }

  override get place(): string {
    return `${super.place} ${this.pieces.map(({ at }) => at).join(' ')}`
  }

  override get readings(): readonly FieldReading[] {
    return []
  }

  protected override whole(start: number, end: number): RawSpan {
    return wholeEscapes(this.raw, start, end)
  }

  /**
   * The text's own view finds a value that lies in one text. A value that is complete in one text extends into the next
   * only if the next share is not a plain word or number.
   */
  protected override counts(plugin: string, { start, end }: RawSpan): boolean {
    let texts = 0
    let complete = false
    let more = false
    this.eachShare(start, end, ({ view }, from, to) => {
      texts++
      if (view.covers(plugin, from, to)) complete = true
      else more ||= PART_OF_VALUE.test(view.raw.slice(from, to))
    })
    return texts > 1 && (!complete || more)
  }

  /** Some providers refuse an empty text. */
  protected override restOf({ view: { raw } }: Piece, start: number, end: number): string {
    return raw.slice(0, start).trim() === '' && raw.slice(end).trim() === '' ? '…' : ''
  }
}
