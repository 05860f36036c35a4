import type { NextTurn } from '../util/steps.ts'
import { FieldView } from './field-view.ts'
import type { Normalised } from './unicode.ts'

/** Characters to read before other exchanges run, and the fixed cost of each text. */
const AT_ONCE = 64 * 1024
const PER_TEXT = 128

/** Makes a view with both readings, or none; `read` is the first reading of a long text. */
export type Make<T, V extends FieldView | undefined> = (one: T, index: number, read?: Normalised) => V

/** Makes all views at once. Their second readings are made on first use. */
export const makeAtOnce = <T, V extends FieldView | undefined>(all: readonly T[], make: Make<T, V>): V[] =>
  all.map((one, i) => make(one, i))

/** Like `makeAtOnce`, where most have no view: a known conversation has hundreds of texts that are never looked at. */
export function makeFew<T>(
  all: readonly T[],
  none: T,
  make: Make<T, FieldView | undefined>,
): (FieldView | undefined)[] {
  const views = new Array<FieldView | undefined>(all.length).fill(undefined)
  for (let i = 0; i < all.length; i++) {
    const one = all[i] as T
    if (one !== none) views[i] = make(one, i)
  }
  return views
}

/**
 * Makes a view of each text in turns, before a plugin asks for it. A long text takes several turns.
 *
 * @param textOf called once per item
 */
export async function makeInTurns<T, V extends FieldView | undefined>(
  all: readonly T[],
  nextTurn: NextTurn,
  textOf: (one: T) => string,
  make: Make<T, V>,
): Promise<V[]> {
  const views: V[] = []
  let room = AT_ONCE
  for (const [i, one] of all.entries()) {
    if (room <= 0) {
      await nextTurn()
      room = AT_ONCE
    }
    const text = textOf(one)
    const view = FieldView.isLong(text) ? make(one, i, await FieldView.read(text, nextTurn)) : make(one, i)
    if (FieldView.isLong(text)) await view?.readAgain(nextTurn)
    else void view?.readings
    views.push(view)
    room -= text.length + PER_TEXT
  }
  return views
}
