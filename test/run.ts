/**
 * `npm test`: every `*.test.ts` below `test/`, several files in one process where they share nothing but modules. Loading
 * the gateway costs more than most tests, so eighty pay for it once.
 */
import { type ChildProcessByStdio, spawn, spawnSync } from 'node:child_process'
import { existsSync, globSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { ALONE, FIGURES, FIRST, PROCESSES, TOGETHER } from './alone.ts'
import { ROOM } from './helpers/room.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const USAGE = `usage: node test/run.ts [--fast] [--checks] [--verbose] [--processes N] [PATTERN…]

Runs the test files that match a pattern (default: test/**/*.test.ts), prints a line for each group of files and all of
what failed. To run one file with all its output: npm run -s test:file -- FILE

  --fast         no processes, stores, kills, large bodies, figures or spellings by the hundred, and a thirtieth of the random cases: what a change breaks first
  --checks       lint and types, too, beside the tests
  --verbose      print every test
  --costs        print the processor time of each file, the dearest first (Linux)
  --processes N  groups at a time (default 5: tests wait a good deal)
`

/** With processes of their own, a store on disk or in Redis, figures, bodies of megabytes, load, or a gateway for each cell of a grid. */
const SLOW = [
  ...ALONE,
  ...PROCESSES,
  'test/e2e/**',
  'test/plugins/{budget/load,injection/figures,secrets/figures}.test.ts',
  'test/core/services/**',
  'test/spec/**',
  'test/plugins/{siem,audit-file}/**',
  'test/core/engine/**/{*large*,*turns,stream-bounds,long-texts}.test.ts',
  'test/core/engine/{host/memo-same,upstreams/load/chaos}.test.ts',
  'test/core/engine/host/hostile-plugins.test.ts',
  'test/core/engine/relay/stream-parts.test.ts',
  'test/core/engine/text/hold-verdict-values.test.ts',
  'test/core/engine/dialects/{messages,responses}/seals.test.ts',
  'test/plugins/{fields,long-texts,readings}.test.ts',
  // Judges each of a thousand.
  'test/rules/expressions.test.ts',
  'test/plugins/pii/{destinations,restored-fields}.test.ts',
  // Spellings, odd places, attacks and vocabularies by the hundred, beside a test of what is usual.
  'test/core/engine/{text/{spelled-streams,chance-runs},relay/stream-joins,dialects/responses/odd}.test.ts',
  'test/plugins/{decorations,invisible-borders,percent-signs}.test.ts',
  'test/plugins/secrets/{nested-labels,notations,places}.test.ts',
  'test/plugins/pii/{streaming,separators,email-unspaced,email-quoted,restored-neighbours}.test.ts',
  'test/plugins/{budget/tokens,budget/vocabulary,injection/literals,oidc/attacks,otel/otel}.test.ts',
  // Garbage collections, floods, random streams, and texts cut at each of their characters.
  'test/core/engine/{dialects/messages/random,exchange/released,upstreams/demo}.test.ts',
  'test/core/testing/test-plugin.test.ts',
  'test/plugins/{alerting/replicas,alerting/secret,budget/absurd,classification/labels,secrets/stream}.test.ts',
]
/** Each group loads the gateway and has V8 optimise it; what tests leave behind slows down a group of hundreds. */
const FILES_IN_A_GROUP = 80
/** A group that prints nothing for so long was left open, for a hanging test is ended after two minutes. */
const SILENCE_MS = 180_000

interface Group {
  name: string
  files: string[]
}

/** Scripts of package.json that `--checks` runs. */
const CHECKS = ['lint', 'typecheck']

interface Outcome {
  name: string
  ok: boolean
  tests: number
  output: string
  /** Of the group and the processes it started, seconds of processor time. */
  processor: number
}

interface Built {
  plugins: number
  sources: readonly (readonly [file: string, size: number, time: number])[]
}

/** In CI the machine is shared: a group that failed runs once more, and is told as unsteady if it passes then. */
const TRIES = process.env.CI === undefined ? 1 : 2

/** Those that take longest first, so that none of them is what everybody waits for; apart, those that measure. */
function groupsOf(patterns: readonly string[], fast: boolean): { others: Group[]; figures: Group[] } {
  const matching = (globs: readonly string[]) => new Set(globs.flatMap((glob) => globSync(glob, { cwd: ROOT })))
  const left = matching(fast ? SLOW : [])
  const alone = matching(ALONE)
  const figures = matching(FIGURES)
  const shared = new Map(
    Object.entries(TOGETHER).flatMap(([name, globs]) => [...matching(globs)].map((file) => [file, name])),
  )
  const files = [...matching(patterns)].filter((file) => file.endsWith('.test.ts') && !left.has(file)).sort()
  const nameOf = (file: string) => shared.get(file) ?? (alone.has(file) ? file : dirname(file).split(sep, 2).join('/'))
  const groups = [...Map.groupBy(files, nameOf)].flatMap(([name, together]) => dealt(name, together))
  const rank = ({ name }: Group) => (FIRST.includes(name) ? FIRST.indexOf(name) : FIRST.length)
  groups.sort((a, b) => rank(a) - rank(b) || b.files.length - a.files.length)
  const measures = ({ files }: Group) => files.some((file) => figures.has(file))
  return { others: groups.filter((group) => !measures(group)), figures: groups.filter(measures) }
}

/** As many groups as it takes, dealt like cards: neighbours take about as long as each other. */
function dealt(name: string, files: readonly string[]): Group[] {
  const count = Math.ceil(files.length / FILES_IN_A_GROUP)
  return Array.from({ length: count }, (_, nth) => ({ name, files: files.filter((_, i) => i % count === nth) }))
}

/** One arena of memory that grows by 16 MB: a tenth fewer page faults. */
const ALLOCATION = { MALLOC_ARENA_MAX: '1', MALLOC_TOP_PAD_: '16777216' }
// Node strips the types itself, in half the time of tsx.
const OPTIONS = ['--conditions=governed-gateway-source', '--test-timeout=120000', 'test/group.ts']

/** Of all processes that ended, seconds; 0 where the system does not count it as Linux does. */
function processorTime(): number {
  try {
    const fields = readFileSync('/proc/self/stat', 'utf8').split(' ')
    const [user, system] = fields.slice(15, 17).map(Number) as [number, number]
    return (user + system) / 100
  } catch {
    return 0
  }
}

const COMPILED = join(ROOT, 'node_modules/.cache/compiled')
/** In a fresh clone one group compiles for all: settles when the first has loaded what it tests. */
const loaded = Promise.withResolvers<void>()
if (existsSync(COMPILED)) loaded.resolve()

let counted = processorTime()

/** What it printed, its exit code, and its processor time. */
async function outcomeOf(child: ChildProcessByStdio<null, Readable, Readable>) {
  const exited = new Promise<number>((resolve) =>
    child.once('exit', () => {
      const before = counted
      counted = processorTime()
      resolve(counted - before)
    }),
  )
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  return Promise.all([text(child.stdout), text(child.stderr), ended, exited])
}

async function run(group: Group, flags: readonly string[]): Promise<Outcome> {
  const child = spawn(process.execPath, [...flags, ...OPTIONS, ...group.files], {
    cwd: ROOT,
    env: {
      ...process.env,
      NODE_COMPILE_CACHE: COMPILED,
      // `tsc` is written in Go, and ends before its garbage would matter.
      GOGC: 'off',
      ...(flags === ROOM && ALLOCATION),
      ...(values.costs && { TEST_COSTS: 'yes' }),
      ...(values.fast ? { TEST_FAST: 'yes' } : { TEST_BUILT: 'yes' }),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const silence = setTimeout(() => child.kill('SIGKILL'), SILENCE_MS)
  child.stdout.on('data', () => silence.refresh())
  child.stdout.once('data', () => loaded.resolve())
  const [output, errors, code, processor] = await outcomeOf(child)
  loaded.resolve()
  clearTimeout(silence)
  const tests = Number(/^ℹ pass (\d+)$/m.exec(output)?.[1] ?? 0)
  const isSilent = child.signalCode === 'SIGKILL'
  const how = isSilent ? `printed nothing for ${SILENCE_MS / 60_000} minutes` : `ended with ${child.signalCode ?? code}`
  const why = code === 0 ? '' : `\n${group.name}: ${how}\n`
  return { name: group.name, ok: code === 0 && tests > 0, tests, output: output + errors + why, processor }
}

async function check(script: string): Promise<void> {
  const start = performance.now()
  const child = spawn('npm', ['run', '--silent', script], { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] })
  const [output, errors, code, processor] = await outcomeOf(child)
  tell({ name: script, ok: code === 0, tests: 0, output: output + errors, processor }, script, start)
}

const { values, positionals } = parseArgs({
  options: {
    fast: { type: 'boolean', default: false },
    checks: { type: 'boolean', default: false },
    verbose: { type: 'boolean', default: false },
    costs: { type: 'boolean', default: false },
    processes: { type: 'string', default: '5' },
    help: { type: 'boolean', default: false },
  },
  allowPositionals: true,
})
const processes = Number(values.processes)
if (values.help || !(processes >= 1)) {
  process.stdout.write(USAGE)
  process.exit(values.help ? 0 : 2)
}

const { others, figures } = groupsOf(positionals.length > 0 ? positionals : ['test/**/*.test.ts'], values.fast)
// Gateways that tests start run from it, which takes half as long as from the sources.
if (!values.fast && !isBuilt()) spawnSync(process.execPath, ['core/build.js'], { cwd: ROOT, stdio: 'inherit' })
counted = processorTime()
const outcomes: Outcome[] = []
const unsteady: string[] = []
const began = performance.now()

/** After `npm ci` it is, until something is edited. */
function isBuilt(): boolean {
  try {
    const list = join(ROOT, 'dist/sources.json')
    const { plugins, sources } = JSON.parse(readFileSync(list, 'utf8')) as Built
    const builder = statSync(join(ROOT, 'core/build.js'))
    return (
      builder.mtimeMs < statSync(list).mtimeMs &&
      readdirSync(join(ROOT, 'plugins')).length === plugins &&
      sources.every(([file, size, time]) => {
        const now = statSync(join(ROOT, file))
        return now.size === size && now.mtimeMs === time
      })
    )
  } catch {
    return false
  }
}

async function work(waiting: Iterable<Group>, flags: readonly string[]): Promise<void> {
  for (const group of waiting) {
    const start = performance.now()
    let outcome = await run(group, flags)
    for (let tries = 1; !outcome.ok && tries < TRIES; tries++) {
      process.stdout.write(`${outcome.output}\n✖ ${group.name}: failed, and runs once more\n`)
      unsteady.push(group.name)
      outcome = await run(group, flags)
    }
    const files = group.files.length === 1 ? '' : ` (${group.files.length} files)`
    tell(outcome, `${group.name}${files}: ${outcome.tests} passed`, start)
  }
}

function tell(outcome: Outcome, what: string, start: number): void {
  outcomes.push(outcome)
  if (values.verbose) process.stdout.write(outcome.output)
  const seconds = ((performance.now() - start) / 1000).toFixed(1)
  process.stdout.write(
    `${outcome.ok ? '✔' : '✖'} ${what}, ${seconds} s, ${outcome.processor.toFixed(1)} s of processor time\n`,
  )
}

// One at a time, those that measure: by processor time, so that others may run beside them.
const waiting = others.values()
await Promise.all(
  Array.from({ length: processes }, async (_, lane) => {
    if (lane === 0) {
      if (values.checks) for (const script of CHECKS) await check(script)
      await work(figures, [])
    }
    if (lane > 1) await loaded.promise
    await work(waiting, ROOM)
  }),
)
const failed = outcomes.filter(({ ok }) => !ok)
for (const { output, name } of failed) {
  const from = output.indexOf('✖ failing tests:')
  process.stdout.write(`\n${name}\n${from < 0 ? output : output.slice(from)}\n`)
}
if (values.costs) {
  const lines = outcomes.flatMap(({ name, output }) =>
    Array.from(
      output.matchAll(/^costs ([\d.]+) s and ([\d.]+) s (in processes: .*)$/gm),
      ([, own, started, where]) => ({
        sum: Number(own) + Number(started),
        line: `${own} and ${started} ${where} (${name})\n`,
      }),
    ),
  )
  process.stdout.write(
    `\nSeconds of processor time\n${lines
      .sort((a, b) => b.sum - a.sum)
      .map(({ line }) => line)
      .join('')}`,
  )
}
const passed = outcomes.reduce((sum, { tests }) => sum + tests, 0)
if (unsteady.length > 0) process.stdout.write(`\nfailed at first: ${unsteady.join(', ')}\n`)
const minutes = ((performance.now() - began) / 60_000).toFixed(1)
process.stdout.write(
  `\n${passed} tests passed, ${failed.length} of ${outcomes.length} groups failed, ${minutes} minutes, ${processorTime().toFixed(0)} s of processor time\n`,
)
process.exitCode = failed.length === 0 && passed > 0 ? 0 : 1
