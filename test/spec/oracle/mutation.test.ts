/** The oracle finds faults: each mutation of the sources, within a bounded number of cases. */
import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { applyEdit, type Mutation, runMutations } from './mutation.ts'
import { MUTATIONS } from './mutations.ts'

const CASES = 30
const SEED = 20261122

describe('mutations of the sources', () => {
  // They come in this order, and each test waits for its own: all together may take minutes.
  const verdicts = runMutations(MUTATIONS, CASES, SEED)
  after(() => verdicts.return(undefined))

  for (const { name } of MUTATIONS) {
    it(`finds: ${name}`, async () => {
      const { value: verdict } = await verdicts.next()
      assert.equal(verdict?.name, name)
      assert.ok(verdict?.found, `not found in ${verdict?.done} cases`)
    })
  }

  it('finds nothing where nothing is changed', async () => {
    for await (const { name, told } of verdicts) assert.fail(`${name} ${told}`)
  })

  it('a patch that does not fit exactly once, or has no switch, is an error', () => {
    const patch = { file: 'y.ts', find: 'a', replace: 'b$ON' }
    assert.throws(() => applyEdit('aa', 'x', patch), /fits 2 places of y\.ts/)
    assert.throws(() => applyEdit('b', 'x', patch), /fits 0 places/)
    assert.throws(() => applyEdit('a', 'x', { ...patch, replace: 'b' }), /no switch/)
    assert.equal(applyEdit('cac', 'x', patch), 'cb(globalThis.oracleMutation === "x")c')
  })

  it('a patch of a file that is never loaded is an error', async () => {
    const edits = [{ file: 'core/bin.js', find: '#!/usr/bin/env node', replace: '$ON' }]
    const same: Mutation = { name: 'no such', edits }
    const script = fileURLToPath(new URL('mutation.ts', import.meta.url)) // loads nothing
    await assert.rejects(
      runMutations([same], 0, SEED, script).next(),
      /was never loaded: the mutation no such changes nothing/,
    )
  })
})
