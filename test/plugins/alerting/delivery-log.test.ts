import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Store } from 'governed-gateway'
import { StoreClient } from '../../../core/services/store/client.ts'
import { MemoryDriver } from '../../../core/services/store/memory.ts'
import { type DeliveryEntry, entryOf, page, record } from '../../../plugins/alerting/delivery-log.ts'

const OUTCOMES = ['delivered', 'failed', 'suppressed', 'dropped'] as const

/** A store with so many entries; `event_id` counts up. */
async function filled(count: number): Promise<Store> {
  const store = new StoreClient(new MemoryDriver())
  const entries = Array.from({ length: count }, (_, i) => {
    const event = { id: `event-${i}`, type: 'request.blocked' }
    return entryOf(event, i % 2 === 0 ? 'default' : 'team', OUTCOMES[i % 4]!, 1_700_000_000_000 + i)
  })
  for (let at = 0; at < count; at += 100) await record(store, entries.slice(at, at + 100))
  return store
}

async function read(store: Store, query: string) {
  const { entries, next_cursor } = (await page(store, new URLSearchParams(query))) as unknown as {
    entries: DeliveryEntry[]
    next_cursor: string | null
  }
  return { ids: entries.map(({ event_id }) => Number(event_id.slice(6))), entries, next: next_cursor }
}

/** All pages, one after the other. */
async function all(store: Store, query: string): Promise<number[]> {
  const ids: number[] = []
  let cursor = ''
  for (;;) {
    const one = await read(store, query + cursor)
    ids.push(...one.ids)
    if (one.next === null) return ids
    cursor = `&cursor=${one.next}`
  }
}

describe('the delivery log', () => {
  it('is newest first, 50 at a time', async () => {
    const { ids, next } = await read(await filled(120), '')
    assert.deepEqual(
      ids,
      Array.from({ length: 50 }, (_, i) => 119 - i),
    )
    assert.equal(typeof next, 'string')
  })

  it('is paged without gaps or repetitions, also while it grows', async () => {
    const store = await filled(120)
    assert.deepEqual(
      await all(store, 'limit=7'),
      Array.from({ length: 120 }, (_, i) => 119 - i),
    )
    const first = await read(store, 'limit=10')
    await record(store, [entryOf({ id: 'event-120', type: 'test' }, 'default', 'delivered', 0)])
    assert.deepEqual((await read(store, `limit=2&cursor=${first.next}`)).ids, [109, 108])
  })

  it('filters by outcome and destination', async () => {
    const store = await filled(100)
    assert.deepEqual(
      await all(store, 'outcome=failed&limit=9'),
      range(100)
        .filter((i) => i % 4 === 1)
        .reverse(),
    )
    assert.deepEqual(
      await all(store, 'status=failed'),
      range(100)
        .filter((i) => i % 4 === 1)
        .reverse(),
    )
    assert.deepEqual(
      await all(store, 'destination=team&limit=9'),
      range(100)
        .filter((i) => i % 2 === 1)
        .reverse(),
    )
    assert.deepEqual(await all(store, 'destination=team&outcome=delivered'), [])
  })

  it('keeps the last 1,000', async () => {
    const ids = await all(await filled(1_300), 'limit=200')
    assert.equal(ids.length, 1_000)
    assert.equal(ids.at(-1), 300)
  })

  it('ends when the entry of a cursor is gone', async () => {
    const store = await filled(3)
    assert.deepEqual((await read(store, 'cursor=00000000-0000-0000-0000-000000000000')).ids, [])
  })

  it('rejects unknown parameters', async () => {
    const store = await filled(1)
    for (const query of ['limit=0', 'limit=201', 'limit=x', 'cursor=x', 'outcome=lost', 'status=200', 'colour=red']) {
      const [param] = query.split('=')
      await assert.rejects(page(store, new URLSearchParams(query)), { code: 'GW_INVALID_PARAMETER', param }, query)
    }
  })
})

const range = (count: number): number[] => Array.from({ length: count }, (_, i) => i)
