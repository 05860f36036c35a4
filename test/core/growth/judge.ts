/** Runs one shape in two sizes through a gateway and says what is wrong with the growth, if anything. */
import { gzipSync } from 'node:zlib'
import { type Answer, GrowthBench } from './bench.ts'
import { REPLIES, REQUESTS } from './documents.ts'
import { STREAMS } from './streams.ts'

export type Kind = 'request' | 'reply' | 'stream' | 'gzip' | 'apart'

export const SHAPES: Readonly<Record<Kind, Readonly<Record<string, (size: number) => string | object>>>> = {
  request: REQUESTS,
  reply: REPLIES,
  stream: STREAMS,
  // Packed bodies, as large as they unpack to.
  gzip: some(REPLIES, ['plain', 'one long token', 'many choices']),
  // Streams whose events come one by one.
  apart: some(STREAMS, ['plain, by words', 'a finding on each word, by words', 'tool calls of one byte', 'comments']),
}

function some<T>(all: Readonly<Record<string, T>>, names: readonly string[]): Readonly<Record<string, T>> {
  return Object.fromEntries(names.map((name) => [name, all[name] as T]))
}

/** Time may grow by this much more than size does, and by as much on top: timers, connections, a collection of garbage. */
const STRICT = 1.3
const ON_TOP_MS = 8
/** Nobody else waits longer than this, apart from what stays in one turn: docs/decisions/0033 has the list. */
const PAUSE_MS = 50
const PAUSE_MS_PER_MB = 100
/** A busy machine fails once, a quadratic loop each time. */
const TRIES = 4

const PLUGINS = [
  {
    use: 'classification',
    options: {
      rules: [
        { name: 'p', label: 'CONFIDENTIAL', keywords: ['project aurora', 'aaaaab'], patterns: ['TICKET-\\d{4,8}'] },
      ],
    },
  },
  { use: 'pii' },
  { use: 'secrets', options: { input: 'redact' } },
  { use: 'injection' },
  { use: 'policy', options: { rules: [{ name: 'n', keywords: ['payroll export'], action: 'redact', reason: 'x' }] } },
]
// On a busy machine a deadline in time of the clock ends what is slow for no fault of its own.
const PATIENT = PLUGINS.map((entry) => ({ ...entry, timeout_ms: 60_000 }))

export const startBench = (): Promise<GrowthBench> => GrowthBench.start(PATIENT)

export interface Row {
  readonly bytes: number
  readonly cpu: number
  readonly pause: number
}

/** What is refused beyond a bound, with this status; until then it costs time like all else. */
const REFUSED: Partial<Readonly<Record<Kind, ReadonlyMap<string, number>>>> = {
  stream: new Map([
    ['choices without end', 502],
    ['many choices in one event', 502],
    ['fields without end', 403],
    ['fields of one event', 403],
    ['held finishes', 502],
  ]),
}

const ASK = (stream: boolean): Buffer =>
  Buffer.from(
    JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'hi' }], n: 128, ...(stream && { stream }) }),
  )

/** The least of some exchanges. */
export async function measure(bench: GrowthBench, kind: Kind, shape: string, size: number, times = 2): Promise<Row> {
  const made = SHAPES[kind][shape]?.(size) ?? ''
  const bytes = Buffer.from(typeof made === 'string' ? made : JSON.stringify(made))
  const isStream = kind === 'stream' || kind === 'apart'
  const answer: Answer = {
    type: isStream ? 'text/event-stream' : 'application/json',
    body: kind === 'gzip' ? gzipSync(bytes) : bytes,
    ...(kind === 'gzip' && { encoding: 'gzip' }),
    apart: kind === 'apart',
  }
  let [cpu, pause] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  for (let i = 0; i < times; i++) {
    const used = await (kind === 'request' ? bench.exchange(bytes) : bench.exchange(ASK(isStream), answer))
    const refused = REFUSED[kind]?.get(shape)
    if (used.status !== 200 && used.status !== refused) throw new Error(`${kind} of ${shape}: status ${used.status}`)
    cpu = Math.min(cpu, used.cpu)
    pause = Math.min(pause, used.pause)
  }
  return { bytes: bytes.length, cpu, pause }
}

/** What is wrong, or undefined; measured anew only where what was measured does not do. */
export async function judge(
  bench: GrowthBench,
  kind: Kind,
  shape: string,
  [small, large]: readonly [number, number],
  measured?: readonly [Row, Row],
  factor = STRICT,
): Promise<string | undefined> {
  let wrong = measured === undefined ? undefined : problem(...measured, factor)
  if (measured !== undefined && wrong === undefined) return undefined
  for (let i = 0; i < TRIES; i++) {
    const [a, b] = [await measure(bench, kind, shape, small), await measure(bench, kind, shape, large)]
    wrong = problem(a, b, factor)
    if (wrong === undefined) return undefined
  }
  return `${kind} of ${shape}: ${wrong}`
}

function problem(a: Row, b: Row, factor: number): string | undefined {
  const size = b.bytes / a.bytes
  const most = factor * size * a.cpu + ON_TOP_MS
  if (b.cpu > most)
    return `${a.bytes} bytes took ${a.cpu.toFixed(1)} ms, ${b.bytes} bytes ${b.cpu.toFixed(1)} ms, more than ${most.toFixed(1)}`
  const pause = PAUSE_MS + (PAUSE_MS_PER_MB * b.bytes) / 1e6
  return b.pause > pause
    ? `others waited ${b.pause.toFixed(1)} ms for ${b.bytes} bytes, more than ${pause.toFixed(1)}`
    : undefined
}
