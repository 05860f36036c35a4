import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { Amounts, Reservation, ScopeRequest, Store } from '../../../../core/engine/contract/store.ts'
import { isStoreError } from '../../../../core/engine/contract/store-errors.ts'
import { DAY, fakeClock, type Harness, nextId, opened, scope } from './harness.ts'

const LEASE = 60_000

async function granted(store: Store, ...scopes: ScopeRequest[]): Promise<[string, Amounts]> {
  const id = nextId()
  const answer = await store.reserve({ id, leaseMs: LEASE, scopes })
  assert.ok(answer.ok, JSON.stringify(answer))
  return [id, Object.fromEntries(answer.scopes.map((s) => [s.key, s.granted]))]
}

async function refused(store: Store, ...scopes: ScopeRequest[]): Promise<Exclude<Reservation, { ok: true }>> {
  const answer = await store.reserve({ id: nextId(), leaseMs: LEASE, scopes })
  assert.ok(!answer.ok, JSON.stringify(answer))
  return answer
}

async function level(store: Store, window: ScopeRequest['window'] = DAY, key = 'team'): Promise<[number, number]> {
  const [state] = await store.inspect([{ key, window }])
  return [state!.spent, state!.reserved]
}

export function limitTests(harness: Harness): void {
  it('reserves, settles and releases', async (t) => {
    const [store, clock] = await opened(t, harness)
    const midnight = Date.parse('2040-02-01T00:00:00Z')
    const first = await store.reserve({ id: 'a', leaseMs: LEASE, scopes: [scope(100, 60)] })
    const state = { key: 'team', granted: 60, left: 40, spent: 0, reserved: 60, resetsAt: midnight }
    assert.deepEqual(first, { ok: true, scopes: [state] })
    const over = { ok: false, key: 'team', limit: 100, left: 40, spent: 0, reserved: 60, resetsAt: midnight }
    assert.deepEqual(await refused(store, scope(100, 41)), over)
    assert.deepEqual(await store.settle('a', { team: 25 }), [
      { key: 'team', spent: 25, reserved: 0, resetsAt: midnight },
    ])
    const [b] = await granted(store, scope(100, 75))
    await store.settle(b, {})
    assert.deepEqual(await level(store), [25, 0])
    clock.now = midnight
    assert.deepEqual(await level(store), [0, 0])
  })

  it('lets exactly as many pass as fit, however many come at once', async (t) => {
    const [store] = await opened(t, harness)
    const tries = Array.from({ length: 2000 }, () =>
      store.reserve({ id: nextId(), leaseMs: LEASE, scopes: [scope(500, 1), scope(9000, 1, { key: 'all' })] }),
    )
    const answers = await Promise.all(tries)
    assert.equal(answers.filter((answer) => answer.ok).length, 500)
    assert.deepEqual(await level(store), [0, 500])
    assert.deepEqual(await level(store, DAY, 'all'), [0, 500])
  })

  it('grants a part when the whole does not fit, and never one too many', async (t) => {
    const [store] = await opened(t, harness)
    const limit = 10_007
    const asks = Array.from({ length: 200 }, (_, i) => scope(limit, 100 + (i % 37), { least: 10 + (i % 7) }))
    const answers = await Promise.all(asks.map((s) => store.reserve({ id: nextId(), leaseMs: LEASE, scopes: [s] })))
    let sum = 0
    answers.forEach((answer, i) => {
      if (!answer.ok) return
      const got = answer.scopes[0]!.granted
      assert.ok(got >= asks[i]!.least! && got <= asks[i]!.amount)
      sum += got
    })
    assert.deepEqual(await level(store), [0, sum])
    assert.ok(sum <= limit && sum > limit - 16, `${sum} of ${limit}`)
  })

  it('cuts all scopes by the same share', async (t) => {
    const [store] = await opened(t, harness)
    const tokens = scope(600, 1100, { key: 'tokens', least: 100 })
    const [, got] = await granted(
      store,
      tokens,
      scope(10_000, 2200, { key: 'usd', least: 200 }),
      scope(9, 1, { key: 'n' }),
    )
    assert.deepEqual(got, { tokens: 600, usd: 1200, n: 1 })
  })

  it('takes from no scope when one refuses, and names the first', async (t) => {
    const [store] = await opened(t, harness)
    const answer = await refused(
      store,
      scope(10, 1, { key: 'a' }),
      scope(10, 11, { key: 'b' }),
      scope(0, 1, { key: 'c' }),
    )
    assert.equal(answer.key, 'b')
    assert.equal(answer.resetsAt, null)
    for (const key of ['a', 'b', 'c']) assert.deepEqual(await level(store, DAY, key), [0, 0])
  })

  it('answers a repeated id as before, and settles once', async (t) => {
    const [store] = await opened(t, harness)
    const request = { id: 'same', leaseMs: LEASE, scopes: [scope(100, 30)] }
    const answers = await Promise.all([store.reserve(request), store.reserve(request), store.reserve(request)])
    assert.deepEqual(answers[1], answers[0])
    assert.deepEqual(answers[2], answers[0])
    assert.deepEqual(await level(store), [0, 30])
    await Promise.all([
      store.settle('same', { team: 20 }),
      store.settle('same', { team: 20 }),
      store.settle('same', {}),
    ])
    assert.deepEqual(await level(store), [20, 0])
    await assert.rejects(store.reserve(request), (error) => isStoreError(error, 'usage'))
    assert.deepEqual(await store.settle('never', { team: 5 }), [])
  })

  it('charges what is due when a lease runs out, and corrects it by a late settlement', async (t) => {
    const [store, clock] = await opened(t, harness)
    const [all] = await granted(store, scope(1000, 100))
    const [part] = await granted(store, scope(1000, 100, { due: 30 }))
    const [kept] = await granted(store, scope(1000, 100))
    clock.now += LEASE - 1
    assert.deepEqual(await store.renew([{ id: kept }, { id: 'unknown' }], LEASE), ['unknown'])
    clock.now += 1
    assert.deepEqual(await level(store), [130, 100])
    assert.deepEqual(await store.renew([{ id: all }, { id: kept, due: { team: 7 } }], LEASE), [all])
    await store.settle(part, { team: 55 })
    await store.settle(part, { team: 99 })
    assert.deepEqual(await level(store), [155, 100])
    clock.now += LEASE
    assert.deepEqual(await level(store), [162, 0])
    clock.now += 600_000
    await store.settle(kept, { team: 100 })
    assert.deepEqual(await level(store), [162, 0])
  })

  it('accepts that more was used than granted', async (t) => {
    const [store] = await opened(t, harness)
    const [id] = await granted(store, scope(100, 90))
    await store.settle(id, { team: 140 })
    const answer = await refused(store, scope(100, 0))
    assert.deepEqual([answer.spent, answer.left], [140, 0])
  })

  it('tops up an open reservation once per operation', async (t) => {
    const [store, clock] = await opened(t, harness)
    const [id] = await granted(store, scope(100, 50))
    const more = { id, op: '1', scopes: [scope(100, 40, { least: 10 })] }
    const [first, again] = await Promise.all([store.topUp(more), store.topUp(more)])
    assert.deepEqual(again, first)
    assert.deepEqual(await level(store), [0, 90])
    const last = await store.topUp({ ...more, op: '2' })
    assert.ok(last.ok && last.scopes[0]!.granted === 10)
    assert.ok(!(await store.topUp({ ...more, op: '3' })).ok)
    await store.settle(id, { team: 80 })
    assert.deepEqual(await level(store), [80, 0])
    await assert.rejects(store.topUp({ ...more, op: '4' }), (error) => isStoreError(error, 'usage'))

    const [lapsing] = await granted(store, scope(100, 5))
    clock.now += LEASE
    await assert.rejects(store.topUp({ ...more, id: lapsing }), (error) => isStoreError(error, 'usage'))
  })

  it('lets each calendar window pay for what was reserved in it', async (t) => {
    const [store, clock] = await opened(t, harness, fakeClock('2040-02-29T23:59:59.999Z'))
    const minute = { window: { calendar: 'minute' } as const }
    const windows = ['minute', 'hour', 'day', 'week', 'month'] as const
    const ends = ['2040-03-01T00:00:00Z', '2040-03-01T00:00:00Z', '2040-03-01T00:00:00Z', '2040-03-05T00:00:00Z']
    const states = await store.inspect(windows.map((calendar) => ({ key: 'k', window: { calendar } })))
    assert.deepEqual(
      states.map((s) => s.resetsAt),
      [...ends, '2040-03-01T00:00:00Z'].map(Date.parse),
    )
    const [old] = await granted(store, scope(100, 60, minute))
    clock.now += 1
    const [late] = await granted(store, scope(100, 100, minute))
    await store.settle(old, { team: 60 })
    assert.deepEqual(await level(store, minute.window), [0, 100])
    assert.ok((await store.renew([{ id: late }], LEASE)).length === 0)
    await store.settle(late, { team: 10 })
    assert.deepEqual(await level(store, minute.window), [10, 0])
  })

  it('splits a reservation that was topped up in a later window', async (t) => {
    const [store, clock] = await opened(t, harness, fakeClock('2040-01-31T23:59:30Z'))
    const [id] = await granted(store, scope(100, 50))
    clock.now += 40_000
    await store.topUp({ id, op: '1', scopes: [scope(100, 50)] })
    await store.settle(id, { team: 70 })
    assert.deepEqual(await level(store), [20, 0])
  })

  it('does not open a window again when the clock is set back', async (t) => {
    const [store, clock] = await opened(t, harness, fakeClock('2040-02-01T00:00:00Z'))
    for (const window of [DAY, { rolling: 60_000 }] as const) {
      const [id] = await granted(store, scope(100, 100, { window }))
      clock.now -= 50_000
      await refused(store, scope(100, 1, { window }))
      await store.settle(id, { team: 100 })
      await refused(store, scope(100, 1, { window }))
      clock.now += 50_000
      assert.deepEqual(await level(store, window), [100, 0])
    }
  })

  it('does not keep a window spent for longer than it is when the clock is set back by days, or forward', async (t) => {
    const [store, clock] = await opened(t, harness, fakeClock('2040-02-01T12:00:00Z'))
    const days = 2 * 86_400_000
    for (const [window, most] of [
      [{ rolling: 60_000 }, 61_000],
      [{ calendar: 'minute' }, 60_000],
      [DAY, 86_400_000],
    ] as const) {
      const key = JSON.stringify(window)
      const open = await granted(store, scope(100, 60, { window, key }))
      const [done] = await granted(store, scope(100, 40, { window, key }))
      await store.settle(done, { [key]: 40 })
      clock.now -= days
      // The past is not open again, and asking does not prolong anything.
      for (let i = 0; i < 3; i++) {
        const { resetsAt } = await refused(store, scope(100, 1, { window, key }))
        assert.ok(resetsAt !== null && resetsAt > clock.now && resetsAt <= clock.now + most, `${key}: ${resetsAt}`)
        clock.now += 1_000
      }
      // What was open before is settled as always.
      await store.settle(open[0], { [key]: 10 })
      assert.deepEqual(await level(store, window, key), [50, 0])
      clock.now += most
      assert.deepEqual(await level(store, window, key), [0, 0])
      const [again] = await granted(store, scope(100, 100, { window, key }))
      await store.settle(again, { [key]: 100 })
      clock.now += days
      const [last] = await granted(store, scope(100, 100, { window, key }))
      await store.settle(last, { [key]: 0 })
      assert.deepEqual(await level(store, window, key), [0, 0])
    }
  })

  it('counts a rolling window in slices, never less than the window', async (t) => {
    const [store, clock] = await opened(t, harness, fakeClock('2040-02-01T00:00:00Z'))
    const window = { rolling: 60_000 }
    const [first] = await granted(store, scope(100, 40, { window }))
    await store.settle(first, { team: 40 })
    clock.now += 30_000
    const [second] = await granted(store, scope(100, 60, { window }))
    await store.settle(second, { team: 60 })
    const full = await refused(store, scope(100, 41, { window }))
    assert.equal(full.resetsAt, clock.now + 61_000)
    assert.equal((await refused(store, scope(100, 40, { window }))).resetsAt, clock.now + 31_000)
    clock.now += 30_999
    await refused(store, scope(100, 1, { window }))
    clock.now += 1
    assert.deepEqual(await level(store, window), [60, 0])
    await granted(store, scope(100, 40, { window }))
    clock.now += 61_000
    assert.deepEqual(await store.inspect([{ key: 'team', window }]), [
      { key: 'team', spent: 0, reserved: 0, resetsAt: null },
    ])
  })

  it('limits concurrency with a total window', async (t) => {
    const [store, clock] = await opened(t, harness)
    const one = scope(2, 1, { window: 'total', due: 0 })
    const [a] = await granted(store, one)
    await granted(store, one)
    assert.equal((await refused(store, one)).resetsAt, null)
    await store.settle(a, {})
    await granted(store, one)
    await refused(store, one)
    clock.now += LEASE
    assert.deepEqual(await level(store, 'total'), [0, 0])
  })

  it('keeps amounts exact up to 2^53 - 1', async (t) => {
    const [store] = await opened(t, harness)
    const limit = Number.MAX_SAFE_INTEGER
    const [id, got] = await granted(store, scope(limit, limit - 1))
    assert.deepEqual(got, { team: limit - 1 })
    await store.settle(id, { team: 1_234_567_890_123_456 })
    assert.deepEqual(await level(store), [1_234_567_890_123_456, 0])
    const [, rest] = await granted(store, scope(limit, limit, { least: 1 }))
    assert.deepEqual(rest, { team: limit - 1_234_567_890_123_456 })
    await refused(store, scope(limit, 1))
  })

  it('keeps namespaces of scopes apart', async (t) => {
    const [store] = await opened(t, harness)
    const budget = store.namespace('budget')
    const [id] = await granted(budget, scope(10, 10))
    assert.deepEqual(await level(store), [0, 0])
    assert.deepEqual(await level(store, DAY, 'budget/team'), [0, 10])
    const settled = await budget.settle(id, { team: 4 })
    assert.deepEqual([settled[0]!.key, settled[0]!.spent], ['team', 4])
    assert.equal((await refused(budget, scope(10, 7))).key, 'team')
  })

  it('takes any key, such as names of object members', async (t) => {
    const [store, clock] = await opened(t, harness)
    const keys = ['constructor', '__proto__', 'toString', 'a/b', 'ä€💡', '{x}', '%5', 'length']
    for (const key of keys) {
      const [a] = await granted(store, scope(100, 10, { key }))
      const [b] = await granted(store, scope(100, 10, { key }))
      assert.deepEqual(await store.renew([{ id: b, due: {} }], LEASE), [])
      await store.settle(a, Object.fromEntries([[key, 4]]))
      assert.deepEqual(await level(store, DAY, key), [4, 10])
    }
    clock.now += LEASE
    for (const key of keys) assert.deepEqual(await level(store, DAY, key), [14, 0])
  })

  it('names what is wrong with a request', async (t) => {
    const [store] = await opened(t, harness)
    const ask = (s: ScopeRequest) => store.reserve({ id: nextId(), leaseMs: LEASE, scopes: [s] })
    await assert.rejects(ask(scope(-1, 1)), /limit of team/)
    await assert.rejects(ask(scope(1, 0.5)), /amount of team/)
    await assert.rejects(ask(scope(1, 1, { least: 2 })), /least amount/)
    await assert.rejects(ask(scope(1, 1, { window: { rolling: 10 } })), /rolling window/)
    await assert.rejects(ask(scope(1, 1, { window: { calendar: 'year' as never } })), /window of team/)
    await assert.rejects(store.reserve({ id: 'i', leaseMs: LEASE, scopes: [scope(1, 1), scope(1, 1)] }), /twice/)
    await assert.rejects(store.settle('i', { team: -1 }), /used amount/)
  })
}
