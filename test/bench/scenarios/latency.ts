/** Latency that a subject adds at a moderate fixed rate, against the way without any proxy in the same round. */

import { quantile } from '../stats.ts'
import type { Running } from '../targets.ts'
import { BENCH_KEY } from '../targets.ts'
import { warmBuffered } from './cpu.ts'
import { SAMPLE_SILENCE_MS, type Scenario, type Session } from './scenario.ts'

const RATE = 250

async function openLoop(session: Session, running: Running, requests: number) {
  await session.upstream.call('mode', { kind: 'buffered' })
  const input = { port: running.port, key: BENCH_KEY, request: 'chat' as const, requests, rate: RATE }
  const result = await session.load.call('open', { ...input, silenceMs: SAMPLE_SILENCE_MS })
  const stats = await session.upstream.call('stats')
  if (result.replies !== requests || stats.requests !== requests) {
    throw new Error(
      `${result.replies} replies and ${stats.requests} at the upstream of ${requests} ${result.sample ?? ''}`,
    )
  }
  return result
}

export const latency: Scenario = {
  name: 'latency',
  title: `Latency of a buffered request at ${RATE}/s, open loop, counted from when it was due`,
  unit: 'ms',
  rounds: { full: 12, quick: 3 },
  generations: { full: 2, quick: 1 },
  fresh: false,
  direct: true,
  limits: { none: { ratio: 1.1 }, default: { ratio: 1.3 }, rules: { ratio: 1.4 } },
  async warm(session, running) {
    // At this rate alone the compiler would take minutes, and its work would be measured.
    await warmBuffered(session, running)
    await openLoop(session, running, session.quick ? 125 : 250)
  },
  async measure(session, running) {
    const { latencies, lateMs } = await openLoop(session, running, session.quick ? 150 : 300)
    return { value: quantile(latencies, 0.5), details: { p99: quantile(latencies, 0.99), clientLateMs: lateMs } }
  },
}
