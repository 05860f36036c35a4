/**
 * State of one streamed text: findings that were reported but not released, the end of the last one, and a secret
 * that has not ended. Offsets are absolute (`view.offset + index`).
 */
import type { TextView } from 'governed-gateway'
import { findOwn, type Own } from './custom.ts'
import { endsValue } from './labelled.ts'
import type { Block, Match, Rest } from './match.ts'
import { MAX_CHECKED } from './pattern.ts'
import { readPem } from './pem.ts'
import { Recall, type Recalled } from './recall.ts'
import { type Scanner, type Span, scan } from './scan.ts'
import { runOf, swallowJwt } from './structured.ts'

/** Characters of left context: more than any label and the text up to its value. */
const LOOKBACK = 192
/** Minimum characters of each further piece of a long secret; each piece is a finding. */
const MIN_PIECE = 384

export interface Piece {
  readonly type: string
  readonly start: number
  readonly end: number
  /** The secret began in an earlier piece, which has its placeholder. */
  readonly continued: boolean
}

export interface StreamState {
  pieces: Piece[]
  /** Secrets in the left context. Between them only labels are read again, because their values may follow. */
  past: Span[]
  ownFloors: number[]
  open: Open | undefined
  readonly recall: Recall
  /** Position up to which it was read. */
  end: number
  /** What was known when the last read began. */
  before: Known | undefined
}

type Known = Pick<StreamState, 'past' | 'ownFloors' | 'open'> & { readonly values: readonly Recalled[] }

/** Its lists stay as they are: the next read makes its own. */
const knownIn = ({ past, ownFloors, open, recall: { values } }: StreamState): Known => ({
  past,
  ownFloors,
  open,
  values,
})

interface Open {
  readonly type: string
  readonly at: number
  readonly rest: Rest
  readonly block?: Block | undefined
}

/**
 * @param continued state of a text whose beginning this one shares: all of it if it did not grow meanwhile, or what was
 *   known before
 * @param offset where this one begins
 */
export function newState(continued?: StreamState, offset = 0): StreamState {
  const known = continued !== undefined && continued.end <= offset ? knownIn(continued) : continued?.before
  const { past = [], ownFloors = [], open, values = [] } = known ?? {}
  const recall = new Recall()
  recall.values = values
  return { pieces: [], past, ownFloors, open, recall, end: offset, before: undefined }
}

/** Findings of a complete text. */
export function findAll(scanner: Scanner, own: readonly Own[], text: string, context: string): Piece[] {
  const whole = context + text
  const pieces: Piece[] = []
  let at = 0
  let past: Span[] = []
  const recall = new Recall()
  while (at < whole.length) {
    const { matches } = scan(scanner, whole, at, context.length, true, past, recall, 0)
    for (const match of matches) pieces.push(pieceOf(match, match.start, match.end, false))
    const last = matches[matches.length - 1]
    if (last === undefined || !last.open) break
    const { end } = readRest(whole, last.end, last.rest, true)
    pieces[pieces.length - 1] = pieceOf(last, last.start, end, false)
    at = end
    past = [{ start: end, end, block: last.block }]
  }
  if (own.length > 0)
    pieces.push(
      ...findOwn(own, whole, context.length, [], true).matches.map((match) =>
        pieceOf(match, match.start, match.end, false),
      ),
    )
  return context === ''
    ? pieces
    : pieces.map((piece) => ({
        ...piece,
        start: Math.max(0, piece.start - context.length),
        end: piece.end - context.length,
      }))
}

/** Like `findAll`, in pieces of `size` characters; reads each piece on demand. */
export function* findLong(
  scanner: Scanner,
  own: readonly Own[],
  text: string,
  context: string,
  size: number,
): Generator<{ readonly at: number; pieces(): readonly Piece[] }> {
  const state = newState()
  for (let at = 0; at < text.length; ) {
    const end = Math.min(text.length, at + size)
    const before = at === 0 ? context : text.slice(Math.max(0, at - LOOKBACK), at)
    const view = { text: text.slice(at, end), before, offset: at, final: end === text.length }
    let hold = 0
    const pieces = () => {
      hold = advance(scanner, own, view, state)
      return state.pieces.map((piece) => ({ ...piece, start: Math.max(view.offset, piece.start) }))
    }
    yield { at, pieces }
    at = view.final ? text.length : at + hold
  }
}

/**
 * Reads new text and fills `state.pieces`.
 *
 * @returns index in `view.text` from which to hold; its length for none
 */
export function advance(
  scanner: Scanner,
  own: readonly Own[],
  view: Pick<TextView, 'text' | 'before' | 'offset' | 'final'> & Partial<Pick<TextView, 'fresh'>>,
  state: StreamState,
): number {
  takeBack(state, view.offset + (view.fresh ?? view.text.length))
  state.before = knownIn(state)
  state.end = view.offset + view.text.length
  const context = view.before.length > LOOKBACK ? view.before.slice(-LOOKBACK) : view.before
  const text = context.length === 0 ? view.text : context + view.text
  const base = context.length
  const shift = view.offset - base
  state.pieces = state.pieces.filter((piece) => piece.end > view.offset)
  let hold = advanceKnown(scanner, text, base, shift, view.final, state)
  if (own.length > 0) {
    const floors = state.ownFloors.map((floor) => floor - shift)
    const found = findOwn(own, text, base, floors, view.final)
    state.ownFloors = floors.map((floor) => (floor ?? 0) + shift)
    for (const match of found.matches) state.pieces.push(pieceOf(match, match.start + shift, match.end + shift, false))
    hold = Math.min(hold, found.hold)
  }
  return hold - base
}

function advanceKnown(
  scanner: Scanner,
  text: string,
  base: number,
  shift: number,
  final: boolean,
  state: StreamState,
): number {
  // If the context was cut, the text before it is unknown.
  const at = base === LOOKBACK ? 3 : 0
  state.past = state.past.filter(({ end }) => end > shift + at)
  const settle = (start: number, end: number, block?: Block): void =>
    void state.past.push({ start: start + shift, end: end + shift, block })
  if (state.open !== undefined) {
    const { type, rest, block } = state.open
    const start = state.open.at - shift
    const result = readRest(text, start, rest, final)
    if (!result.done && result.end - start < MIN_PIECE) return start
    if (result.end > start) state.pieces.push({ type, start: start + shift, end: result.end + shift, continued: true })
    settle(start, result.end, block)
    state.open = result.done ? undefined : { type, at: result.end + shift, rest: result.rest, block }
    if (!result.done) return result.end
  }
  while (true) {
    const past = state.past.map(({ start, end, block }) => ({ start: start - shift, end: end - shift, block }))
    const { matches, hold } = scan(scanner, text, at, base, final, past, state.recall, shift)
    const last = matches[matches.length - 1]
    for (const match of matches) {
      if (match === last && match.open) break
      state.pieces.push(pieceOf(match, Math.max(match.start, base) + shift, match.end + shift, false))
      settle(match.start, match.end, match.block)
    }
    if (last === undefined || !last.open) return hold
    const begun = last.rest.kind === 'pem' || last.end - last.start >= MAX_CHECKED
    if (!begun && !final) return hold
    const result = readRest(text, last.end, last.rest, final)
    state.pieces.push(pieceOf(last, Math.max(last.start, base) + shift, result.end + shift, false))
    settle(last.start, result.end, last.block)
    state.open = result.done
      ? undefined
      : { type: last.type, at: result.end + shift, rest: result.rest, block: last.block }
    if (!result.done) return result.end
  }
}

/** Text shown up to `known` is unchanged, but a combining mark may have changed its last character. */
function takeBack(state: StreamState, known: number): void {
  const gone = state.pieces.find(({ end }) => end > known)
  if (gone === undefined) {
    if (state.open !== undefined && state.open.at > known) state.open = { ...state.open, at: known }
    return
  }
  state.pieces = state.pieces.filter(({ end }) => end <= known)
  state.past = state.past.filter(({ end }) => end <= gone.start)
  state.recall.values = state.recall.values.filter(({ from }) => from <= gone.start)
  state.open = gone.continued && state.open !== undefined ? { ...state.open, at: gone.start } : undefined
}

const pieceOf = ({ type }: Pick<Match, 'type'>, start: number, end: number, continued: boolean): Piece => ({
  type,
  start,
  end,
  continued,
})

/** Reads the rest of a secret. Unless `done`, the secret may continue after `end`. */
function readRest(text: string, at: number, rest: Rest, final: boolean): { end: number; done: boolean; rest: Rest } {
  if (rest.kind === 'pem') {
    const { end, done, inToken } = readPem(text, at, rest.inToken, final)
    return { end, done, rest: { kind: 'pem', inToken } }
  }
  if (rest.kind === 'jwt') return { ...swallowJwt(text, at, final), rest }
  let end = at
  if (rest.kind === 'set') end = runOf(rest.set, text, at)
  else while (end < text.length && !endsValue(text.charCodeAt(end), rest.quote)) end++
  return { end, done: end < text.length || final, rest }
}
