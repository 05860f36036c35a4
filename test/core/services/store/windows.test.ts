import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import type { Window } from '../../../../core/engine/contract/store-limits.ts'
import { Deadlines } from '../../../../core/services/store/engine/deadlines.ts'
import { SLICES } from '../../../../core/services/store/ops.ts'
import { frame, meter } from '../../../../core/services/store/windows.ts'

const time = fc.integer({ min: 0, max: Date.UTC(2200, 0, 1) })

describe('windows', () => {
  it('agree with the calendar', () => {
    const parts: Readonly<Record<string, (date: Date) => string>> = {
      minute: (date) => date.toISOString().slice(0, 16),
      hour: (date) => date.toISOString().slice(0, 13),
      day: (date) => date.toISOString().slice(0, 10),
      month: (date) => date.toISOString().slice(0, 7),
    }
    fc.assert(
      fc.property(
        fc.constantFrom('minute' as const, 'hour' as const, 'day' as const, 'month' as const),
        time,
        (unit, now) => {
          const { current, first, calendar, leaves } = frame(meter('k', { calendar: unit }), now)
          const name = parts[unit]!
          assert.ok(calendar && first === current && current <= now && now < leaves(current)!)
          assert.equal(name(new Date(current)), name(new Date(now)))
          assert.notEqual(name(new Date(current - 1)), name(new Date(now)))
          assert.equal(name(new Date(leaves(current)! - 1)), name(new Date(now)))
          assert.notEqual(name(new Date(leaves(current)!)), name(new Date(now)))
        },
      ),
    )
  })

  it('start weeks on Monday', () => {
    fc.assert(
      fc.property(time, (now) => {
        const { current, leaves } = frame(meter('k', { calendar: 'week' }), now)
        assert.equal(new Date(current).getUTCDay(), 1)
        assert.ok(current % 86_400_000 === 0 && current <= now && now < current + 7 * 86_400_000)
        assert.equal(leaves(current), current + 7 * 86_400_000)
      }),
    )
  })

  it('keep a rolling use for the window and at most a slice more', () => {
    fc.assert(
      fc.property(time, fc.integer({ min: 1000, max: 400 * 86_400_000 }), (now, rolling) => {
        const { current, leaves, first } = frame(meter('k', { rolling }), now)
        const slice = Math.ceil(rolling / SLICES)
        const kept = leaves(current)! - now
        assert.ok(kept >= rolling && kept <= slice * (SLICES + 1), `${kept} of ${rolling}`)
        assert.equal(frame(meter('k', { rolling }), leaves(current)! - 1).first, current)
        assert.ok(frame(meter('k', { rolling }), leaves(current)!).first > current)
        assert.equal(current - first, SLICES)
      }),
    )
  })

  it('have names of their own', () => {
    const windows: Window[] = [
      'total',
      { calendar: 'minute' },
      { calendar: 'month' },
      { rolling: 1000 },
      { rolling: 10_000 },
    ]
    assert.equal(new Set(windows.map((window) => meter('k', window))).size, windows.length)
  })
})

describe('deadlines', () => {
  it('come due in order, and none is lost', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(1000), { maxLength: 200 }), fc.nat(1000), (times, now) => {
        const deadlines = new Deadlines<number>()
        for (const [i, at] of times.entries()) deadlines.add(at, i)
        const due: number[] = []
        for (let item = deadlines.due(now); item !== undefined; item = deadlines.due(now)) due.push(times[item]!)
        assert.deepEqual(
          due,
          times.filter((at) => at <= now).sort((a, b) => a - b),
        )
      }),
    )
  })
})
