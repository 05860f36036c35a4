/** Chapter 9: the version prefix. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { assertError } from '../helpers/errors.ts'
import { asking, bearer, setup, USER_KEY } from '../helpers/gateway.ts'
import { send } from '../helpers/http.ts'

describe('9 versioning', () => {
  it('chat completions are under /v1 and nowhere else', async (t) => {
    const { provider, gateway } = await setup(t)
    const ask = (path: string) => send(gateway.url + path, { body: asking(), headers: bearer(USER_KEY) })
    const reply = await ask('/v1/chat/completions')
    assert.equal(reply.status, 200)
    await reply.text()
    for (const path of [
      '/chat/completions',
      '/v2/chat/completions',
      '/v1.0/chat/completions',
      '/api/v1/chat/completions',
    ]) {
      await assertError(await ask(path), 'GW_UNKNOWN_URL')
    }
    assert.equal(provider.requests.length, 1)
  })

  it('endpoints of the API that nothing inspects are not served', async (t) => {
    const { provider, gateway } = await setup(t)
    for (const path of ['audio/speech', 'files', 'images/edits', 'batches', 'threads']) {
      const reply = await send(`${gateway.baseURL}/${path}`, { body: {}, headers: bearer(USER_KEY) })
      const error = await assertError(reply, 'GW_UNKNOWN_URL')
      assert.match(error.message, new RegExp(path))
    }
    assert.equal(provider.requests.length, 0)
  })
})
