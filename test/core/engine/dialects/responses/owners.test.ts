/** Responses and items belong to the key that made them. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { json, type Script, stream } from '../../../../../core/testing/provider.ts'
import { running, word } from '../../../../helpers/core.ts'
import { ADMIN_KEY, bearer, type TestGateway } from '../../../../helpers/gateway.ts'
import { message, respond, response, said } from './responding.ts'

const buffered = (id: string): Script =>
  json(response({ id: `resp_${id}`, output: [{ ...said('ok'), id: `msg_${id}` }] }))
const streamed = (id: string): Script =>
  stream(
    message(['ok']).map((event) => JSON.parse(JSON.stringify(event).replaceAll('_a1"', `_${id}"`)) as never),
    { done: false },
  )

const reference = (id: string) => [
  { type: 'item_reference', id },
  { role: 'user', content: 'And then?' },
]
const as = (key: string) => ({ headers: bearer(key) })

async function told(gateway: TestGateway, body: object, key?: string) {
  const reply = await respond(gateway, body, key === undefined ? {} : as(key))
  const { error } = (await reply.json()) as { error?: Record<string, unknown> }
  return { status: reply.status, code: error?.code, error: error && { ...error, request_id: undefined } }
}

describe('ids of stored content', () => {
  for (const [name, plugins] of [
    ['without plugins', []],
    ['with a detector', [word('never there')]],
  ] as const) {
    for (const [form, script] of [
      ['buffered', buffered],
      ['streamed', streamed],
    ] as const) {
      it(`are the key's own, ${form}, ${name}`, async (t) => {
        const { provider, gateway } = await running(t, plugins)
        provider.reply(script('b1'))
        await (await respond(gateway, { stream: form === 'streamed' })).text()
        for (const body of [
          { previous_response_id: 'resp_b1' },
          { prompt_cache_options: { comparison_response_id: 'resp_b1' } },
          { input: reference('msg_b1') },
          { input: [{ id: 'msg_b1' }] },
          { input: [{ type: null, id: 'msg_b1' }] },
        ]) {
          provider.reply(buffered('b2'))
          assert.equal((await told(gateway, body)).status, 200)
          const before = provider.requests.length
          const foreign = await told(gateway, body, ADMIN_KEY)
          const unknown = await told(gateway, JSON.parse(JSON.stringify(body).replace('_b1', '_nobody1')), ADMIN_KEY)
          assert.equal(foreign.status, 404)
          assert.deepEqual(foreign, unknown)
          assert.equal(provider.requests.length, before)
        }
      })
    }
  }

  for (const [form, script] of [
    ['buffered', buffered],
    ['streamed', streamed],
  ] as const) {
    it(`do not change hands when a server takes them from a request, ${form}`, async (t) => {
      const { provider, gateway } = await running(t, [])
      const ask = (body: object, key?: string) => told(gateway, body, key)
      provider.reply(script('e1'))
      await (await respond(gateway, { stream: form === 'streamed' })).text()
      provider.reply(script('e1'))
      const taken = { stream: form === 'streamed', request_id: 'resp_e1' }
      assert.equal((await respond(gateway, taken, as(ADMIN_KEY))).status, 200)
      for (const body of [{ previous_response_id: 'resp_e1' }, { input: reference('msg_e1') }]) {
        assert.equal((await ask(body, ADMIN_KEY)).code, 'reference_not_found')
        // The server may have put the other's content in the place of this one.
        assert.equal((await ask(body)).code, 'reference_not_found')
      }
    })
  }

  it('are still the key’s own when it gets them again', async (t) => {
    const { provider, gateway } = await running(t, [])
    for (const _ of [1, 2]) {
      provider.reply(buffered('f1'))
      assert.equal((await told(gateway, {})).status, 200)
    }
    provider.reply(buffered('f2'))
    assert.equal((await told(gateway, { previous_response_id: 'resp_f1' })).status, 200)
  })

  it('are unknown where the client said that nothing is stored, and for conversations', async (t) => {
    const { provider, gateway } = await running(t, [])
    provider.reply(buffered('c0'), buffered('c1'))
    assert.equal((await told(gateway, {})).status, 200)
    assert.equal((await told(gateway, { store: false })).status, 200)
    for (const body of [
      { previous_response_id: 'resp_c1' },
      { conversation: 'conv_c1' },
      { conversation: { id: 'conv_c1' } },
      // An id that is stored, but names a response.
      { conversation: 'resp_c0' },
      { conversation: { id: 'resp_c0' } },
      { previous_response_id: 7 },
      { prompt_cache_options: { comparison_response_id: 'resp_c1' } },
    ]) {
      const { status, code, error } = await told(gateway, body)
      const { message: why } = (error ?? {}) as { message?: string }
      assert.deepEqual([status, code], [404, 'reference_not_found'])
      if ('conversation' in body) assert.match(String(why), /cannot be made through this gateway/)
    }
  })

  it('keep the label of the request that made them', async (t) => {
    const secret = word('topsecret', 'detect')
    const labels = {
      ...secret,
      detect: (view: { text: string; report(finding: object): void }) => {
        const at = view.text.indexOf('topsecret')
        if (at >= 0) view.report({ type: 'word', start: at, end: at + 9, level: 'CONFIDENTIAL', action: 'detect' })
      },
    } as typeof secret
    const { provider, gateway } = await running(t, [labels])
    provider.reply(buffered('d1'), buffered('d2'))
    await (await respond(gateway, { input: 'topsecret' })).text()
    const reply = await respond(gateway, { previous_response_id: 'resp_d1' })
    assert.equal(reply.headers['x-service-classification'], 'CONFIDENTIAL')
  })
})
