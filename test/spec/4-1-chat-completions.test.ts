/** Chapter 4.1: POST /v1/chat/completions. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { chat } from '../../core/testing/provider.ts'
import { assertError } from '../helpers/errors.ts'
import {
  asking,
  bearer,
  LIMITED_KEY,
  post,
  setup,
  type TestGateway,
  UPSTREAM_KEY,
  USER_KEY,
} from '../helpers/gateway.ts'
import { type Reply, send } from '../helpers/http.ts'

const governed = { plugins: [{ use: 'flags' }, { use: 'sessions' }] }

const flagged = (gateway: TestGateway, flags: string, more: Record<string, string> = {}): Promise<Reply> =>
  post(gateway, asking(), { headers: { 'x-service-flags': flags, ...more } })

async function serviceOf(reply: Reply): Promise<Record<string, unknown>> {
  const body = await reply.json()
  assert.equal(reply.status, 200, JSON.stringify(body))
  return body.service as Record<string, unknown>
}

describe('4.1 what the provider gets', () => {
  // Nothing is spelled anew: order, escapes, digits and unknown members stay.
  const body =
    '{ "model" : "gpt-test", "temperature": 1.0, "seed":12345678901234567890, "vendor_field":{"a":[1e2,null]},\n' +
    '"messages":[{"role":"user","content":"caf\\u00e9","vendor":true},{"role":"critic","content":[{"type":"new_part"}]}]}'

  for (const plugins of [[], governed.plugins]) {
    it(`is the body byte for byte, ${plugins.length === 0 ? 'without' : 'with'} plugins`, async (t) => {
      const { provider, gateway } = await setup(t, { plugins })
      const reply = await post(gateway, body, { headers: { 'content-type': 'application/json' } })
      assert.equal(reply.status, 200)
      await reply.text()
      assert.equal((await provider.next()).text, body)
    })
  }

  it('is the key of the gateway and no header of the client’s own', async (t) => {
    const { provider, gateway } = await setup(t)
    await (
      await post(gateway, asking(), {
        headers: {
          'x-service-flags': '',
          'x-service-session-id': 's-1',
          cookie: 'a=b',
          'x-api-key': USER_KEY,
          'api-key': USER_KEY,
          'openai-organization': 'org-client',
          te: 'trailers',
          'proxy-authorization': 'Basic eDp5',
          'x-forwarded-for': '203.0.113.9',
          'accept-encoding': 'gzip, br',
          'x-custom': 'client',
          traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
          'openai-beta': 'thing=v1',
        },
      })
    ).text()
    const { headers, method, url } = await provider.next()
    assert.equal(method, 'POST')
    assert.equal(url, '/v1/chat/completions')
    assert.equal(headers.authorization, `Bearer ${UPSTREAM_KEY}`)
    assert.equal(headers['content-type'], 'application/json')
    assert.equal(headers['accept-encoding'], 'identity')
    assert.equal(headers['openai-beta'], 'thing=v1')
    assert.match(String(headers.traceparent), /^00-0af7651916cd43dd8448eb211c80319c-/)
    const all = JSON.stringify(headers)
    assert.doesNotMatch(all, new RegExp(`sk-client|${USER_KEY}|org-client|203\\.0\\.113|a=b|eDp5`))
    for (const name of ['x-service-flags', 'x-service-session-id', 'x-custom', 'te'])
      assert.ok(!(name in headers), name)
  })

  it('holds its headers that belong to the connection back from the client', async (t) => {
    const { provider, gateway } = await setup(t)
    const headers = {
      'x-request-id': 'req-upstream',
      'set-cookie': 'tracking=1',
      'keep-alive': 'timeout=99',
      'proxy-authenticate': 'Basic',
      'x-service-classification': 'FORGED',
      'openai-processing-ms': '12',
    }
    provider.reply(chat('Hi', { headers }), chat('Hi', { headers }))
    for (const stream of [false, true]) {
      const reply = await post(gateway, asking('Hi', { stream }))
      await reply.text()
      assert.equal(reply.headers['x-upstream-request-id'], 'req-upstream')
      assert.notEqual(reply.headers['x-request-id'], 'req-upstream')
      assert.equal(reply.headers['set-cookie'], undefined)
      assert.equal(reply.headers['proxy-authenticate'], undefined)
      assert.doesNotMatch(JSON.stringify(reply.headers), /timeout=99|FORGED/)
      assert.equal(reply.headers['openai-processing-ms'], '12')
    }
  })
})

describe('4.1 stream', () => {
  it('true answers server-sent events, whatever `accept` says', async (t) => {
    const { gateway } = await setup(t, governed)
    const reply = await post(gateway, asking('Hi', { stream: true }), { headers: { accept: 'application/json' } })
    assert.equal(reply.status, 200)
    assert.equal(reply.headers['content-type'], 'text/event-stream; charset=utf-8')
    assert.equal(reply.headers['cache-control'], 'no-cache')
    assert.equal(reply.headers['x-accel-buffering'], 'no')
    assert.equal(reply.headers['content-length'], undefined)
    assert.equal((await reply.events()).at(-1), '[DONE]')
  })

  it('false, null or absent answers one JSON object', async (t) => {
    const { gateway } = await setup(t, governed)
    for (const more of [{ stream: false }, { stream: null }, {}]) {
      const reply = await post(gateway, asking('Hi', more), { headers: { accept: 'text/event-stream' } })
      assert.match(String(reply.headers['content-type']), /^application\/json/)
      assert.equal(((await reply.json()) as { object: string }).object, 'chat.completion')
    }
  })
})

describe('4.1 X-Service-Flags', () => {
  it('tightens', async (t) => {
    const { gateway } = await setup(t, governed)
    assert.equal((await serviceOf(await flagged(gateway, 'mode=strict'))).mode, 'strict')
    assert.equal((await serviceOf(await flagged(gateway, ' mode=strict , '))).mode, 'strict')
    assert.equal((await serviceOf(await flagged(gateway, 'mode=enforce'))).mode, 'enforce')
  })

  it('loosens only where the key may', async (t) => {
    const keys = [
      { id: 'user', key: USER_KEY },
      { id: 'tester', key: LIMITED_KEY, flags_allow: ['mode=monitor'] },
    ]
    const { provider, gateway } = await setup(t, { ...governed, config: { keys } })
    const refused = await assertError(await flagged(gateway, 'mode=monitor'), 'flag_not_permitted')
    assert.match(refused.message, /mode/)
    await assertError(await flagged(gateway, 'mode=off', bearer(LIMITED_KEY)), 'flag_not_permitted')
    assert.equal(provider.requests.length, 0)
    assert.equal((await serviceOf(await flagged(gateway, 'mode=monitor', bearer(LIMITED_KEY)))).mode, 'monitor')
    assert.equal((await serviceOf(await flagged(gateway, 'mode=shadow', bearer(LIMITED_KEY)))).mode, 'monitor')
  })

  const wrong = {
    'an unknown key': 'colour=blue',
    'an unknown value': 'mode=loud',
    'no value': 'mode',
    'an empty value': 'mode=',
    'no key': '=enforce',
    'two values for one key': 'mode=strict,mode=enforce',
    'too many pairs': Array.from({ length: 17 }, () => 'mode=enforce').join(','),
    'too long a header': `mode=enforce,${' '.repeat(1100)}mode=enforce`,
    'a key of the object prototype': '__proto__=enforce',
    'another key of the object prototype': 'constructor=enforce',
  }
  for (const [name, flags] of Object.entries(wrong)) {
    it(`refuses ${name}`, async (t) => {
      const { provider, gateway } = await setup(t, governed)
      const error = await assertError(await flagged(gateway, flags), 'invalid_flag')
      assert.match(String(error.param), /x-service-flags/i)
      assert.equal(provider.requests.length, 0)
    })
  }

  it('names the values it takes', async (t) => {
    const { gateway } = await setup(t, governed)
    const error = await assertError(await flagged(gateway, 'mode=loud'), 'invalid_flag')
    for (const value of ['off', 'monitor', 'enforce', 'strict']) assert.match(error.message, new RegExp(value))
  })
})

describe('4.1 sessions', () => {
  const turn = (...said: string[]) => ({
    model: 'gpt-test',
    messages: said.map((content, at) => ({ role: at % 2 === 0 ? 'user' : 'assistant', content })),
  })
  const session = async (reply: Reply) => {
    const { session_id, turn_index } = await serviceOf(reply)
    return { session_id: String(session_id), turn_index }
  }

  it('are derived from the beginning of the conversation', async (t) => {
    const { gateway } = await setup(t, governed)
    const first = await session(await post(gateway, turn('Hello')))
    assert.match(first.session_id, /^sess_[A-Za-z0-9_-]{16,}$/)
    assert.equal(first.turn_index, 0)
    const second = await session(await post(gateway, turn('Hello', 'Hi', 'How are you?')))
    assert.deepEqual(second, { session_id: first.session_id, turn_index: 1 })
    assert.notEqual((await session(await post(gateway, turn('Other')))).session_id, first.session_id)
    const stranger = await post(gateway, turn('Hello'), { headers: bearer(LIMITED_KEY) })
    assert.notEqual((await session(stranger)).session_id, first.session_id)
  })

  it('are counted when the client names them', async (t) => {
    const { gateway } = await setup(t, governed)
    const named = { headers: { 'x-service-session-id': 'order:42' } }
    for (const turn_index of [0, 1, 2]) {
      assert.deepEqual(await session(await post(gateway, asking(), named)), { session_id: 'order:42', turn_index })
    }
    const inBody = asking('Hello', { metadata: { session_id: 'order:42' } })
    assert.deepEqual(await session(await post(gateway, inBody)), { session_id: 'order:42', turn_index: 3 })
    const stranger = await post(gateway, asking(), { headers: { ...named.headers, ...bearer(LIMITED_KEY) } })
    assert.equal((await session(stranger)).turn_index, 0)
  })

  it('prefer the header over the body', async (t) => {
    const { gateway } = await setup(t, governed)
    const body = asking('Hello', { metadata: { session_id: 'from-body' } })
    const reply = await post(gateway, body, { headers: { 'x-service-session-id': 'from-header' } })
    assert.equal((await session(reply)).session_id, 'from-header')
  })

  it('refuse names that could hold an address or break a log', async (t) => {
    const { provider, gateway } = await setup(t, governed)
    for (const name of ['ann@example.com', 'a b', 'x'.repeat(129), 'caf\u00e9']) {
      const reply = await post(gateway, asking(), { headers: { 'x-service-session-id': name } })
      await assertError(reply, 'GW_INVALID_PARAMETER')
    }
    assert.equal(provider.requests.length, 0)
  })
})

describe('4.1 models', () => {
  it('are listed as the key may use them', async (t) => {
    const { provider, gateway } = await setup(t)
    provider.models = ['gpt-a', 'other']
    const list = async (key: string) => {
      const reply = await send(`${gateway.baseURL}/models`, { headers: bearer(key) })
      const body = (await reply.json()) as { object: string; data: { id: string; object: string }[] }
      assert.equal(body.object, 'list')
      assert.ok(body.data.every((model) => model.object === 'model'))
      return body.data.map((model) => model.id).sort()
    }
    assert.deepEqual(await list(USER_KEY), ['gpt-a', 'other'])
    assert.deepEqual(await list(LIMITED_KEY), ['gpt-a'])
  })

  it('tell names, and no other words of a provider', async (t) => {
    const { provider, gateway } = await setup(t)
    const names = ['@cf/meta/llama-3', 'claude@20250514', 'org/name:7b']
    provider.models = [...names, 'ann@example.com', 'call me', 'x'.repeat(257), '<b>']
    const reply = await send(`${gateway.baseURL}/models`, { headers: bearer(USER_KEY) })
    const { data } = (await reply.json()) as { data: { id: string }[] }
    assert.deepEqual(data.map(({ id }) => id).sort(), names.sort())
  })

  it('outside the key are refused, and models without a route are not found', async (t) => {
    const routes = [{ model: 'gpt-*', to: ['scripted'] }]
    const { provider, gateway } = await setup(t, { config: { routes } })
    const body = { ...asking(), model: 'other' }
    const error = await assertError(await post(gateway, body, { headers: bearer(LIMITED_KEY) }), 'GW_MODEL_NOT_ALLOWED')
    assert.equal(error.param, 'model')
    await assertError(await post(gateway, body), 'GW_MODEL_NOT_FOUND')
    assert.equal(provider.requests.length, 0)
  })
})
