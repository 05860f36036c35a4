/** When an upstream is taken out and comes back, by a clock of the test. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Breaker, type BreakerConfig } from '../../../../../core/engine/upstreams/load/breaker.ts'

const CONFIG: BreakerConfig = {
  enabled: true,
  failures: 3,
  failure_share: 0.5,
  min_requests: 10,
  window_seconds: 10,
  open_seconds: 5,
  max_open_seconds: 20,
}

function breaker(more: Partial<BreakerConfig> = {}, checked = false) {
  const clock = { now: 1000 }
  const changes: (string | undefined)[] = []
  const one = new Breaker(
    { ...CONFIG, ...more },
    checked,
    () => clock.now,
    (reason) => changes.push(reason),
  )
  const fail = (times: number) => {
    for (let i = 0; i < times; i++) one.failure()
  }
  return { one, clock, changes, fail }
}

describe('a breaker', () => {
  it('opens after failures in a row, and not when a success is between', () => {
    const { one, fail, changes } = breaker()
    fail(2)
    one.success()
    fail(2)
    assert.equal(one.state, 'closed')
    fail(1)
    assert.deepEqual([one.state, one.admits, changes], ['open', false, ['failures_in_row']])
  })

  it('opens at a share of failures, once enough requests were seen within its window', () => {
    const { one, clock, changes } = breaker({ failures: 100 })
    const round = () => {
      one.failure()
      one.success()
    }
    for (let i = 0; i < 4; i++) round()
    assert.equal(one.state, 'closed')
    // What is older than the window is forgotten, also after a long silence.
    clock.now += 11_000
    for (let i = 0; i < 4; i++) round()
    clock.now += 1_000_000
    for (let i = 0; i < 4; i++) round()
    assert.equal(one.state, 'closed')
    round()
    one.failure()
    assert.deepEqual(changes, ['failure_share'])
  })

  it('stays closed at a lower share', () => {
    const { one, clock } = breaker({ failures: 100, failure_share: 0.2 })
    for (let i = 0; i < 1000; i++) {
      clock.now += 40
      if (i % 10 === 0) one.failure()
      else one.success()
    }
    assert.equal(one.state, 'closed')
  })

  it('lets one request through per wait, and closes when it succeeds', () => {
    const { one, clock, fail, changes } = breaker()
    fail(3)
    clock.now += 4999
    assert.equal(one.admits, false)
    clock.now += 1
    assert.equal(one.admits, true)
    one.begin()
    assert.deepEqual([one.admits, one.state], [false, 'half_open'])
    one.success()
    assert.deepEqual([one.admits, one.state, changes], [true, 'closed', ['failures_in_row', undefined]])
  })

  it('waits twice as long after each trial that fails, up to the longest', () => {
    const { one, clock, fail } = breaker()
    fail(3)
    for (const wait of [5000, 10_000, 20_000, 20_000]) {
      clock.now += wait - 1
      assert.equal(one.admits, false)
      clock.now += 1
      assert.equal(one.admits, true)
      one.begin()
      one.failure()
    }
  })

  it('allows another trial when nothing is heard of the last, whose client left', () => {
    const { one, clock, fail } = breaker()
    fail(3)
    clock.now += 5000
    one.begin()
    clock.now += 5000
    assert.equal(one.admits, true)
  })

  it('ignores answers from before it opened', () => {
    const { one, fail, changes } = breaker()
    fail(3)
    one.success()
    one.failure()
    assert.deepEqual([one.state, changes.length], ['open', 1])
  })

  it('with a check of its own lets no request through until the check succeeds', () => {
    const { one, clock, fail } = breaker({}, true)
    fail(3)
    clock.now += 1_000_000
    assert.equal(one.admits, false)
    one.begin()
    one.success()
    assert.equal(one.admits, true)
  })

  it('never opens when it is not enabled', () => {
    const { one, fail } = breaker({ enabled: false })
    fail(100)
    assert.equal(one.admits, true)
  })
})
