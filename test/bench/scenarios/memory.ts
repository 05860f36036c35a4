/** Memory of open streams, and what is left of them when their clients vanish. Each sample takes a new process. */
import { setTimeout as delay } from 'node:timers/promises'
import { rssBytes } from '../proc.ts'
import { BENCH_KEY, type Running } from '../targets.ts'
import { drive, type Scenario, type Session } from './scenario.ts'

const STREAMS = 1000
const MB = 1024 * 1024
const SETTLE_MS = 300

async function warm(session: Session, running: Running): Promise<void> {
  await drive(session, running, { mode: { kind: 'buffered' }, requests: 4000, connections: 32, events: 0 })
}

/** Opens `STREAMS` more streams: all of them at the upstream, all of them with a first byte at the client. */
async function openStreams(session: Session, running: Running, already = 0): Promise<number> {
  if (already === 0) await session.upstream.call('mode', { kind: 'idle', chunks: 8 })
  const open = session.upstream.call('whenOpen', { count: already + STREAMS })
  const input = { port: running.port, key: BENCH_KEY, stream: true, streams: STREAMS, deadlineMs: 10_000 }
  const held = await session.load.call('hold', input)
  if (held.open !== STREAMS) {
    const sample = held.sample === undefined ? '' : `; first refusal: ${held.sample}`
    throw new Error(`${held.open} of ${STREAMS} streams opened, ${held.refused} refused, ${held.lost} lost${sample}`)
  }
  await within(5000, 'the upstream did not see every stream', open)
  await delay(SETTLE_MS)
  return rssBytes(running.pid) / MB
}

async function within<T>(ms: number, problem: string, promise: Promise<T>): Promise<T> {
  const stop = new AbortController()
  const late = delay(ms, undefined, stop).then(() => {
    throw new Error(`${problem} within ${ms} ms`)
  })
  late.catch(() => {})
  try {
    return await Promise.race([promise, late])
  } finally {
    stop.abort()
  }
}

/** All clients vanish; ms until the upstream has no open stream. */
async function vanishAll(session: Session): Promise<number> {
  const free = session.upstream.call('whenOpen', { count: 0 })
  const { at } = await session.load.call('vanish')
  return (await within(10_000, 'the upstream streams were not freed', free)) - at
}

export const rss: Scenario = {
  name: 'rss',
  title: `Resident memory for each ${STREAMS} open streams, between ${STREAMS} and ${3 * STREAMS}`,
  unit: 'MB',
  rounds: { full: 3, quick: 2 },
  generations: { full: 1, quick: 1 },
  fresh: true,
  direct: false,
  limits: { none: { ratio: 1.3 }, default: { ratio: 1.6 } },
  warm,
  // The first thousand also fills what the heap had spare, so it is left out: the slope after it is steady.
  async measure(session, running) {
    const idle = rssBytes(running.pid) / MB
    const one = await openStreams(session, running)
    await openStreams(session, running, STREAMS)
    const three = await openStreams(session, running, 2 * STREAMS)
    await vanishAll(session)
    return { value: (three - one) / 2, details: { idle, one, three } }
  },
}

/**
 * Rounds of vanishing before memory is compared. V8 keeps the pages of a heap that once was larger, so even the bare
 * passthrough does not come back to where it was before the first thousand; it levels off, and a leak does not.
 */
const FILL_CYCLES = 8
const CHECK_CYCLES = 4

export const vanished: Scenario = {
  name: 'vanished',
  title: `${STREAMS} clients vanish: the slowest of ${FILL_CYCLES + CHECK_CYCLES} times until all upstream streams are free`,
  unit: 'ms',
  rounds: { full: 1, quick: 1 },
  generations: { full: 1, quick: 1 },
  fresh: true,
  direct: false,
  limits: {
    none: { details: { freedMs: 1000, rssRatio: 1.1 } },
    default: { details: { freedMs: 1000, rssRatio: 1.1 } },
  },
  warm,
  async measure(session, running) {
    const freed: number[] = []
    const rest: number[] = [rssBytes(running.pid) / MB]
    while (freed.length < FILL_CYCLES + CHECK_CYCLES) {
      await openStreams(session, running)
      freed.push(await vanishAll(session))
      await delay(SETTLE_MS)
      rest.push(rssBytes(running.pid) / MB)
    }
    const freedMs = Math.max(...freed)
    const [idle = 0, first = 0] = rest
    const before = rest[FILL_CYCLES]!
    const after = rest.at(-1)!
    return { value: freedMs, details: { freedMs, rssRatio: after / before, before, after, idle, first } }
  },
}
