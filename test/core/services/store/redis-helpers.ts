import assert from 'node:assert/strict'
import type { Store } from '../../../../core/engine/contract/store.ts'
import { StoreClient } from '../../../../core/services/store/client.ts'
import { RedisDriver, type RedisOptions } from '../../../../core/services/store/redis/driver.ts'
import { assertChained } from '../../../helpers/chain.ts'
import { allRecords, closing } from './faults.ts'
import { scope } from './harness.ts'

let deployments = 0
export const deploymentName = (): string => `deployment-${deployments++}`

export async function openRedis(url: string, options: Partial<RedisOptions> = {}): Promise<Store> {
  return new StoreClient(await RedisDriver.open({ url, deployment: deploymentName(), ...options }))
}

/** Opens stores, and closes them after the test. */
export const openingRedis =
  (closed = closing()) =>
  async (url: string, options: Partial<RedisOptions> = {}): Promise<Store> =>
    closed(await openRedis(url, options))

/** Spent and reserved of the meter that `exchange` uses. */
export const total = async (store: Store): Promise<[number, number]> => {
  const [state] = await store.inspect([{ key: 'team', window: 'total' }])
  return [state!.spent, state!.reserved]
}

/** An exchange with every sort of write in it. */
export async function exchange(store: Store, i: number): Promise<void> {
  const id = `x${i}`
  const scopes = [scope(1e9, 10, { window: 'total' })]
  const { reservation } = await store.begin({
    id,
    leaseMs: 60_000,
    scopes,
    marker: { i },
    events: [{ type: 'begin', i }],
  })
  assert.ok(reservation.ok && reservation.scopes[0]!.granted === 10)
  const more = await store.topUp({ id, op: '1', scopes: [scope(1e9, 5, { window: 'total' })] })
  assert.ok(more.ok)
  await store.increment('count', 1)
  await store.push('log', [i], 100_000)
  const ended = await store.end({ id, used: { team: 12 }, events: [{ type: 'end', i }] })
  assert.equal(ended.closed, true)
}

/** Everything that `count` exchanges did happened once. */
export async function assertOnce(store: Store, instance: string, count: number): Promise<void> {
  assert.deepEqual(await total(store), [12 * count, 0])
  assert.equal(await store.get('count'), count)
  const entries: unknown[] = []
  for (let cursor: string | undefined; ; ) {
    const page = await store.recent('log', { limit: 1000, ...(cursor === undefined ? {} : { cursor }) })
    entries.push(...page.entries)
    cursor = page.next
    if (cursor === undefined) break
  }
  const each = Array.from({ length: count }, (_, i) => i)
  assert.deepEqual(
    (entries as number[]).sort((a, b) => a - b),
    each,
  )
  const records = await allRecords(store, instance)
  assertChained(records)
  for (const type of ['begin', 'end']) {
    const numbers = records.filter((record) => record.type === type).map((record) => record.i as number)
    assert.deepEqual(
      numbers.sort((a, b) => a - b),
      each,
    )
  }
  assert.deepEqual(await store.lapsed(10, 1000), [])
}
