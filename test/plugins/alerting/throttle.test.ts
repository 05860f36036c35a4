import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import type { GovernanceEvent } from 'governed-gateway'
import { DIGEST, type DigestEvent } from '../../../plugins/alerting/digest.ts'
import { fail, isOpen, succeed } from '../../../plugins/alerting/throttle/breaker.ts'
import { type Day, isQuiet, isTimeZone } from '../../../plugins/alerting/throttle/quiet.ts'
import { emptyState, type State } from '../../../plugins/alerting/throttle/state.ts'
import { digestDue, flush, settle, type ThrottlePolicy, take } from '../../../plugins/alerting/throttle/throttle.ts'
import { rounds } from '../../helpers/rounds.ts'
import { blocked } from './events.ts'

const T0 = Date.parse('2026-11-21T04:00:00.000Z')
const POLICY: ThrottlePolicy = { windowMs: 300_000, perMinute: 10 }

/** One destination with a clock of its own: what it delivers, and when. */
class Destination {
  state: State = emptyState()
  now = T0
  readonly sent: { at: number; message: GovernanceEvent }[] = []
  readonly policy: ThrottlePolicy
  /** Whether the receiver takes what it is sent. */
  works = true
  #ids = 0
  #seq = 0

  constructor(policy: Partial<ThrottlePolicy> = {}) {
    this.policy = { ...POLICY, ...policy }
  }

  event(more: Partial<GovernanceEvent> = {}): GovernanceEvent {
    this.#seq += 1
    return blocked({ id: `event-${this.#seq}`, seq: this.#seq, ...more })
  }

  take(event = this.event()): void {
    take(this.state, event, this.policy, this.now)
    this.deliver()
  }

  /** Lets time pass; digests leave when they are due, to the second. */
  advance(ms: number): void {
    const end = this.now + ms
    for (;;) {
      const due = digestDue(this.state, this.policy)
      const next = due === undefined ? end : Math.min(end, Math.max(due, this.now + 1_000))
      this.now = next
      flush(this.state, this.policy, this.now, { id: () => `digest-${++this.#ids}`, destination: 'd', instance: 'gw' })
      this.deliver()
      if (next >= end) return
    }
  }

  deliver(): void {
    while (this.state.outbox.length > 0 && !isOpen(this.state.breaker, this.now)) {
      const message = this.state.outbox[0]!
      if (this.works) succeed(this.state.breaker)
      else fail(this.state.breaker, this.now, false)
      settle(this.state, message.id, this.works, this.now)
      if (this.works) this.sent.push({ at: this.now, message })
    }
  }

  get digests(): DigestEvent[] {
    return this.sent.map(({ message }) => message).filter(({ type }) => type === DIGEST) as DigestEvent[]
  }

  get alerts(): GovernanceEvent[] {
    return this.sent.map(({ message }) => message).filter(({ type }) => type !== DIGEST)
  }

  /** Events told, by themselves or in a digest. */
  get told(): number {
    return this.alerts.length + this.digests.reduce((sum, { count }) => sum + count, 0)
  }
}

const sumOf = (counts: Iterable<number>): number => [...counts].reduce((sum, count) => sum + count, 0)

function assertAddsUp({ count, causes, groups, others }: DigestEvent): void {
  assert.equal(sumOf(Object.values(causes)), count)
  assert.equal(sumOf(groups.map((group) => group.count)) + others, count)
}

describe('a flood', () => {
  it('of 10,000 blocks in a minute from one key is one alert and one digest', () => {
    const one = new Destination()
    for (let i = 0; i < 10_000; i++) {
      one.take()
      one.advance(6)
    }
    one.advance(3_600_000)
    assert.equal(one.alerts.length, 1)
    assert.equal(one.digests.length, 1)
    const [digest] = one.digests as [DigestEvent]
    assert.equal(digest.count, 9_999)
    assert.deepEqual(digest.causes, { repeat: 9_999 })
    assert.deepEqual(
      digest.groups.map(({ count, key_id, event_type, reason }) => ({ count, key_id, event_type, reason })),
      [{ count: 9_999, key_id: 'app', event_type: 'request.blocked', reason: 'Card number in prompt' }],
    )
    // The digest comes soon after the flood has ended, not a whole window after it began.
    assert.ok(one.sent[1]!.at - T0 <= 60_000 + 30_000)
  })

  it('from 1,000 keys is at most the rate and one digest that adds up', () => {
    const one = new Destination()
    for (let i = 0; i < 10_000; i++) {
      one.take(one.event({ key_id: `key-${i % 1_000}` }))
      if (i % 6 === 0) one.advance(30)
    }
    one.advance(3_600_000)
    assert.equal(one.alerts.length, 10)
    assert.equal(one.digests.length, 1)
    assertAddsUp(one.digests[0]!)
    assert.equal(one.digests[0]!.count, 9_990)
    assert.equal(one.digests[0]!.groups.length, 50)
  })

  it('beyond the maximum number of groups still adds up', () => {
    const one = new Destination()
    for (let i = 0; i < 3_000; i++) one.take(one.event({ reason: `reason ${i}` }))
    one.advance(3_600_000)
    assert.equal(one.told, 3_000)
    for (const digest of one.digests) assertAddsUp(digest)
  })

  it('that continues gives one digest per window, not one alert per window', () => {
    const one = new Destination()
    for (let second = 0; second < 3_600; second++) {
      one.take()
      one.advance(1_000)
    }
    one.advance(3_600_000)
    assert.equal(one.alerts.length, 1)
    assert.ok(one.digests.length <= 12, `${one.digests.length} digests in an hour`)
    assert.equal(one.told, 3_600)
  })

  it('that a growing conversation causes is one alert, wherever in it the text stands', () => {
    const one = new Destination()
    for (let turn = 0; turn < 9; turn++) one.take(one.event({ reason: `Found a secret in messages[${turn}].content` }))
    assert.equal(one.alerts.length, 1)
    one.take(one.event({ reason: 'Found a secret in tools' }))
    assert.equal(one.alerts.length, 2)
  })

  it('ends after a silent window: the next event alerts again', () => {
    const one = new Destination()
    one.take()
    one.advance(POLICY.windowMs)
    one.take()
    assert.equal(one.alerts.length, 2)
    assert.equal(one.digests.length, 0)
  })
})

describe('the rate', () => {
  it('holds for any minute', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 20_000 }), { maxLength: 300 }), (pauses) => {
        const one = new Destination({ windowMs: 60_000, perMinute: 5 })
        pauses.forEach((pause, i) => {
          one.take(one.event({ key_id: `key-${i}` }))
          one.advance(pause)
        })
        const times = one.sent.filter(({ message }) => message.type !== DIGEST).map(({ at }) => at)
        times.forEach((at, i) => {
          assert.ok(times.slice(i).filter((other) => other < at + 60_000).length <= 5)
        })
      }),
      { numRuns: rounds(50) },
    )
  })
})

describe('nothing is lost from the count', () => {
  it('whatever fails, repeats, and is read twice', () => {
    const step = fc.record({
      key: fc.integer({ min: 0, max: 30 }),
      pause: fc.integer({ min: 0, max: 90_000 }),
      works: fc.boolean(),
      dies: fc.boolean(),
    })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const one = new Destination({ perMinute: 3 })
        for (const { key, pause, works, dies } of steps) {
          one.works = works
          const event = one.event({ key_id: `key-${key}` })
          one.take(event)
          if (dies) {
            // The process dies between writing its state and moving the cursor: the state comes from the store, and
            // the event comes again.
            one.state = JSON.parse(JSON.stringify(one.state)) as State
            one.take(event)
          }
          one.advance(pause)
        }
        one.works = true
        one.advance(24 * 3_600_000)
        assert.equal(one.told, steps.length)
        for (const digest of one.digests) assertAddsUp(digest)
      }),
      { numRuns: rounds(60) },
    )
  })
})

describe('a receiver that fails', () => {
  it('is retried less and less often, and gets one digest when it recovers', () => {
    const one = new Destination()
    one.works = false
    let attempts = 0
    const deliver = one.deliver.bind(one)
    one.deliver = () => {
      attempts += one.state.outbox.length > 0 && !isOpen(one.state.breaker, one.now) ? 1 : 0
      deliver()
    }
    for (let minute = 0; minute < 120; minute++) {
      one.take(one.event({ key_id: `key-${minute % 7}` }))
      one.advance(60_000)
    }
    assert.ok(attempts <= 20, `${attempts} attempts in two hours`)
    one.works = true
    one.advance(3_600_000)
    assert.equal(one.alerts.length, 0)
    assert.equal(one.digests.length, 1)
    assert.equal(one.digests[0]!.count, 120)
  })

  it('opens the breaker at once on a definitive rejection, and closes it with the first success', () => {
    const { breaker } = emptyState()
    fail(breaker, T0, false)
    fail(breaker, T0, false)
    assert.equal(isOpen(breaker, T0), false)
    fail(breaker, T0, true)
    assert.equal(isOpen(breaker, T0 + 59_999), true)
    assert.equal(isOpen(breaker, T0 + 60_000), false)
    fail(breaker, T0 + 60_000, false)
    assert.equal(isOpen(breaker, T0 + 179_999), true)
    succeed(breaker)
    assert.equal(isOpen(breaker, T0 + 60_001), false)
    for (let i = 0; i < 50; i++) fail(breaker, T0, true)
    assert.equal(isOpen(breaker, T0 + 15 * 60_000), false)
  })
})

describe('quiet hours', () => {
  const night = { from: '22:00', to: '07:00', time_zone: 'Europe/Berlin' }
  const at = (time: string) => Date.parse(`2026-11-${time}:00Z`)

  it('end with a digest', () => {
    const one = new Destination({ quietHours: { from: '05:00', to: '06:00' } })
    one.take()
    one.advance(3_600_000)
    one.take(one.event({ key_id: 'b' }))
    one.take(one.event({ key_id: 'c' }))
    one.advance(3_590_000)
    assert.equal(one.sent.length, 1)
    one.advance(11_000)
    assert.deepEqual(one.digests[0]?.causes, { quiet: 2 })
  })

  it('do not make a repeat of what happens soon after their digest', () => {
    const one = new Destination({ quietHours: { from: '05:00', to: '06:00' } })
    one.advance(3_600_000)
    one.take()
    one.advance(3_601_000)
    assert.equal(one.digests.length, 1)
    one.advance(60_000)
    one.take()
    assert.equal(one.alerts.length, 1)
    one.take()
    assert.equal(one.alerts.length, 1)
  })

  it('may let blocks through', () => {
    const one = new Destination({ quietHours: { from: '04:00', to: '06:00' }, quietBlocks: true })
    one.take(one.event({ type: 'pii.detected', severity: 'detection' }))
    one.take()
    assert.deepEqual(
      one.alerts.map(({ type }) => type),
      ['request.blocked'],
    )
  })

  it('follow the clock of their time zone, over midnight', () => {
    for (const [time, quiet] of [
      ['21T20:59', false],
      ['21T21:00', true],
      ['22T05:59', true],
      ['22T06:00', false],
    ] as const) {
      assert.equal(isQuiet(night, at(time)), quiet, time)
    }
  })

  it('begin on their days and last into the next', () => {
    const weekend = { from: '22:00', to: '07:00', days: ['sat'] as Day[] }
    assert.equal(isQuiet(weekend, at('20T23:00')), false, 'Friday night')
    assert.equal(isQuiet(weekend, at('21T23:00')), true, 'Saturday night')
    assert.equal(isQuiet(weekend, at('22T06:00')), true, 'the morning after')
    assert.equal(isQuiet(weekend, at('22T23:00')), false, 'Sunday night')
    assert.equal(isQuiet({ from: '00:00', to: '00:00' }, at('22T12:00')), true, 'a whole day')
  })

  it('accept only known time zones', () => {
    assert.equal(isTimeZone('Europe/Berlin'), true)
    assert.equal(isTimeZone('Mars/Olympus'), false)
  })
})

it('a mute ends with a digest', () => {
  const one = new Destination({ mutedUntil: T0 + 600_000 })
  one.take()
  one.take()
  one.advance(599_000)
  assert.equal(one.sent.length, 0)
  one.advance(2_000)
  assert.deepEqual(one.digests[0]?.causes, { muted: 2 })
})
