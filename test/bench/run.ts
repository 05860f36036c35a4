/** `npm run bench`: what the gateway costs, as ratios to a bare passthrough in the same run. See docs/benchmarks.md. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Cores, keepAwake, pinnableCores, Worker } from './child.ts'
import type { LoadApi } from './load.ts'
import { HELP, type Options, readOptions } from './options.ts'
import type { ReceiverApi } from './receiver.ts'
import { evaluate, type ScenarioResult, table } from './report.ts'
import { progress, ScenarioRun } from './scenario-run.ts'
import type { Session } from './scenarios/scenario.ts'
import type { StartContext } from './targets.ts'
import type { UpstreamApi } from './upstream.ts'

function machine(cores: Cores | undefined, awake: boolean): string[] {
  const undici = JSON.parse(readFileSync(new URL('../../node_modules/undici/package.json', import.meta.url), 'utf8'))
  const list = cpus()
  return [
    `${list.length} × ${list[0]?.model.trim()}, Node ${process.versions.node}, undici ${undici.version}, load ${loadavg()[0]!.toFixed(2)}`,
    cores === undefined
      ? 'not pinned (needs two cores and taskset): expect more noise'
      : `pinned: the subject on core ${cores.subject}, upstream and load client on core ${cores.ends}${awake ? ', which never sleeps' : ''}`,
  ]
}

async function measureAll(options: Options, cores: Cores | undefined, folder: string): Promise<ScenarioResult[]> {
  const upstream = await Worker.start<UpstreamApi, { port: number }>('upstream.ts', { core: cores?.ends })
  const load = await Worker.start<LoadApi>('load.ts', { core: cores?.ends })
  const receiver = await Worker.start<ReceiverApi, { port: number }>('receiver.ts', { core: cores?.ends })
  const session: Session = { upstream, load, receiver, quick: options.quick, sizes: new Map() }
  const end = performance.now() + options.minutes * 60_000
  const results: ScenarioResult[] = []
  for (const [i, scenario] of options.scenarios.entries()) {
    const now = performance.now()
    const until = now + (end - now) / (options.scenarios.length - i)
    const depth = options.quick ? 'quick' : 'full'
    const count = options.pairs ?? scenario.rounds[depth]
    progress(`${scenario.name}: warming`)
    const context: StartContext = {
      upstreamPort: upstream.ready.port,
      receiverPort: receiver.ready.port,
      subject: { core: cores?.subject, collectable: scenario.collects === true, profile: options.profile },
      folder,
    }
    const run = new ScenarioRun(scenario, session, context, options.subjects)
    const plan = { count, generations: scenario.generations[depth], seed: options.seed + i, until }
    const rounds = await run.run(options.subjects, plan)
    results.push(evaluate(scenario, options.subjects, rounds))
  }
  await Promise.all([load.stop(), upstream.stop(), receiver.stop()])
  return results
}

async function main(): Promise<void> {
  const options = readOptions()
  if (options === undefined) {
    process.stdout.write(HELP)
    return
  }
  const folder = mkdtempSync(join(tmpdir(), 'gateway-bench-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  // The children end in the exit handler of child.ts.
  process.on('SIGINT', () => process.exit(130))
  process.on('SIGTERM', () => process.exit(143))
  const cores = pinnableCores()
  const header = machine(cores, cores !== undefined && keepAwake(cores.ends))
  for (const line of header) progress(line)
  const results = await measureAll(options, cores, folder)
  process.stdout.write(`\n${header.join('\n')}\n\n${results.map(table).join('\n')}\n`)
  if (options.json !== undefined) {
    const report = { at: new Date().toISOString(), machine: header, seed: options.seed, quick: options.quick, results }
    writeFileSync(options.json, `${JSON.stringify(report, null, 2)}\n`)
  }
  const verdicts = results.flatMap((result) => result.subjects.map((one) => one.verdict))
  if (verdicts.includes('error') || (options.check && verdicts.includes('FAIL'))) process.exitCode = 1
}

try {
  await main()
} catch (error) {
  process.stderr.write(`bench: ${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
// Nothing may keep a failed run alive; the exit handlers clean up.
process.exit()
