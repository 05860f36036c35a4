/** Chapter 2: resources and their fields. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Described, json } from '../../core/testing/provider.ts'
import { asking, post, setup, type TestGatewayOptions } from '../helpers/gateway.ts'
import { send } from '../helpers/http.ts'
import { describeMatrix } from '../helpers/matrix.ts'
import { assertValid } from '../helpers/schemas.ts'

const governed: Omit<TestGatewayOptions, 'upstreamUrl'> = {
  plugins: [
    { use: 'flags' },
    { use: 'sessions' },
    { use: './plugins/keyword.ts', options: { word: 'SECRET-PLAN', action: 'block', level: 'RESTRICTED' } },
  ],
}

const full: Described = {
  choices: [
    { content: 'First answer.', reasoning: 'Thinking.' },
    { content: null, toolCalls: [{ name: 'look_up', arguments: '{"q":"x"}' }] },
  ],
}

describeMatrix('2.1 a completion has the fields of the API', governed, async ({ kind, ask }) => {
  const seen = await ask(full, { n: 2 })
  if (kind === 'aborted') return assert.equal(seen.done, false)
  assert.equal(seen.status, 200)
  assert.ok(seen.done)
  assert.deepEqual(seen.choices, [
    { content: 'First answer.', reasoning: 'Thinking.', refusal: '', toolCalls: [], finish: 'stop' },
    {
      content: '',
      reasoning: '',
      refusal: '',
      toolCalls: [{ id: 'call_1_0', name: 'look_up', arguments: '{"q":"x"}' }],
      finish: 'tool_calls',
    },
  ])
  for (const line of seen.raw.split('\n').filter((text) => text !== '[DONE]')) {
    assertValid(kind === 'buffered' ? 'chat-completion' : 'chat-completion-chunk', JSON.parse(line))
  }
})

describe('2.1 a buffered completion', () => {
  // Digits that a double cannot hold, escapes, member order and unknown members: nothing is spelled anew.
  const text =
    '{"id":"chatcmpl-7","object":"chat.completion","created":1763676000,"model":"m\\u002d1","vendor_score":1.50,' +
    '"vendor_count":12345678901234567890,"choices":[{"index":0,"finish_reason":"stop","message":{"role":"assistant",' +
    '"content":"caf\\u00e9 \\/ th\\u00e9"}}],"usage":{"prompt_tokens":1,"completion_tokens":2,"total_tokens":3}}'

  it('without plugins is the provider’s, byte for byte', async (t) => {
    const { provider, gateway } = await setup(t)
    provider.reply(json(text))
    const reply = await post(gateway)
    assert.equal(reply.headers['content-type']?.startsWith('application/json'), true)
    assert.equal(await reply.text(), text)
  })

  it('with plugins is the provider’s with `service` added, and nothing else', async (t) => {
    const { provider, gateway } = await setup(t, governed)
    provider.reply(json(text))
    const reply = await (await post(gateway)).text()
    const { service } = JSON.parse(reply) as { service: object }
    assert.equal(reply, `${text.slice(0, -1)},"service":${JSON.stringify(service)}}`)
  })

  it('drops a `service` member from client or provider', async (t) => {
    const { provider, gateway } = await setup(t, governed)
    provider.reply(json({ ...JSON.parse(text), service: { classification: 'FORGED', blocked: 'no' } }))
    const reply = await (await post(gateway, asking('Hello', { service: { blocked: false } }))).text()
    assert.doesNotMatch(reply, /FORGED/)
    assertValid('chat-completion', JSON.parse(reply))
    assert.ok(!('service' in ((await provider.next()).json as object)))
  })
})

describeMatrix('2.2 governance metadata', governed, async ({ kind, ask }) => {
  const seen = await ask('Good morning to you.', {}, { headers: { 'x-service-session-id': 'chat-1' } })
  if (kind === 'aborted') return
  const { service } = seen
  assert.ok(service)
  assert.equal(service.classification, 'PUBLIC')
  assert.equal(service.blocked, false)
  assert.equal(service.session_id, 'chat-1')
  assert.equal(service.turn_index, 0)
  assert.equal(service.mode, 'enforce')
  assert.equal(service.action, 'allow')
  assert.deepEqual(service.detections, [])
  assert.equal(service.output_classification, 'PUBLIC')
  assert.equal(typeof service.request_id, 'string')
})

describe('2.2 governance metadata', () => {
  it('is told in headers too, in every form', async (t) => {
    const { gateway } = await setup(t, governed)
    for (const stream of [false, true]) {
      const reply = await post(gateway, asking('Hi', { stream }))
      const text = await reply.text()
      assert.equal(reply.headers['x-service-classification'], 'PUBLIC')
      assert.equal(reply.headers['x-service-turn-index'], '0')
      assert.ok(text.includes(`"session_id":"${reply.headers['x-service-session-id']}"`))
      assert.ok(text.includes(`"request_id":"${reply.headers['x-request-id']}"`))
    }
  })

  it('appears once in a stream: on the finish chunk, or on the requested usage chunk', async (t) => {
    const { gateway } = await setup(t, governed)
    for (const options of [{}, { stream_options: { include_usage: true } }]) {
      const events = await (await post(gateway, asking('Hi', { stream: true, ...options }))).events()
      assert.equal(events.pop(), '[DONE]')
      const chunks = events.map((event) => JSON.parse(event))
      const bearers = chunks.filter((chunk) => 'service' in chunk)
      assert.equal(bearers.length, 1)
      assert.equal(bearers[0], chunks.at(-1))
      assertValid('chat-completion-chunk', bearers[0])
      if ('stream_options' in options) assert.deepEqual(bearers[0].choices, [])
      else assert.equal(bearers[0].choices[0].finish_reason, 'stop')
    }
  })

  it('names the highest label of the request', async (t) => {
    const plugins = [
      { use: 'sessions' },
      { use: './plugins/keyword.ts', options: { word: 'budget-2027', level: 'RESTRICTED' } },
    ]
    const { gateway } = await setup(t, { plugins })
    const reply = await post(gateway, asking('About budget-2027, and budget-2027 again'))
    assert.equal(reply.headers['x-service-classification'], 'RESTRICTED')
    const { service } = (await reply.json()) as { service: Record<string, unknown> }
    assert.equal(service.classification, 'RESTRICTED')
    assert.equal(service.blocked, false)
    assert.deepEqual(service.detections, [{ type: 'keyword', count: 2, action: 'detect', direction: 'input' }])
  })
})

describeMatrix('2.3 the policy-block error body', governed, async ({ ask, provider }) => {
  const seen = await ask('Fine.', { messages: [{ role: 'user', content: 'The SECRET-PLAN, please.' }] })
  assert.equal(seen.status, 403)
  assertValid('error-body', JSON.parse(seen.raw))
  const { error, service } = seen
  assert.equal(error?.type, 'policy_block')
  assert.match(String(error?.reason), /forbidden word/i)
  assert.equal(error?.classification, 'RESTRICTED')
  assert.equal(error?.code, 'permission_denied')
  assert.equal(error?.param, null)
  assert.match(String(error?.message), /\S/)
  assert.equal(typeof error?.request_id, 'string')
  assert.equal(service?.blocked, true)
  assert.equal(service?.action, 'block')
  assert.equal(service?.classification, 'RESTRICTED')
  assert.doesNotMatch(seen.raw, /SECRET-PLAN/, 'a block must not repeat what it blocked')
  assert.equal(provider.requests.length, 0)
})

describe('2.4 the health response', () => {
  it('has the status ok', async (t) => {
    const { gateway } = await setup(t)
    const reply = await send(`${gateway.url}/health/ready`)
    assert.equal(reply.status, 200)
    assert.match(String(reply.headers['content-type']), /^application\/json/)
    assert.deepEqual(await reply.json(), { status: 'ok' })
  })
})
