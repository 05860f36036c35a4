/** Which of several upstreams is chosen. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Candidate, RoutePlan } from '../../../../../core/engine/upstreams/candidate.ts'
import { choose } from '../../../../../core/engine/upstreams/load/choice.ts'
import type { Load } from '../../../../../core/engine/upstreams/load/load.ts'

const candidate = (name: string, weight = 1, load: Partial<Load> = {}) =>
  ({ upstream: { name }, weight, load: { busy: 0, cost: 0, ...load } }) as unknown as Candidate
const plan = (balance: RoutePlan['balance'], sticky = false) => ({ balance, sticky }) as RoutePlan

/** A generator with a seed, in place of chance. */
function seeded(t: { mock: { method(object: object, name: 'random', by: () => number): unknown } }) {
  let state = 42
  t.mock.method(Math, 'random', () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  })
}

/** How often each was chosen. */
function counts(times: number, once: (i: number) => Candidate): Record<string, number> {
  const found: Record<string, number> = {}
  for (let i = 0; i < times; i++) {
    const { name } = once(i).upstream
    found[name] = (found[name] ?? 0) + 1
  }
  return found
}

describe('choice among upstreams', () => {
  it('by order takes the first', () => {
    assert.equal(choose([candidate('a'), candidate('b', 9)], plan('order'), undefined).upstream.name, 'a')
  })

  it('by weight follows the weights', (t) => {
    seeded(t)
    const open = [candidate('a', 1), candidate('b', 3), candidate('c', 6)]
    const found = counts(10_000, () => choose(open, plan('weighted'), undefined))
    for (const [name, share] of [
      ['a', 1000],
      ['b', 3000],
      ['c', 6000],
    ] as const) {
      assert.ok(Math.abs((found[name] ?? 0) - share) < 300, JSON.stringify(found))
    }
  })

  it('by load fills each in proportion to its weight', (t) => {
    seeded(t)
    const loads = [{ busy: 0 }, { busy: 0 }, { busy: 0 }] as Load[]
    const open = [1, 1, 2].map((weight, i) => ({ ...candidate(`u${i}`, weight), load: loads[i] as Load }))
    for (let i = 0; i < 400; i++) choose(open, plan('least_busy'), undefined).load.busy++
    const busy = loads.map((load) => load.busy)
    assert.ok(Math.abs(busy[0]! - 100) < 20 && Math.abs(busy[1]! - 100) < 20, busy.join())
  })

  it('by latency leaves the slow one to few', (t) => {
    seeded(t)
    const open = [
      candidate('fast', 1, { cost: 100 }),
      candidate('slow', 1, { cost: 2000 }),
      candidate('so-so', 1, { cost: 150 }),
    ]
    const found = counts(1000, () => choose(open, plan('latency'), undefined))
    assert.equal(found.slow, undefined)
    assert.ok((found.fast ?? 0) > (found['so-so'] ?? 0))
  })

  it('by session is the same each time, follows the weights, and moves only what it must', () => {
    const open = [candidate('a', 1), candidate('b', 1), candidate('c', 2)]
    const by = (all: Candidate[]) => (i: number) => choose(all, plan('weighted', true), `sess_${i}`)
    const found = counts(8000, by(open))
    assert.deepEqual(counts(8000, by(open)), found)
    assert.ok(Math.abs((found.c ?? 0) - 4000) < 300, JSON.stringify(found))
    for (let i = 0; i < 1000; i++) {
      const { name } = by(open)(i).upstream
      const without = by(open.filter((one) => one.upstream.name !== 'b'))(i).upstream.name
      if (name !== 'b') assert.equal(without, name)
    }
  })

  it('by session is balanced for what has no session', (t) => {
    seeded(t)
    const found = counts(1000, () => choose([candidate('a'), candidate('b')], plan('weighted', true), undefined))
    assert.ok((found.a ?? 0) > 400 && (found.b ?? 0) > 400, JSON.stringify(found))
  })
})
