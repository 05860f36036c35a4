import type { Finding } from '../contract/plugin.ts'
import { BorderView } from './border-view.ts'
import type { FieldView } from './field-view.ts'
import type { Inspection } from './inspection.ts'
import type { Piece } from './joined-view.ts'
import type { RawSpan, ViewOrigin } from './views.ts'

/** Longest answer that a question explains, characters. A longer text names its values itself. */
const LONGEST_ANSWER = 128
/** Fewest digits of an answer. */
const FEWEST_DIGITS = 3
/** Most characters of a question. */
const LONGEST_QUESTION = 160

/** A question and the short text after it. Only what lies in the answer is a finding. */
export class AnswerView extends BorderView {
  /** @param pieces the question and its answer */
  private constructor(
    inspection: Inspection,
    id: number,
    origin: ViewOrigin,
    raw: string,
    pieces: readonly [Piece, Piece],
  ) {
    super(inspection, id, origin, raw, pieces)
  }

  /** Undefined unless the second text is short and has digits, and a person, a model or a tool wrote the first. */
  static between(
    inspection: Inspection,
    nextId: () => number,
    one: FieldView,
    other: FieldView,
  ): AnswerView | undefined {
    const { raw } = other
    if (raw.length > LONGEST_ANSWER || !hasDigits(raw) || !mayAsk(one)) return undefined
    const end = one.raw.trimEnd().length
    const start = questionOf(one.raw, end)
    if (start === end) return undefined
    const question = one.raw.slice(start, end)
    const pieces = [
      { view: one, start, end, at: 0 },
      { view: other, start: 0, end: raw.length, at: question.length + 1 },
    ] as const
    // Rules for a role are not meant for what two texts say together.
    const origin = { channel: other.channel, role: undefined, choice: 0, path: other.path }
    return new AnswerView(inspection, nextId(), origin, `${question} ${raw}`, pieces)
  }

  override get answer(): number {
    return this.borders[0] as number
  }

  override get place(): string {
    return `${super.place} answer`
  }

  /** What the answer shows without its question, its own view has found. */
  protected override counts(plugin: string, { start, end }: RawSpan, _finding: Finding): boolean {
    const { view, at } = this.pieces[1] as Piece
    return start >= at && view.covering(plugin, start - at, end - at) === undefined
  }
}

const mayAsk = ({ role, channel }: FieldView): boolean =>
  role === 'user' || role === 'assistant' || channel === 'tool_result'

function hasDigits(raw: string): boolean {
  let digits = 0
  for (let i = 0; i < raw.length && digits < FEWEST_DIGITS; i++) {
    const c = raw.charCodeAt(i)
    // Digits of other scripts become those of ASCII; letters of other scripts do no harm here.
    if ((c >= 0x30 && c <= 0x39) || c >= 0x660) digits++
  }
  return digits >= FEWEST_DIGITS
}

/** Ends a sentence; not the dot of an abbreviation such as `No.`. */
const SENTENCE_ENDS = /[\p{L}\p{N})]{3}[.!?…]["'”’)]*\s+|[。！？؟]\s*|\n\s*/gu
const MARK = /[?？؟]/

/** Start of the last question of a text, with what is said after it; of the last sentence if there is no question. */
function questionOf(raw: string, end: number): number {
  let first = Math.max(0, end - LONGEST_QUESTION)
  // A word is not cut, unless it has no end.
  if (first > 0) {
    const blank = raw.slice(first, end).search(/\s/)
    if (blank >= 0) first += blank
  }
  const tail = raw.slice(first, end)
  const starts = [0]
  for (const match of tail.matchAll(SENTENCE_ENDS)) starts.push(match.index + match[0].length)
  for (let i = starts.length - 1, to = tail.length; i >= 0; to = starts[i--] as number) {
    const start = starts[i] as number
    if (start < to && MARK.test(tail.slice(start, to))) return first + start
  }
  return first + (starts.findLast((start) => start < tail.length) ?? 0)
}
