import assert from 'node:assert/strict'
import { it } from 'node:test'
import { completion, json } from 'governed-gateway/testing'
import OpenAI from 'openai'
import { apiError } from '../../../core/testing/index.ts'
import { serviceOf, startBundled } from '../../helpers/bundled.ts'

const messages = [{ role: 'user', content: 'Hello' }] as OpenAI.ChatCompletionMessageParam[]

it('sessions: a conversation through the OpenAI SDK is one session', async (t) => {
  const { client } = await startBundled(t, 'plugins: [{ use: sessions }]')
  const first = await client.chat.completions.create({ model: 'gpt-test', messages })
  const answer = first.choices[0]?.message as OpenAI.ChatCompletionMessageParam
  const second = await client.chat.completions.create({
    model: 'gpt-test',
    messages: [...messages, answer, { role: 'user', content: 'And now?' }],
  })
  assert.equal(serviceOf(second).session_id, serviceOf(first).session_id)
  assert.deepEqual([serviceOf(first).turn_index, serviceOf(second).turn_index], [0, 1])
})

it("sessions: the SDK's own retry stays in its turn", async (t) => {
  const { gateway, provider, client } = await startBundled(t, 'plugins: [{ use: sessions, options: { ttl_hours: 1 } }]')
  const retrying = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: client.apiKey, maxRetries: 1 })
  const options = { headers: { 'X-Service-Session-Id': 'ticket-7' } }
  provider.reply(apiError(500, {}, { 'retry-after-ms': '1' }))
  const { data, response } = await retrying.chat.completions
    .create({ model: 'gpt-test', messages }, options)
    .withResponse()
  assert.equal(provider.requests.length, 2)
  assert.deepEqual([serviceOf(data).session_id, serviceOf(data).turn_index], ['ticket-7', 0])
  assert.equal(response.headers.get('x-service-turn-index'), '0')
  const next = await retrying.chat.completions.create({ model: 'gpt-test', messages }, options)
  assert.equal(serviceOf(next).turn_index, 1)
})

it('sessions: a derived session is the same under other policies, and with a history that came back redacted', async (t) => {
  const ids = new Set<unknown>()
  const policies = ['', ', { use: pii, options: { action: redact } }', ', { use: pii, options: { action: tokenize } }']
  const asked = [{ role: 'user', content: 'Write to jo@acme.com' }] as OpenAI.ChatCompletionMessageParam[]
  for (const policy of policies) {
    const yaml = `secret: ${'5ecret'.repeat(8)}\nplugins: [{ use: sessions }${policy}]`
    const { client, provider } = await startBundled(t, yaml)
    provider.reply(json(completion('I wrote to jo@acme.com and to al@acme.com.')))
    const first = await client.chat.completions.create({ model: 'gpt-test', messages: asked })
    const answer = first.choices[0]?.message as OpenAI.ChatCompletionMessageParam
    const second = await client.chat.completions.create({
      model: 'gpt-test',
      messages: [...asked, answer, { role: 'user', content: 'And now?' }],
    })
    ids.add(serviceOf(first).session_id).add(serviceOf(second).session_id)
    assert.equal(serviceOf(second).turn_index, 1)
  }
  assert.equal(ids.size, 1)
})
