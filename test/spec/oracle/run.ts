import { parseArgs } from 'node:util'
import type { Case } from './case.ts'
import { explore, tell } from './explore.ts'
import { Worlds } from './worlds.ts'

const USAGE = `npm run test:oracle -- [--minutes N] [--cases N] [--seed S] [--class TAG]… [--only JSON] [--pending] [--first]
  npm run test:oracle -- --case JSON
  One minute and a random seed by default. --seed S --cases 1 repeats one case; --class streamed takes cases with that tag,
  --only '{"side":"output","place":"refusal"}' changes members of every case.
  --case takes the case that a failure tells, whatever the generator makes of seeds by then.`

const { values } = parseArgs({
  options: {
    minutes: { type: 'string' },
    cases: { type: 'string' },
    seed: { type: 'string' },
    class: { type: 'string', multiple: true },
    pending: { type: 'boolean', default: false },
    only: { type: 'string' },
    case: { type: 'string' },
    first: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

const say = (text: string): void => void process.stdout.write(`${text}\n`)
if (values.help) {
  say(USAGE)
  process.exit()
}
const seed = Number(values.seed ?? Math.floor(Math.random() * 1e9))
const minutes = values.minutes === undefined ? (values.cases === undefined ? 1 : Infinity) : Number(values.minutes)
const end = Date.now() + minutes * 60_000

const worlds = new Worlds()
if (values.case !== undefined) {
  const x = JSON.parse(values.case) as Case
  const judgement = await worlds.judge(x)
  const told = [...(await worlds.searchKept()), { seed: 0, case: x, faults: judgement.faults, judgement }]
  for (const failure of told) say(tell(failure))
  await worlds.close()
  process.exit(told.some(({ faults }) => faults.length > 0) ? 1 : 0)
}
say(`seed ${seed}`)
const summary = await explore(worlds, {
  seed,
  cases: Number(values.cases ?? Infinity),
  until: () => Date.now() > end,
  classes: values.class ?? [],
  pending: values.pending,
  ...(values.only !== undefined && { only: JSON.parse(values.only) as Partial<Case> }),
  stopAtFirst: values.first,
  renewEvery: 1500,
  onFailure: (failure) =>
    say(
      `\nFAILED ${tell(failure)}\n  again: npm run test:oracle -- --seed ${failure.seed} --cases 1${values.pending ? ' --pending' : ''}`,
    ),
  onProgress: (done) => {
    if (done % 500 === 0) say(`${done} cases`)
  },
})
for (const failure of await worlds.searchKept()) {
  summary.failures.push(failure)
  say(`\nFAILED ${tell(failure)}`)
}
await worlds.close()

say(`\n${summary.done} cases, ${summary.failures.length} failures, seed ${seed}`)
for (const [tag, count] of [...summary.counts].sort(([a], [b]) => (a < b ? -1 : 1)))
  say(`  ${String(count).padStart(6)}  ${tag}`)
process.exitCode = summary.failures.length > 0 ? 1 : 0
