/** CPU time of the subject per unit of work: buffered requests, paced chunks, chunks in a burst. */
import { rssBytes } from '../proc.ts'
import { EXTRA_EVENTS } from '../script.ts'
import type { Running } from '../targets.ts'
import {
  drive,
  type Measured,
  type Sample,
  type Scenario,
  type Session,
  type Work,
  warmUntilSteady,
} from './scenario.ts'

/** The first subject warmed is the passthrough; its CPU time, not the clock, decides how much work one sample is. */
async function sizeOf(session: Session, name: string, running: Running, probe: Work): Promise<void> {
  if (session.sizes.has(name)) return
  const { cpuUs } = await drive(session, running, probe)
  const seconds = session.quick ? 0.4 : 0.7
  session.sizes.set(name, Math.max(probe.requests, Math.round((probe.requests / cpuUs) * 1e6 * seconds)))
}

function perUnit({ result, cpuUs, exported }: Measured, units: number): Sample {
  const details = { busy: cpuUs / 1000 / result.wallMs, wallMs: result.wallMs }
  // Less than every other request is what another subject still had to deliver.
  return { value: cpuUs / units, details: exported < units / 2 ? details : { ...details, exported } }
}

const BUFFERED: Omit<Work, 'requests'> = {
  mode: { kind: 'buffered' },
  request: 'chat',
  connections: 32,
  events: 0,
}

/** Saturates a subject with buffered requests until the compiler has made of it what it will. */
export const warmBuffered = (session: Session, running: Running): Promise<void> =>
  warmUntilSteady(session.quick ? 1000 : 2000, () => drive(session, running, { ...BUFFERED, requests: 4000 }))

export const buffered: Scenario = {
  name: 'buffered',
  title: 'CPU per buffered request, 2 KB in, 1.2 KB out, saturated',
  unit: 'µs',
  rounds: { full: 15, quick: 3 },
  generations: { full: 3, quick: 1 },
  fresh: false,
  direct: false,
  limits: { none: { ratio: 1.3 }, default: { ratio: 2.5 }, rules: { ratio: 3 } },
  async warm(session, running) {
    await warmBuffered(session, running)
    await sizeOf(session, 'buffered', running, { ...BUFFERED, requests: 4000 })
  },
  async measure(session, running) {
    const requests = session.sizes.get('buffered')!
    return perUnit(await drive(session, running, { ...BUFFERED, requests }), requests)
  },
}

/** The same texts in another API, under the same limits. */
function inShape(shape: 'responses' | 'messages', title: string): Scenario {
  const work: Omit<Work, 'requests'> = { ...BUFFERED, mode: { kind: 'buffered', shape }, request: shape }
  return {
    ...buffered,
    name: shape,
    title: `CPU per buffered ${title}, 2 KB in, 1.2 KB out, saturated`,
    async warm(session, running) {
      await warmUntilSteady(session.quick ? 1000 : 2000, () => drive(session, running, { ...work, requests: 4000 }))
      await sizeOf(session, shape, running, { ...work, requests: 4000 })
    },
    async measure(session, running) {
      const requests = session.sizes.get(shape)!
      return perUnit(await drive(session, running, { ...work, requests }), requests)
    },
  }
}
export const responses = inShape('responses', 'request for a response')
export const messages = inShape('messages', 'request for a message')

const AGENT: Omit<Work, 'requests'> = {
  mode: { kind: 'buffered', bytes: 900 },
  request: 'agent',
  connections: 16,
  events: 0,
}

/** A coding agent sends its whole conversation with each turn. */
export const agent: Scenario = {
  name: 'agent',
  title: 'CPU per turn of an agent, 36 to 62 KB in, of which three messages are new, 0.9 KB out, saturated',
  unit: 'µs',
  rounds: { full: 15, quick: 3 },
  generations: { full: 3, quick: 1 },
  fresh: false,
  direct: false,
  limits: {
    none: { ratio: 1.6 },
    default: { ratio: 2.5, details: { rssMB: 260 } },
    rules: { ratio: 3, details: { rssMB: 260 } },
  },
  async warm(session, running) {
    const requests = session.quick ? 300 : 600
    await warmUntilSteady(session.quick ? 1500 : 3000, () => drive(session, running, { ...AGENT, requests }))
    await sizeOf(session, 'agent', running, { ...AGENT, requests })
  },
  async measure(session, running) {
    const requests = session.sizes.get('agent')!
    const { value, details } = perUnit(await drive(session, running, { ...AGENT, requests }), requests)
    return { value, details: { ...details, rssMB: rssBytes(running.pid) / 1024 / 1024 } }
  },
}

const COLD_MS = 5000
const COLD_REQUESTS = 250

/** A new process: what its first seconds cost, before the compiler has seen the path. */
export const cold: Scenario = {
  name: 'cold',
  title: 'CPU per buffered request in the first 5 s of a process, beside the hot figure',
  unit: 'µs',
  rounds: { full: 3, quick: 1 },
  generations: { full: 1, quick: 1 },
  fresh: true,
  direct: false,
  limits: { none: {}, default: { details: { toHot: 2.5 } }, rules: { details: { toHot: 2.5 } } },
  async warm() {},
  async measure(session, running) {
    const work = { ...BUFFERED, requests: COLD_REQUESTS }
    const began = performance.now()
    let cpuUs = 0
    let requests = 0
    while (performance.now() - began < COLD_MS) {
      cpuUs += (await drive(session, running, work)).cpuUs
      requests += COLD_REQUESTS
    }
    await warmBuffered(session, running)
    const hot = await drive(session, running, { ...BUFFERED, requests: 4000 })
    const value = cpuUs / requests
    return { value, details: { toHot: value / (hot.cpuUs / 4000) } }
  },
}

const PACED_STREAMS = 50

function pacedWork(chunks: number): Work {
  return {
    mode: { kind: 'paced', chunks, everyMs: 4 },
    request: 'stream',
    requests: PACED_STREAMS,
    connections: PACED_STREAMS,
    events: chunks + EXTRA_EVENTS,
  }
}

export const paced: Scenario = {
  name: 'paced',
  title: `CPU per paced streamed chunk, ${PACED_STREAMS} streams, a chunk every 4 ms each`,
  unit: 'µs',
  rounds: { full: 15, quick: 3 },
  generations: { full: 3, quick: 1 },
  fresh: false,
  direct: false,
  limits: { none: { ratio: 1.2 }, default: { ratio: 1.6 }, rules: { ratio: 1.8 } },
  async warm(session, running) {
    // The gateway inspects chunks that arrive together in one go, so a burst leaves the way of a single chunk cold. The compiler is at
    // work on it for some 100,000 chunks.
    for (let i = session.quick ? 6 : 10; i > 0; i--) await drive(session, running, pacedWork(250))
  },
  async measure(session, running) {
    const chunks = session.quick ? 150 : 250
    return perUnit(await drive(session, running, pacedWork(chunks)), chunks * PACED_STREAMS)
  },
}

const BURST_CHUNKS = 2000

function burstScenario(name: string, title: string, framed: boolean, limits: Scenario['limits']): Scenario {
  const work: Omit<Work, 'requests'> = {
    mode: { kind: 'burst', chunks: BURST_CHUNKS, perWrite: 50, framed },
    request: 'stream',
    connections: 4,
    events: BURST_CHUNKS + EXTRA_EVENTS,
  }
  return {
    name,
    title,
    unit: 'µs',
    rounds: { full: 15, quick: 3 },
    generations: { full: 3, quick: 1 },
    fresh: false,
    direct: false,
    limits,
    async warm(session, running) {
      await warmUntilSteady(session.quick ? 500 : 1200, () => drive(session, running, { ...work, requests: 40 }))
      await sizeOf(session, name, running, { ...work, requests: 40 })
    },
    async measure(session, running) {
      const requests = session.sizes.get(name)!
      return perUnit(await drive(session, running, { ...work, requests }), requests * BURST_CHUNKS)
    },
  }
}

/** As most providers send: each event is an HTTP chunk of its own, many of them in one TCP write. */
export const burst: Scenario = burstScenario('burst', 'CPU per chunk in a burst, 50 chunks in each write', true, {
  none: { ratio: 1.3 },
  default: { ratio: 3.5 },
  rules: { ratio: 4 },
})

/** Not in the limits: a proxy in between has packed events together, so the passthrough has one call for all of them. */
export const burstPacked: Scenario = burstScenario(
  'burst-packed',
  'CPU per event in a burst, 50 events in each HTTP chunk',
  false,
  { none: {}, default: {}, rules: {} },
)
