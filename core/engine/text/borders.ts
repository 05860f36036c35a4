/** Selects what detectors see of values that are split across two texts of a request. */

import { allSteps, Pace, type Steps } from '../util/steps.ts'
import { AnswerView } from './answer-view.ts'
import { BorderView } from './border-view.ts'
import type { FieldView } from './field-view.ts'
import type { Inspection } from './inspection.ts'
import type { Piece } from './joined-view.ts'
import { groupInBlocks } from './passages.ts'

/** Characters on either side of a border. */
const REACH = 64
/** A longer word at the border is cut to this length. */
const LONGEST_WORD = 512
/** A value does not continue after more blanks than this. */
const MOST_BLANKS = 8

/** A text and its place in the sequence. */
export interface Placed {
  readonly text: FieldView
  readonly place: number
}

/** Of texts whose borders among each other were inspected before: how many, and those that later ones may continue from. */
export interface Earlier {
  readonly count: number
  readonly all: readonly Placed[]
  readonly user: readonly Placed[]
  readonly tool: readonly Placed[]
  /** The first of them, as far as texts ahead may share a view with them; see `headsOf`. */
  readonly heads?: readonly FieldView[] | undefined
}

const NONE: Earlier = { count: 0, all: [], user: [], tool: [] }

/**
 * The first texts up to one after which a new view begins, whatever is before them. Undefined if there is none in
 * reach.
 */
export function headsOf(texts: readonly FieldView[]): readonly FieldView[] | undefined {
  for (let i = 0; i < Math.min(texts.length, MOST_HEADS); i++) {
    const text = texts[i] as FieldView
    const next = texts[i + 1]
    if (!isShort(text.raw) || (next !== undefined && !mayGoOn(text, next))) return texts.slice(0, i + 1)
  }
  return undefined
}
const MOST_HEADS = 4

const textsOf = (before: readonly Placed[], texts: readonly FieldView[]): readonly FieldView[] =>
  before.length === 0 ? texts : [...before.map(({ text }) => text), ...texts]

/** What later texts may continue from. */
export function endsOf(texts: readonly FieldView[], { count, all, user, tool }: Earlier = NONE): Earlier {
  const placed = texts.map((text, i) => ({ text, place: count + i }))
  const last = (before: readonly Placed[], belongs: (text: FieldView) => boolean) => {
    const own = [...before, ...placed.filter(({ text }) => belongs(text))]
    const all = own.map(({ text }) => text)
    const run = allSteps(runsOf(all, new Pace(STEP))).last
    const end = run.at(-1)
    // A new view begins with a long text, so the one before it needs no second look.
    const open = new Set(end === undefined || isShort(end.raw) ? run : [end])
    return own.filter(({ text }) => open.has(text))
  }
  return {
    count: count + texts.length,
    all: last(all, () => true),
    user: last(user, isOfUser),
    tool: last(tool, isOfTool),
  }
}

/** Texts to look at before other exchanges run. */
const STEP = 4096

/**
 * Views of the borders between consecutive texts in document order. Also bridges texts of the user, or tool results,
 * that have one short word of the model between them, and shows short texts with the question before them.
 *
 * @param earlier texts whose borders among each other are known
 * @param ahead texts before those, of neither the user nor a tool
 */
export function* borderViewsInSteps(
  texts: readonly FieldView[],
  inspection: Inspection,
  nextId: () => number,
  { count, all, user, tool, heads = [] }: Earlier = NONE,
  ahead: readonly FieldView[] = [],
): Steps<BorderView[]> {
  const pace = new Pace(STEP)
  const views: BorderView[] = []
  let grouped = 0
  const group = () => {
    groupInBlocks(views.slice(grouped))
    grouped = views.length
  }
  if (heads.length > 0) {
    for (const run of (yield* runsOf([...ahead, ...heads], pace)).runs) {
      views.push(...(yield* viewsOf(run, inspection, nextId, pace)))
    }
  }
  for (const run of (yield* runsOf(textsOf(all, texts), pace)).runs) {
    views.push(...(yield* viewsOf(run, inspection, nextId, pace)))
  }
  group()
  for (const [belongs, before] of [
    [isOfUser, user],
    [isOfTool, tool],
  ] as const) {
    const own = textsOf(before, texts.filter(belongs))
    if (own.length < 2) continue
    if (pace.spent(texts.length)) yield
    const place = new Map(texts.map((text, i) => [text, count + i]))
    for (const one of before) place.set(one.text, one.place)
    const follows = (text: FieldView, i: number, run: readonly FieldView[]) =>
      i === 0 || place.get(text) === (place.get(run[i - 1] as FieldView) as number) + 1
    if (pace.spent(texts.length)) yield
    for (const run of (yield* runsOf(own, pace)).runs) {
      if (!run.every(follows)) views.push(...(yield* viewsOf(run, inspection, nextId, pace)))
    }
    group()
  }
  const said = textsOf(all, texts)
  // A text ahead asks nobody.
  for (let i = Math.max(1, all.length); i < said.length; i++) {
    const view = AnswerView.between(inspection, nextId, said[i - 1] as FieldView, said[i] as FieldView)
    if (view !== undefined) views.push(view)
    if (pace.spent(1)) yield
  }
  group()
  return views
}

const isOfUser = ({ role }: FieldView): boolean => role === 'user'
const isOfModel = ({ role }: FieldView): boolean => role === 'assistant'
const isOfTool = ({ channel }: FieldView): boolean => channel === 'tool_result'

/**
 * Groups texts whose borders a value may span: all of one role, or alternating between two. Texts in the middle are
 * short.
 */
function* runsOf(texts: readonly FieldView[], pace: Pace): Steps<{ runs: FieldView[][]; last: FieldView[] }> {
  const runs: FieldView[][] = []
  let run: FieldView[] = []
  for (const text of texts) {
    const last = run.at(-1)
    const goesOn = last !== undefined && mayGoOn(last, text)
    if (last !== undefined && !(goesOn && (run.length === 1 || (isShort(last.raw) && staysAlike(run, text))))) {
      if (run.length > 1) runs.push(run)
      run = goesOn ? [last] : []
    }
    run.push(text)
    if (pace.spent(1)) yield
  }
  if (run.length > 1) runs.push(run)
  return { runs, last: run }
}

/** A run of one role stays in that role; a run of two roles alternates. */
function staysAlike(run: readonly FieldView[], { role }: FieldView): boolean {
  return (run.at(-1)?.role === role) === (run[0]?.role === run[1]?.role)
}

/** Short enough to be shown whole between two borders. */
const isShort = (raw: string): boolean => raw.length <= 2 * REACH

/** Joins the texts with one space at each border, replacing any blanks; and without a space where a word may be cut. */
function* viewsOf(
  run: readonly FieldView[],
  inspection: Inspection,
  nextId: () => number,
  pace: Pace,
): Steps<BorderView[]> {
  const cuts = run.map(({ raw }, i) => i > 0 && isCutWord((run[i - 1] as FieldView).raw, raw))
  const origin = originOf(run)
  const views: BorderView[] = []
  // A value found in both views is taken from the last. The view with spaces comes last because people write groups of
  // digits with spaces.
  if (cuts.includes(true)) {
    const glued = yield* joined(run, cuts, pace)
    views.push(new BorderView(inspection, nextId(), origin, glued.raw, glued.pieces, true))
  }
  const spaced = yield* joined(run, undefined, pace)
  views.push(new BorderView(inspection, nextId(), origin, spaced.raw, spaced.pieces))
  return views
}

/** @param cuts where no space comes before a text */
function* joined(
  run: readonly FieldView[],
  cuts: readonly boolean[] | undefined,
  pace: Pace,
): Steps<{ raw: string; pieces: Piece[] }> {
  const pieces: Piece[] = []
  let joined = ''
  for (let i = 0; i < run.length; i++) {
    const view = run[i] as FieldView
    const { raw } = view
    const end = i === run.length - 1 ? headOf(raw) : lastOf(raw)
    const start = i === 0 ? tailOf(raw, end) : firstOf(raw)
    if (i > 0 && cuts?.[i] !== true) joined += ' '
    pieces.push({ view, start, end, at: joined.length })
    joined += raw.slice(start, end)
    if (pace.spent(1)) yield
  }
  return { raw: joined, pieces }
}

/** What all texts have in common. Role-specific rules do not apply to a border between two roles. */
function originOf(run: readonly FieldView[]) {
  const { channel, role, path } = run[0] as FieldView
  return {
    channel: run.every((view) => view.channel === channel) ? channel : ('content' as const),
    role: run.every((view) => view.role === role) ? role : undefined,
    choice: 0,
    path,
  }
}

/** Start of the last characters of a text: a word start, unless the word is too long. */
function tailOf(raw: string, end: number): number {
  const at = end - REACH
  if (at <= 0) return 0
  for (let i = at; i < end; i++) if (isBlank(raw, i - 1)) return i
  const least = Math.max(0, end - LONGEST_WORD)
  for (let i = at; i > least; i--) if (isBlank(raw, i - 1)) return i
  return least
}

/** End of the first characters of a text: a word end, unless the word is too long. */
function headOf(raw: string): number {
  const start = firstOf(raw)
  const at = start + REACH
  if (at >= raw.length) return raw.length
  for (let i = at; i > start; i--) if (isBlank(raw, i)) return i
  const most = Math.min(raw.length, start + LONGEST_WORD)
  for (let i = at; i < most; i++) if (isBlank(raw, i)) return i
  return most
}

/** Start of the text after at most `MOST_BLANKS` blanks; `raw.length` when there are more. */
function firstOf(raw: string): number {
  let at = 0
  while (at < raw.length && isBlank(raw, at)) if (++at > MOST_BLANKS) return raw.length
  return at
}

/** End of the text before its trailing blanks; 0 when there are too many. */
function lastOf(raw: string): number {
  let at = raw.length
  while (at > 0 && isBlank(raw, at - 1)) if (raw.length - --at > MOST_BLANKS) return 0
  return at
}

/** Only a space, a tab and a line end count as blanks here. */
const isBlank = (raw: string, at: number): boolean => {
  const c = raw.charCodeAt(at)
  return c === 0x20 || (c >= 0x09 && c <= 0x0d)
}

const DOT = 0x2e
const NUMBERS_END = /\d\.\d{1,3}\.\d{1,3}\.$/
const OPEN_LEFT = table('@-_+/=:&,#%$~(')
const OPEN_RIGHT = table('@-_+/=:&#%$~(.')
const IN_WORDS = table('0123456789@-_+/=:.')

function table(chars: string): readonly boolean[] {
  return Array.from({ length: 128 }, (_, c) => chars.includes(String.fromCharCode(c)))
}

const isDigit = (c: number): boolean => c >= 0x30 && c <= 0x39
const isWordCode = (c: number): boolean =>
  (c >= 0x61 && c <= 0x7a) || (c >= 0x30 && c <= 0x39) || (c >= 0x41 && c <= 0x5a) || c >= 0x80

/**
 * Whether a value may span the border. It may not follow the end of a sentence, a quote or a bracket, nor precede an
 * opening one. Model output and tool output never continue each other.
 */
function mayGoOn(one: FieldView, other: FieldView): boolean {
  if ((isOfTool(one) && isOfModel(other)) || (isOfTool(other) && isOfModel(one))) return false
  const left = one.raw
  const right = other.raw
  const end = lastOf(left)
  const start = firstOf(right)
  if (end === 0 || start === right.length) return false
  const last = left.charCodeAt(end - 1)
  const first = right.charCodeAt(start)
  // Only numbers continue after a line end.
  if (left.endsWith('\n') || right.startsWith('\n')) return isDigit(last) && isDigit(first)
  // `10.198.227.` and `79`; a sentence ends in one number.
  if (last === DOT && isDigit(first) && NUMBERS_END.test(left.slice(Math.max(0, end - 12), end))) return true
  if (!isWordCode(last) && OPEN_LEFT[last] !== true) return false
  return isWordCode(first) || (OPEN_RIGHT[first] === true && !isBlank(right, start + 1))
}

/** Whether the words on both sides look like halves of one value. Letters alone are separate words, but not `xBCcrEd`. */
function isCutWord(left: string, right: string): boolean {
  const first = isHalf(left, left.length - 1, -1)
  const second = isHalf(right, 0, 1)
  if (first && second) return true
  return (first && MIXED_BEGIN.test(right.slice(0, REACH))) || (second && MIXED_END.test(left.slice(-REACH)))
}

/** Letters as in keys: capitals after other letters. */
const MIXED_BEGIN = /^[A-Za-z]+[A-Z]/
const MIXED_END = /[A-Za-z][A-Z][A-Za-z]*$/

function isHalf(text: string, from: number, step: 1 | -1): boolean {
  for (let i = from, n = 0; i >= 0 && i < text.length && n < REACH && !isBlank(text, i); i += step, n++) {
    const next = text.charCodeAt(i + 1)
    // A dot or a colon after a word ends a sentence.
    if (IN_WORDS[text.charCodeAt(i)] === true && (i === from || (!Number.isNaN(next) && !isBlank(text, i + 1))))
      return true
  }
  return false
}
