import type { JoinedFields } from '../json/fields.ts'
import { pathToString } from '../json/strict.ts'
import type { Ballot } from './ballot.ts'
import { FieldView } from './field-view.ts'
import type { Report } from './findings.ts'
import type { Inspection } from './inspection.ts'
import type { Passage } from './passages.ts'
import type { Normalised } from './unicode.ts'
import type { RawSpan, ViewOrigin } from './views.ts'

/** One text's part of a joined view. */
export interface Piece {
  readonly view: FieldView
  /** Start in its own text, raw characters. */
  readonly start: number
  readonly end: number
  /** Start in the joined text. */
  readonly at: number
}

/** Text parts of one message, shown as one. */
export interface Joined {
  /** Its path, with a number if others have the same texts. */
  readonly path: string
  readonly parts: readonly FieldView[]
  /** Stands between two of them. */
  readonly between: string
  /** Stands before each of them, where only values that are cut over several count. */
  readonly gaps?: readonly string[] | undefined
}

/** What a walk noted, with the views of its fields. */
export const joinedOf = (
  { joined, groups }: { readonly joined: readonly JoinedFields[]; readonly groups: readonly JoinedFields[] },
  views: readonly (FieldView | undefined)[],
): Joined[] => {
  let nth = 0
  let last: string | undefined
  return (groups.length === 0 ? joined : [...joined, ...groups]).map(({ path, fields, between = '', gaps }) => {
    const name = pathToString(path)
    nth = name === last ? nth + 1 : 0
    last = name
    const parts = fields.map((index) => views[index] as FieldView)
    return { path: nth === 0 ? name : `${name} (${nth + 1})`, parts, between, gaps }
  })
}

/**
 * Several texts as one run, to find values split between them. The first text gets the replacement; the others lose
 * their share of the value.
 */
export class JoinedView extends FieldView {
  protected readonly pieces: readonly Piece[]

  constructor(
    inspection: Inspection,
    id: number,
    origin: ViewOrigin,
    raw: string,
    pieces: readonly Piece[],
    read?: Normalised,
  ) {
    super(inspection, id, origin, (pieces[0] as Piece).view.direction, raw, read)
    this.pieces = pieces
  }

  /** The passage that all the texts are in. */
  get common(): Passage | undefined {
    const first = this.pieces[0]?.view.passage
    return this.pieces.every(({ view }) => view.passage === first) ? first : undefined
  }

  /** All text parts of one message, or neighbours that may be one value. */
  static of(
    inspection: Inspection,
    id: number,
    origin: ViewOrigin,
    joined: Omit<Joined, 'path'>,
    read?: Normalised,
  ): JoinedView {
    const { parts, between, gaps } = joined
    const pieces: Piece[] = []
    let at = 0
    for (const [i, view] of parts.entries()) {
      const { length } = view.raw
      if (gaps === undefined) view.readers++ // Borders restore no tokens.
      at += gaps?.[i]?.length ?? 0
      pieces.push({ view, start: 0, end: length, at })
      at += length + between.length
    }
    const View = gaps === undefined ? JoinedView : GroupView
    return new View(inspection, id, origin, JoinedView.textOf(joined), pieces, read)
  }

  static textOf({ parts, between, gaps }: Omit<Joined, 'path'>): string {
    return parts.map(({ raw }, i) => (gaps?.[i] ?? '') + raw).join(between)
  }

  override add(report: Report): void {
    const ballot = report.restore ? this.#vote(report) : undefined
    if (report.restore && ballot === undefined) return
    let continued = false
    this.eachShare(report.start, report.end, (piece, start, end) => {
      const whole = report.end - report.start === end - start
      const replace = continued ? this.restOf(piece, start, end) : whole ? report.replace : this.#boundReplace(report)
      const glued = report.glued === undefined ? undefined : report.glued - piece.at + piece.start
      piece.view.adopt({ ...report, start, end, glued, replace, continued, ballot }, whole)
      continued = true
    })
  }

  /** Votes for a restored token. Returns the ballot if no other view reported it: a token that is cut over texts. */
  #vote(report: Report): Ballot | undefined {
    let ballot: Ballot | undefined
    let texts = 0
    this.eachShare(report.start, report.end, ({ view }, start, end) => {
      texts++
      ballot ??= view.ballotOf({ ...report, start, end }, report.end - report.start === end - start)
    })
    const isKnown = ballot?.isOpen === true
    ballot?.vote(this)
    return isKnown || texts === 1 ? undefined : ballot
  }

  /** Replaces every share except the first. */
  protected restOf(_piece: Piece, _start: number, _end: number): string {
    return ''
  }

  /** Visits the texts that a span covers, each with its share. */
  protected eachShare(from: number, to: number, take: (piece: Piece, start: number, end: number) => void): void {
    const { pieces } = this
    for (let i = Math.max(0, this.#pieceAt(from)); i < pieces.length; i++) {
      const piece = pieces[i] as Piece
      if (piece.at >= to) break
      const start = Math.max(from - piece.at, 0) + piece.start
      const end = Math.min(to - piece.at + piece.start, piece.end)
      if (start < end) take(piece, start, end)
    }
  }

  /** The last piece that begins at or before a character. */
  #pieceAt(position: number): number {
    let low = 0
    let high = this.pieces.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.pieces[middle] as Piece).at <= position) low = middle + 1
      else high = middle
    }
    return low - 1
  }

  /** Replaces the first share, but computes the replacement from the whole value. */
  #boundReplace({ replace, start, end }: Report): Report['replace'] {
    if (typeof replace !== 'function') return replace
    return () => replace(this.raw.slice(start, end))
  }
}

/** Neighbours in JSON, as it spells them. Each of them reports by itself what lies in it. */
class GroupView extends JoinedView {
  override readonly reading = 'border'

  protected override counts(_plugin: string, { start, end }: RawSpan): boolean {
    let members = 0
    this.eachShare(start, end, () => members++)
    return members > 1
  }
}
