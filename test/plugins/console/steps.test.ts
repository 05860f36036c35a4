import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { Exchange } from '../../../core/index.ts'
import { Steps } from '../../../plugins/console/steps.ts'

it('watches few exchanges of a second, so that an open page costs a busy gateway little', () => {
  const steps = new Steps({ store: {} as never })
  let watched = 0
  const begin = (startedAt: number) => {
    steps.begin({ startedAt, observeTaps: () => watched++ } as unknown as Exchange)
  }
  for (let i = 0; i < 1000; i++) begin(5000 + i)
  assert.equal(watched, 50)
  for (let i = 0; i < 20; i++) begin(6000 + i)
  assert.equal(watched, 70)
})
