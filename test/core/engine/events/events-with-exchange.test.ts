import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { defineFact, definePlugin } from '../../../../core/index.ts'
import { startPlugin } from '../../../../core/testing/index.ts'

const orderFact = defineFact<number>('watcher/order')

const SHOWN = ['service.started', 'request.completed']

describe('observers of events', () => {
  for (const stream of [false, true]) {
    it(`get the exchange of each event of a request, ${stream ? 'streamed' : 'buffered'}`, async (t) => {
      const told: unknown[] = []
      let begun = 0
      const plugin = definePlugin({
        name: 'watcher',
        governs: 'usage',
        onError: 'allow',
        provides: [orderFact],
        schema: { type: 'object', additionalProperties: false, properties: {} },
        create: () => ({
          apply(hooks) {
            hooks.preRequest.tap('watcher', (x) => x.facts.set(orderFact, begun++))
            hooks.onEvent.tap('watcher', (event, { json }, x) => {
              if (x !== undefined) assert.equal(event.request_id, x.id)
              // A busy machine has others, such as `plugin.slow`.
              if (!SHOWN.includes(event.type)) return
              told.push([event.type, JSON.parse(json).id === event.id, x?.facts.get(orderFact), x?.reply.outcome])
            })
          },
        }),
      })
      const rig = await startPlugin(plugin)
      t.after(() => rig.close())
      await rig.send('Hello', { stream })
      await rig.send('Hello', { stream })
      assert.deepEqual(told, [
        ['service.started', true, undefined, undefined],
        ['request.completed', true, 0, 'completed'],
        ['request.completed', true, 1, 'completed'],
      ])
    })
  }
})
