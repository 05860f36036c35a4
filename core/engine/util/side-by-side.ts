/** Exchanges that continue in one turn of the event loop; others are served before the next. */
const AT_ONCE = 16
/** Most bytes that they have together, unless the first alone has more: 16 bodies of 30 KB can be one long pause. */
const BYTES_AT_ONCE = 256 * 1024

/** One that waits. */
interface Waiting {
  readonly go: () => void
  readonly bytes: number
}

interface Lane {
  readonly key: string
  readonly waiting: Waiting[]
}

/** Keys take turns, so that a burst of one key delays no other by more than one exchange. */
const lanes = new Map<string, Lane>()
/** The lanes with someone in them; the first is next. */
let order: Lane[] = []
let isDue = false
const NOW = Promise.resolve()

/**
 * Waits until the event loop has read what came for other exchanges, too. Those that wait continue together, from one promise
 * to the next, so that each step finds its code and tables in the caches, where the exchange before it left them.
 *
 * @param key whose exchange it is; keys take turns
 * @param bytes what it goes on to read
 */
export const sideBySide = (key = '', bytes = 0): Promise<void> =>
  new Promise((go) => {
    const lane = lanes.get(key)
    if (lane === undefined) begin({ key, waiting: [{ go, bytes }] })
    else lane.waiting.push({ go, bytes })
    plan()
  })

/** Continues when the exchanges beside this one have come as far, in the same turn of the event loop. Alone, at once. */
export const inStep = (go: () => void): void => void NOW.then(go)

function begin(lane: Lane): void {
  lanes.set(lane.key, lane)
  order.push(lane)
}

function plan(): void {
  if (isDue || order.length === 0) return
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
  let passed = 0
  for (; passed < order.length && now.length < AT_ONCE; passed++) {
    const lane = order[passed] as Lane
    const [first] = lane.waiting as [Waiting]
    if (now.length > 0 && first.bytes > room) break
    room -= first.bytes
    now.push(first)
    lane.waiting.shift()
    if (lane.waiting.length > 0) order.push(lane)
    else lanes.delete(lane.key)
  }
  order = order.slice(passed)
  return now
}
