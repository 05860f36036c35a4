/** The official SDK of Anthropic, through the gateway. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import Anthropic from '@anthropic-ai/sdk'
import { json, raw, stream } from '../../core/testing/provider.ts'
import { type TestGateway, USER_KEY } from '../helpers/gateway.ts'
import { message, sse } from '../helpers/messages.ts'
import { start } from './setup.ts'

const client = (gateway: TestGateway) => new Anthropic({ apiKey: USER_KEY, baseURL: gateway.url, maxRetries: 0 })
const asking = { model: 'gpt-test', max_tokens: 64, messages: [{ role: 'user' as const, content: 'Hello' }] }

describe('the SDK of Anthropic', () => {
  it('reads a buffered message', async (t) => {
    const { gateway, provider } = await start(t)
    provider.reply(json(message('Hello back')))
    const told = await client(gateway).messages.create(asking)
    assert.deepEqual(told.content, [{ type: 'text', text: 'Hello back' }])
    assert.equal(told.usage.output_tokens, 7)
    assert.equal((await provider.next()).url, '/v1/messages')
  })

  it('reads a streamed message', async (t) => {
    const { gateway, provider } = await start(t)
    provider.reply(stream([raw(sse('Hello ', 'back'))], { done: false, split: 'byte' }))
    const told = await client(gateway).messages.stream(asking).finalMessage()
    assert.deepEqual([told.content, told.stop_reason], [[{ type: 'text', text: 'Hello back' }], 'end_turn'])
  })
})
