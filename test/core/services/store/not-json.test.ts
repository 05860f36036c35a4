import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { JsonObject } from '../../../../core/engine/contract/store.ts'
import { allRecords, embeddedStores, kind } from './faults.ts'

const { stores } = embeddedStores()

const circle: Record<string, unknown> = {}
circle.again = circle
let deep: unknown = 1
for (let i = 0; i < 20_000; i++) deep = [deep]
const wrong = [{ big: 1n }, { circle }, { deep }] as unknown as JsonObject[]

describe('what is no JSON', () => {
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

    it(`is refused as an option, too (${name})`, async () => {
      const store = await make()
      const bad = store.set('a', 1, { notify: (() => true) as never })
      const good = store.set('b', 2)
      await assert.rejects(bad, kind('usage', 'set', 'not JSON'))
      await good
      assert.deepEqual([await store.get('a'), await store.get('b')], [undefined, 2])
      await store.close()
    })
  }
})
