import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { warmUp } from '../../../core/kit/warm-up.ts'

const turn = () => new Promise(setImmediate)

/** Begins what plugins asked for. */
function begin(t: TestContext): void {
  t.mock.timers.tick(200)
}

describe('warming up', () => {
  it('does nothing before the gateway listens', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const done: string[] = []
    const stop = warmUp([() => void done.push('a')])
    t.mock.timers.tick(199)
    await turn()
    assert.deepEqual(done, [])
    stop()
    t.mock.timers.tick(1)
    await turn()
    assert.deepEqual(done, [])
  })

  it('does one step in each turn, whatever the number of plugins', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const done: string[] = []
    const steps = (...names: string[]) => names.map((name) => () => void done.push(name))
    const stops = [warmUp(steps('a', 'b')), warmUp([]), warmUp(steps('c'))]
    begin(t)
    for (let last = 0; done.length < 3; last = done.length) {
      await turn()
      assert.ok(done.length <= last + 1, done.join())
    }
    assert.deepEqual(done, ['a', 'b', 'c'])
    for (const stop of stops) stop()
  })

  it('ends for a plugin that stops, and goes on for the others', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const done: string[] = []
    const { promise, resolve } = Promise.withResolvers<void>()
    const stop = warmUp([() => stop(), () => void done.push('of the one that stopped')])
    warmUp([() => void done.push('other'), resolve])
    begin(t)
    await promise
    assert.deepEqual(done, ['other'])
  })
})
