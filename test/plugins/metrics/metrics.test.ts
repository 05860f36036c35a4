import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { describe, it } from 'node:test'
import { apiError, chat } from '../../../core/testing/provider.ts'
import { METRICS } from '../../../plugins/metrics/table.ts'
import { asking, post, setup, startTestGateway } from '../../helpers/gateway.ts'
import { send } from '../../helpers/http.ts'
import { freePort } from '../../helpers/ports.ts'
import { noPromtool, parse, promtool } from './text.ts'

const page = async (url: string, headers: Record<string, string> = {}) => {
  const reply = await send(`${url}/metrics`, { method: 'GET', headers })
  return { status: reply.status, type: reply.headers['content-type'], text: await reply.text() }
}

describe('metrics', () => {
  it('counts requests, tokens, findings and providers, with bounded labels', async (t) => {
    const options = { models: ['gpt-listed'], keys: ['user'], sample: 1 }
    const { gateway, provider } = await setup(t, { plugins: [{ use: 'metrics', options }, { use: 'pii' }] })
    provider.reply(chat('Fine'), chat('It streams'), apiError(500))
    const secret = 'model-of-a-client-77'
    const bodies = [
      asking('Write to jane@example.com', { model: 'gpt-listed' }),
      asking('Hello', { model: secret, stream: true }),
      asking('Hello', { model: secret }),
    ]
    for (const body of bodies) await (await post(gateway, body)).text()
    const { status, type, text } = await page(gateway.url)
    assert.equal(status, 200)
    assert.equal(type, 'text/plain; version=0.0.4; charset=utf-8')
    assert.doesNotMatch(text, new RegExp(`${secret}|jane|sk-test`))
    const { value, types } = parse(text)
    const route = '/v1/chat/completions'
    assert.equal(value('gateway_requests_total', { route, outcome: 'redacted', status: '200', stream: 'false' }), 1)
    assert.equal(value('gateway_requests_total', { route, outcome: 'allowed', stream: 'true', key: 'user' }), 1)
    assert.equal(value('gateway_requests_total', { route }), 3)
    assert.equal(value('gateway_request_duration_seconds_count', { route }), 3)
    assert.equal(value('gateway_detections_total', { detector: 'pii', type: 'email', action: 'redact' }), 1)
    assert.equal(value('gateway_time_to_first_token_seconds_count', { model: 'other' }), 1)
    assert.equal(value('gateway_upstream_requests_total', { upstream: 'scripted' }), 3)
    assert.equal(value('gateway_upstream_request_duration_seconds_count'), 3)
    assert.ok(value('gateway_tokens_total', { direction: 'input', model: 'gpt-listed' }) > 0)
    assert.ok(value('gateway_overhead_seconds_count', { hook: 'classify' }) === 3)
    assert.equal(value('gen_ai_client_operation_duration_seconds_count', { gen_ai_operation_name: 'chat' }), 3)
    assert.equal(value('gen_ai_client_operation_duration_seconds_count', { error_type: '' }), 2)
    assert.equal(value('gen_ai_client_operation_time_to_first_chunk_seconds_count'), 1)
    assert.equal(value('gateway_workers'), 1)
    assert.equal(value('gateway_store_ready'), 1)
    assert.equal(value('gateway_build_info'), 1)
    assert.ok(value('process_resident_memory_bytes') > 1e6)
    for (const name of Object.keys(METRICS)) assert.ok(types.has(name), name)
    if (noPromtool === false) promtool(['check', 'metrics'], text)
    else t.diagnostic(noPromtool)
  })

  it('asks for its token on a path of its own', async (t) => {
    const options = { path: '/internal/figures', token: 'a token for the scraper' }
    const { gateway } = await setup(t, { plugins: [{ use: 'metrics', options }] })
    const get = async (authorization?: string) => {
      const headers = authorization === undefined ? {} : { authorization }
      const reply = await send(`${gateway.url}/internal/figures`, { method: 'GET', headers })
      await reply.text()
      return reply.status
    }
    assert.deepEqual(
      [await get(), await get('Bearer a token for the scrapeR'), await get(`Bearer ${options.token}`)],
      [401, 401, 200],
    )
    assert.equal((await page(gateway.url)).status, 404)
  })

  it('serves on a port of its own, and not on that of the API', async (t) => {
    const port = await freePort()
    const { gateway } = await setup(t, {
      plugins: [{ use: 'metrics', options: { listen: { port }, token: 'a token for the scraper' } }],
    })
    const own = `http://127.0.0.1:${port}`
    assert.equal((await page(own)).status, 401)
    const { status, text } = await page(own, { authorization: 'Bearer a token for the scraper' })
    assert.equal(status, 200)
    parse(text)
    assert.equal((await send(`${own}/other`, { method: 'GET' })).status, 404)
    assert.equal((await page(gateway.url)).status, 404)
  })

  it('says which port is taken, and what to do', async (t) => {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    t.after(() => server.close())
    const { port } = server.address() as { port: number }
    const plugins = [{ use: 'metrics', options: { listen: { port } } }]
    const told = new RegExp(`'metrics'.* options\\.listen: 127\\.0\\.0\\.1:${port} is in use\\. Choose another`)
    await assert.rejects(startTestGateway({ upstreamUrl: 'http://127.0.0.1:1/v1', plugins }), told)
  })

  it('keeps the number of series bounded, whatever clients send', async (t) => {
    const { gateway } = await setup(t, { plugins: [{ use: 'metrics' }] })
    const before = parse((await page(gateway.url)).text).samples.length
    for (let i = 0; i < 5; i++) await (await post(gateway, asking('Hello', { model: `m-${i}` }))).text()
    const after = parse((await page(gateway.url)).text)
    for (let i = 5; i < 15; i++) await (await post(gateway, asking('Hello', { model: `m-${i}` }))).text()
    assert.ok(after.samples.length > before)
    assert.equal(parse((await page(gateway.url)).text).samples.length, after.samples.length)
  })

  it('refuses options that it cannot use', async () => {
    const wrong = [
      { path: 'metrics' },
      { token: 'short' },
      { listen: {} },
      { models: 'gpt' },
      { sample: 0 },
      { tokens: 1 },
    ]
    for (const options of wrong) {
      const start = startTestGateway({ upstreamUrl: 'http://127.0.0.1:1/v1', plugins: [{ use: 'metrics', options }] })
      await assert.rejects(start, /plugins\[0\]\.options/)
    }
  })
})
