import type { NextTurn } from '../util/steps.ts'
import { FieldView } from './field-view.ts'
import type { Normalised } from './unicode.ts'

/** Characters that are read before other exchanges get their turn, and what a text costs whatever its length. */
const AT_ONCE = 64 * 1024
const PER_TEXT = 128

/** Makes views with both readings; `read` is the first one of a text that is long. */
export type Make<T, V extends FieldView = FieldView> = (one: T, index: number, read?: Normalised) => V

/** The second reading is made when somebody asks for it. */
export const makeAtOnce = <T, V extends FieldView>(all: readonly T[], make: Make<T, V>): V[] =>
  all.map((one, i) => make(one, i))

/**
 * Makes a view of each text in turns, a long one in several, before a plugin asks for them.
 *
 * @param textOf called once for each
 */
export async function makeInTurns<T, V extends FieldView>(
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
    if (FieldView.isLong(text)) await view.readAgain(nextTurn)
    else void view.readings
    views.push(view)
    room -= text.length + PER_TEXT
  }
  return views
}
