import type { Awaitable, Exchange, TextView } from './plugin.ts'

/** What is looked at before other exchanges get their turn: characters, and what a text costs whatever its length. */
const AT_ONCE = 32 * 1024
const PER_TEXT = 128

/**
 * Calls `look` with each view, and lets other exchanges go on in between when there is much to look at. A plugin with
 * `detect` need not: the gateway does it.
 *
 * @example
 * hooks.classify.tap('mine', (x) => inTurns(x.request.views, x, (view) => look(view)))
 */
export function inTurns(views: readonly TextView[], x: Exchange, look: (view: TextView) => void): Awaitable<void> {
  const next = some(views, 0, look)
  return next < views.length ? rest(views, next, x, look) : undefined
}

async function rest(
  views: readonly TextView[],
  from: number,
  x: Exchange,
  look: (view: TextView) => void,
): Promise<void> {
  for (let next = from; next < views.length; ) {
    await x.nextTurn()
    next = some(views, next, look)
  }
}

/** Looks at views from `from` on, and returns the index of the next one. */
function some(views: readonly TextView[], from: number, look: (view: TextView) => void): number {
  let room = AT_ONCE
  let i = from
  for (; i < views.length && room > 0; i++) {
    const view = views[i] as TextView
    look(view)
    room -= view.text.length + PER_TEXT
  }
  return i
}
