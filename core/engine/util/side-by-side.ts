import { Lanes } from './lanes.ts'
import { waitingOf } from './next-turn.ts'

/** Exchanges that continue in one turn of the event loop; others are served before the next. */
const AT_ONCE = 16
/** Most bytes that they have together, unless the first alone has more: 16 bodies of 30 KB can be one long pause. */
const BYTES_AT_ONCE = 256 * 1024
/** A longer request may be read in turns. */
const LONG = 32 * 1024
/** Exchanges of one key that may take turns with each other before a further long request joins them. */
const MOST_IN_TURNS = 8

/** One that waits. */
interface Waiting {
  readonly go: () => void
  readonly bytes: number
}

const replies = new Lanes<Waiting>()
const requests = new Lanes<Waiting>()
const longRequests = new Lanes<Waiting>((key) => waitingOf(key) < MOST_IN_TURNS)
/** They take turns. */
const KINDS = [replies, requests, longRequests] as const
let isDue = false
const NOW = Promise.resolve()

/**
 * Waits until the event loop has read what came for other exchanges, too. Those that wait continue together, from one promise
 * to the next, so that each step finds its code and tables in the caches, where the exchange before it left them.
 *
 * In a burst, the first are answered first: replies take turns with requests, and a long request waits while many of its key are
 * being read. Else all would be in memory, and none would be answered, until the last is inspected.
 *
 * @param step what is complete
 * @param key whose exchange it is; keys take turns
 * @param bytes what it goes on to read
 */
export const sideBySide = (step: 'request' | 'reply', key: string, bytes: number): Promise<void> =>
  new Promise((go) => {
    const lanes = step === 'reply' ? replies : bytes > LONG ? longRequests : requests
    lanes.add(key, { go, bytes })
    plan()
  })

/** Continues when the exchanges beside this one have come as far, in the same turn of the event loop. Alone, at once. */
export const inStep = (go: () => void): void => void NOW.then(go)

function plan(): void {
  if (isDue || KINDS.every(({ isEmpty }) => isEmpty)) return
  isDue = true
  setImmediate(goOn)
}

function goOn(): void {
  const now = nextOnes()
  isDue = false
  plan()
  for (const { go } of now) go()
}

function nextOnes(): readonly Waiting[] {
  const now: Waiting[] = []
  let room = BYTES_AT_ONCE
  for (let kind = 0, without = 0; now.length < AT_ONCE && without < KINDS.length; kind = (kind + 1) % KINDS.length) {
    const lanes = KINDS[kind]!
    const first = lanes.isEmpty ? undefined : lanes.first
    if (first === undefined || (now.length > 0 && first.bytes > room)) {
      without++
      continue
    }
    without = 0
    room -= first.bytes
    now.push(lanes.take())
  }
  return now
}
