/** Child of `runMutations`: a line of JSON for each mutation, then one for each found without any. */

import type { Case } from './case.ts'
import { explore, tell } from './explore.ts'
import type { Mutation, Verdict } from './mutation.ts'
import { Worlds } from './worlds.ts'

const given = JSON.parse(process.env.ORACLE_MUTATIONS ?? '[]') as Mutation[]
const [cases, seed] = process.argv.slice(2).map(Number) as [number, number]
/** No two faults see the same values: gateways remember what they inspected. */
const SEEDS_OF_ONE = 100_000
/** Enough for a fault that each exchange leaves behind. */
const CASES_KEPT = 5
const host = globalThis as { oracleMutation?: string }

async function run(name: string, worlds: Worlds, from: number, most: number, only?: Partial<Case>): Promise<Verdict> {
  host.oracleMutation = name
  const how = { seed: from, cases: most, only: only ?? {}, stopAtFirst: true, shrinks: false }
  const { failures, done } = await explore(worlds, how)
  const found = failures[0] ?? (from === seed ? (await worlds.searchKept())[0] : undefined)
  return { name, done, found: found !== undefined, told: found ? tell(found) : '' }
}

const say = (verdict: Verdict): void => void process.stdout.write(`${JSON.stringify(verdict)}\n`)

// Gateways start once for the faults that an exchange shows by itself. What is only in files that stay behind is looked for
// where no other fault was.
const shared = new Worlds()
for (const [nth, { name, only, kept }] of given.entries()) {
  let verdict = kept ? undefined : await run(name, shared, seed + 1 + nth * SEEDS_OF_ONE, cases, only)
  if (!verdict?.found) {
    const own = new Worlds()
    verdict = await run(name, own, seed, kept ? CASES_KEPT : cases, only)
    await own.close()
  }
  say(verdict)
}

// In the same gateways without any fault: none left anything behind that the next could be found by.
for (const [nth, { only }] of given.entries()) {
  const verdict = await run('', shared, seed + 1 + (given.length + nth) * SEEDS_OF_ONE, 3, only)
  if (verdict.found) say(verdict)
}
await shared.close()
