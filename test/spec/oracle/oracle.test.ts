/** A few thousand exchanges with planted values: nothing of them may be readable where the policy says no. */
import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { ALL, rounds } from '../../helpers/rounds.ts'
import { explore, tell } from './explore.ts'
import { grid, runGrid } from './grid.ts'
import { isPendingKept } from './pending.ts'
import { Worlds } from './worlds.ts'

const SEED = 20261122
/** `npm run test:oracle` draws others for as long as it is told; here they are the same each time. */
const CASES = Math.max(1200, rounds(2000))

const PARTS = {
  'kinds of values': /^kind:/,
  spellings: /reading:/,
  'how fast they come': /^pace:/,
  'how JSON is written': /^json:/,
  'shapes of streams': /^(ending|framing|split|indexes|mix|carrier|coding):/,
  'clients that leave': /^leaves:/,
  'long texts': /^far/,
  'the same as a whole': /^twin/,
  'replies that are no completions': /^reply:/,
  'requests that are none': /^ask:/,
  'routes of operators': /^route:/,
  'places of requests': /place:input:/,
  'places of streams': /^streamed/,
  'places of replies': /^buffered/,
  'what is harmless': /^clean:/,
  tokens: /^(?:token|foreign):/,
  'tokens in other places': /^return:/,
  'two values': /^second:/,
  'what was asked before': /^warm:/,
  'talks over several turns': /^talk:/,
  'stored responses': /^stored:/,
}

/** Of these rows each nth, evenly; all of them with all rounds. The first pattern counts. */
const LARGE: readonly (readonly [RegExp, number])[] = [
  [/^return:/, 12],
  [/^pace:|:(?:messages|responses|shown)-/, 12],
  [/place:/, 8],
  [/^clean:/, 6],
  [/reading:|^token:/, 4],
]

describe('leak oracle', () => {
  const worlds = new Worlds()
  after(() => worlds.close())

  const counts = new Map<string, number>()
  const rows = [...grid(SEED)].filter(([name]) => {
    const nth = ALL ? 1 : (LARGE.find(([pattern]) => pattern.test(name))?.[1] ?? 1)
    const group = `${nth} ${/^[^:]*(?:place:\w+)?/.exec(name)?.[0]}`
    // What is cut and what is whole begin apart.
    const at = counts.get(group) ?? (name.includes('cut ') ? nth >> 1 : 0)
    counts.set(group, at + 1)
    return at % nth === 0
  })
  for (const [title, pattern] of Object.entries(PARTS)) {
    it(`each class holds by itself: ${title}`, async () => {
      const failed: string[] = []
      const some = new Map(rows.filter(([name]) => pattern.test(name)))
      assert.ok(some.size > 0)
      await runGrid(
        worlds,
        some,
        false,
        (row) => {
          for (const { case: x, faults } of row.failed) failed.push(tell({ seed: 0, case: x, faults }))
        },
        (name) => (/^(?:pace|return|second):|:(?:messages|responses|shown)-/.test(name) ? 1 : rounds(2)),
      )
      assert.deepEqual(failed, [])
    })
  }

  it('exchanges made at random hold', async () => {
    const { failures, done } = await explore(worlds, { seed: SEED, cases: CASES })
    assert.deepEqual(failures.map(tell), [])
    assert.equal(done, CASES)
  })

  it('neither values nor secrets of the settings stay in logs, trail, files, store, exports or alerts', async () => {
    const found = (await worlds.searchKept()).filter(({ faults }) => !isPendingKept(faults))
    assert.deepEqual(found.map(tell), [])
  })
})
