/** Whatever a route chooses, a request that names stored content goes to the upstream that keeps it. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { apiError, json, startProvider } from '../../../../../core/testing/provider.ts'
import { running } from '../../../../helpers/core.ts'
import { respond, response, said } from './responding.ts'

const stored = (id: string) => json(response({ id: `resp_${id}`, output: [{ ...said('ok'), id: `msg_${id}` }] }))

describe('the upstream that keeps a response', () => {
  for (const stream of [false, true]) {
    it(`is the only one that is asked, also when it fails or gets nothing new, stream ${stream}`, async (t) => {
      const second = await startProvider()
      t.after(() => second.close())
      second.otherwise(stored('elsewhere'))
      const { provider, gateway } = await running(t, [], {
        config: {
          upstreams: { second: { url: second.url } },
          routes: [
            { model: 'first', to: ['scripted'] },
            {
              model: '*',
              to: [{ upstream: 'scripted', weight: 0 }, 'second'],
              balance: 'weighted',
              retry: { first_wait_seconds: 0.001, max_wait_seconds: 0.001, attempts: 1 },
            },
          ],
        },
      })
      provider.reply(stored('a1'))
      await (await respond(gateway, { model: 'first' })).text()
      // New requests of the other route go elsewhere.
      assert.equal((await respond(gateway)).status, 200)
      assert.deepEqual([provider.requests.length, second.requests.length], [1, 1])
      provider.otherwise(apiError(500))
      const asked = await respond(gateway, { previous_response_id: 'resp_a1', stream })
      assert.deepEqual([asked.status, asked.headers['x-service-attempts']], [500, '2'])
      assert.deepEqual([provider.requests.length, second.requests.length], [3, 1])
    })
  }
})
