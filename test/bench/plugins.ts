/**
 * `npm run bench:plugins`: what single plugins add to the CPU time of a request, to within 1 %: gateways with and without
 * one share a process, and short rounds alternate (A B B A), so that neither luck nor drift is on one side.
 */
import { readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { parse } from 'yaml'
import { Worker } from './child.ts'
import type { LoadApi } from './load.ts'
import type { ReceiverApi } from './receiver.ts'
import { SAMPLE_SILENCE_MS } from './scenarios/scenario.ts'
import { quantile } from './stats.ts'
import { BENCH_KEY, pluginEntry } from './targets.ts'
import type { TogetherApi } from './together.ts'
import type { UpstreamApi } from './upstream.ts'

const HELP = `Usage: npm run bench:plugins -- [options]
  --plugins LIST  plugins to measure, by commas. Default metrics,otel,keys,usage,console
  --base NAME     what they are added to: none, or default (plugins of config/gateway.yaml). Default none
  --quads N       how often A B B A is run. Default 60
  --requests N    requests of each round. Default 200
  --profile FILE  keep the samples of the stack, for a viewer of CPU profiles
`
const { values } = parseArgs({
  options: {
    plugins: { type: 'string', default: 'metrics,otel,keys,usage,console' },
    base: { type: 'string', default: 'none' },
    quads: { type: 'string', default: '60' },
    requests: { type: 'string', default: '200' },
    profile: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})

/** What a plugin does later belongs to its requests: its timers come round within the wait behind a round. */
const OPTIONS: Readonly<Record<string, object>> = {
  otel: { flush_seconds: 1 },
  usage: { flush_seconds: 1 },
}
const WAIT_MS: Readonly<Record<string, number>> = { otel: 1200, usage: 1200 }
const CONNECTIONS = 16

type Together = Worker<TogetherApi, { ports: number[] }>
type Load = Worker<LoadApi, unknown>

function basePlugins(): object[] {
  if (values.base === 'none') return []
  const file = new URL('../../config/gateway.yaml', import.meta.url)
  return (parse(readFileSync(file, 'utf8')) as { plugins: object[] }).plugins
}

/** Other work on the machine only adds to the time of a round, so the least tenth tells most of what the code costs. */
const cost = (rounds: readonly number[]): number => quantile(rounds, 0.1)

/** The ratio of both costs and, by resampling, where it lies in 95 of 100 cases. */
function judge(without: readonly number[], withIt: readonly number[]): { ratio: number; low: number; high: number } {
  const drawn = (rounds: readonly number[]) => rounds.map(() => rounds[Math.floor(Math.random() * rounds.length)]!)
  const ratios = Array.from({ length: 2000 }, () => cost(drawn(withIt)) / cost(drawn(without)))
  return { ratio: cost(withIt) / cost(without), low: quantile(ratios, 0.025), high: quantile(ratios, 0.975) }
}

/** How many of the samples of the stack are in the plugin's code, and in what it calls. */
async function share(name: string, both: Together, load: Load, port: number): Promise<void> {
  const target = { port, key: BENCH_KEY, request: 'chat' as const }
  const work = { requests: 20_000, connections: CONNECTIONS, silenceMs: SAMPLE_SILENCE_MS }
  await both.call('sample')
  await load.call('closed', { ...target, ...work })
  const { all, own } = await both.call('sampled', { folder: `/plugins/${name}/`, file: values.profile })
  const part = own / all
  const error = 1.96 * Math.sqrt((part * (1 - part)) / all)
  const percent = (one: number) => `${(one * 100).toFixed(2)} %`
  process.stdout.write(`${name} on ${values.base}: in ${percent(part)} (± ${percent(error)}) of ${all} samples\n`)
}

async function compare(name: string): Promise<void> {
  const without = basePlugins()
  // The same list twice shows what the measurement itself resolves.
  const added = name === 'nothing' ? [] : name.split('+').map((use) => pluginEntry(use, OPTIONS[use]))
  const upstream = await Worker.start<UpstreamApi, { port: number }>('upstream.ts', { core: undefined })
  const receiver = await Worker.start<ReceiverApi, { port: number }>('receiver.ts', { core: undefined })
  const load = await Worker.start<LoadApi>('load.ts', { core: undefined })
  const lists = [without, [...added, ...without]].map((list) => JSON.stringify(list))
  const args = [String(upstream.ready.port), String(receiver.ready.port), ...lists]
  const flags = ['--conditions=governed-gateway-source', '--expose-gc']
  const both = await Worker.start<TogetherApi, { ports: number[] }>('together.ts', { core: undefined, flags }, args)
  await upstream.call('mode', { kind: 'buffered' })
  const wait = Math.max(50, ...name.split('+').map((one) => WAIT_MS[one] ?? 0))
  const round = async (which: number, requests: number): Promise<number> => {
    await both.call('collect')
    const before = await both.call('cpu')
    const target = { port: both.ready.ports[which]!, key: BENCH_KEY, request: 'chat' as const }
    const work = { requests, connections: CONNECTIONS, silenceMs: SAMPLE_SILENCE_MS }
    const { replies, sample } = await load.call('closed', { ...target, ...work })
    if (replies !== requests) throw new Error(`${replies} replies, not ${requests}: ${sample ?? ''}`)
    await delay(wait)
    await both.call('collect')
    const after = await both.call('cpu')
    return (after.user + after.system - before.user - before.system) / requests
  }
  try {
    for (let i = 0; i < 8; i++) for (const which of [0, 1]) await round(which, 2000)
    await share(name, both, load, both.ready.ports[1]!)
    const costs = [[], []] as [number[], number[]]
    for (let i = 0; i < Number(values.quads); i++) {
      for (const which of [0, 1, 1, 0] as const) costs[which].push(await round(which, Number(values.requests)))
    }
    const { ratio, low, high } = judge(...costs)
    const percent = (one: number) => `${((one - 1) * 100).toFixed(1)} %`
    const base = cost(costs[0])
    const told = `${percent(ratio)} (95 %: ${percent(low)} to ${percent(high)})`
    const own = `${((ratio - 1) * base).toFixed(1)} of ${base.toFixed(0)} us`
    process.stdout.write(`${name} on ${values.base}: ${told}, ${own} a request\n`)
  } finally {
    await Promise.all([both, load, receiver, upstream].map((one) => one.stop()))
  }
}

if (values.help) process.stdout.write(HELP)
else for (const name of values.plugins.split(',')) await compare(name)
process.exit()
