/** The oracle finds faults: each mutation of the sources, within a bounded number of cases. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { applyMutation, runMutation } from './mutation.ts'
import { MUTATIONS } from './mutations.ts'

const CASES = 250
const SEED = 20261122

describe('mutations of the sources', () => {
  for (const mutation of MUTATIONS) {
    it(`finds: ${mutation.name}`, async () => {
      const { found, output } = await runMutation(mutation, CASES, SEED)
      assert.ok(found, output.slice(-2000))
    })
  }

  it('finds nothing where nothing is changed', async () => {
    const same = MUTATIONS[0] as (typeof MUTATIONS)[0]
    const { code, output } = await runMutation({ ...same, replace: same.find }, 25, SEED)
    assert.equal(code, 0, output.slice(-2000))
  })

  it('a patch that does not fit exactly once is an error', () => {
    const patch = { name: 'x', file: 'y.ts', find: 'a', replace: 'b' }
    assert.throws(() => applyMutation('aa', patch), /fits 2 places of y\.ts/)
    assert.throws(() => applyMutation('b', patch), /fits 0 places/)
    assert.equal(applyMutation('xax', { ...patch, replace: '$&' }), 'x$&x')
  })

  it('a patch of a file that is never loaded is an error', async () => {
    const { found, code, output } = await runMutation(
      { name: 'no such', file: 'core/bin.js', find: '#!/usr/bin/env node', replace: '' },
      1,
      SEED,
    )
    assert.deepEqual([found, code], [false, 3], output.slice(-2000))
  })
})
