import type { Awaitable, Exchange, TextView } from '../contract/plugin.ts'
import type { NextTurn } from '../util/steps.ts'

/** Work that plugins do before other exchanges run: characters, and a fixed cost per text. */
const AT_ONCE = 32 * 1024
/** The same for the core's own work per text, which is cheaper. */
const MADE_AT_ONCE = 64 * 1024
const PER_TEXT = 128

/**
 * Calls `look` with each view, and yields to other exchanges when there is much text. A plugin with `detect` does not
 * need it: the gateway calls it.
 *
 * @example
 * hooks.classify.tap('mine', (x) => inTurns(x.request.views, x, (view) => look(view)))
 */
export const inTurns = <T extends TextView>(
  views: readonly T[],
  x: Exchange,
  look: (view: T) => void,
): Awaitable<void> => each(views, AT_ONCE, () => x.nextTurn(), look, lengthOfText)

/** Like `inTurns`, for the core's own steps. */
export const eachInTurns = <T extends Text>(
  texts: readonly T[],
  nextTurn: NextTurn,
  look: (text: T, index: number) => void,
): Awaitable<void> => each(texts, MADE_AT_ONCE, nextTurn, look, lengthOfText)

/**
 * As `inTurns`, of what may grow meanwhile, one after the other: the next is looked at when what a look returned is settled.
 * Each length is asked for after the look.
 */
export function oneByOne<T>(
  units: readonly T[],
  nextTurn: NextTurn,
  look: (unit: T) => Promise<void> | undefined,
  lengthOf: (unit: T) => number,
): Awaitable<void> {
  let room = AT_ONCE
  for (let i = 0; i < units.length; i++) {
    if (room <= 0) return restOneByOne(units, i, nextTurn, look, lengthOf)
    const unit = units[i] as T
    const pending = look(unit)
    if (pending !== undefined) return pending.then(() => restOneByOne(units, i + 1, nextTurn, look, lengthOf))
    room -= lengthOf(unit) + PER_TEXT
  }
}

async function restOneByOne<T>(
  units: readonly T[],
  from: number,
  nextTurn: NextTurn,
  look: (unit: T) => Promise<void> | undefined,
  lengthOf: (unit: T) => number,
): Promise<void> {
  let room = 0
  for (let i = from; i < units.length; i++) {
    if (room <= 0) {
      await nextTurn()
      room = AT_ONCE
    }
    const unit = units[i] as T
    const pending = look(unit)
    if (pending !== undefined) await pending
    room -= lengthOf(unit) + PER_TEXT
  }
}

interface Text {
  readonly text: string
}

export const lengthOfText = ({ text }: Text): number => text.length

function each<T>(
  texts: readonly T[],
  atOnce: number,
  nextTurn: NextTurn,
  look: (text: T, index: number) => void,
  lengthOf: (text: T) => number,
): Awaitable<void> {
  const next = some(texts, 0, atOnce, look, lengthOf)
  return next < texts.length ? rest(texts, next, atOnce, nextTurn, look, lengthOf) : undefined
}

async function rest<T>(
  texts: readonly T[],
  from: number,
  atOnce: number,
  nextTurn: NextTurn,
  look: (text: T, index: number) => void,
  lengthOf: (text: T) => number,
): Promise<void> {
  for (let next = from; next < texts.length; ) {
    await nextTurn()
    next = some(texts, next, atOnce, look, lengthOf)
  }
}

/** Looks at texts from `from` on, and returns the index of the next. */
function some<T>(
  texts: readonly T[],
  from: number,
  atOnce: number,
  look: (text: T, index: number) => void,
  lengthOf: (text: T) => number,
): number {
  let room = atOnce
  let i = from
  for (; i < texts.length && room > 0; i++) {
    const text = texts[i] as T
    look(text, i)
    room -= lengthOf(text) + PER_TEXT
  }
  return i
}
