/** What a scenario is, and the checked run of the load that all of them use. */
import { setTimeout as delay } from 'node:timers/promises'
import type { Worker } from '../child.ts'
import type { LoadResult } from '../connection.ts'
import type { LoadApi } from '../load.ts'
import { cpuMicros, sampleCpu } from '../proc.ts'
import type { ReceiverApi } from '../receiver.ts'
import { REQUEST_BYTES, type RequestKind } from '../requests.ts'
import type { Running, Subject } from '../targets.ts'
import { BENCH_KEY } from '../targets.ts'
import type { Mode, UpstreamApi } from '../upstream.ts'

/** The two ends of every measurement, and how thorough it should be. */
export interface Session {
  upstream: Worker<UpstreamApi, { port: number }>
  load: Worker<LoadApi, unknown>
  receiver: Worker<ReceiverApi, unknown>
  quick: boolean
  /** Work sizes found while warming the passthrough, by scenario, so that every subject does the same work. */
  sizes: Map<string, number>
}

/** One measurement. `value` is what ratios are made of; `details` are told beside it. */
export interface Sample {
  value: number
  details: Record<string, number>
}

/** What must hold: `ratio` to the passthrough of the same round, or an absolute bound on a named figure. */
export interface Limit {
  ratio?: number
  details?: Record<string, number>
}

export interface Scenario {
  name: string
  title: string
  unit: string
  rounds: { full: number; quick: number }
  /** How often the processes are replaced during the rounds: what the compiler made of one process is luck. */
  generations: { full: number; quick: number }
  /** A new process for every sample, for what depends on the process's past; else one process serves all rounds. */
  fresh: boolean
  /** Collects the heap of its processes, which therefore get options that no user gives: they slow a start by a fifth. */
  collects?: boolean
  /** Measure the way without any proxy in each round too, and compare what each subject adds to it. */
  direct: boolean
  limits: Record<NonNullable<Subject['limits']>, Limit>
  warm(session: Session, running: Running): Promise<void>
  measure(session: Session, running: Running): Promise<Sample>
}

/** A sample in which no reply comes for this long is given up; what is not done by then counts as lost. */
export const SAMPLE_SILENCE_MS = 20_000

export interface Work {
  mode: Mode
  request: RequestKind
  requests: number
  connections: number
  /** Events of each reply, when it is a stream. */
  events: number
}

export interface Measured {
  result: LoadResult
  /** CPU of the subject for all of it. */
  cpuUs: number
  /** Events that reached the receiver, of a subject that exports them. */
  exported: number
}

/** Does exactly `work` through a subject and checks that both ends counted the same. */
export async function drive(session: Session, running: Running, work: Work): Promise<Measured> {
  await session.upstream.call('mode', work.mode)
  const before = sampleCpu(running.pid)
  const result = await session.load.call('closed', {
    port: running.port,
    key: BENCH_KEY,
    request: work.request,
    requests: work.requests,
    connections: work.connections,
    silenceMs: SAMPLE_SILENCE_MS,
  })
  // What a subject still does after the last byte, such as its log line and its export, belongs to the work.
  await delay(50)
  const exported = await session.receiver.call('settled')
  const cpuUs = cpuMicros(before, sampleCpu(running.pid))
  await verify(session, result, work)
  return { result, cpuUs, exported }
}

async function verify(session: Session, result: LoadResult, work: Work): Promise<void> {
  const stats = await session.upstream.call('stats')
  const { requests } = work
  const problems: string[] = []
  const expect = (what: string, actual: number, wanted: number) => {
    if (actual !== wanted) problems.push(`${what} ${actual}, not ${wanted}`)
  }
  expect('requests sent', result.sent, requests)
  expect('complete replies', result.replies, requests)
  expect('requests at the upstream', stats.requests, requests)
  expect('replies by the upstream', stats.replies, requests)
  expect('events received', result.events, requests * work.events)
  expect('events sent by the upstream', stats.events, requests * work.events)
  if (stats.requestBytes < requests * REQUEST_BYTES[work.request])
    problems.push(`only ${stats.requestBytes} request bytes arrived`)
  if (problems.length === 0) return
  if (result.silent) problems.unshift(`nothing came for ${SAMPLE_SILENCE_MS / 1000} s`)
  const sample = result.sample === undefined ? '' : `; first refusal: ${result.sample}`
  throw new Error(`the counts differ: ${problems.join(', ')}${sample}`)
}

/** A window of warming, and by how much three in a row may differ. */
const WINDOWS = 3
const STEADY = 0.03

/**
 * Repeats `once` until the subject is hot: at least `ms`, then until three windows in a row differ by less than 3 %. Gives
 * up after ten times as long, on a machine that is not quiet enough.
 */
export async function warmUntilSteady(ms: number, once: () => Promise<Measured>): Promise<void> {
  const began = performance.now()
  const windows: number[] = []
  for (;;) {
    const { cpuUs } = await once()
    windows.push(cpuUs)
    const passed = performance.now() - began
    const last = windows.slice(-WINDOWS)
    const isSteady = last.length === WINDOWS && Math.max(...last) <= Math.min(...last) * (1 + STEADY)
    if ((passed >= ms && isSteady) || passed > ms * 10) return
  }
}
