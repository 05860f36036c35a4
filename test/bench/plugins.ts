/**
 * `npm run bench:plugins`: what single plugins add to a request's CPU time in the thread that serves requests, garbage
 * collection included. Gateways with and without one share a process, and short rounds of all alternate in changing order,
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
  --cycles N      how often each gateway has two rounds, in each process. Default 80
  --requests N    requests of each round. Default 128
  --connections N how many requests run at once. Default 16
  --profile FILE  keep the samples of the stack, for a viewer of CPU profiles
`
const { values } = parseArgs({
  options: {
    plugins: { type: 'string', default: 'metrics,otel,otel-all,keys,usage,console' },
    base: { type: 'string', default: 'none' },
    processes: { type: 'string', default: '3' },
    cycles: { type: 'string', default: '80' },
    requests: { type: 'string', default: '128' },
    connections: { type: 'string', default: '16' },
    profile: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})

/** Whole batches only: they go when they are full, as under load. The wait behind a round is for them. */
const VARIANTS: Readonly<Record<string, { use: string; options: object }>> = {
  otel: { use: 'otel', options: { flush_seconds: 60 } },
  'otel-all': { use: 'otel', options: { flush_seconds: 60, sample_ratio: 1 } },
}
const WAIT_MS = 25
/** As `core/bin.js` sets them. All garbage is collected in the thread that is measured. */
const FLAGS = [
  ...['--conditions=governed-gateway-source', '--expose-gc', '--single-threaded-gc'],
  ...['--no-allocation-site-pretenuring', '--heap-growing-percent=100'],
  ...['--semi-space-growth-factor=2', '--max-semi-space-size=16'],
]
const IDLE = { use: fileURLToPath(new URL('idle.ts', import.meta.url)) }

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
  const work = { requests: 20_000, connections: Number(values.connections), silenceMs: SAMPLE_SILENCE_MS }
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

/** CPU microseconds for a request, by gateway: those with no plugin more, then one for each name. */
type Cycle = readonly number[]
/** Two gateways without a plugin more show what the measurement itself resolves. */
const BASES = 2

function addedBy(name: string): object[] {
  if (name === 'nothing') return []
  return name.split('+').map((one) => {
    if (one === 'idle') return IDLE
    const { use, options } = VARIANTS[one] ?? { use: one, options: {} }
    return pluginEntry(use, options)
  })
}

/** In any order, but of equal parts before and behind. */
function order(gateways: number): number[] {
  const all = Array.from({ length: gateways }, (_, which) => ({ which, at: Math.random() }))
  const first = all.sort((a, b) => a.at - b.at).map(({ which }) => which)
  return [...first, ...first.toReversed()]
}

async function cyclesOf(names: readonly string[], samples: boolean): Promise<Cycle[]> {
  const { plugins: base, store } = baseOf(values.base)
  const upstream = await Worker.start<UpstreamApi, { port: number }>('upstream.ts', { core: undefined })
  const receiver = await Worker.start<ReceiverApi, { port: number }>('receiver.ts', { core: undefined })
  const load = await Worker.start<LoadApi>('load.ts', { core: undefined })
  const lists = [...Array<object[]>(BASES).fill([]), ...names.map(addedBy)].map((added) => [...added, ...base])
  const args = [
    String(upstream.ready.port),
    String(receiver.ready.port),
    store,
    ...lists.map((one) => JSON.stringify(one)),
  ]
  const all = await Worker.start<TogetherApi, { ports: number[] }>(
    'together.ts',
    { core: undefined, flags: FLAGS },
    args,
  )
  await upstream.call('mode', { kind: 'buffered' })
  const round = async (which: number, requests: number): Promise<number> => {
    const before = await all.call('cpu')
    const target = { port: all.ready.ports[which]!, key: BENCH_KEY, request: 'chat' as const }
    const work = { requests, connections: Number(values.connections), silenceMs: SAMPLE_SILENCE_MS }
    const { replies, sample } = await load.call('closed', { ...target, ...work })
    if (replies !== requests) throw new Error(`${replies} replies, not ${requests}: ${sample ?? ''}`)
    await delay(WAIT_MS)
    await all.call('collect')
    const after = await all.call('cpu')
    return (after.user + after.system - before.user - before.system) / requests
  }
  try {
    for (let i = 0; i < 6; i++) for (const which of lists.keys()) await round(which, 1500)
    if (samples) for (const [i, name] of names.entries()) await share(name, all, load, all.ready.ports[BASES + i]!)
    const cycles: Cycle[] = []
    for (let i = 0; i < Number(values.cycles); i++) {
      const costs = lists.map(() => 0)
      for (const which of order(lists.length))
        costs[which] = (costs[which] as number) + (await round(which, Number(values.requests))) / 2
      cycles.push(costs)
    }
    return cycles
  } finally {
    await Promise.all([all, load, receiver, upstream].map((one) => one.stop()))
  }
}

async function compare(names: readonly string[]): Promise<void> {
  const processes: Cycle[][] = []
  for (let i = 0; i < Number(values.processes); i++) processes.push(await cyclesOf(names, i === 0))
  const cycles = processes.flat()
  const percent = (one: number) => `${((one - 1) * 100).toFixed(1)} %`
  const without = ([one = 0, other = 0]: Cycle) => (one + other) / BASES
  const base = median(cycles.map(without))
  const again = judge(cycles.map(([one = 0, other = 0]) => other / one))
  process.stdout.write(
    `${values.base} twice: ${percent(again.ratio)} (95 %: ${percent(again.low)} to ${percent(again.high)})\n`,
  )
  for (const [i, name] of names.entries()) {
    const ratioOf = (cycle: Cycle) => (cycle[BASES + i] as number) / without(cycle)
    const { ratio, low, high } = judge(cycles.map(ratioOf))
    const own = median(cycles.map((cycle) => (cycle[BASES + i] as number) - without(cycle)))
    const each = processes.map((one) => percent(median(one.map(ratioOf)))).join(', ')
    const told = `${percent(ratio)} (95 %: ${percent(low)} to ${percent(high)}; processes ${each})`
    process.stdout.write(`${name} on ${values.base}: ${told}, ${own.toFixed(1)} of ${base.toFixed(0)} us a request\n`)
  }
}

if (values.help) process.stdout.write(HELP)
else await compare(values.plugins.split(','))
process.exit()
