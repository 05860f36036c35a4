import assert from 'node:assert/strict'
import { it } from 'node:test'
import * as undici from 'undici'
import { Agent, Pool } from '../../../../core/engine/util/undici.ts'

it('has the parts of undici that its index has', () => {
  assert.equal(Pool, undici.Pool)
  assert.equal(Agent, undici.Agent)
})
