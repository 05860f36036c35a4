import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { Pulse } from '../../../../core/gateway/cluster/pulse.ts'

function watched(t: TestContext, allowed = () => 30_000) {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const seen = { pings: 0, silent: 0 }
  const pulse = new Pulse({ ping: () => seen.pings++, allowed, silent: () => seen.silent++ })
  const pass = (seconds: number): void => {
    for (let i = 0; i < seconds; i++) t.mock.timers.tick(1000)
  }
  return { pulse, seen, pass, pause: (ms: number) => t.mock.timers.tick(ms) }
}

describe('pulse', () => {
  it('tells of a silence as long as allowed, once, having asked once', (t) => {
    const { seen, pass } = watched(t)
    pass(29)
    assert.deepEqual(seen, { pings: 1, silent: 0 })
    pass(1)
    assert.deepEqual(seen, { pings: 1, silent: 1 })
    pass(100)
    assert.deepEqual(seen, { pings: 1, silent: 1 })
  })

  it('begins to count again with every answer, however late', (t) => {
    const { pulse, seen, pass } = watched(t)
    for (let round = 1; round <= 10; round++) {
      pass(29)
      pulse.answered()
      pass(1)
      assert.deepEqual(seen, { pings: 1 + round, silent: 0 })
    }
  })

  it('takes a long pause of its own process for one turn', (t) => {
    const { pulse, seen, pass, pause } = watched(t)
    // A timer that was due long ago runs once; the answers that wait are read after it.
    for (let i = 0; i < 29; i++) pause(600_000)
    assert.equal(seen.silent, 0)
    pulse.answered()
    pass(29)
    assert.equal(seen.silent, 0)
  })

  it('follows a change of the time', (t) => {
    let allowed = 3_600_000
    const { seen, pass } = watched(t, () => allowed)
    pass(100)
    assert.equal(seen.silent, 0)
    allowed = 101_000
    pass(1)
    assert.equal(seen.silent, 1)
  })

  it('looks several times within a short time', (t) => {
    const { seen, pause } = watched(t, () => 1000)
    for (let i = 0; i < 5; i++) pause(167)
    assert.equal(seen.silent, 0)
    pause(167)
    assert.equal(seen.silent, 1)
  })

  it('asks and tells nothing once it is stopped', (t) => {
    const { pulse, seen, pause } = watched(t)
    pulse.stop()
    pause(600_000)
    assert.deepEqual(seen, { pings: 1, silent: 0 })
  })
})
