/** A few thousand exchanges with planted values: nothing of them may be readable where the policy says no. */
import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { rounds } from '../../helpers/rounds.ts'
import { explore, tell } from './explore.ts'
import { grid, runGrid } from './grid.ts'
import { isPendingKept } from './pending.ts'
import { Worlds } from './worlds.ts'

const SEED = 20261122
const CASES = rounds(450)

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
  tokens: /^token:/,
  'talks over several turns': /^talk:/,
  'stored responses': /^stored:/,
}

describe('leak oracle', () => {
  const worlds = new Worlds()
  after(() => worlds.close())

  // A fifth of the places of the two APIs with most places, of texts shown as one and of the readings at each pace, two of three
  // of the largest groups, and each place either cut or whole; all in the longer runs.
  const isOften = (name: string, at: number) => {
    if (/^pace:|:(?:messages|responses|shown)-/.test(name)) return at % 5 === 0
    if (/reading:|^token:|^clean:/.test(name) && at % 3 === 1) return false
    const place = /^(streamed )?(cut )?place:/.exec(name)
    return place === null || (place[2] === undefined) === at % 4 < 2
  }
  const rows = [...grid(SEED)].filter(([name], at) => isOften(name, at))
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
        (name) => (/^pace:|:(?:messages|responses|shown)-/.test(name) ? 1 : rounds(2)),
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
