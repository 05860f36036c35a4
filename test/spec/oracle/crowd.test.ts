import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { rounds } from '../../helpers/rounds.ts'
import { crowd } from './crowd.ts'
import { startWorld, type World } from './world.ts'

describe('many callers at once', () => {
  let world: World | undefined
  after(() => world?.close())

  it('get their own values back, and nothing of each other', { timeout: 120_000 }, async () => {
    world = await startWorld('tokenize')
    const faults = await crowd(world, Math.max(200, rounds(3000)), 50, 20261130)
    assert.equal(faults.slice(0, 5).join('\n'), '')
  })
})
