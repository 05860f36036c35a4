import type { Awaitable, Exchange, TextView } from '../contract/plugin.ts'
import type { NextTurn } from '../util/steps.ts'

/** Work that plugins do before other exchanges run: characters, and a fixed cost per text. */
const AT_ONCE = 32 * 1024
/** The same for the core's own work per text, which is cheaper. */
const MADE_AT_ONCE = 256 * 1024
const PER_TEXT = 128

/**
 * Calls `look` with each view, and yields to other exchanges when there is much text. A plugin with `detect` does not
 * need it: the gateway calls it.
 *
 * @example
 * hooks.classify.tap('mine', (x) => inTurns(x.request.views, x, (view) => look(view)))
 */
export const inTurns = (views: readonly TextView[], x: Exchange, look: (view: TextView) => void): Awaitable<void> =>
  each(views, AT_ONCE, () => x.nextTurn(), look)

/** Like `inTurns`, for the core's own steps. */
export const eachInTurns = <T extends Text>(
  texts: readonly T[],
  nextTurn: NextTurn,
  look: (text: T, index: number) => void,
): Awaitable<void> => each(texts, MADE_AT_ONCE, nextTurn, look)

interface Text {
  readonly text: string
}

function each<T extends Text>(
  texts: readonly T[],
  atOnce: number,
  nextTurn: NextTurn,
  look: (text: T, index: number) => void,
): Awaitable<void> {
  const next = some(texts, 0, atOnce, look)
  return next < texts.length ? rest(texts, next, atOnce, nextTurn, look) : undefined
}

async function rest<T extends Text>(
  texts: readonly T[],
  from: number,
  atOnce: number,
  nextTurn: NextTurn,
  look: (text: T, index: number) => void,
): Promise<void> {
  for (let next = from; next < texts.length; ) {
    await nextTurn()
    next = some(texts, next, atOnce, look)
  }
}

/** Looks at texts from `from` on, and returns the index of the next. */
function some<T extends Text>(
  texts: readonly T[],
  from: number,
  atOnce: number,
  look: (text: T, index: number) => void,
): number {
  let room = atOnce
  let i = from
  for (; i < texts.length && room > 0; i++) {
    const text = texts[i] as T
    look(text, i)
    room -= text.text.length + PER_TEXT
  }
  return i
}
