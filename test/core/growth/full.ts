/**
 * The full table of shapes and sizes: `npm run test:growth`, with sizes in bytes and a pattern of shapes if wanted:
 * `npm run test:growth -- 1000000,10000000 decimals`. Limits are as in an ordinary gateway: beyond them a row shows the
 * status of the refusal. For bodies, a size between the last accepted and the first refused one is measured, too, because
 * refusals are cheap and would hide the cost. With `unbounded` as a third word, the limits that hide how time grows are off,
 * and longer pauses are allowed. A row beyond a limit is measured once more at the end, and fails if it is beyond it again.
 */

import { HEADS } from './heads.ts'
import { growingPause, judge, least, type Row, shortPause } from './judge.ts'
import { type Kind, measure, SHAPES, startBench } from './shapes.ts'

const [sizes = '10000,100000,1000000,10000000', pattern = '', limits = ''] = process.argv.slice(2)
const bodies = sizes.split(',').map(Number)
if (!bodies.every((size) => Number.isSafeInteger(size) && size > 0)) {
  process.stderr.write('Usage: npm run test:growth -- [SIZE,SIZE… of bytes [PATTERN of shapes [unbounded]]]\n')
  process.exit(2)
}
const bounded = limits !== 'unbounded'
const bench = await startBench([], bounded)
const failures: string[] = []
const LIMITS = { factor: 1.3, rounds: 1, mostRounds: 4, pause: bounded ? shortPause : growingPause }
let rows = 0
process.stdout.write(
  `10 MB of fresh memory take ${touching().toFixed(0)} ms here: part of each pause over 10 MB of text\n`,
)
const beyond: [Kind, string][] = []
for (const kind of Object.keys(SHAPES) as Kind[]) {
  for (const shape of Object.keys(SHAPES[kind])) {
    if (!new RegExp(pattern).test(`${kind} ${shape}`)) continue
    rows++
    if ((await row(kind, shape)) !== undefined) beyond.push([kind, shape])
  }
}
// Of hundreds of rows, chance puts a few beyond a limit by some percent; what grows is beyond it again.
if (beyond.length > 0) process.stdout.write(`${beyond.length} rows beyond the limits, once more\n`)
for (const [kind, shape] of beyond) {
  const wrong = await row(kind, shape)
  if (wrong !== undefined) failures.push(wrong)
}
await bench.close()
const seconds = (performance.now() / 1000).toFixed(0)
process.stdout.write(`${rows} rows in ${seconds} s, ${failures.length} beyond the limits\n`)
for (const failure of failures) process.stdout.write(`✖ ${failure}\n`)
process.exitCode = failures.length === 0 ? 0 : 1

/** Prints one row, and gives what is wrong with it, if anything. */
async function row(kind: Kind, shape: string): Promise<string | undefined> {
  const all = HEADS[kind]?.sizes ?? bodies
  const cells: string[] = []
  const known = new Map<number, Row>()
  let wrong: string | undefined
  try {
    await measure(bench, kind, shape, all[0] as number)
    for (const [i, size] of all.entries()) {
      if (i === 0) continue
      // The larger size of one pair is the smaller of the next: it is measured again only if that looks wrong.
      const fresh = new Set<number>()
      const one = async (asked: number) => {
        const before = known.get(asked)
        if (before !== undefined && !fresh.has(asked)) {
          fresh.add(asked)
          return before
        }
        fresh.add(asked)
        const row = await measure(bench, kind, shape, asked)
        known.set(asked, least(before ?? row, row))
        return row
      }
      const said = await judge(one, [all[i - 1] as number, size], LIMITS)
      if (said !== undefined) wrong = `${kind} of ${shape}: ${said}`
      if (i === 1) cells.push(told(known.get(all[0] as number) as Row))
      const [before, row] = [known.get(all[i - 1] as number), known.get(size)] as [Row, Row]
      if (HEADS[kind] === undefined && isRefused(row) && !isRefused(before)) {
        const between = Math.round(Math.sqrt((all[i - 1] as number) * size))
        const worst = await judge(one, [all[i - 1] as number, between], LIMITS)
        if (worst !== undefined) wrong = `${kind} of ${shape}: ${worst}`
        cells.push(told(known.get(between) as Row))
      }
      cells.push(told(row))
    }
  } catch (cause) {
    wrong = (cause as Error).message
  }
  const beside = wrong === undefined ? '' : `  ✖ ${wrong}`
  process.stdout.write(`${kind.padEnd(8)} ${shape.padEnd(38)} ${cells.join(' | ')}${beside}\n`)
  return wrong
}

function isRefused({ status = 200 }: Row): boolean {
  return status >= 400
}

/** Milliseconds to write to 10 MB that the process did not have before: the least of five. */
function touching(): number {
  return Math.min(
    ...Array.from({ length: 5 }, () => {
      const from = performance.now()
      Buffer.alloc(10_000_000, 1)
      return performance.now() - from
    }),
  )
}

/** One size. A body beyond a limit is refused, with this status. */
function told({ bytes, cpu, pause, status = 200 }: Row): string {
  const size = `${(bytes / 1000).toFixed(0)} KB`
  return `${size}: ${cpu.toFixed(0)} ms, pause ${pause.toFixed(0)}${status === 200 ? '' : ` (${status})`}`
}
