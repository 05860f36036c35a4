import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { Consumer, JsonObject, LogRecord, Store } from '../../../../core/engine/contract/store.ts'
import { GENESIS } from '../../../../core/services/store/ops.ts'
import { verify } from '../../../helpers/chain.ts'
import { until } from '../../../helpers/until.ts'
import { type Harness, opened } from './harness.ts'

const numbered = (count: number, from = 0): JsonObject[] => Array.from({ length: count }, (_, i) => ({ n: from + i }))
const numbers = (records: readonly LogRecord[]): unknown[] => records.map(({ record }) => record.n)
const upTo = (count: number, from = 0): number[] => Array.from({ length: count }, (_, i) => from + i)

async function readAll(consumer: Consumer, count: number): Promise<LogRecord[]> {
  const all: LogRecord[] = []
  while (all.length < count) all.push(...(await consumer.read(count - all.length)))
  return all
}

async function chainProblems(store: Store, stream: string): Promise<string[]> {
  const head = { seq: 0, hash: GENESIS }
  const problems: string[] = []
  for (let after: string | undefined; ; ) {
    const page = await store.scan(stream, { limit: 7, ...(after === undefined ? {} : { after }) })
    for (const { record } of page.records) problems.push(verify(record, head) ?? '')
    if (page.next === undefined) return problems.filter((problem) => problem !== '')
    after = page.next
  }
}

export function logTests(harness: Harness): void {
  it('chains what is appended, from many callers at once', async (t) => {
    const [store] = await opened(t, harness)
    const writes = upTo(50).map((i) =>
      i % 2 === 0
        ? store.append('audit', numbered(3, i * 10))
        : store.begin({ id: `c${i}`, leaseMs: 1000, scopes: [], marker: {}, events: numbered(2, i * 10) }),
    )
    await Promise.all(writes)
    assert.deepEqual(await chainProblems(store, 'audit'), [])
    const page = await store.scan('audit', { limit: 1000 })
    assert.equal(page.records.length, 125)
    assert.equal(page.next, undefined)
    const last = page.records.at(-1)!.record
    assert.deepEqual([last.seq, last.instance], [125, 'node-a'])
  })

  it('overwrites what only the store may say', async (t) => {
    const [store] = await opened(t, harness)
    await store.append('audit', [{ seq: 77, hash: 'x', prev_hash: 'y', instance: 'z', text: 'é\ud800 1e21', n: 1e21 }])
    const [only] = (await store.scan('audit')).records
    assert.deepEqual([only!.record.seq, only!.record.prev_hash, only!.record.instance], [1, GENESIS, 'node-a'])
    assert.equal(only!.record.text, 'é\ufffd 1e21')
    assert.deepEqual(await chainProblems(store, 'audit'), [])
  })

  it('scans both ways by pages', async (t) => {
    const [store] = await opened(t, harness)
    await store.append('audit', numbered(10))
    const first = await store.scan('audit', { order: 'desc', limit: 4 })
    assert.deepEqual(numbers(first.records), [9, 8, 7, 6])
    const second = await store.scan('audit', { order: 'desc', limit: 6, after: first.next! })
    assert.deepEqual(numbers(second.records), [5, 4, 3, 2, 1, 0])
    assert.equal(second.next, undefined)
    assert.deepEqual((await store.scan('audit', { instance: 'somebody' })).records, [])
    assert.deepEqual((await store.scan('empty')).records, [])
  })

  it('delivers to each group in order, and again what was not acknowledged', async (t) => {
    const [store] = await opened(t, harness)
    await store.append('audit', numbered(10))
    const a = store.consumer('audit', 'siem')
    const b = store.consumer('audit', 'alerting')
    const got = await readAll(a, 6)
    assert.deepEqual(numbers(got), upTo(6))
    await a.ack(got[3]!.cursor)
    assert.deepEqual(numbers(await readAll(a, 4)), upTo(4, 6))
    await a.close()
    const next = store.consumer('audit', 'siem')
    assert.deepEqual(numbers(await readAll(next, 6)), upTo(6, 4))
    assert.deepEqual(numbers(await readAll(b, 10)), upTo(10))
    await next.close()
    await b.close()
  })

  it('starts a group at the end when asked', async (t) => {
    const [store] = await opened(t, harness)
    await store.append('audit', numbered(3))
    const consumer = store.consumer('audit', 'late', { from: 'end', pollMs: 5 })
    const reading = consumer.read(10)
    await until(async () => (await store.stats('audit')).groups.length > 0)
    await store.append('audit', numbered(2, 3))
    const got = [...(await reading)]
    while (got.length < 2) got.push(...(await consumer.read(10)))
    assert.deepEqual(numbers(got), [3, 4])
  })

  it('waits for records, and stops waiting when told', async (t) => {
    const [store] = await opened(t, harness)
    const consumer = store.consumer('audit', 'g', { pollMs: 60_000 })
    const abort = new AbortController()
    const aborted = consumer.read(1, abort.signal)
    await assert.rejects(consumer.read(1), /once at a time/)
    abort.abort()
    assert.deepEqual(await aborted, [])
    const waiting = consumer.read(5)
    await store.append('audit', numbered(1))
    assert.deepEqual(numbers(await waiting), [0])
    const closing = consumer.read(5)
    await consumer.close()
    assert.deepEqual(await closing, [])
  })

  it('has one reader of a chain at a time, and another when that one died', async (t) => {
    const [store, clock] = await opened(t, harness)
    await store.append('audit', numbered(4))
    const options = { leaseMs: 30_000, pollMs: 1 }
    const dead = store.consumer('audit', 'g', options)
    const got = await readAll(dead, 2)
    await dead.ack(got[0]!.cursor)
    const heir = store.consumer('audit', 'g', options)
    const none = new AbortController()
    const waiting = heir.read(10, none.signal)
    await store.stats('audit')
    none.abort()
    assert.deepEqual(await waiting, [])
    clock.now += 30_000
    assert.deepEqual(numbers(await readAll(heir, 3)), [1, 2, 3])
    // The one that was taken for dead has lost its claim: its acknowledgement is void.
    await dead.ack(got[1]!.cursor)
    await heir.close()
    const third = store.consumer('audit', 'g', options)
    assert.deepEqual(numbers(await readAll(third, 3)), [1, 2, 3])
  })

  it('trims from the old end and keeps what is unread', async (t) => {
    const [store, clock] = await opened(t, harness)
    for (let i = 0; i < 10; i++) {
      await store.append('audit', numbered(1, i))
      clock.now += 1000
    }
    const consumer = store.consumer('audit', 'g')
    const got = await readAll(consumer, 10)
    await consumer.ack(got[2]!.cursor)
    const before = clock.now - 5000
    assert.deepEqual(await store.trim('audit', { before }), { removed: 3, unread: {}, more: false })
    assert.deepEqual(await store.trim('audit', { before, unread: 'drop' }), {
      removed: 2,
      unread: { g: 2 },
      more: false,
    })
    assert.deepEqual(await store.trim('audit', { keep: 3, unread: 'drop' }), {
      removed: 2,
      unread: { g: 2 },
      more: false,
    })
    const stats = await store.stats('audit')
    assert.deepEqual([stats.records, stats.oldest, stats.bytes > 0], [3, clock.now - 3000, true])
    assert.deepEqual(stats.instances, [{ instance: 'node-a', records: 3, seq: 10 }])
    assert.deepEqual(stats.groups, [{ group: 'g', backlog: 3, oldest: clock.now - 3000 }])
    await store.forget('audit', 'g')
    assert.deepEqual(await store.trim('audit', { keep: 0 }), { removed: 3, unread: {}, more: false })
    await store.append('audit', numbered(1))
    assert.equal((await store.scan('audit')).records[0]!.record.seq, 11)
  })

  it('keeps the newest entries of a bounded log', async (t) => {
    const [store] = await opened(t, harness)
    await Promise.all(upTo(30).map((i) => store.push('deliveries', [{ i }, { i: i + 0.5 }], 25)))
    const page = await store.recent('deliveries', { limit: 10 })
    assert.deepEqual(page.entries[0], { i: 29.5 })
    assert.equal(page.entries.length, 10)
    await store.push('deliveries', ['new'], 25)
    const rest = await store.recent('deliveries', { limit: 100, cursor: page.next! })
    assert.deepEqual(
      rest.entries,
      upTo(14).map((i) => ({ i: 24.5 - i / 2 })),
    )
    assert.equal(rest.next, undefined)
    assert.deepEqual(await store.recent('none', { limit: 10 }), { entries: [], next: undefined })
    await assert.rejects(store.recent('deliveries', { limit: 10, cursor: 'a b' }), /cursor/)
  })
}
