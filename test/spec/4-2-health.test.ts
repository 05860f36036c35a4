/** Chapter 4.2: health. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { assertError } from '../helpers/errors.ts'
import { setup } from '../helpers/gateway.ts'
import { send } from '../helpers/http.ts'

describe('4.2 health', () => {
  for (const path of ['/health/live', '/health/ready']) {
    it(`GET ${path} answers without a key`, async (t) => {
      const { gateway } = await setup(t)
      for (const headers of [{}, { authorization: 'Bearer wrong' }]) {
        const reply = await send(gateway.url + path, { headers })
        assert.equal(reply.status, 200)
        assert.match(String(reply.headers['content-type']), /^application\/json/)
        assert.deepEqual(await reply.json(), { status: 'ok' })
      }
    })

    it(`${path} takes GET only`, async (t) => {
      const { gateway } = await setup(t)
      const reply = await send(gateway.url + path, { method: 'POST' })
      await assertError(reply, 'GW_METHOD_NOT_ALLOWED')
      assert.match(String(reply.headers.allow), /^GET\b/)
    })
  }

  it('there is nothing else under /health', async (t) => {
    const { gateway } = await setup(t)
    for (const path of ['/health', '/health/', '/health/live/', '/health/READY', '/healthz']) {
      await assertError(await send(gateway.url + path), 'GW_UNKNOWN_URL')
    }
  })
})
