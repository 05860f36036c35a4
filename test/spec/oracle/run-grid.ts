/** npm run test:oracle:grid -- [--seed S] [--row TEXT] [--all]: which classes hold, each tried for itself. */
import { parseArgs } from 'node:util'
import { grid, runGrid } from './grid.ts'
import { makeCanary } from './values.ts'
import { Worlds } from './worlds.ts'

const { values } = parseArgs({
  options: { seed: { type: 'string', default: '1' }, row: { type: 'string', default: '' }, all: { type: 'boolean' } },
})
const say = (text: string): void => void process.stdout.write(`${text}\n`)
const worlds = new Worlds()
const rows = [...grid(Number(values.seed))].filter(([name]) => name.includes(values.row))
let failed = 0
await runGrid(worlds, new Map(rows), values.all === true, (row) => {
  if (row.failed.length === 0) return
  failed += 1
  const kinds = [...new Set(row.failed.map(({ case: x }) => x.kind))]
  const { case: x, faults } = row.failed[0] as (typeof row.failed)[0]
  say(`${row.name}: ${row.failed.length} of ${row.done} fail (${kinds.join(' ')})`)
  say(
    `  ${faults.join('; ').slice(0, 200)} :: ${JSON.stringify(makeCanary(x.kind, x.value).value).slice(0, 60)} ${JSON.stringify(x)}`,
  )
})
for (const { faults, case: x } of await worlds.searchKept()) say(`KEPT ${faults.join('; ')} ${JSON.stringify(x)}`)
say(`${rows.length} classes, ${failed} fail`)
await worlds.close()
process.exitCode = failed > 0 ? 1 : 0
