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
  for (let i = 0; i < body.length && count < VALUES_AT_ONCE; i++) {
    if (body[i] === COMMA) count++
    if (i % STEP === STEP - 1) yield
  }
  return count
}
