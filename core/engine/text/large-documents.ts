import { type NextTurn, type Steps, stepByStep } from '../util/steps.ts'
import { type Permit, WeightedSemaphore } from '../util/weighted-semaphore.ts'

/**
 * Values of large documents that one process inspects at once; each takes half a kilobyte or more. All of it is work of
 * one thread, so it is over no later if others wait. A conversation of one megabyte has some ten thousand.
 */
const VALUES_AT_ONCE = 400_000
const STEP = 1024 * 1024
const COMMA = 0x2c

const documents = new WeightedSemaphore(VALUES_AT_ONCE)

/** Asks for room to inspect a large document, from parsing to the end of its views. See docs/decisions/0025. */
export const roomFor = async (body: Buffer, nextTurn: NextTurn): Promise<Permit> =>
  documents.acquire(await stepByStep(commasIn(body), nextTurn))

/** About the number of values; never much less. */
function* commasIn(body: Buffer): Steps<number> {
  let count = 1
  for (let from = 0; from < body.length && count < VALUES_AT_ONCE; from += STEP) {
    if (from > 0) yield
    count += commasWithin(body, from, Math.min(body.length, from + STEP))
  }
  return Math.min(count, VALUES_AT_ONCE)
}

/** Apart from the generator, in which the same loop takes several times as long. */
function commasWithin(body: Buffer, from: number, to: number): number {
  let count = 0
  for (let i = from; i < to; i++) if (body[i] === COMMA) count++
  return count
}
