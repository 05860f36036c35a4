import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { readTraceparent } from '../../../core/kit/trace-context.ts'
import { apiError, chat, startProvider } from '../../../core/testing/provider.ts'
import { respond } from '../../../core/testing/receiver.ts'
import { asking, bearer, LIMITED_KEY, post, startTestGateway, USER_KEY } from '../../helpers/gateway.ts'
import { send } from '../../helpers/http.ts'
import { startCollector } from './receiver.ts'

async function start(t: TestContext, options: object = {}, plugins: { use: string; options?: object }[] = []) {
  const collector = await startCollector(t)
  const provider = await startProvider()
  t.after(() => provider.close())
  const own = { endpoint: `${collector.origin}/`, sample_ratio: 1, flush_seconds: 60, ...options }
  const gateway = await startTestGateway({
    upstreamUrl: provider.url,
    plugins: [{ use: 'otel', options: own }, ...plugins],
    config: { egress: { allow: [collector.host] } },
  })
  let closed: Promise<void> | undefined
  /** The stop exports what waits. */
  const close = () => {
    closed ??= gateway.close()
    return closed
  }
  t.after(close)
  return { collector, provider, gateway, close }
}

const CLIENT = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'

describe('otel', () => {
  it('exports a span of the request and one of the model, within the trace of the client', async (t) => {
    const { collector, provider, gateway, close } = await start(t)
    provider.reply(chat('Fine'))
    const body = asking('Nothing of this text leaves', {
      model: 'gpt-test',
      stream: true,
      max_tokens: 9,
      stream_options: { include_usage: true },
    })
    await (await post(gateway, body, { headers: { traceparent: CLIENT, tracestate: 'vendor=abc' } })).text()
    await close()
    const spans = collector.spans()
    const [server] = spans.filter(({ kind }) => kind === 2)
    const [client] = spans.filter(({ kind }) => kind === 3)
    assert.ok(server !== undefined && client !== undefined)
    assert.deepEqual(
      [server.traceId, server.parentSpanId, client.traceId, client.parentSpanId],
      ['4bf92f3577b34da6a3ce929d0e0e4736', '00f067aa0ba902b7', server.traceId, server.spanId],
    )
    assert.ok(server.start <= client.start)
    assert.deepEqual([server.status, client.status, client.attributes['error.type']], [0, 0, undefined])
    assert.equal(server.name, 'POST /v1/chat/completions')
    assert.equal(server.attributes['http.response.status_code'], 200)
    assert.equal(client.name, 'chat gpt-test')
    assert.equal(client.attributes['gen_ai.operation.name'], 'chat')
    assert.equal(client.attributes['gen_ai.provider.name'], 'openai')
    assert.equal(client.attributes['gen_ai.request.stream'], true)
    assert.equal(client.attributes['gen_ai.request.max_tokens'], 9)
    assert.ok((client.attributes['gen_ai.response.time_to_first_chunk'] as number) > 0)
    assert.ok((client.attributes['gen_ai.usage.output_tokens'] as number) >= 0)
    assert.equal(client.attributes['server.address'], '127.0.0.1')
    const sent = provider.requests.at(-1)?.headers
    assert.equal(sent?.traceparent, `00-${client.traceId}-${client.spanId}-01`)
    assert.equal(sent?.tracestate, 'vendor=abc')
    const everything = collector.receiver.requests.map(({ body }) => body.toString('latin1'))
    assert.doesNotMatch(everything.join(), /Nothing of this text|sk-test/)
  })

  it('exports each event as a log record of its trace', async (t) => {
    const { collector, gateway, close } = await start(t, {}, [{ use: 'pii' }])
    await (await post(gateway, asking('Write to jane@example.com'), { headers: { traceparent: CLIENT } })).text()
    await close()
    const logs = collector.logs()
    const names = logs.map(({ eventName }) => eventName)
    for (const type of ['service.started', 'pii.detected', 'request.completed', 'service.stopped']) {
      assert.ok(names.includes(`gateway.${type}`), type)
    }
    const found = logs.find(({ eventName }) => eventName === 'gateway.pii.detected')
    assert.equal(found?.traceId, '4bf92f3577b34da6a3ce929d0e0e4736')
    assert.deepEqual(found?.attributes['gateway.detections'], [{ type: 'email', count: 1, action: 'redact' }])
    assert.doesNotMatch(JSON.stringify(logs), /jane/)
  })

  it('says the same in protobuf as in JSON', async (t) => {
    const told: object[] = []
    for (const encoding of ['json', 'protobuf']) {
      const { collector, provider, gateway, close } = await start(t, { encoding }, [{ use: 'pii' }])
      provider.reply(chat('Fine'))
      await (await post(gateway, asking('Write to jane@example.com'), { headers: { traceparent: CLIENT } })).text()
      await close()
      // A plugin may be slow in one of both, on a busy machine.
      const logs = collector.logs().filter(({ eventName }) => !/^gateway\.(service\.|plugin\.slow)/.test(eventName))
      const spans = collector.spans().filter(({ kind }) => kind !== 1)
      assert.deepEqual([spans.length, logs.length], [2, 3])
      told.push({
        logs: logs.map(({ attributes, spanId: _, ...log }) => ({ ...log, attributes: Object.keys(attributes) })),
        found: logs[0]?.attributes['gateway.detections'],
        spans: spans.map(({ name, kind, status, traceId, attributes }) => ({
          ...{ name, kind, status, traceId },
          attributes: { ...attributes, 'server.port': 0, 'gateway.request_id': '' },
        })),
      })
    }
    assert.deepEqual(told[1], told[0])
  })

  it('marks what was blocked, and what the provider refused', async (t) => {
    const rules = [{ name: 'no_falcon', keywords: ['falcon'], reason: 'Not here.' }]
    const { collector, provider, gateway, close } = await start(t, {}, [{ use: 'policy', options: { rules } }])
    await (await post(gateway, asking('The falcon flies'))).text()
    provider.reply(apiError(429))
    await (await post(gateway, asking('Hello'))).text()
    await close()
    const spans = collector.spans()
    const blocked = spans.filter(({ attributes }) => attributes['gateway.blocked'] === true)
    assert.deepEqual(
      blocked.map(({ kind, status, attributes }) => [
        kind,
        status,
        attributes['error.type'],
        attributes['gateway.policy.ids'],
      ]),
      [[2, 2, 'policy_block', ['policy/no_falcon']]],
    )
    const clients = spans.filter(({ kind }) => kind === 3)
    assert.deepEqual(
      clients.map(({ status, attributes }) => [status, attributes['error.type']]),
      [[2, '429']],
    )
  })

  it('has a span of each request that is refused, with the reason, also before the plugin sees it', async (t) => {
    const limits = [{ id: 'one', scope: 'global', unit: 'requests', limit: 1, window: 'day' }]
    const { collector, gateway, close } = await start(t, {}, [{ use: 'budget', options: { limits } }])
    const statuses: number[] = []
    const url = `${gateway.baseURL}/chat/completions`
    const trace = { traceparent: CLIENT }
    const authorization = { ...bearer(LIMITED_KEY), ...trace }
    for (const [body, headers] of [
      [asking(), trace],
      [asking(), trace],
      [asking('Hello', { model: 'claude-test' }), authorization],
      [asking('Hello', { messages: 7 }), {}],
    ] as const) {
      const reply = await send(url, { body, headers: { ...bearer(USER_KEY), ...headers } })
      await reply.text()
      statuses.push(reply.status)
    }
    await close()
    const servers = collector.spans().filter(({ kind }) => kind === 2)
    const told = servers.map(({ attributes: { 'http.response.status_code': status, 'error.type': error } }) => [
      status,
      error,
    ])
    assert.deepEqual(
      told.map(([status]) => status),
      statuses,
    )
    assert.deepEqual(told, [
      [200, undefined],
      [403, 'policy_block'],
      [403, 'model_not_allowed'],
      [400, 'invalid_parameter'],
    ])
    assert.deepEqual(
      servers.map(({ status, traceId }) => [status, traceId === CLIENT.split('-')[1]]),
      [
        [0, true],
        [2, true],
        [2, true],
        [2, false],
      ],
    )
    assert.deepEqual(servers[1]?.attributes['gateway.policy.ids'], ['budget'])
    const [, over] = collector.logs().filter(({ eventName }) => /rejected|blocked/.test(eventName))
    assert.match(String(over?.traceId), /^[0-9a-f]{32}$/)
  })

  it('has a span of each request without a valid key, and nothing of that key', async (t) => {
    const { collector, gateway, close } = await start(t)
    const url = `${gateway.baseURL}/chat/completions`
    const key = 'sk-guessed-0123456789'
    for (const headers of [{}, bearer(key), { ...bearer(key), traceparent: CLIENT }]) {
      const reply = await send(url, { body: asking(), headers })
      assert.equal(reply.status, 401)
      await reply.text()
    }
    await (await send(`${gateway.baseURL}/models`, { headers: bearer(key) })).text()
    await close()
    const spans = collector.spans()
    assert.deepEqual(
      spans.map(({ name, kind, status, attributes }) => [
        ...[name, kind, status, attributes['http.response.status_code']],
        ...[attributes['error.type'], attributes['gateway.key_id']],
      ]),
      Array(3).fill([...['POST /v1/chat/completions', 2, 2, 401], ...['invalid_api_key', undefined]]),
    )
    assert.equal(spans[2]?.traceId, CLIENT.split('-')[1])
    const bodies = collector.receiver.requests.map(({ body }) => body.toString('latin1')).join()
    assert.doesNotMatch(bodies, /guessed/)
  })

  it('traces as the client decided, and passes unsampled traces on', async (t) => {
    const { collector, provider, gateway, close } = await start(t)
    await (await post(gateway, asking(), { headers: { traceparent: CLIENT.replace(/01$/, '00') } })).text()
    assert.match(
      String(provider.requests.at(-1)?.headers.traceparent),
      /^00-4bf92f3577b34da6a3ce929d0e0e4736-[0-9a-f]{16}-00$/,
    )
    await (await post(gateway, asking(), { headers: { traceparent: 'ff-bad', tracestate: 'vendor=abc' } })).text()
    const { traceparent, tracestate } = provider.requests.at(-1)?.headers ?? {}
    assert.match(String(traceparent), /^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/)
    assert.equal(tracestate, undefined, 'it belongs to a traceparent')
    await close()
    assert.equal(collector.spans().filter(({ kind }) => kind === 2).length, 1)
  })

  it('gives records of a request that is not sampled the ids that the provider got', async (t) => {
    const { collector, provider, gateway, close } = await start(t, { sample_ratio: 0 })
    await (await post(gateway, asking())).text()
    await close()
    const [, trace, span] = /^00-(.{32})-(.{16})-00$/.exec(String(provider.requests.at(-1)?.headers.traceparent)) ?? []
    const record = collector.logs().find(({ eventName }) => eventName === 'gateway.request.completed')
    assert.ok(trace !== undefined)
    assert.deepEqual([record?.traceId, record?.spanId, collector.spans()], [trace, span, []])
  })

  it('leaves the headers of the client alone without propagate, and samples nothing at 0', async (t) => {
    const { collector, provider, gateway, close } = await start(t, { propagate: false, sample_ratio: 0, logs: false })
    await (await post(gateway, asking())).text()
    assert.equal(provider.requests.at(-1)?.headers.traceparent, undefined)
    await close()
    assert.deepEqual(collector.receiver.requests, [])
  })

  it('records messages as sent, only if told to', async (t) => {
    const { collector, gateway, close } = await start(t, { record_prompts: true }, [{ use: 'pii' }])
    await (await post(gateway, asking('Write to jane@example.com'))).text()
    await close()
    const messages = collector.spans().map(({ attributes }) => attributes['gen_ai.input.messages'])
    assert.deepEqual(
      messages.filter((one) => one !== undefined).map((one) => JSON.parse(String(one))),
      [[{ role: 'user', parts: [{ type: 'text', content: 'Write to [EMAIL]' }] }]],
    )
  })

  it('repeats what the receiver could not take, and gives up what it refuses', async (t) => {
    const { collector, gateway, close } = await start(t, { logs: false, flush_seconds: 0.1 })
    const { receiver } = collector
    receiver.reply(respond(503, '', { 'retry-after': '0' }), respond(200), respond(400))
    await (await post(gateway, asking())).text()
    // Before the stop: it has a deadline, which a repetition on a busy machine may pass.
    const [first, second] = [await receiver.next(), await receiver.next()]
    assert.deepEqual(first.body, second.body)
    await (await post(gateway, asking())).text()
    assert.notDeepEqual((await receiver.next()).body, second.body)
    await close()
    assert.equal(receiver.requests.length, 3)
  })

  it('refuses a receiver that egress.allow does not name, and options that it cannot use', async () => {
    const wrong = [
      { endpoint: 'http://169.254.169.254/' },
      { endpoint: 'collector:4318' },
      {},
      { endpoint: 'http://c', ratio: 1 },
    ]
    for (const options of wrong) {
      const start = startTestGateway({ upstreamUrl: 'http://127.0.0.1:1/v1', plugins: [{ use: 'otel', options }] })
      await assert.rejects(start, /options/)
    }
  })
})

describe('traceparent', () => {
  it('is read as the specification says', () => {
    const [id, span] = ['4bf92f3577b34da6a3ce929d0e0e4736', '00f067aa0ba902b7']
    const known = { traceId: id, spanId: span, sampled: true }
    assert.deepEqual(readTraceparent(`00-${id}-${span}-01`), known)
    assert.deepEqual(readTraceparent(`cc-${id}-${span}-01-what-the-future-brings`), known)
    assert.deepEqual(readTraceparent(`00-${id}-${span}-02`), { ...known, sampled: false })
    const zeros = '0'.repeat(32)
    const wrong = [undefined, '', `ff-${id}-${span}-01`, `00-${id}-${span}-01-more`, `00-${zeros}-${span}-01`]
    wrong.push(
      `00-${id}-${zeros.slice(16)}-01`,
      `00-${id.toUpperCase()}-${span}-01`,
      `00-${id}-${span}-1`,
      `0-${id}-${span}-01`,
    )
    for (const header of wrong) assert.equal(readTraceparent(header), undefined, header)
  })
})
