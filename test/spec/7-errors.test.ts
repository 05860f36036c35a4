/** Chapter 7: errors. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { chat, chunks, stream } from '../../core/testing/provider.ts'
import { assertError } from '../helpers/errors.ts'
import { asking, bearer, LIMITED_KEY, post, setup, type TestGateway } from '../helpers/gateway.ts'
import { payloads, type Reply, send } from '../helpers/http.ts'
import { describeMatrix } from '../helpers/matrix.ts'
import { assertValid } from '../helpers/schemas.ts'

const blocking = {
  plugins: [{ use: 'sessions' }, { use: './plugins/keyword.ts', options: { word: 'FORBIDDEN', action: 'block' } }],
}
const CLEAN = 'All is well and nothing here needs a second look. '.repeat(8)

describe('7 a violated policy', () => {
  // Over every role and every place where a request holds text.
  const requests: Record<string, object> = {
    'a user message': { messages: [{ role: 'user', content: 'so FORBIDDEN it is' }] },
    'a system message': {
      messages: [
        { role: 'system', content: 'FORBIDDEN' },
        { role: 'user', content: 'x' },
      ],
    },
    'an earlier message': {
      messages: [
        { role: 'user', content: 'FORBIDDEN' },
        { role: 'assistant', content: 'ok' },
        { role: 'user', content: 'x' },
      ],
    },
    'a text part': { messages: [{ role: 'user', content: [{ type: 'text', text: 'FORBIDDEN' }] }] },
    'two parts together': {
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'FORB' },
            { type: 'text', text: 'IDDEN' },
          ],
        },
      ],
    },
    'a tool result': { messages: [{ role: 'tool', tool_call_id: 'a', content: 'FORBIDDEN' }] },
    'tool call arguments': {
      messages: [
        {
          role: 'assistant',
          tool_calls: [{ id: 'a', type: 'function', function: { name: 'f', arguments: '{"x":"FORB\\u0049DDEN"}' } }],
        },
      ],
    },
    'a tool definition': {
      tools: [{ type: 'function', function: { name: 'f', description: 'FORBIDDEN', parameters: {} } }],
    },
    'a member that nobody knows': { vendor_documents: [{ deep: { text: 'FORBIDDEN' } }] },
    'a key of an object': { vendor_documents: { FORBIDDEN: 1 } },
    'full-width letters': { messages: [{ role: 'user', content: 'ＦＯＲＢＩＤＤＥＮ' }] },
    'letters with nothing between them': { messages: [{ role: 'user', content: 'FORB\u200bID\u2060DEN' }] },
  }
  for (const [name, more] of Object.entries(requests)) {
    it(`is 403 in ${name}`, async (t) => {
      const { provider, gateway } = await setup(t, blocking)
      const reply = await post(gateway, asking('Hello', more))
      const error = await assertError(reply, 'GW_POLICY_BLOCK')
      assert.match(String(error.reason), /forbidden word/i)
      assert.equal(error.classification, 'PUBLIC')
      assert.equal(reply.headers['x-should-retry'], 'false')
      assert.equal(provider.requests.length, 0)
    })
  }
})

const replies = {
  content: { choices: [{ content: 'so FORBIDDEN it is' }] },
  'the second choice': { choices: [{ content: 'fine' }, { content: 'FORBIDDEN' }] },
  reasoning: { choices: [{ reasoning: 'hm, FORBIDDEN', content: 'fine' }] },
  'a refusal': { choices: [{ content: null, refusal: 'That is FORBIDDEN' }] },
  'tool call arguments': { choices: [{ toolCalls: [{ name: 'f', arguments: '{"x":["FORB\\u0049DDEN"]}' }] }] },
  'a tool name': { choices: [{ toolCalls: [{ name: 'FORBIDDEN', arguments: '{}' }] }] },
}
for (const [name, reply] of Object.entries(replies)) {
  describeMatrix(`7 a reply that breaks a rule in ${name} is 403`, blocking, async ({ kind, ask }) => {
    // Character by character: a word over any number of deltas is still the word.
    const seen = await ask(reply, {}, { pieces: (text) => [...text] })
    assert.doesNotMatch(seen.raw, /FORBIDDEN|FORB\\u0049DDEN/)
    for (const choice of seen.choices) {
      assert.ok(!Object.values(choice).join('').includes('FORBIDDEN'))
      for (const call of choice.toolCalls) assert.equal(call.arguments, '')
    }
    if (kind === 'aborted') return
    assert.ok(seen.error, 'the block is told')
    assert.equal(seen.error.type, 'policy_block')
    if (kind === 'buffered') assert.equal(seen.status, 403)
  })
}

describe('7 a policy violated in mid-stream', () => {
  const late = `${CLEAN}Now FORBIDDEN and more.`

  it('sends an error event and [DONE], then ends', async (t) => {
    const { provider, gateway } = await setup(t, blocking)
    provider.reply(chat(late))
    const reply = await post(gateway, asking('Hi', { stream: true }))
    assert.equal(reply.status, 200)
    const events = payloads(await reply.text())
    assert.equal(reply.complete, true)
    assert.equal(events.pop(), '[DONE]')
    const last = JSON.parse(events.pop() ?? '')
    assertValid('error-body', last)
    assert.equal(last.error.type, 'policy_block')
    assert.equal(last.error.code, 'permission_denied')
    assert.match(last.error.reason, /forbidden word/i)
    assert.equal(last.error.classification, 'PUBLIC')
    assert.equal(last.error.request_id, reply.headers['x-request-id'])
    assert.ok(events.length > 0)
    const text = events.map((event) => JSON.parse(event).choices[0].delta.content ?? '').join('')
    assert.ok(late.startsWith(text) && !text.includes('FORBIDDEN'))
  })

  it('ends the call to the provider at once', async (t) => {
    const { provider, gateway } = await setup(t, blocking)
    provider.reply(stream(chunks(late), { done: false, end: 'hang' }))
    const reply = await post(gateway, asking('Hi', { stream: true }))
    assert.equal((await reply.events()).at(-1), '[DONE]')
    assert.equal(await (await provider.next()).closed, 'aborted')
  })

  it('is a finish reason where the operator wants that', async (t) => {
    const { provider, gateway } = await setup(t, { ...blocking, config: { stream: { block_signal: 'finish_reason' } } })
    provider.reply(chat(late))
    const events = await (await post(gateway, asking('Hi', { stream: true }))).events()
    assert.equal(events.pop(), '[DONE]')
    const chunks = events.map((event) => JSON.parse(event))
    for (const chunk of chunks) assertValid('chat-completion-chunk', chunk)
    assert.equal(chunks.at(-1).choices[0].finish_reason, 'content_filter')
    assert.equal(chunks.at(-1).service.blocked, true)
  })
})

describe('7 every error', () => {
  const cases: Record<string, (gateway: TestGateway) => Promise<Reply>> = {
    GW_MISSING_KEY: (g) => send(`${g.baseURL}/models`),
    GW_INVALID_KEY: (g) => post(g, asking(), { headers: bearer('nope') }),
    GW_MODEL_NOT_ALLOWED: (g) => post(g, { ...asking(), model: 'x' }, { headers: bearer(LIMITED_KEY) }),
    GW_UNKNOWN_URL: (g) => send(`${g.url}/v1/nothing`, { headers: bearer(LIMITED_KEY) }),
    GW_METHOD_NOT_ALLOWED: (g) => send(`${g.baseURL}/models`, { method: 'DELETE', headers: bearer(LIMITED_KEY) }),
    GW_INVALID_JSON: (g) => post(g, '{', { headers: { 'content-type': 'application/json' } }),
    GW_INVALID_PARAMETER: (g) => post(g, { model: 'gpt-test' }),
    GW_UNSUPPORTED_MEDIA_TYPE: (g) => post(g, '{}', { headers: { 'content-type': 'text/plain' } }),
    GW_BODY_TOO_LARGE: (g) => post(g, asking('x'.repeat(5000))),
  }
  for (const [code, ask] of Object.entries(cases)) {
    it(`${code} has the body and the request id of the API, and says whether to retry`, async (t) => {
      const { provider, gateway } = await setup(t, {
        config: { listen: { host: '127.0.0.1', port: 0, max_body_bytes: 4096 } },
      })
      const reply = await ask(gateway)
      await assertError(reply, code as Parameters<typeof assertError>[1])
      assert.equal(reply.headers['x-should-retry'], 'false')
      assert.equal(provider.requests.length, 0)
    })
  }

  it('has a request id of its own, also when the client sends one', async (t) => {
    const { gateway } = await setup(t)
    const ids = new Set<string>()
    for (let i = 0; i < 3; i += 1) {
      const reply = await post(gateway, asking(), {
        headers: { 'x-request-id': 'mine', 'x-client-request-id': 'mine' },
      })
      await reply.text()
      ids.add(String(reply.headers['x-request-id']))
    }
    assert.equal(ids.size, 3)
    assert.ok(!ids.has('mine'))
  })
})
