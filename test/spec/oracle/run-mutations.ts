/** Child of `runMutations`: a line of JSON for each mutation, then whether all is well without any. */

import type { Case } from './case.ts'
import { explore, tell } from './explore.ts'
import type { Mutation, Verdict } from './mutation.ts'
import { Worlds } from './worlds.ts'

const given = JSON.parse(process.env.ORACLE_MUTATIONS ?? '[]') as Mutation[]
const [cases, seed] = process.argv.slice(2).map(Number) as [number, number]
const host = globalThis as { oracleMutation?: string }

async function run(name: string, worlds: Worlds, most: number, only: Partial<Case>): Promise<Verdict> {
  host.oracleMutation = name
  const { failures, done } = await explore(worlds, { seed, cases: most, only, stopAtFirst: true, shrinks: false })
  const found = failures[0] ?? (most === cases ? (await worlds.searchKept())[0] : undefined)
  return { name, done, found: found !== undefined, told: found ? tell(found) : '' }
}

const say = (verdict: Verdict): void => void process.stdout.write(`${JSON.stringify(verdict)}\n`)

for (const { name, only } of given) {
  const worlds = new Worlds()
  say(await run(name, worlds, cases, only ?? {}))
  await worlds.close()
}

// Some of the same cases without any fault.
const worlds = new Worlds()
for (const { only } of given) {
  const verdict = await run('', worlds, 3, only ?? {})
  if (verdict.found) say(verdict)
}
for (const found of await worlds.searchKept()) say({ name: '', done: 0, found: true, told: tell(found) })
await worlds.close()
