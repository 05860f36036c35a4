import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type AIMessageChunk, HumanMessage } from '@langchain/core/messages'
import { ChatOpenAI, type ChatOpenAIFields } from '@langchain/openai'
import { chat } from '../../core/testing/provider.ts'
import { type TestGateway, USER_KEY } from '../helpers/gateway.ts'
import { type Failure, holdsFor } from './chat-clients.ts'
import { start } from './setup.ts'

const client = (gateway: TestGateway, fields: ChatOpenAIFields = {}): ChatOpenAI =>
  new ChatOpenAI({
    model: 'gpt-test',
    apiKey: USER_KEY,
    maxRetries: 0,
    configuration: { baseURL: gateway.baseURL },
    ...fields,
  })

/** LangChain brings its own copy of the OpenAI SDK, so its errors are known by name. */
interface SdkError extends Error {
  status?: number
  code?: string
  type?: string
  error?: { reason?: string; classification?: string }
  headers?: Headers
}

function failureOf(error: SdkError): Failure {
  const { status, code, type, message, headers } = error
  if (status === 403) assert.equal(error.constructor.name, 'PermissionDeniedError')
  if (type === 'policy_block' && status !== undefined) assert.ok(error.error?.reason && error.error.classification)
  return { status, code, type, message, retryAfter: headers?.get('retry-after') }
}

holdsFor({
  name: 'LangChain',
  async ask(gateway, { streamed, prompt = 'Hello', key, model, retries = 0, usage = true, signal, onText }) {
    const chosen = { ...(key && { apiKey: key }), ...(model && { model }), maxRetries: retries, streamUsage: usage }
    const chatModel = client(gateway, chosen)
    let message: AIMessageChunk | undefined
    let failed: SdkError | undefined
    try {
      if (streamed) {
        for await (const chunk of await chatModel.stream(prompt, { ...(signal && { signal }) })) {
          message = message ? message.concat(chunk) : chunk
          if (chunk.text !== '') onText?.()
        }
      } else message = await chatModel.invoke(prompt)
    } catch (error) {
      failed = error as SdkError
    }
    return {
      text: message?.text ?? '',
      calls: message?.tool_calls?.map(({ id, name, args }) => [id, name, args]) ?? [],
      tokens: (message as { usage_metadata?: { total_tokens: number } } | undefined)?.usage_metadata?.total_tokens,
      error: failed && failureOf(failed),
    }
  },
})

describe('LangChain', () => {
  it('n=2', async (t) => {
    const { provider, gateway } = await start(t)
    const both = { choices: [{ content: 'Heads it is.' }, { content: 'Tails, I say.' }] }
    provider.reply(chat(both))
    const { generations } = await client(gateway, { n: 2 }).generate([[new HumanMessage('Hello')]])
    assert.deepEqual(
      generations[0]?.map((one) => one.text),
      ['Heads it is.', 'Tails, I say.'],
    )
  })

  it('image parts reach the provider as they are', async (t) => {
    const { provider, gateway } = await start(t)
    const content = [
      { type: 'text', text: 'What is this?' },
      { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } },
    ]
    await client(gateway).invoke([new HumanMessage({ content })])
    const { messages } = (await provider.next()).json as { messages: { content: unknown }[] }
    assert.deepEqual(messages[0]?.content, content)
  })
})
