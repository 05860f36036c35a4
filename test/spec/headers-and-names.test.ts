import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import { definePlugin } from 'governed-gateway'
import { chunks, completion, json, stream } from 'governed-gateway/testing'
import { asking, post, setup, USER_KEY } from '../helpers/gateway.ts'

const CANARIES = ['4111111111111111', 'jane@example.org', 'AKIAQ3EGRIXTNO5ZKLPV', 'sk-proj-Q3EGRIXTNO5ZKLPVw9']

test('no header carries a value either way', async (t) => {
  const { gateway, provider } = await setup(t)
  for (const value of CANARIES) {
    for (const streamed of [false, true]) {
      const options = {
        headers: Object.fromEntries(
          ['set-cookie', 'server', 'x-request-id', 'openai-model', 'openai-organization', 'openai-note', 'via']
            .concat(['x-ratelimit-reset-requests', `x-ratelimit-limit-${value.replace(/\W/g, '')}`])
            .map((name) => [name, value]),
        ),
      }
      provider.reply(streamed ? stream(chunks('Hi'), options) : json(completion('Hi'), options))
      const names = ['openai-beta', 'tracestate', 'traceparent', 'idempotency-key', 'x-client-request-id', 'x-other']
      const sent = Object.fromEntries(names.map((name) => [name, value]))
      sent.tracestate = `a=${value}`
      const reply = await post(gateway, asking('Hello', { stream: streamed }), { headers: sent })
      await reply.text()
      assert.equal(reply.status, 200)
      assert.ok(!JSON.stringify(reply.headers).includes(value), JSON.stringify(reply.headers))
      assert.ok(!JSON.stringify(Object.keys(reply.headers)).includes(value.toLowerCase()))
      assert.ok(!JSON.stringify((await provider.next()).headers).includes(value))
    }
  }
})

test('headers that are withheld for their shape are counted, others are not', async (t) => {
  const { gateway, provider } = await setup(t, watched)
  const warningsOf = (text: string) => /"warnings":(\[[^\]]*\])/.exec(text)?.[1]
  for (const streamed of [false, true]) {
    const ask = async (headers: Record<string, string>, replied: Record<string, string>) => {
      provider.reply(
        streamed ? stream(chunks('Hi'), { headers: replied }) : json(completion('Hi'), { headers: replied }),
      )
      const reply = await post(gateway, asking('Hello', { stream: streamed }), { headers })
      return warningsOf(await reply.text())
    }
    const [value] = CANARIES as [string]
    assert.equal(
      await ask(
        { 'openai-beta': value, traceparent: value, 'x-other': value },
        { 'x-request-id': value, 'openai-model': value, 'x-ratelimit-limit-requests': 'many', server: value },
      ),
      '["withheld_headers=2","provider:withheld_headers=3"]',
    )
    assert.equal(
      await ask({ 'openai-beta': 'assistants=v2' }, { 'openai-version': '2020-10-01', via: value }),
      undefined,
    )
  }
})

test('trailers of a request go nowhere', async (t) => {
  const { gateway, provider } = await setup(t)
  const [value] = CANARIES as [string]
  const body = JSON.stringify(asking())
  const socket = connect(gateway.port, '127.0.0.1')
  const head = `host: x\r\nauthorization: Bearer ${USER_KEY}\r\ncontent-type: application/json\r\nconnection: close\r\n`
  const chunked = `${body.length.toString(16)}\r\n${body}\r\n0\r\nx-client-request-id: ${value}\r\nx-note: ${value}\r\n\r\n`
  socket.write(
    `POST /v1/chat/completions HTTP/1.1\r\n${head}trailer: x-note\r\ntransfer-encoding: chunked\r\n\r\n${chunked}`,
  )
  const answer = await text(socket)
  assert.match(answer, /^HTTP\/1\.1 200 /)
  assert.ok(!answer.includes(value))
  const { headers } = await provider.next()
  assert.ok(!JSON.stringify([headers, gateway.log]).includes(value))
})

test('trailers of a reply go nowhere', async (t) => {
  const { gateway, provider } = await setup(t)
  const [value] = CANARIES as [string]
  for (const streamed of [false, true]) {
    provider.reply(async ({ response }: { response: import('node:http').ServerResponse }) => {
      response.writeHead(200, {
        'content-type': streamed ? 'text/event-stream' : 'application/json',
        trailer: 'x-note, x-request-id',
      })
      const said = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'm' }
      const choice = { index: 0, delta: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }
      if (streamed) response.write(`data: ${JSON.stringify({ ...said, choices: [choice] })}\n\ndata: [DONE]\n\n`)
      else response.write(JSON.stringify(completion('Hi')))
      response.addTrailers({ 'x-note': value, 'x-request-id': value })
      response.end()
    })
    const body = JSON.stringify(asking('Hello', { stream: streamed }))
    const socket = connect(gateway.port, '127.0.0.1')
    const head = `host: x\r\nauthorization: Bearer ${USER_KEY}\r\ncontent-type: application/json\r\nte: trailers\r\nconnection: close\r\n`
    socket.write(`POST /v1/chat/completions HTTP/1.1\r\n${head}content-length: ${body.length}\r\n\r\n${body}`)
    const answer = await text(socket)
    assert.match(answer, /^HTTP\/1\.1 200 /)
    assert.match(answer, /Hi/)
    assert.ok(!answer.includes(value), answer)
  }
})

test('headers in their shape pass', async (t) => {
  const { gateway, provider } = await setup(t)
  const id = crypto.randomUUID()
  const upstream = { 'x-request-id': 'req_9f3b1c2d4e5f60718293a4b5c6d7e8f9', 'openai-version': '2020-10-01' }
  provider.reply(json(completion('Hi'), { headers: upstream }))
  const sent = {
    'openai-beta': 'assistants=v2',
    traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    tracestate: 'rojo=a0f067aa0b,congo=t61rcWkgMzE',
    'idempotency-key': id,
  }
  const reply = await post(gateway, asking(), { headers: sent })
  assert.equal(reply.headers['x-upstream-request-id'], upstream['x-request-id'])
  assert.equal(reply.headers['openai-version'], '2020-10-01')
  const { headers } = await provider.next()
  for (const [name, value] of Object.entries(sent)) assert.equal(headers[name], value)
})

test('critical headers may appear only once', async (t) => {
  const { gateway, provider } = await setup(t)
  const body = JSON.stringify(asking())
  const plain = `host: x\r\nauthorization: Bearer ${USER_KEY}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\nconnection: close\r\n`
  const ask = async (more: string) => {
    const socket = connect(gateway.port, '127.0.0.1')
    socket.write(`POST /v1/chat/completions HTTP/1.1\r\n${plain}${more}\r\n${body}`)
    return await text(socket)
  }
  assert.match(await ask(''), /^HTTP\/1\.1 200 /)
  const before = provider.requests.length
  for (const twice of [
    `authorization: Bearer ${USER_KEY}\r\n`,
    'Authorization: Bearer other\r\n',
    'content-type: text/plain\r\n',
    'content-type: application/json\r\n',
    'host: y\r\n',
    `content-length: ${body.length}\r\n`,
    'x-service-flags: mode=strict\r\nX-Service-Flags: mode=off\r\n',
    'x-service-session-id: a\r\nx-service-session-id: b\r\n',
  ]) {
    assert.match(await ask(twice), /^HTTP\/1\.1 400 /, twice)
  }
  assert.equal(provider.requests.length, before)
})

const acting = (act: (x: Parameters<Parameters<import('governed-gateway').Hooks['block']['tap']>[1]>[0]) => unknown) =>
  definePlugin({
    name: 'acting',
    schema: { type: 'object', properties: {}, additionalProperties: false },
    create: () => ({ apply: (hooks) => hooks.block.tap('acting', (x) => act(x) as never) }),
  })

const watched = { plugins: [{ use: 'acting' }], specs: new Map([['acting', acting(() => undefined) as never]]) }

async function answerOf(t: TestContext, spec: ReturnType<typeof acting>) {
  const { gateway } = await setup(t, { plugins: [{ use: 'acting' }], specs: new Map([['acting', spec as never]]) })
  const reply = await post(gateway)
  return { status: reply.status, headers: reply.headers, body: (await reply.json()) as never, log: gateway.log }
}

test('plugins cannot override members of `service`', async (t) => {
  for (const name of ['blocked', 'request_id', 'detections', 'mode', 'action', '__proto__', 'Blocked', '']) {
    const { status, body } = await answerOf(
      t,
      acting((x) => x.reply.extend(name, false)),
    )
    assert.equal(status, 503, name)
    assert.equal((body as { error: { code: string } }).error.code, 'guardrail_unavailable')
  }
  const own = await answerOf(
    t,
    acting((x) => x.reply.extend('vendor_name', 1)),
  )
  assert.equal((own.body as { service: { vendor_name: number } }).service.vendor_name, 1)
  for (const value of [1n, undefined, { deep: [() => 1] }]) {
    const { status } = await answerOf(
      t,
      acting((x) => x.reply.extend('vendor_name', value as never)),
    )
    assert.equal(status, 503)
  }
})

test('details of a verdict cannot override members of the error', async (t) => {
  const details = { code: 'ok', request_id: 'mine', message: 'fine', type: 't', param: 'p', limit: 3 }
  const { status, body, headers } = await answerOf(
    t,
    acting(() => ({ reason: 'No.', details })),
  )
  const { error } = body as { error: Record<string, unknown> }
  assert.equal(status, 403)
  assert.equal(error.code, 'permission_denied')
  assert.equal(error.request_id, headers['x-request-id'])
  assert.match(String(error.message), /No\./)
  assert.equal(error.limit, 3)
})

const circle: Record<string, unknown> = {}
circle.again = [circle]

test('what is no JSON is refused at the call, in details of a verdict and in members of `service`', async (t) => {
  for (const value of [circle, 1n, { deep: [() => 1] }]) {
    const verdict = { reason: 'No.', details: { value } } as never
    const returned = await answerOf(
      t,
      acting(() => verdict),
    )
    assert.equal(returned.status, 503)
    assert.equal((returned.body as { error: { code: string } }).error.code, 'guardrail_unavailable')
    const called = await answerOf(
      t,
      acting((x) => {
        assert.throws(() => x.reply.block(verdict), { code: 'GW_PLUGIN_CONTRACT' })
        assert.throws(() => x.reply.extend('vendor_name', value as never), { code: 'GW_PLUGIN_CONTRACT' })
      }),
    )
    assert.equal(called.status, 200)
  }
})

test('a plugin emits what it declared and nothing of the core', async (t) => {
  for (const type of ['request.completed', 'service.stopped', 'auth.failed', 'not.declared']) {
    const { status, log } = await answerOf(
      t,
      acting((x) => x.emit(type as never, { reason: 'x' } as never)),
    )
    assert.equal(status, 503, type)
    assert.ok(log.every(({ event }) => (event as { reason?: string } | undefined)?.reason !== 'x'))
  }
})
