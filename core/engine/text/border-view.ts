import type { Finding } from '../contract/plugin.ts'
import type { Inspection } from './inspection.ts'
import { JoinedView, type Piece } from './joined-view.ts'
import type { FieldReading } from './reading-views.ts'
import { wholeEscapes } from './readings.ts'
import { type Normalised, normaliseSeamlessly } from './unicode.ts'
import type { RawSpan, ViewOrigin } from './views.ts'

const PART_OF_VALUE = /[._\-+@=/]|\d\p{L}|\p{L}\d/u

/** Scores differ a little by the distance of a word that names the value. */
const SURER = 0.04

/** The last characters of one text and the first of the next. Only a value that spans the border is a finding. */
export class BorderView extends JoinedView {
  override readonly reading = 'border'

  #borders: readonly number[] | undefined = undefined
  readonly #isGlued: boolean

  /** @param isGlued whether the halves of words stand side by side */
  constructor(
    inspection: Inspection,
    id: number,
    origin: ViewOrigin,
    raw: string,
    pieces: readonly Piece[],
    isGlued = false,
  ) {
    super(inspection, id, origin, raw, pieces)
    this.#isGlued = isGlued
  }

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

  /** There is no second reading, and a value that is cut may have invisible characters inside, too. */
  protected override normalised(): Normalised {
    return normaliseSeamlessly(this.raw)
  }

  protected override whole(start: number, end: number): RawSpan {
    return wholeEscapes(this.raw, start, end)
  }

  /**
   * The text's own view finds a value that lies in one text. A value that is complete in one text extends into the next
   * only if the next share is not a plain word or number, or if the whole is surer than its part, or the halves of a word make a
   * value of another kind: nine digits of a tax number may pass for a phone number.
   */
  protected override counts(plugin: string, { start, end }: RawSpan, { type, score = 0 }: Finding): boolean {
    let texts = 0
    let complete = false
    let more = false
    this.eachShare(start, end, ({ view }, from, to) => {
      texts++
      const known = view.covering(plugin, from, to)
      if (known === undefined) more ||= PART_OF_VALUE.test(view.raw.slice(from, to))
      else {
        complete = true
        more ||= score > (known.score ?? 1) + SURER || (this.#isGlued && known.type !== type)
      }
    })
    return texts > 1 && (!complete || more)
  }

  /** Some providers refuse an empty text. */
  protected override restOf({ view: { raw } }: Piece, start: number, end: number): string {
    return raw.slice(0, start).trim() === '' && raw.slice(end).trim() === '' ? '…' : ''
  }
}
