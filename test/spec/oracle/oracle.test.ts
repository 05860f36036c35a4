/** A few thousand exchanges with planted values: nothing of them may be readable where the policy says no. */
import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { explore, tell } from './explore.ts'
import { grid, runGrid } from './grid.ts'
import { isPendingKept } from './pending.ts'
import { Worlds } from './worlds.ts'

const SEED = 20261122

describe('leak oracle', () => {
  const worlds = new Worlds()
  after(() => worlds.close())

  it('each class of places, spellings and shapes holds by itself', async () => {
    const failed: string[] = []
    await runGrid(
      worlds,
      grid(SEED),
      false,
      (row) => {
        for (const { case: x, faults } of row.failed) failed.push(tell({ seed: 0, case: x, faults }))
      },
      2,
    )
    assert.deepEqual(failed, [])
  })

  it('exchanges made at random hold', async () => {
    const { failures, done } = await explore(worlds, { seed: SEED, cases: 600 })
    assert.deepEqual(failures.map(tell), [])
    assert.equal(done, 600)
  })

  it('neither values nor secrets of the settings stay in logs, trail, files, store, exports or alerts', async () => {
    const found = (await worlds.searchKept()).filter(({ faults }) => !isPendingKept(faults))
    assert.deepEqual(found.map(tell), [])
  })
})
