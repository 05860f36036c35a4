/** What may have been charged is asked again of a provider that honours idempotency keys. On real sockets. */
import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { apiError, hangUp, type Provider, startProvider } from '../../../../core/testing/provider.ts'
import { running } from '../../../helpers/core.ts'
import { asking, bearer, LIMITED_KEY, post, USER_KEY } from '../../../helpers/gateway.ts'

async function rig(t: TestContext, stream: boolean, upstream: object = {}) {
  const second = await startProvider()
  t.after(() => second.close())
  const parts = await running(t, [], {
    upstream: { idempotent: true, ...upstream },
    config: {
      upstreams: { second: { url: second.url } },
      routes: [
        { model: '*', to: ['scripted', 'second'], retry: { first_wait_seconds: 0.001, max_wait_seconds: 0.002 } },
      ],
    },
  })
  const ask = (headers: Record<string, string> = {}) => post(parts.gateway, asking('Hello', { stream }), { headers })
  return { ...parts, second, ask }
}

const keysOf = ({ requests }: Provider) => requests.map(({ headers }) => headers['idempotency-key'])

for (const stream of [false, true]) {
  describe(`an idempotent upstream, ${stream ? 'streamed' : 'buffered'}`, () => {
    for (const [name, script] of [
      ['504', apiError(504)],
      ['a reset', hangUp('reset')],
    ] as const) {
      it(`is asked again after ${name}, alone and with the same key`, async (t) => {
        const { provider, second, ask } = await rig(t, stream)
        // The 409 tells that the first is still running; two repeats are all.
        provider.reply(script, apiError(409), apiError(503))
        assert.equal((await ask()).status, 503)
        assert.equal((await ask()).status, 200)
        assert.equal(second.requests.length, 0)
        const [first, again, third, other] = keysOf(provider)
        assert.match(String(first), /^gw-[0-9a-f]{40}$/)
        assert.deepEqual([again, third], [first, first])
        assert.notEqual(other, first)
      })
    }

    it('leaves to others what was not charged, without its key', async (t) => {
      const { provider, second, ask } = await rig(t, stream)
      provider.reply(apiError(503))
      assert.equal((await ask()).status, 200)
      assert.deepEqual(keysOf(second), [undefined])
    })

    it('keeps to one credential', async (t) => {
      const { provider, ask } = await rig(t, stream, { key: undefined, keys: ['k1', 'k2'] })
      provider.reply(hangUp('reset'))
      assert.equal((await ask()).status, 200)
      assert.deepEqual(
        provider.requests.map(({ headers }) => headers.authorization),
        ['Bearer k1', 'Bearer k1'],
      )
    })

    it('passes a 409 that is the first answer', async (t) => {
      const { provider, ask } = await rig(t, stream)
      provider.reply(apiError(409))
      assert.equal((await ask()).status, 409)
      assert.equal(provider.requests.length, 1)
    })

    it('gets a key of the client as its own, whoever sends the same', async (t) => {
      const { provider, ask } = await rig(t, stream)
      for (const key of [USER_KEY, USER_KEY, LIMITED_KEY]) {
        await (await ask({ ...bearer(key), 'idempotency-key': 'mine' })).text()
      }
      const [first, again, other] = keysOf(provider)
      assert.equal(first, again)
      assert.notEqual(first, other)
    })
  })
}
