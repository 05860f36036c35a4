import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { Store } from '../../../../core/engine/contract/store.ts'
import { DAY, type Harness, nextId, opened, scope } from './harness.ts'

const LEASE = 60_000

async function types(store: Store): Promise<unknown[]> {
  return (await store.scan('audit')).records.map(({ record }) => record.type)
}

export function exchangeTests(harness: Harness): void {
  it('begins and ends in one write each', async (t) => {
    const [store] = await opened(t, harness)
    const begun = await store.begin({
      id: 'x',
      leaseMs: LEASE,
      scopes: [scope(100, 50)],
      marker: { request_id: 'x' },
      events: [{ type: 'pii.detected' }, { type: 'request.redacted' }],
    })
    assert.ok(begun.reservation.ok)
    const ended = await store.end({ id: 'x', used: { team: 20 }, events: [{ type: 'request.completed' }] })
    assert.equal(ended.closed, true)
    assert.equal(ended.scopes[0]!.spent, 20)
    assert.deepEqual(await types(store), ['pii.detected', 'request.redacted', 'request.completed'])
    const again = await store.end({ id: 'x', used: { team: 99 }, events: [{ type: 'stream.aborted' }] })
    assert.deepEqual(again, { closed: false, scopes: [] })
    assert.equal((await types(store)).length, 3)
  })

  it('changes nothing when a begin is repeated', async (t) => {
    const [store] = await opened(t, harness)
    const request = { id: 'x', leaseMs: LEASE, scopes: [scope(100, 50)], marker: {}, events: [{ type: 'a' }] }
    const answers = await Promise.all([store.begin(request), store.begin(request)])
    assert.deepEqual(answers[1], answers[0])
    assert.deepEqual(await types(store), ['a'])
    assert.deepEqual((await store.inspect([{ key: 'team', window: DAY }]))[0]!.reserved, 50)
  })

  it('records the events of an exchange whose reservation is refused, and keeps it open for its end', async (t) => {
    const [store] = await opened(t, harness)
    const request = { id: 'x', leaseMs: LEASE, scopes: [scope(10, 50)], marker: {}, events: [{ type: 'a' }] }
    const { reservation } = await store.begin(request)
    assert.equal(reservation.ok, false)
    assert.deepEqual(await store.begin(request), { reservation })
    assert.equal((await store.end({ id: 'x', events: [{ type: 'request.blocked' }] })).closed, true)
    assert.deepEqual(await types(store), ['a', 'request.blocked'])
    assert.deepEqual((await store.inspect([{ key: 'team', window: DAY }]))[0]!.spent, 0)
  })

  it('works without a reservation and without events', async (t) => {
    const [store] = await opened(t, harness)
    const begun = await store.begin({ id: 'x', leaseMs: LEASE, scopes: [], marker: {} })
    assert.deepEqual(begun, { reservation: { ok: true, scopes: [] } })
    assert.deepEqual(await store.end({ id: 'x' }), { closed: true, scopes: [] })
    await store.begin({ id: 'y', leaseMs: LEASE, scopes: [], events: [{ type: 'a' }] })
    assert.deepEqual(await store.end({ id: 'y', events: [{ type: 'b' }] }), { closed: false, scopes: [] })
    assert.deepEqual(await types(store), ['a'])
  })

  it('hands exchanges whose process died to one finder, and closes them once', async (t) => {
    const [store, clock] = await opened(t, harness)
    for (let i = 0; i < 5; i++) {
      await store.begin({ id: `x${i}`, leaseMs: LEASE + i, scopes: [scope(1000, 10, { due: 3 })], marker: { i } })
    }
    await store.end({ id: 'x0' })
    assert.deepEqual(await store.lapsed(10, 1000), [])
    const since = clock.now + LEASE
    clock.now += LEASE + 3
    await store.renew([{ id: 'x3' }], LEASE)
    const [first, second] = await Promise.all([store.lapsed(1, 1000), store.lapsed(10, 1000)])
    assert.deepEqual(first, [{ id: 'x1', marker: { i: 1 }, since: since + 1 }])
    assert.deepEqual(
      second.map((lost) => lost.id),
      ['x2', 'x3'],
    )
    // Whoever comes first, the owner or the finder, writes the last event.
    const aborted = await store.end({ id: 'x1', events: [{ type: 'stream.aborted' }] })
    assert.deepEqual([aborted.closed, aborted.scopes[0]!.spent, aborted.scopes[0]!.reserved], [true, 9, 10])
    const owner = await store.end({ id: 'x1', used: { team: 8 }, events: [{ type: 'request.completed' }] })
    assert.deepEqual([owner.closed, owner.scopes[0]!.spent], [false, 14])
    const late = await store.end({ id: 'x2', used: { team: 0 }, events: [{ type: 'request.completed' }] })
    assert.deepEqual([late.closed, late.scopes[0]!.spent], [true, 11])
    clock.now += 1000
    assert.deepEqual(
      (await store.lapsed(10, 1000)).map((lost) => lost.id),
      ['x3', 'x4'],
    )
    assert.deepEqual(await types(store), ['stream.aborted', 'request.completed'])
  })

  it('closes each of many exchanges once when owners and finders race', async (t) => {
    const [store] = await opened(t, harness)
    const ids = Array.from({ length: 100 }, nextId)
    await Promise.all(ids.map((id) => store.begin({ id, leaseMs: LEASE, scopes: [scope(1e6, 10)], marker: {} })))
    const closes = ids.flatMap((id) => [
      store.end({ id, used: { team: 5 }, events: [{ type: 'end', by: 'owner', id }] }),
      store.end({ id, events: [{ type: 'end', by: 'finder', id }] }),
    ])
    const closed = (await Promise.all(closes)).filter((end) => end.closed)
    assert.equal(closed.length, 100)
    const records = (await store.scan('audit', { limit: 1000 })).records.map(({ record }) => record.id)
    assert.deepEqual(new Set(records), new Set(ids))
    assert.equal(records.length, 100)
  })
}
