import { setImmediate } from 'node:timers/promises'

let last: Promise<void> = Promise.resolve()

/**
 * Waits for a turn of the event loop of its own: after those who already wait, and after what came from outside. The event
 * loop would run the steps of all exchanges that wait in one turn, and they would add up to a long pause.
 */
export const nextTurn = (): Promise<void> => {
  last = last.then(() => setImmediate())
  return last
}
