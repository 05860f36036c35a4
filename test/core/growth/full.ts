/**
 * The full table of shapes and sizes: `npm run test:growth`, with sizes in bytes and a pattern of shapes if wanted:
 * `npm run test:growth -- 1000000,10000000 decimals`.
 */
import { judge, type Kind, measure, type Row, SHAPES, startBench } from './judge.ts'

const [sizes = '10000,100000,1000000', pattern = ''] = process.argv.slice(2)
const all = sizes.split(',').map(Number)
const bench = await startBench()
const failures: string[] = []
for (const kind of Object.keys(SHAPES) as Kind[]) {
  for (const shape of Object.keys(SHAPES[kind])) {
    if (!new RegExp(pattern).test(`${kind} ${shape}`)) continue
    const told = await row(kind, shape)
    process.stdout.write(`${kind.padEnd(8)} ${shape.padEnd(38)} ${told}\n`)
  }
}
await bench.close()
for (const failure of failures) process.stdout.write(`✖ ${failure}\n`)
process.exitCode = failures.length === 0 ? 0 : 1

async function row(kind: Kind, shape: string): Promise<string> {
  const cells: string[] = []
  const rows: Row[] = []
  let wrong: string | undefined
  try {
    await measure(bench, kind, shape, all[0] as number)
    for (const size of all) {
      const row = await measure(bench, kind, shape, size, 1)
      const { bytes, cpu, pause } = row
      rows.push(row)
      cells.push(`${(bytes / 1000).toFixed(0)} KB: ${cpu.toFixed(0)} ms, pause ${pause.toFixed(0)}`)
    }
    const [small, large] = rows.slice(-2) as [Row, Row]
    wrong = await judge(bench, kind, shape, [all.at(-2) as number, all.at(-1) as number], [small, large])
  } catch (cause) {
    wrong = (cause as Error).message
  }
  if (wrong === undefined) return cells.join(' | ')
  failures.push(wrong)
  return `${cells.join(' | ')}  ✖ ${wrong}`
}
