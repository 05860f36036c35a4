/** Memory of open streams, and what is left of them when their clients vanish. Each sample takes a new process. */
import { setTimeout as delay } from 'node:timers/promises'
import { collectHeaps, rssBytes } from '../proc.ts'
import { median } from '../stats.ts'
import { BENCH_KEY, type Running } from '../targets.ts'
import { drive, type Scenario, type Session } from './scenario.ts'

const STREAMS = 1000
const MB = 1024 * 1024
const SETTLE_MS = 300
const COLLECT_MS = 300

async function warm(session: Session, running: Running): Promise<void> {
  await drive(session, running, {
    mode: { kind: 'buffered' },
    request: 'chat',
    requests: 4000,
    connections: 32,
    events: 0,
  })
}

/** Opens `STREAMS` more streams: all of them at the upstream, all of them with a first byte at the client. */
async function openStreams(session: Session, running: Running, already = 0): Promise<number> {
  if (already === 0) await session.upstream.call('mode', { kind: 'idle', chunks: 8 })
  const open = session.upstream.call('whenOpen', { count: already + STREAMS })
  const input = { port: running.port, key: BENCH_KEY, request: 'stream' as const, streams: STREAMS, silenceMs: 10_000 }
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

/** Memory that is really in use: collected, and with the heap's empty pages given back. */
async function collectedMb(running: Running): Promise<number> {
  // What a collection finalises, such as socket handles, only the next one can free.
  for (let i = 0; i < 3; i++) {
    collectHeaps(running.pid)
    await delay(COLLECT_MS)
  }
  return rssBytes(running.pid) / MB
}

export const rss: Scenario = {
  name: 'rss',
  title: `Resident memory for each ${STREAMS} open streams`,
  unit: 'MB',
  rounds: { full: 3, quick: 2 },
  generations: { full: 1, quick: 1 },
  fresh: true,
  collects: true,
  direct: false,
  limits: { none: { ratio: 1.3 }, default: { ratio: 1.5 }, rules: { ratio: 1.6 } },
  warm,
  // Collected at both ends: a subject whose heap happens to hold much garbage has room for streams without growing.
  async measure(session, running) {
    const idle = await collectedMb(running)
    const peaks: number[] = []
    for (let i = 0; i < 3; i++) peaks.push(await openStreams(session, running, i * STREAMS))
    const open = await collectedMb(running)
    await vanishAll(session)
    return { value: (open - idle) / 3, details: { idle, open, peak: Math.max(...peaks) } }
  },
}

/** The first cycle fills the pools that a proxy keeps, such as undici's clients; a leak would grow with the others. */
const CYCLES = 4

export const vanished: Scenario = {
  name: 'vanished',
  title: `${STREAMS} clients vanish: time until all upstream streams are free, and memory afterwards`,
  unit: 'ms',
  rounds: { full: 2, quick: 1 },
  generations: { full: 1, quick: 1 },
  fresh: true,
  collects: true,
  direct: false,
  limits: {
    none: { details: { freedMs: 1000, rssRatio: 1.1 } },
    default: { details: { freedMs: 1000, rssRatio: 1.1 } },
    rules: { details: { freedMs: 1000, rssRatio: 1.1 } },
  },
  warm,
  async measure(session, running) {
    const freed: number[] = []
    const open: number[] = []
    const after: number[] = []
    const before = await collectedMb(running)
    while (freed.length < CYCLES) {
      open.push(await openStreams(session, running))
      freed.push(await vanishAll(session))
      after.push(await collectedMb(running))
    }
    const [first = 0] = after
    const last = after.at(-1)!
    const freedMs = median(freed)
    const memory = { rssRatio: last / first, firstRatio: first / before, before, open: median(open), first, last }
    return { value: freedMs, details: { freedMs, slowestMs: Math.max(...freed), ...memory } }
  },
}
