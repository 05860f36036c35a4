/** What a client gets when the provider refuses, fails or answers with something else, buffered and streamed. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { ErrorCode } from '../../core/engine/contract/errors.ts'
import {
  apiError,
  bytes,
  chat,
  early,
  hang,
  hangUp,
  html,
  json,
  rateLimited,
  type Script,
  text,
} from '../../core/testing/provider.ts'
import { running, word } from '../helpers/core.ts'
import { assertError } from '../helpers/errors.ts'
import { asking, post, type Setup, setup, type TestGatewayOptions } from '../helpers/gateway.ts'
import type { Reply } from '../helpers/http.ts'
import { LARGE_JSON } from '../helpers/large-json.ts'
import { assertValid } from '../helpers/schemas.ts'

type Options = Omit<TestGatewayOptions, 'upstreamUrl'>
const DETECTOR = [{ use: 'sessions' }, { use: './plugins/keyword.ts', options: { word: 'needle' } }]

/** Every combination of reply form and plugins. */
function forms(name: string, options: Options, body: (parts: Setup, ask: () => Promise<Reply>) => Promise<void>): void {
  for (const stream of [false, true]) {
    for (const plugins of [[], DETECTOR]) {
      const form = `${stream ? 'streamed' : 'buffered'}, ${plugins.length === 0 ? 'without plugins' : 'with a detector'}`
      it(`${name}: ${form}`, async (t) => {
        const parts = await setup(t, { plugins, ...options })
        await body(parts, () => post(parts.gateway, asking('Hello', { stream })))
      })
    }
  }
}

describe('upstream errors: a refusal that concerns the client passes through', () => {
  for (const status of [400, 402, 404, 408, 409, 410, 413, 418, 422, 429, 451, 500, 502, 503, 529]) {
    forms(`${status}`, {}, async ({ provider }, ask) => {
      const error = { message: `No: ${status} `.trim(), type: 'some_type', code: 'some_code', param: 'messages[0]' }
      provider.reply(apiError(status, error, { 'x-internal': 'secret', 'set-cookie': 'a=b' }))
      const reply = await ask()
      assert.equal(reply.status, status)
      const body = await reply.json()
      assertValid('error-body', body)
      // The type of what is the provider's fault is always the same.
      const type = status < 500 ? error.type : 'upstream_error'
      assert.deepEqual(body.error, { ...error, type, request_id: reply.headers['x-request-id'] })
      assert.equal(reply.headers['x-internal'], undefined)
      assert.equal(reply.headers['set-cookie'], undefined)
    })
  }

  forms('before the body was read', {}, async ({ provider }, ask) => {
    provider.reply(early(apiError(400, { message: 'Too long' }, { connection: 'close' })))
    const reply = await ask()
    assert.equal(reply.status, 400)
    assert.match(await reply.text(), /Too long/)
  })

  forms('429 with retry-after and rate limits', {}, async ({ provider }, ask) => {
    provider.reply(rateLimited('7'))
    const reply = await ask()
    assert.equal(reply.status, 429)
    assert.equal(reply.headers['retry-after'], '7')
    assert.equal(reply.headers['x-should-retry'], 'true')
    // They speak of the provider's key, not of the client's: renamed.
    assert.equal(reply.headers['x-upstream-ratelimit-remaining-requests'], '0')
    assert.equal(reply.headers['x-upstream-ratelimit-reset-requests'], '6m0s')
    assert.equal(reply.headers['x-ratelimit-remaining-requests'], undefined)
  })

  const DATE = new Date(Date.now() + 30_000).toUTCString()
  for (const [name, headers, expected] of [
    ['a date', { 'retry-after': DATE }, { 'retry-after': DATE }],
    ['milliseconds', { 'retry-after-ms': '1500' }, { 'retry-after-ms': '1500' }],
    ['a no', { 'x-should-retry': 'false' }, { 'x-should-retry': 'false' }],
    ['a yes', { 'x-should-retry': 'true', 'retry-after': '0' }, { 'x-should-retry': 'true', 'retry-after': '0' }],
    ['words', { 'retry-after': 'anna@example.com', 'retry-after-ms': '4111 1111', 'x-should-retry': 'x' }, {}],
  ] as const) {
    forms(`what it says of asking again: ${name}`, {}, async ({ provider }, ask) => {
      const own = { 'retry-after': undefined, 'retry-after-ms': undefined, 'x-should-retry': 'true' }
      for (const status of [429, 503]) {
        provider.reply(apiError(status, {}, headers as Record<string, string>))
        const reply = await ask()
        assert.equal(reply.status, status)
        for (const [name, value] of Object.entries({ ...own, ...expected }))
          assert.equal(reply.headers[name], value, name)
      }
    })
  }

  forms('400 of Azure’s content filter', {}, async ({ provider }, ask) => {
    const error = { message: 'The response was filtered', type: null, param: 'prompt', code: 'content_filter' }
    provider.reply(
      json({ error: { ...error, status: 400, innererror: { code: 'ResponsibleAIPolicyViolation' } } }, { status: 400 }),
    )
    const reply = await ask()
    assert.equal(reply.status, 400)
    const body = (await reply.json()) as { error: { code: string; message: string } }
    assertValid('error-body', body)
    assert.equal(body.error.code, 'content_filter')
  })
})

describe('upstream errors: a failure is ours to report', () => {
  const failures: Record<string, [ErrorCode, () => Script]> = {
    '502 with nothing': ['GW_UPSTREAM_ERROR', () => text(502, '')],
    'an HTML page with 200': ['GW_UPSTREAM_INVALID', () => html(200)],
    'text with 200': ['GW_UPSTREAM_INVALID', () => text(200, 'ok')],
    'nothing with 200': ['GW_UPSTREAM_INVALID', () => text(200, '', 'application/json')],
    ...Object.fromEntries(
      Object.entries(LARGE_JSON).map(([name, large]) => [
        name,
        ['GW_UPSTREAM_INVALID', () => text(200, `{"id":"x","choices":[],"x":${large}}`, 'application/json')],
      ]),
    ),
    'JSON that is cut': ['GW_UPSTREAM_INVALID', () => text(200, '{"id":"x","choices":[', 'application/json')],
    'JSON that is another API': ['GW_UPSTREAM_INVALID', () => json({ hello: 'world' })],
    'a redirect': ['GW_UPSTREAM_INVALID', () => text(302, '', 'text/plain', { location: 'http://127.0.0.1:1/' })],
    'an unknown encoding': ['GW_UPSTREAM_INVALID', () => json({ choices: [] }, { encoding: 'unknown' })],
    'no HTTP': ['GW_UPSTREAM_INVALID', () => bytes('SSH-2.0-OpenSSH_9.2\r\n')],
    'closed before the head': ['GW_UPSTREAM_DISCONNECTED', () => hangUp()],
    'reset before the head': ['GW_UPSTREAM_DISCONNECTED', () => hangUp('reset')],
  }
  for (const [name, [code, script]] of Object.entries(failures)) {
    forms(name, {}, async ({ provider }, ask) => {
      provider.reply(script())
      const reply = await ask()
      const error = await assertError(reply, code)
      assert.doesNotMatch(JSON.stringify(error), /<html|sk-upstream|127\.0\.0\.1/)
      assert.equal(reply.headers['x-should-retry'], 'true')
    })
  }

  for (const status of [401, 403, 407]) {
    forms(`${status} is of no use to the client, and concerns the operator`, {}, async ({ provider }, ask) => {
      const said = { message: 'Incorrect API key provided: sk-upstream' }
      provider.reply(apiError(status, said, { 'x-should-retry': 'true' }))
      const reply = await ask()
      const error = await assertError(reply, 'GW_UPSTREAM_DENIED')
      assert.doesNotMatch(JSON.stringify(error), /sk-upstream/)
      assert.equal(reply.headers['x-should-retry'], 'false')
    })
  }

  it('a refusal of the credential is an event as severe as a block', async (t) => {
    const { provider, gateway, events } = await running(t, [])
    provider.reply(apiError(401))
    await post(gateway)
    const event = events().find(({ type }) => type === 'upstream.failed')
    assert.deepEqual([event?.code, event?.severity, event?.status], ['upstream_denied', 'block', 403])
  })

  for (const status of [500, 503, 504]) {
    forms(`${status} as HTML keeps its status: another try later may help`, {}, async ({ provider }, ask) => {
      provider.reply(text(status, '<html>busy</html>', 'text/html', { 'retry-after': '3' }))
      const reply = await ask()
      assert.equal(reply.status, status)
      assert.equal(reply.headers['retry-after'], '3')
      const body = (await reply.json()) as { error: { type: string; code: string; message: string } }
      assertValid('error-body', body)
      assert.equal(body.error.type, 'upstream_error')
      assert.doesNotMatch(body.error.message, /<html/)
    })
  }

  it('a body shorter than promised', async (t) => {
    for (const plugins of [[], DETECTOR]) {
      const { provider, gateway } = await setup(t, { plugins })
      const head = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 99\r\n\r\n'
      provider.reply(bytes(`${head}{"id":"x"`))
      await assertError(await post(gateway), 'GW_UPSTREAM_DISCONNECTED')
    }
  })

  forms('an error under 200 keeps its words', {}, async ({ provider }, ask) => {
    provider.reply(json({ error: { message: 'It broke', type: 'x', code: 'worn_out', param: null } }))
    const reply = await ask()
    assert.equal(reply.status, 502)
    const body = (await reply.json()) as { error: { message: string; code: string } }
    assertValid('error-body', body)
    assert.equal(body.error.message, 'It broke')
    assert.equal(body.error.code, 'worn_out')
  })

  forms('an error under 200 is inspected', { plugins: [{ use: 'pii' }] }, async ({ provider }, ask) => {
    provider.reply(json({ error: { message: 'No account for anna.berg@example.com' } }))
    const text = await (await ask()).text()
    assert.match(text, /No account for/)
    assert.doesNotMatch(text, /anna/)
  })

  it('names of errors are inspected, for the client and for events', async (t) => {
    const { provider, gateway, events } = await running(t, [word('falcon')])
    const error = { message: 'No', type: 'falcon_error', code: 'no_falcon', param: 'falcon.name' }
    for (const stream of [false, true]) {
      for (const script of [apiError(400, error), apiError(503, error), json({ error })]) {
        provider.reply(script)
        const reply = await post(gateway, asking('Hello', { stream }))
        const body = await reply.json()
        assertValid('error-body', body)
        assert.doesNotMatch(JSON.stringify(body), /falcon/)
      }
    }
    assert.equal(events().filter(({ type }) => type === 'upstream.failed').length, 6)
    assert.doesNotMatch(JSON.stringify(events()), /falcon/)
  })

  forms('nobody listens', {}, async ({ provider }, ask) => {
    await provider.close()
    await assertError(await ask(), 'GW_UPSTREAM_UNREACHABLE')
  })

  forms('no answer in time', { upstream: { first_byte_timeout_seconds: 0.2 } }, async ({ provider }, ask) => {
    provider.reply(hang())
    await assertError(await ask(), 'GW_UPSTREAM_TIMEOUT')
    assert.equal(await (await provider.next()).closed, 'aborted')
  })

  forms('an endless error page is read no further than needed', {}, async ({ provider }, ask) => {
    let sent = 0
    provider.reply(async (exchange) => {
      exchange.response.writeHead(502, { 'content-type': 'text/html' })
      for (; sent < 2000 && !exchange.over; sent += 1) await exchange.write('x'.repeat(65_536))
    })
    await assertError(await ask(), 'GW_UPSTREAM_ERROR')
    assert.equal(await (await provider.next()).closed, 'aborted')
    assert.ok(sent < 1000)
  })
})

describe('upstream errors: compressed JSON', () => {
  for (const encoding of ['gzip', 'deflate', 'br'] as const) {
    it(`${encoding} is decoded`, async (t) => {
      const { provider, gateway } = await setup(t, { plugins: DETECTOR })
      provider.reply(chat('Hello', { encoding }))
      const reply = await post(gateway)
      assert.equal(reply.status, 200)
      assert.equal(reply.headers['content-encoding'], undefined)
      assert.match(await reply.text(), /"content":"Hello"/)
    })
  }

  it('refuses a body that exceeds the limit when decoded', async (t) => {
    const { provider, gateway } = await setup(t, { upstream: { max_response_bytes: 100_000 } })
    provider.reply(chat('x'.repeat(1_000_000), { encoding: 'gzip' }), chat('x'.repeat(1_000_000)))
    await assertError(await post(gateway), 'GW_UPSTREAM_INVALID')
    await assertError(await post(gateway), 'GW_UPSTREAM_INVALID')
  })
})

describe('upstream errors: fallback', () => {
  it('goes to the next upstream before the first byte, and only then', async (t) => {
    const spare = await setup(t)
    const upstreams = (url: string) => ({
      config: {
        upstreams: { first: { url }, spare: { url: spare.provider.url } },
        routes: [{ model: '*', to: ['first', 'spare'] }],
      },
    })
    const broken = await setup(t)
    const { gateway } = await setup(t, upstreams(broken.provider.url))
    spare.provider.otherwise(chat('From the spare'))

    broken.provider.reply(html(503))
    assert.match(await (await post(gateway)).text(), /From the spare/)
    broken.provider.reply(apiError(400))
    assert.equal((await post(gateway)).status, 400)
    assert.equal(spare.provider.requests.length, 1)
    await broken.provider.close()
    assert.match(await (await post(gateway)).text(), /From the spare/)
  })
})
