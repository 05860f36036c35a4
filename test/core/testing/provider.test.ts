import assert from 'node:assert/strict'
import { once } from 'node:events'
import { get, request } from 'node:http'
import { describe, it, type TestContext } from 'node:test'
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'
import { createParser } from 'eventsource-parser'
import { request as undici } from 'undici'
import {
  apiError,
  azurePreamble,
  bytes,
  chat,
  chunks,
  comment,
  completion,
  early,
  every,
  hang,
  hangUp,
  html,
  json,
  named,
  type Provider,
  rateLimited,
  raw,
  type StreamOptions,
  startProvider,
  stream,
} from '../../../core/testing/provider.ts'
import { payloads, type Reply, send } from '../../helpers/http.ts'
import { assertValid } from '../../helpers/schemas.ts'

async function start(t: TestContext): Promise<Provider> {
  const provider = await startProvider()
  t.after(() => provider.close())
  return provider
}

const ask = (provider: Provider, more: object = {}): Promise<Reply> =>
  send(`${provider.url}/chat/completions`, {
    body: { model: 'm', messages: [{ role: 'user', content: 'hi' }], ...more },
  })

async function bodyOf(reply: Reply): Promise<Buffer> {
  const parts: Buffer[] = []
  for (let part = await reply.read(); part; part = await reply.read()) parts.push(part)
  return Buffer.concat(parts)
}

describe('scripted provider', () => {
  it('records a request as it came', async (t) => {
    const provider = await start(t)
    const reply = await send(`${provider.url}/chat/completions?x=1`, {
      body: { model: 'm' },
      headers: { 'X-Two': ['a', 'b'] },
    })
    assert.equal(reply.status, 404)
    await reply.text()
    const seen = await provider.next()
    assert.equal(seen.method, 'POST')
    assert.equal(seen.url, '/v1/chat/completions?x=1')
    assert.deepEqual(seen.json, { model: 'm' })
    assert.equal(seen.headers['x-two'], 'a, b')
    assert.ok(seen.rawHeaders.includes('X-Two'))
    assert.equal(await seen.closed, 'finished')
    assert.equal(provider.requests.length, 1)
  })

  it('answers in the form the request asks for', async (t) => {
    const provider = await start(t)
    const description = {
      choices: [
        { content: 'first', reasoning: 'because' },
        { toolCalls: [{ name: 'f', arguments: '{"a":1}' }] },
        { refusal: 'no', finish: 'length' },
      ],
    }
    provider.reply(chat(description), chat(description, { pieces: every(2) }), chat(description))
    const buffered = await (await ask(provider)).json()
    assertValid('chat-completion', buffered)
    assert.deepEqual(buffered, completion(description))
    const streamed = payloads(await (await ask(provider, { stream: true })).text())
    assert.equal(streamed.pop(), '[DONE]')
    for (const payload of streamed) assertValid('chat-completion-chunk', JSON.parse(payload))
    assert.deepEqual(
      streamed.map((payload) => JSON.parse(payload)),
      chunks(description, { pieces: every(2) }),
    )
    const counted = await ask(provider, { stream: true, stream_options: { include_usage: true } })
    assert.match(payloads(await counted.text()).at(-2) ?? '', /"choices":\[\].*"total_tokens":12/)
  })

  it('lists models without taking a script', async (t) => {
    const provider = await start(t)
    provider.models = ['a', 'b']
    provider.reply(json({ queued: true }))
    const list = await (await send(`${provider.url}/models`)).json()
    assert.deepEqual(
      (list.data as { id: string }[]).map((model) => model.id),
      ['a', 'b'],
    )
    assert.deepEqual(await (await ask(provider)).json(), { queued: true })
  })

  it('spells events in each way the format allows', async (t) => {
    const provider = await start(t)
    const pretty = '{\n "a": 1\n}'
    const cases: [StreamOptions, string][] = [
      [{}, 'data: {\ndata:  "a": 1\ndata: }\n\ndata: [DONE]\n\n'],
      [{ eol: '\r\n', done: false }, 'data: {\r\ndata:  "a": 1\r\ndata: }\r\n\r\n'],
      [{ eol: '\r', space: false }, 'data:{\rdata: "a": 1\rdata:}\r\rdata:[DONE]\r\r'],
      [{ bom: true, done: false, finalBlankLine: false }, '\uFEFFdata: {\ndata:  "a": 1\ndata: }\n'],
    ]
    for (const [options, wire] of cases) {
      provider.reply(stream([pretty], options))
      const reply = await ask(provider)
      assert.equal(reply.headers['content-type'], 'text/event-stream; charset=utf-8')
      assert.equal((await bodyOf(reply)).toString(), wire)
    }
    provider.reply(stream([comment('busy'), named('ping', {}), raw('retry: 1\n\n')], { done: false }))
    assert.equal((await bodyOf(await ask(provider))).toString(), ': busy\n\nevent: ping\ndata: {}\n\nretry: 1\n\n')
  })

  it('cuts the same bytes anywhere', async (t) => {
    const provider = await start(t)
    const steps = [azurePreamble(), ...chunks('Grüße, 世界 😀')]
    provider.reply(stream(steps))
    const whole = await bodyOf(await ask(provider))
    const splits = ['byte' as const, 'whole' as const, [1, 100, 101], ...[1, 2, 3, 4, 5].map((seed) => ({ seed }))]
    for (const split of splits) {
      provider.reply(stream(steps, { split }))
      assert.deepEqual(await bodyOf(await ask(provider)), whole)
    }
    const seen: string[] = []
    const parser = createParser({ onEvent: (event) => seen.push(event.data) })
    parser.feed(whole.toString())
    assert.deepEqual(seen, [...steps.map((step) => JSON.stringify(step)), '[DONE]'])
  })

  it('really sends each byte alone', async (t) => {
    const provider = await start(t)
    // More than leave in one go.
    provider.otherwise(stream(['x'.repeat(100)], { split: 'byte', done: false }))
    const sizes: number[] = []
    const ended = Promise.withResolvers<void>()
    get(`${provider.url}/x`, { agent: false }, (message) => {
      message.on('data', (part: Buffer) => sizes.push(part.length))
      message.once('end', ended.resolve)
    })
    await ended.promise
    const bytes = Array(108).fill(1)
    assert.deepEqual(sizes, bytes)
    // The client that the gateway uses.
    const { body } = await undici(`${provider.url}/x`)
    const others: number[] = []
    body.on('data', (part: Buffer) => others.push(part.length))
    await once(body, 'end')
    assert.deepEqual(others, bytes)
  })

  it('waits for the test between two events', async (t) => {
    const provider = await start(t)
    const gate = Promise.withResolvers<void>()
    provider.reply(stream(['one', gate.promise, 'two', () => {}], { done: false }))
    const reply = await ask(provider, { stream: true })
    assert.equal(await reply.event(), 'one')
    assert.equal(provider.open, 1)
    gate.resolve()
    assert.equal(await reply.event(), 'two')
    assert.equal(await reply.event(), undefined)
    await provider.idle()
    assert.equal(provider.open, 0)
  })

  it('ends a stream in each way', async (t) => {
    const provider = await start(t)
    for (const end of ['end', 'close', 'reset'] as const) {
      provider.reply(stream(['one', raw('data: tw')], { done: false, end }))
      const reply = await ask(provider)
      assert.equal((await bodyOf(reply)).toString(), 'data: one\n\ndata: tw')
      assert.equal(reply.complete, end === 'end')
      assert.equal(await (await provider.next()).closed, end === 'end' ? 'finished' : 'cut')
    }
  })

  it('tells that the peer left', async (t) => {
    const provider = await start(t)
    provider.reply(stream(['one'], { done: false, end: 'hang' }))
    const reply = await ask(provider)
    await reply.event()
    reply.destroy()
    assert.equal(await (await provider.next()).closed, 'aborted')
    await provider.idle()
  })

  it('hangs and hangs up before the first byte', async () => {
    const provider = await startProvider()
    provider.reply(hang(), hangUp(), hangUp('reset'))
    const waiting = ask(provider)
    const held = await provider.next()
    assert.equal(provider.open, 1)
    await assert.rejects(ask(provider))
    await assert.rejects(ask(provider))
    await provider.close()
    await assert.rejects(waiting)
    assert.equal(await held.closed, 'aborted')
  })

  it('compresses what it sends, event by event', async (t) => {
    const provider = await start(t)
    const decoders = { gzip: gunzipSync, deflate: inflateSync, br: brotliDecompressSync }
    for (const [encoding, decode] of Object.entries(decoders)) {
      const name = encoding as keyof typeof decoders
      provider.reply(json({ a: 1 }, { encoding: name }), stream(['x', 'y'], { encoding: name, done: false }))
      const whole = await ask(provider)
      assert.equal(whole.headers['content-encoding'], encoding)
      assert.equal(decode(await bodyOf(whole)).toString(), '{"a":1}')
      const streamed = await ask(provider)
      assert.equal(decode(await bodyOf(streamed)).toString(), 'data: x\n\ndata: y\n\n')
    }
    provider.reply(json({}, { encoding: 'unknown' }))
    assert.equal((await ask(provider)).headers['content-encoding'], 'x-unknown')
  })

  it('answers errors, pages and broken HTTP', async (t) => {
    const provider = await start(t)
    provider.reply(
      apiError(404, { code: 'model_not_found' }),
      rateLimited('3'),
      html(503),
      bytes('HTTP/1.1 200 OK\r\n'),
    )
    const missing = await ask(provider)
    const error = await missing.json()
    assertValid('error-body', error)
    assert.equal(missing.status, 404)
    const limited = await ask(provider)
    assert.equal(limited.headers['retry-after'], '3')
    assert.equal(limited.headers['x-ratelimit-reset-requests'], '6m0s')
    const page = await ask(provider)
    assert.equal(page.status, 503)
    assert.match(await page.text(), /<h1>503/)
    await assert.rejects(ask(provider))
  })

  it('can answer before the body arrived', async (t) => {
    const provider = await start(t)
    provider.reply(early(apiError(401)))
    const open = request(`${provider.url}/chat/completions`, { method: 'POST', agent: false })
    open.on('error', () => {})
    open.write('{"model":')
    const { promise, resolve } = Promise.withResolvers<number | undefined>()
    open.once('response', (message) => resolve(message.statusCode))
    assert.equal(await promise, 401)
    open.destroy()
  })

  it('fails the test whose script throws', async () => {
    const provider = await startProvider()
    provider.reply(() => {
      throw new Error('broken script')
    })
    await assert.rejects(ask(provider))
    await assert.rejects(provider.close(), (error: AggregateError) => /broken script/.test(String(error.errors[0])))
  })
})
