/** Bodies that must not get through: a clear 4xx, nothing forwarded, process unharmed. `json/strict.test.ts` and the dialects have all spellings. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { gzipSync } from 'node:zlib'
import type { ErrorCode } from '../../core/engine/contract/errors.ts'
import { assertError } from '../helpers/errors.ts'
import { asking, bearer, post, type Setup, setup, USER_KEY } from '../helpers/gateway.ts'
import { send } from '../helpers/http.ts'
import { RawConnection } from '../helpers/socket.ts'

const JSON_TYPE = { 'content-type': 'application/json' }
const DETECTOR = [{ use: 'sessions' }, { use: './plugins/keyword.ts', options: { word: 'needle' } }]

async function assertUnharmed({ provider, gateway }: Setup): Promise<void> {
  assert.equal(provider.requests.length, 0, 'it reached the provider')
  const reply = await post(gateway)
  assert.equal(reply.status, 200)
  await reply.text()
}

/** Sends a body with and without plugins, and asserts the error. */
function refuses(name: string, body: string | Uint8Array, code: ErrorCode, param?: RegExp): void {
  it(name, async (t) => {
    for (const plugins of [[], DETECTOR]) {
      const parts = await setup(t, { plugins })
      const error = await assertError(await post(parts.gateway, body, { headers: JSON_TYPE }), code)
      if (param) assert.match(String(error.param), param)
      assert.doesNotMatch(error.message, /marker/, 'the message repeats the prompt')
      await assertUnharmed(parts)
    }
  })
}

const MESSAGES = '"messages":[{"role":"user","content":"marker"}]'
const VALID = `{"model":"gpt-test",${MESSAGES}}`

describe('bad input: not the JSON we forward', () => {
  refuses('nothing', '', 'GW_INVALID_JSON')
  refuses('half an object', VALID.slice(0, -1), 'GW_INVALID_JSON')
  refuses('two objects', VALID + VALID, 'GW_INVALID_JSON')
  refuses('an array', `[${VALID}]`, 'GW_INVALID_JSON')
  refuses('a NUL', `${VALID}\0`, 'GW_INVALID_JSON')
  refuses('UTF-16', Buffer.from(`\uFEFF${VALID}`, 'utf16le'), 'GW_INVALID_JSON')
  refuses('a UTF-8 sequence cut short', broken([0xe2, 0x82]), 'GW_INVALID_JSON')
})

function broken(bytes: readonly number[]): Buffer {
  const [before = '', after = ''] = VALID.split('marker')
  return Buffer.concat([Buffer.from(before), Buffer.from(bytes), Buffer.from(after)])
}

describe('bad input: two ways to read it', () => {
  const cases: Record<string, string> = {
    'the model twice, once in escapes': `{"model":"gpt-test","mod\\u0065l":"other",${MESSAGES}}`,
    'a member twice, far down': `{"model":"gpt-test",${MESSAGES},"x":[{"y":{"z":1,"z":2}}]}`,
    __proto__: `{"model":"gpt-test",${MESSAGES},"__proto__":{"stream":true}}`,
    'constructor.prototype': `{"model":"gpt-test",${MESSAGES},"constructor":{"prototype":{"stream":true}}}`,
    'Messages beside messages': `{"model":"gpt-test",${MESSAGES},"Messages":[]}`,
    'Content in a message': '{"model":"gpt-test","messages":[{"role":"user","content":"a","Content":"marker"}]}',
  }
  for (const [name, body] of Object.entries(cases)) refuses(name, body, 'GW_INVALID_JSON')

  it('Object.prototype is unchanged', async (t) => {
    const parts = await setup(t)
    const body = `{"model":"gpt-test",${MESSAGES},"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}`
    await (await post(parts.gateway, body, { headers: JSON_TYPE })).text()
    assert.equal(({} as { polluted?: boolean }).polluted, undefined)
  })

  it('allows an ordinary member called constructor', async (t) => {
    const { provider, gateway } = await setup(t, { plugins: DETECTOR })
    const body = `{"model":"gpt-test",${MESSAGES},"vendor":{"constructor":"x","toString":1}}`
    assert.equal((await post(gateway, body, { headers: JSON_TYPE })).status, 200)
    assert.equal((await provider.next()).text, body)
  })
})

describe('bad input: too much of it', () => {
  const deep = (n: number) => `{"model":"gpt-test",${MESSAGES},"x":${'['.repeat(n)}${']'.repeat(n)}}`
  refuses('100,000 arrays in each other', deep(100_000), 'GW_INVALID_JSON')
  const objects = `{"model":"gpt-test",${MESSAGES},"x":${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}}`
  refuses('50,000 objects in each other', objects, 'GW_INVALID_JSON')

  it('JSON within tool arguments, deep, is inspected or refused, and harms nobody', async (t) => {
    const { provider, gateway } = await setup(t, { plugins: DETECTOR })
    const calls = [{ id: 'a', type: 'function', function: { name: 'f', arguments: '['.repeat(100_000) } }]
    const reply = await post(gateway, asking('x', { messages: [{ role: 'assistant', tool_calls: calls }] }))
    assert.ok([200, 400, 422].includes(reply.status), String(reply.status))
    await reply.text()
    assert.ok(provider.requests.length <= 1)
    assert.equal((await post(gateway)).status, 200)
  })

  const limited = { config: { listen: { host: '127.0.0.1', port: 0, max_body_bytes: 10_000 } } }

  it('a body just within the limit passes, one byte more does not', async (t) => {
    const parts = await setup(t, limited)
    const body = (length: number) => JSON.stringify(asking('x'.repeat(length)))
    const room = 10_000 - body(0).length
    const fits = await post(parts.gateway, body(room), { headers: JSON_TYPE })
    assert.equal(fits.status, 200)
    await fits.text()
    await assertError(await post(parts.gateway, body(room + 1), { headers: JSON_TYPE }), 'GW_BODY_TOO_LARGE')
    assert.equal(parts.provider.requests.length, 1)
  })

  it('a body with as many JSON values as the limit passes, one with more does not', async (t) => {
    const listen = { host: '127.0.0.1', port: 0, max_json_values: 100_000 }
    const parts = await setup(t, { plugins: DETECTOR, config: { listen } })
    const numbers = (count: number) => Array.from({ length: count }, () => 12)
    const call = (args: unknown) => ({
      id: 'a',
      type: 'function',
      function: { name: 'f', arguments: JSON.stringify(args) },
    })
    const calling = (args: unknown) => asking('x', { messages: [{ role: 'assistant', tool_calls: [call(args)] }] })
    const bodies = (count: number) => [asking('x', { metadata: numbers(count) }), calling(numbers(count))]
    for (const body of bodies(99_900)) {
      const fits = await post(parts.gateway, body)
      assert.equal(fits.status, 200)
      await fits.text()
    }
    const named = Object.fromEntries(numbers(50_100).map((one, i) => [`n${i}`, one]))
    for (const body of [...bodies(100_100), asking('x', { metadata: named }), calling(named)])
      await assertError(await post(parts.gateway, body), 'GW_TOO_MANY_VALUES')
    assert.equal(parts.provider.requests.length, 2)
  })

  it('refuses a chunked body at the limit, before its end', async (t) => {
    const parts = await setup(t, limited)
    const connection = new RawConnection(parts.gateway.port)
    t.after(() => connection.destroy())
    await connection.write(head('transfer-encoding: chunked'))
    const chunk = `1000\r\n${'x'.repeat(4096)}\r\n`
    for (let i = 0; i < 4; i += 1) await connection.write(chunk)
    await assertError(await connection.reply(), 'GW_BODY_TOO_LARGE')
    assert.equal(parts.provider.requests.length, 0)
  })

  // The answer must not be lost in a reset because the client is still sending.
  const early: Record<string, [ErrorCode, string]> = {
    '413 reaches a client that is busy sending': ['GW_BODY_TOO_LARGE', USER_KEY],
    '401 reaches a client that is busy sending': ['GW_INVALID_KEY', 'sk-wrong'],
  }
  for (const [name, [code, key]] of Object.entries(early)) {
    it(name, async (t) => {
      const parts = await setup(t, limited)
      for (let round = 0; round < 5; round += 1) {
        const connection = new RawConnection(parts.gateway.port)
        await connection.write(head(`content-length: ${20_000_000}`, key))
        const block = Buffer.alloc(100_000, 'x')
        // A client that reads only when it has sent everything.
        for (let sent = 0; sent < 20_000_000 && !connection.over; sent += block.length) await connection.write(block)
        await assertError(await connection.reply(), code)
        connection.destroy()
      }
      assert.equal(parts.provider.requests.length, 0)
    })
  }

  it('a body that never ends is 408', async (t) => {
    const listen = { host: '127.0.0.1', port: 0, request_timeout_seconds: 0.3, headers_timeout_seconds: 0.3 }
    const parts = await setup(t, { config: { listen } })
    const connection = new RawConnection(parts.gateway.port)
    await connection.write(`${head('content-length: 1000')}{"model":`)
    await assertError(await connection.reply(), 'GW_REQUEST_TIMEOUT')
    await connection.closed
    assert.equal(parts.provider.requests.length, 0)
  })

  function head(framing: string, key = USER_KEY): string {
    const lines = ['POST /v1/chat/completions HTTP/1.1', 'host: x', `authorization: Bearer ${key}`]
    return `${[...lines, 'content-type: application/json', framing].join('\r\n')}\r\n\r\n`
  }
})

describe('bad input: not what it is called', () => {
  const types = [
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'json',
    'application/jsonp',
  ]
  for (const type of types) {
    it(`content-type ${type}`, async (t) => {
      const parts = await setup(t)
      await assertError(
        await post(parts.gateway, VALID, { headers: { 'content-type': type } }),
        'GW_UNSUPPORTED_MEDIA_TYPE',
      )
      await assertUnharmed(parts)
    })
  }

  it('no content-type', async (t) => {
    const parts = await setup(t)
    const url = `${parts.gateway.baseURL}/chat/completions`
    await assertError(await send(url, { body: VALID, headers: bearer(USER_KEY) }), 'GW_UNSUPPORTED_MEDIA_TYPE')
    await assertUnharmed(parts)
  })

  // JSON is UTF-8 whatever a charset says (RFC 8259, 11); a body that is not is refused for that.
  for (const type of ['Application/JSON', 'application/json; charset=utf-8', 'application/json;charset="latin1"']) {
    it(`content-type ${type} is JSON in UTF-8`, async (t) => {
      const { provider, gateway } = await setup(t)
      const headers = { 'content-type': type }
      assert.equal((await post(gateway, VALID, { headers })).status, 200)
      assert.equal((await provider.next()).headers['content-type'], 'application/json')
      await assertError(await post(gateway, broken([0xe9]), { headers }), 'GW_INVALID_JSON')
    })
  }

  for (const encoding of ['gzip', 'br', 'deflate', 'identity, gzip', 'unknown']) {
    it(`content-encoding ${encoding}`, async (t) => {
      const parts = await setup(t)
      const headers = { ...JSON_TYPE, 'content-encoding': encoding }
      await assertError(await post(parts.gateway, gzipSync(VALID), { headers }), 'GW_UNSUPPORTED_MEDIA_TYPE')
      await assertError(await post(parts.gateway, VALID, { headers }), 'GW_UNSUPPORTED_MEDIA_TYPE')
      await assertUnharmed(parts)
    })
  }
})

describe('bad input: shapes', () => {
  const shapes: [string, object, RegExp][] = [
    ['no model', { model: undefined }, /^model$/],
    ['no messages', { messages: undefined }, /^messages$/],
    ['a message that is no object', { messages: ['hi'] }, /^messages\[0\]$/],
    ['a content that is a number', { messages: [{ role: 'user', content: 7 }] }, /^messages\[0\]\.content$/],
    ['a stream that is neither true nor false', { stream: 'yes' }, /^stream$/],
  ]
  for (const [name, more, param] of shapes) {
    refuses(name, JSON.stringify(asking('marker', more)), 'GW_INVALID_PARAMETER', param)
  }

  const fine: Record<string, object> = {
    'a role that nobody knows': { messages: [{ role: 'critic', content: 'x' }] },
    'a part that nobody knows': { messages: [{ role: 'user', content: [{ type: 'hologram', data: 1 }] }] },
    'a content of null': { messages: [{ role: 'assistant', content: null, tool_calls: [] }] },
    'members that nobody knows': { top_k: 4, chat_template_kwargs: { a: [true, null] } },
  }
  for (const [name, more] of Object.entries(fine)) {
    it(`${name} is forwarded`, async (t) => {
      for (const plugins of [[], DETECTOR]) {
        const { provider, gateway } = await setup(t, { plugins })
        assert.equal((await post(gateway, asking('x', more))).status, 200)
        assert.deepEqual((await provider.next()).json, JSON.parse(JSON.stringify(asking('x', more))))
      }
    })
  }
})
