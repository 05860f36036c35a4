import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { StoreClient } from '../../../core/store/client.ts'
import { MemoryDriver } from '../../../core/store/memory.ts'
import { Lane } from '../../../core/store/redis/lane.ts'
import type { JsonObject, Store } from '../../../core/store/store.ts'
import { allRecords, embeddedStores, kind } from './faults.ts'

const { folder, open } = embeddedStores()

const circle: Record<string, unknown> = {}
circle.again = circle
let deep: unknown = 1
for (let i = 0; i < 20_000; i++) deep = [deep]
const wrong = [{ big: 1n }, { circle }, { deep }] as unknown as JsonObject[]

describe('what is no JSON', () => {
  const stores: [string, () => Promise<Store>][] = [
    ['memory', async () => new StoreClient(new MemoryDriver())],
    ['embedded', () => open(folder())],
  ]
  for (const [name, make] of stores) {
    it(`is refused, and nothing else with it (${name})`, async () => {
      const store = await make()
      for (const [n, event] of wrong.entries()) {
        const bad = store.append('audit', [event])
        const good = store.append('audit', [{ n }])
        await assert.rejects(bad, kind('usage', 'append', 'not JSON'))
        await good
      }
      const begun = store.begin({ id: 'x', leaseMs: 1000, scopes: [], marker: {}, events: [wrong[0]!] })
      await assert.rejects(begun, kind('usage'))
      assert.deepEqual(await store.end({ id: 'x' }), { closed: false, scopes: [] })
      assert.deepEqual(
        (await allRecords(store)).map(({ n }) => n),
        [0, 1, 2],
      )
      await store.close()
    })
  }

  it('does not break the chain that a lane writes', async () => {
    const sent: JsonObject[] = []
    const lane = new Lane(
      async (script, _, texts = []) => {
        if (script === 'claim') return [0, '0'.repeat(64), 0]
        for (const text of texts) sent.push(JSON.parse(text) as JsonObject)
        return ['A']
      },
      'audit',
      'node-a',
      () => {},
    )
    const late = performance.now() + 60_000
    const good = lane.submit('append', {}, [{ n: 1 }], late)
    const bad = lane.submit('append', {}, [{ n: 2 }, { circle } as never], late)
    const next = lane.submit('append', {}, [{ n: 3 }], late)
    await assert.rejects(bad, kind('usage'))
    await Promise.all([good, next])
    assert.deepEqual(
      sent.map(({ n, seq }) => [n, seq]),
      [
        [1, 1],
        [3, 2],
      ],
    )
    assert.equal(sent[1]!.prev_hash, sent[0]!.hash)
  })
})
