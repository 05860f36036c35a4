/** Chapter 5: authentication. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, it } from 'node:test'
import { definePlugin, type Json } from 'governed-gateway'
import { assertError } from '../helpers/errors.ts'
import { ADMIN_KEY, asking, bearer, post, setup, UPSTREAM_KEY, USER_KEY } from '../helpers/gateway.ts'
import { type Reply, send } from '../helpers/http.ts'

function assertChallenge(reply: Reply): void {
  assert.match(String(reply.headers['www-authenticate']), /^Bearer\b/)
}

describe('5 authentication', () => {
  const requests = {
    'POST /v1/chat/completions': ['/v1/chat/completions', { body: asking() }],
    'GET /v1/models': ['/v1/models', {}],
  } as const

  for (const [name, [path, options]] of Object.entries(requests)) {
    it(`${name} needs a key`, async (t) => {
      const { provider, gateway } = await setup(t)
      for (const authorization of [
        undefined,
        '',
        'Bearer',
        'Bearer    ',
        'Basic dXNlcjpwYXNz',
        USER_KEY,
        `Bearer${USER_KEY}`,
        `Token ${USER_KEY}`,
      ]) {
        const headers = authorization === undefined ? {} : { authorization }
        const reply = await send(gateway.url + path, { ...options, headers })
        await assertError(reply, 'GW_MISSING_KEY')
        assertChallenge(reply)
      }
      assert.equal(provider.requests.length, 0)
    })

    it(`${name} refuses a key it does not know`, async (t) => {
      const { provider, gateway } = await setup(t)
      // Names of the object prototype, a key cut short, a key with more, in other letters, twice, its hash, and a very long one.
      const unknown = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'wrong']
      const near = [
        USER_KEY.slice(0, -1),
        `${USER_KEY}x`,
        USER_KEY.toUpperCase(),
        `${USER_KEY},${USER_KEY}`,
        `${USER_KEY} ${USER_KEY}`,
        createHash('sha256').update(USER_KEY).digest('hex'),
        'x'.repeat(8000),
      ]
      for (const key of [...unknown, ...near]) {
        const reply = await send(gateway.url + path, { ...options, headers: bearer(key) })
        const error = await assertError(reply, 'GW_INVALID_KEY')
        assertChallenge(reply)
        assert.ok(!error.message.includes(key))
      }
      assert.equal(provider.requests.length, 0)
    })
  }

  it('takes the scheme in any case, and odd blanks', async (t) => {
    const { gateway } = await setup(t)
    for (const authorization of [`bearer ${USER_KEY}`, `BEARER   ${USER_KEY}  `, `Bearer\t${USER_KEY}`]) {
      const reply = await send(`${gateway.baseURL}/models`, { headers: { authorization } })
      assert.equal(reply.status, 200)
      await reply.text()
    }
  })

  it('does not read the key from elsewhere', async (t) => {
    const { gateway } = await setup(t)
    const url = `${gateway.baseURL}/models?api_key=${USER_KEY}&key=${USER_KEY}`
    const headers = { 'x-key': USER_KEY, 'x-goog-api-key': USER_KEY, cookie: `authorization=${USER_KEY}` }
    await assertError(await send(url, { headers }), 'GW_MISSING_KEY')
  })

  it('takes the key in the headers of other clients, and sends it to no provider', async (t) => {
    const { gateway, provider } = await setup(t)
    for (const name of ['x-api-key', 'api-key', 'X-Api-Key']) {
      for (const stream of [false, true]) {
        const headers = { [name]: USER_KEY }
        const reply = await send(`${gateway.baseURL}/chat/completions`, { body: asking('Hi', { stream }), headers })
        assert.equal(reply.status, 200)
        await reply.text()
        const sent = await provider.next()
        assert.ok(!JSON.stringify([sent.rawHeaders, sent.text]).includes(USER_KEY))
        assert.equal(sent.headers.authorization, `Bearer ${UPSTREAM_KEY}`)
      }
      await assertError(await send(`${gateway.baseURL}/models`, { headers: { [name]: 'wrong' } }), 'GW_INVALID_KEY')
      await assertError(await send(`${gateway.baseURL}/models`, { headers: { [name]: '' } }), 'GW_MISSING_KEY')
    }
  })

  it('refuses two keys in one request', async (t) => {
    const { gateway, provider } = await setup(t)
    for (const headers of [
      { ...bearer(USER_KEY), 'x-api-key': ADMIN_KEY },
      { ...bearer('other'), 'api-key': USER_KEY },
      { 'x-api-key': USER_KEY, 'api-key': ADMIN_KEY },
      { 'x-api-key': [USER_KEY, USER_KEY] },
      { 'api-key': [USER_KEY, ADMIN_KEY] },
    ]) {
      const reply = await send(`${gateway.baseURL}/chat/completions`, { body: asking(), headers })
      const error = await assertError(reply, 'GW_BAD_REQUEST')
      assert.ok(!error.message.includes('sk-'))
    }
    assert.equal(provider.requests.length, 0)
  })

  it('never shows the key as a model name, whatever header it came in', async (t) => {
    const key = 'plain-words-as-key'
    const told: Json[] = []
    const watch = definePlugin({
      name: 'watch',
      schema: { type: 'object', properties: {}, additionalProperties: false },
      create: () => ({ apply: (hooks) => hooks.onEvent.tap('watch', (event) => void told.push(event as never)) }),
    })
    const plugins = [{ use: 'watch' }]
    const specs = new Map([['watch', watch as never]])
    const { gateway } = await setup(t, { config: { keys: [{ id: 'plain', key }] }, plugins, specs })
    for (const headers of [{ 'x-api-key': key }, { 'api-key': key }, bearer(key)]) {
      const body = { ...asking(), model: key }
      await (await send(`${gateway.baseURL}/chat/completions`, { body, headers })).text()
    }
    const ends = told.filter((event) => (event as { type: string }).type === 'request.completed')
    assert.deepEqual(
      ends.map((event) => (event as { model: string }).model),
      ['[REDACTED]', '[REDACTED]', '[REDACTED]'],
    )
    assert.ok(!JSON.stringify([told, gateway.log]).includes(key))
  })

  it('refuses disabled and expired keys like unknown ones', async (t) => {
    const hash = (key: string) => `sha256:${createHash('sha256').update(key).digest('hex')}`
    const keys = [
      { id: 'hashed', hash: hash('sk-hashed-0123456789') },
      { id: 'off', key: 'sk-off-0123456789', disabled: true },
      { id: 'old', key: 'sk-old-0123456789', expires: '2020-01-01' },
      { id: 'young', key: 'sk-young-0123456789', expires: '2999-01-01' },
    ]
    const { gateway } = await setup(t, { config: { keys } })
    const ask = (key: string) => post(gateway, asking(), { headers: bearer(key) })
    const messages = new Set<string>()
    for (const key of ['sk-off-0123456789', 'sk-old-0123456789', 'sk-none-0123456789', keys[0]?.hash ?? '']) {
      messages.add((await assertError(await ask(key), 'GW_INVALID_KEY')).message)
    }
    assert.equal(messages.size, 1, 'the answer tells which keys exist')
    for (const key of ['sk-hashed-0123456789', 'sk-young-0123456789']) {
      const reply = await ask(key)
      assert.equal(reply.status, 200)
      await reply.text()
    }
  })

  it('keeps keys and prompts out of the log', async (t) => {
    const { gateway } = await setup(t, {
      plugins: [{ use: './plugins/keyword.ts', options: { word: 'stop', action: 'block' } }],
    })
    for (const content of ['marker-prompt go', 'marker-prompt stop'])
      await (await post(gateway, asking(content))).text()
    await (await post(gateway, asking(), { headers: bearer('sk-marker-wrong-key') })).text()
    await (await post(gateway, '{"marker-prompt', { headers: { 'content-type': 'application/json' } })).text()
    assert.doesNotMatch(JSON.stringify(gateway.log), /marker|sk-test/)
  })
})
