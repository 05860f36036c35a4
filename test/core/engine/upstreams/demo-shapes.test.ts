/** The demo model in each API that it answers, read by the official clients. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { parseConfig } from '../../../../core/gateway/config/load.ts'
import { startGateway } from '../../../../core/gateway/gateway.ts'
import { createLogger } from '../../../../core/services/logger.ts'

const KEY = 'the-key-of-the-demo'
const SAID = 'This is the demo model built into governed-gateway; no provider was called. You said: Write to [EMAIL]'
const ASKED = 'Write to ann@example.com'

describe('the demo model', () => {
  let gateway: Awaited<ReturnType<typeof startGateway>>
  let openai: OpenAI
  let anthropic: Anthropic
  before(async () => {
    const config = {
      ...{ listen: { port: 0 }, store: 'memory', upstreams: { demo: { kind: 'demo' } } },
      ...{ keys: [{ id: 'demo', key: KEY }], plugins: [{ use: 'pii' }] },
    }
    const logger = createLogger({ level: 'silent', destination: { write: () => {} } })
    gateway = await startGateway({ config: parseConfig(JSON.stringify(config), 'demo', {}), logger })
    openai = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: KEY, maxRetries: 0 })
    anthropic = new Anthropic({ baseURL: gateway.url, apiKey: KEY, maxRetries: 0 })
  })
  after(() => gateway.close())

  const message = { model: 'demo', max_tokens: 100, messages: [{ role: 'user' as const, content: ASKED }] }
  const response = { model: 'demo', input: [{ role: 'user' as const, content: ASKED }], instructions: 'Be brief.' }

  it('answers messages', async () => {
    const { content, stop_reason: reason, usage } = await anthropic.messages.create(message)
    assert.deepEqual(content, [{ type: 'text', text: SAID }])
    assert.equal(reason, 'end_turn')
    assert.ok(usage.input_tokens > 4 && usage.output_tokens > 10)
    const counted = await anthropic.messages.countTokens({ model: 'demo', messages: message.messages })
    assert.equal(counted.input_tokens, usage.input_tokens)
  })

  it('streams messages, and ends at the maximum', async () => {
    const whole = await anthropic.messages.stream(message).finalMessage()
    assert.equal(whole.content.map((block) => (block.type === 'text' ? block.text : '')).join(''), SAID)
    const short = await anthropic.messages.stream({ ...message, max_tokens: 3 }).finalMessage()
    assert.deepEqual([short.stop_reason, short.usage.output_tokens], ['max_tokens', 3])
  })

  it('answers responses', async () => {
    const { output_text: text, status, usage } = await openai.responses.create(response)
    assert.equal(text, SAID)
    assert.equal(status, 'completed')
    assert.equal(usage?.total_tokens, (usage?.input_tokens ?? 0) + (usage?.output_tokens ?? 0))
  })

  it('streams responses, and ends at the maximum', async () => {
    const whole = await openai.responses.stream(response).finalResponse()
    assert.equal(whole.output_text, SAID)
    const short = await openai.responses.stream({ ...response, max_output_tokens: 16 }).finalResponse()
    assert.deepEqual([short.status, short.incomplete_details?.reason], ['incomplete', 'max_output_tokens'])
  })
})
