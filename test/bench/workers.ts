/**
 * How more workers scale: `node --import tsx --conditions=governed-gateway-source test/bench/workers.ts [PLUGINS]
 * [WORKERS…]`, such as `none 1 2` or `flags+sessions+budget 1 2 4`. Nothing is pinned: gateway, upstream and load
 * client share the machine, so that the wall clock says little where cores are few. CPU time says what each side took;
 * what a worker's main thread takes for each of its requests says where a machine with cores enough would end, when
 * connections are spread evenly.
 */
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { startNode, stopChild, Worker } from './child.ts'
import type { LoadApi } from './load.ts'
import { type CpuSample, cpuMicros, processTree, sampleCpu } from './proc.ts'
import { BENCH_KEY } from './targets.ts'
import type { UpstreamApi } from './upstream.ts'

const [list = 'none', ...counts] = process.argv.slice(2)
const WORKERS = counts.length === 0 ? [1, 2] : counts.map(Number)
const ROUNDS = 9
const REQUESTS = 4000
/** So many that the kernel's hash gives each worker about the same. */
const CONNECTIONS = 256

/** Options that make a plugin do what it is for. */
const OPTIONS: Readonly<Record<string, object>> = {
  budget: { limits: [{ scope: 'key', unit: 'requests', limit: 1e9, window: 'day' }] },
}

interface Cost {
  readonly perSecond: number
  /** CPU microseconds for each request: all of the gateway, its primary, the main thread that serves, the two ends. */
  readonly gateway: number
  readonly primary: number
  readonly main: number
  readonly ends: number
}

async function measure(
  workers: number,
  upstream: Worker<UpstreamApi, { port: number }>,
  load: Worker<LoadApi, unknown>,
) {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-bench-'))
  const port = 20_000 + (process.pid % 20_000)
  const file = join(folder, 'gateway.yaml')
  const plugins = list === 'none' ? [] : list.split('+').map((use) => ({ use, options: OPTIONS[use] ?? {} }))
  const config = {
    listen: { port },
    store: 'file:./data',
    workers,
    log: { level: 'warn' },
    upstreams: { bench: { url: `http://127.0.0.1:${upstream.ready.port}/v1` } },
    keys: [{ id: 'bench', hash: `sha256:${createHash('sha256').update(BENCH_KEY).digest('hex')}` }],
    plugins,
  }
  writeFileSync(file, JSON.stringify(config))
  const bin = new URL('../../core/bin.js', import.meta.url).pathname
  const child = startNode([bin, 'start', '--config', file], {
    core: undefined,
    ipc: false,
    logFile: join(folder, 'log'),
  })
  const pid = child.pid as number
  const target = { port, key: BENCH_KEY, request: 'chat' as const, connections: CONNECTIONS, silenceMs: 60_000 }
  try {
    while (
      !(await fetch(`http://127.0.0.1:${port}/health/ready`).then(
        ({ ok }) => ok,
        () => false,
      ))
    );
    for (let i = 0; i < 3; i++) await load.call('closed', { ...target, requests: REQUESTS })
    const rounds: Cost[] = []
    for (let i = 0; i < ROUNDS; i++) {
      const ends = [upstream.process.pid as number, load.process.pid as number]
      const before = { gateway: sampleCpu(pid), ends: ends.map(sampleCpu) }
      const result = await load.call('closed', { ...target, requests: REQUESTS })
      if (result.replies !== REQUESTS) throw new Error(`${result.replies} replies; ${result.sample ?? ''}`)
      const after = sampleCpu(pid)
      // A primary serves nothing.
      const servers = workers === 1 ? [pid] : processTree(pid).filter((one) => one !== pid)
      rounds.push({
        perSecond: (REQUESTS / result.wallMs) * 1000,
        gateway: cpuMicros(before.gateway, after) / REQUESTS,
        primary: threads(before.gateway, after, pid).reduce((sum, us) => sum + us, 0) / REQUESTS,
        main: servers.reduce((sum, one) => sum + Math.max(...threads(before.gateway, after, one)), 0) / REQUESTS,
        ends: ends.reduce((sum, end, k) => sum + cpuMicros(before.ends[k] as CpuSample, sampleCpu(end)), 0) / REQUESTS,
      })
    }
    return best(rounds)
  } finally {
    await stopChild(child)
    rmSync(folder, { recursive: true, force: true })
  }
}

/** CPU microseconds of each thread of one process. */
function threads(before: CpuSample, after: CpuSample, pid: number): number[] {
  return [...after.threads]
    .filter(([thread]) => thread.startsWith(`${pid}/`))
    .map(([thread, ns]) => (ns - (before.threads.get(thread) ?? 0)) / 1000)
}

/** Noise of a shared machine only adds: the round that cost least. */
const best = (rounds: readonly Cost[]): Cost => rounds.toSorted((a, b) => a.gateway - b.gateway)[0] as Cost

const upstream = await Worker.start<UpstreamApi, { port: number }>('upstream.ts', { core: undefined })
const load = await Worker.start<LoadApi>('load.ts', { core: undefined })
await upstream.call('mode', { kind: 'buffered' })
const rows: string[] = []
for (const workers of WORKERS) {
  const cost = await measure(workers, upstream, load)
  const us = (value: number): string => value.toFixed(0).padStart(8)
  const share = `${((100 * cost.ends) / (cost.ends + cost.gateway)).toFixed(0)} %`
  rows.push(
    [
      String(workers).padStart(7),
      cost.perSecond.toFixed(0).padStart(10),
      us(cost.gateway),
      us(cost.primary),
      us(cost.main),
      ((workers * 1e6) / cost.main).toFixed(0).padStart(13),
      us(cost.ends),
      share.padStart(10),
    ].join('  '),
  )
}
const cores = `${availableParallelism()} × ${cpus()[0]?.model.trim()}, load ${loadavg()[0]?.toFixed(1)}, plugins ${list}`
process.stdout.write(
  `${cores}\nworkers  requests/s   gateway   primary      main  cores enough      ends  ends' part\n${rows.join('\n')}\n`,
)
await Promise.all([load.stop(), upstream.stop()])
process.exit()
