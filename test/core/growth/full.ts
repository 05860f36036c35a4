/**
 * The full table of shapes and sizes: `npm run test:growth`, with sizes in bytes and a pattern of shapes if wanted,
 * `npm run test:growth -- 1000000,10000000 decimals`.
 */
import { judge, type Kind, measure, SHAPES, startBench } from './judge.ts'

const [sizes = '10000,100000,1000000', pattern = ''] = process.argv.slice(2)
const all = sizes.split(',').map(Number)
const bench = await startBench()
let failed = 0
for (const kind of Object.keys(SHAPES) as Kind[]) {
  for (const shape of Object.keys(SHAPES[kind])) {
    if (!new RegExp(pattern).test(shape)) continue
    await measure(bench, kind, shape, all[0] as number)
    const cells: string[] = []
    for (const size of all) {
      const { bytes, cpu, pause } = await measure(bench, kind, shape, size, 1)
      cells.push(`${(bytes / 1000).toFixed(0)} KB: ${cpu.toFixed(0)} ms, pause ${pause.toFixed(0)}`)
    }
    const wrong = await judge(bench, kind, shape, [all.at(-2) ?? 10_000, all.at(-1) as number])
    if (wrong !== undefined) failed++
    process.stdout.write(
      `${kind.padEnd(8)} ${shape.padEnd(38)} ${cells.join(' | ')}${wrong === undefined ? '' : `  ✖ ${wrong}`}\n`,
    )
  }
}
await bench.close()
process.exitCode = failed === 0 ? 0 : 1
