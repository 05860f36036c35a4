import { setImmediate } from 'node:timers/promises'

/** An exchange whose work takes turns. */
export interface TurnTaker {
  /** Whose exchange it is. */
  readonly key: string
  /** How many it had. */
  turns: number
}

/** One that had as many turns has much to read, and counts no longer among those that will soon be over. */
const FEW_TURNS = 32

let last: Promise<void> = Promise.resolve()
/** How many that had few turns wait for the next, by key. */
const waiting = new Map<string, number>()

/** How many exchanges of a key wait for a turn and had few. */
export const waitingOf = (key: string): number => waiting.get(key) ?? 0

/**
 * Waits for a turn of the event loop of its own: after those who already wait, and after what came from outside. The event
 * loop would run the steps of all exchanges that wait in one turn, and they would add up to a long pause.
 */
export const nextTurn = (taker?: TurnTaker): Promise<void> => {
  last = last.then(() => setImmediate())
  if (taker === undefined || taker.turns++ >= FEW_TURNS) return last
  const { key } = taker
  count(key, 1)
  return last.then(() => count(key, -1))
}

function count(key: string, change: number): void {
  const now = waitingOf(key) + change
  if (now === 0) waiting.delete(key)
  else waiting.set(key, now)
}
