/** CPU time of the subject per unit of work: buffered requests, paced chunks, chunks in a burst. */
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

const BUFFERED: Omit<Work, 'requests'> = { mode: { kind: 'buffered' }, connections: 32, events: 0 }

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
  limits: { none: { ratio: 1.4 }, default: { ratio: 2 } },
  async warm(session, running) {
    await warmBuffered(session, running)
    await sizeOf(session, 'buffered', running, { ...BUFFERED, requests: 4000 })
  },
  async measure(session, running) {
    const requests = session.sizes.get('buffered')!
    return perUnit(await drive(session, running, { ...BUFFERED, requests }), requests)
  },
}

const PACED_STREAMS = 50

function pacedWork(chunks: number): Work {
  return {
    mode: { kind: 'paced', chunks, everyMs: 4 },
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
  limits: { none: { ratio: 1.2 }, default: { ratio: 1.3 } },
  async warm(session, running) {
    // A pace warms too slowly: the optimising compiler would still be at work while it is measured.
    const work = { mode: { kind: 'burst', chunks: 250, perWrite: 1, framed: true }, connections: 8 } as const
    const events = 250 + EXTRA_EVENTS
    await warmUntilSteady(session.quick ? 500 : 1200, () => drive(session, running, { ...work, events, requests: 100 }))
    await drive(session, running, pacedWork(session.quick ? 150 : 250))
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
  none: { ratio: 2 },
  default: { ratio: 3 },
})

/** Not in the limits: a proxy in between has packed events together, so the passthrough has one call for all of them. */
export const burstPacked: Scenario = burstScenario(
  'burst-packed',
  'CPU per event in a burst, 50 events in each HTTP chunk',
  false,
  { none: {}, default: {} },
)
