/**
 * `npm run bench:plugins`: what single plugins add to a request's CPU time in the thread that serves requests, garbage
 * collection included. Gateways with and without one share a process, and short rounds alternate (A B B A, then B A A B),
 * so that neither luck nor drift is on one side.
 */
import { readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { parse } from 'yaml'
import { Worker } from './child.ts'
import type { LoadApi } from './load.ts'
import type { ReceiverApi } from './receiver.ts'
import { SAMPLE_SILENCE_MS } from './scenarios/scenario.ts'
import { median, quantile } from './stats.ts'
import { BENCH_KEY, pluginEntry } from './targets.ts'
import type { TogetherApi } from './together.ts'
import type { UpstreamApi } from './upstream.ts'

const HELP = `Usage: npm run bench:plugins -- [options]
  --plugins LIST  plugins to measure, by commas; otel-all traces every request. Default
                  metrics,otel,otel-all,keys,usage,console
  --base NAME     what they are added to: none, idle (a plugin that does nothing), or default (plugins of
                  config/gateway.yaml). Default none. All keep their store in a folder
  --processes N   how many processes, one after the other: the compiler decides anew in each. Default 3
  --quads N       how often A B B A is run in each. Default 80
  --requests N    requests of each round. Default 128
  --profile FILE  keep the samples of the stack, for a viewer of CPU profiles
`
const { values } = parseArgs({
  options: {
    plugins: { type: 'string', default: 'metrics,otel,otel-all,keys,usage,console' },
    base: { type: 'string', default: 'none' },
    processes: { type: 'string', default: '3' },
    quads: { type: 'string', default: '80' },
    requests: { type: 'string', default: '128' },
    profile: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})

/** Whole batches only: they go when they are full, as under load. The wait behind a round is for them. */
const VARIANTS: Readonly<Record<string, { use: string; options: object }>> = {
  otel: { use: 'otel', options: { flush_seconds: 60 } },
  'otel-all': { use: 'otel', options: { flush_seconds: 60, sample_ratio: 1 } },
}
const WAIT_MS = 50
/** As `core/bin.js` sets them. All garbage is collected in the thread that is measured. */
const FLAGS = [
  ...['--conditions=governed-gateway-source', '--expose-gc', '--single-threaded-gc'],
  ...['--no-allocation-site-pretenuring', '--heap-growing-percent=100'],
  ...['--semi-space-growth-factor=2', '--max-semi-space-size=16'],
]
const IDLE = { use: fileURLToPath(new URL('idle.ts', import.meta.url)) }
const CONNECTIONS = 16

type Together = Worker<TogetherApi, { ports: number[] }>
type Load = Worker<LoadApi, unknown>

interface Base {
  readonly plugins: readonly object[]
  /** `file:…` stands for a new folder. */
  readonly store: string
}

function baseOf(name: string): Base {
  if (name === 'none') return { plugins: [], store: 'file:' }
  if (name === 'idle') return { plugins: [IDLE], store: 'file:' }
  const file = new URL('../../config/gateway.yaml', import.meta.url)
  return parse(readFileSync(file, 'utf8')) as Base
}

/** The median, and where it lies in 95 of 100 cases: order statistics, whatever the distribution. */
function judge(ratios: readonly number[]): { ratio: number; low: number; high: number } {
  const half = 0.98 / Math.sqrt(ratios.length)
  return { ratio: median(ratios), low: quantile(ratios, 0.5 - half), high: quantile(ratios, 0.5 + half) }
}

/** How many of the samples of the stack are in the plugin's code, and in what it calls. */
async function share(name: string, both: Together, load: Load, port: number): Promise<void> {
  const target = { port, key: BENCH_KEY, request: 'chat' as const }
  const work = { requests: 20_000, connections: CONNECTIONS, silenceMs: SAMPLE_SILENCE_MS }
  await both.call('sample')
  await load.call('closed', { ...target, ...work })
  const { all, own } = await both.call('sampled', {
    folder: `/plugins/${VARIANTS[name]?.use ?? name}/`,
    file: values.profile,
  })
  const part = own / all
  const error = 1.96 * Math.sqrt((part * (1 - part)) / all)
  const percent = (one: number) => `${(one * 100).toFixed(2)} %`
  process.stdout.write(`${name} on ${values.base}: in ${percent(part)} (± ${percent(error)}) of ${all} samples\n`)
}

/** What A B B A took, CPU microseconds for a request. */
interface Quad {
  readonly without: number
  readonly withIt: number
}

/** The same list twice shows what the measurement itself resolves. */
function addedBy(name: string): object[] {
  if (name === 'nothing') return []
  return name.split('+').map((one) => {
    if (one === 'idle') return IDLE
    const { use, options } = VARIANTS[one] ?? { use: one, options: {} }
    return pluginEntry(use, options)
  })
}

async function quadsOf(name: string, samples: boolean): Promise<Quad[]> {
  const { plugins: without, store } = baseOf(values.base)
  const added = addedBy(name)
  const upstream = await Worker.start<UpstreamApi, { port: number }>('upstream.ts', { core: undefined })
  const receiver = await Worker.start<ReceiverApi, { port: number }>('receiver.ts', { core: undefined })
  const load = await Worker.start<LoadApi>('load.ts', { core: undefined })
  const lists = [without, [...added, ...without]].map((list) => JSON.stringify(list))
  const args = [String(upstream.ready.port), String(receiver.ready.port), store, ...lists]
  const both = await Worker.start<TogetherApi, { ports: number[] }>(
    'together.ts',
    { core: undefined, flags: FLAGS },
    args,
  )
  await upstream.call('mode', { kind: 'buffered' })
  const round = async (which: number, requests: number): Promise<number> => {
    const before = await both.call('cpu')
    const target = { port: both.ready.ports[which]!, key: BENCH_KEY, request: 'chat' as const }
    const work = { requests, connections: CONNECTIONS, silenceMs: SAMPLE_SILENCE_MS }
    const { replies, sample } = await load.call('closed', { ...target, ...work })
    if (replies !== requests) throw new Error(`${replies} replies, not ${requests}: ${sample ?? ''}`)
    await delay(WAIT_MS)
    await both.call('collect')
    const after = await both.call('cpu')
    return (after.user + after.system - before.user - before.system) / requests
  }
  try {
    for (let i = 0; i < 8; i++) for (const which of [0, 1]) await round(which, 2000)
    if (samples) await share(name, both, load, both.ready.ports[1]!)
    const quads: Quad[] = []
    for (let i = 0; i < Number(values.quads); i++) {
      const costs: [number, number] = [0, 0]
      const order = i % 2 === 0 ? ([0, 1, 1, 0] as const) : ([1, 0, 0, 1] as const)
      for (const which of order) costs[which] += (await round(which, Number(values.requests))) / 2
      quads.push({ without: costs[0], withIt: costs[1] })
    }
    return quads
  } finally {
    await Promise.all([both, load, receiver, upstream].map((one) => one.stop()))
  }
}

async function compare(name: string): Promise<void> {
  const all: Quad[] = []
  const medians: string[] = []
  const percent = (one: number) => `${((one - 1) * 100).toFixed(1)} %`
  for (let i = 0; i < Number(values.processes); i++) {
    const quads = await quadsOf(name, i === 0)
    medians.push(percent(median(quads.map(ratioOf))))
    all.push(...quads)
  }
  const { ratio, low, high } = judge(all.map(ratioOf))
  const base = median(all.map(({ without }) => without))
  const own = median(all.map(({ without, withIt }) => withIt - without))
  const told = `${percent(ratio)} (95 %: ${percent(low)} to ${percent(high)}; processes ${medians.join(', ')})`
  process.stdout.write(`${name} on ${values.base}: ${told}, ${own.toFixed(1)} of ${base.toFixed(0)} us a request\n`)
}

const ratioOf = ({ without, withIt }: Quad): number => withIt / without

if (values.help) process.stdout.write(HELP)
else for (const name of values.plugins.split(',')) await compare(name)
process.exit()
