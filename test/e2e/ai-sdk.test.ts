import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createOpenAICompatible, type OpenAICompatibleProvider } from '@ai-sdk/openai-compatible'
import { APICallError, generateText, jsonSchema, StreamProviderError, streamText, type ToolSet, tool } from 'ai'
import { chat, json } from '../../core/testing/provider.ts'
import { type TestGateway, USER_KEY } from '../helpers/gateway.ts'
import { type Answer, type Failure, holdsFor } from './chat-clients.ts'
import { CLEAN, start } from './setup.ts'

interface ClientOptions {
  key?: string
  model?: string
  includeUsage?: boolean
}

const provider = (gateway: TestGateway, { key, includeUsage }: ClientOptions = {}): OpenAICompatibleProvider =>
  createOpenAICompatible({
    name: 'gateway',
    baseURL: gateway.baseURL,
    apiKey: key ?? USER_KEY,
    ...(includeUsage && { includeUsage }),
  })

const model = (gateway: TestGateway, options: ClientOptions = {}) =>
  provider(gateway, options)(options.model ?? 'gpt-test')

const once = { prompt: 'Hello', maxRetries: 0 }

const tools: ToolSet = {
  get_weather: tool({ inputSchema: jsonSchema({ type: 'object' }) }),
  get_time: tool({ inputSchema: jsonSchema({ type: 'object' }) }),
}

type StreamArguments = Parameters<typeof streamText>[0]

function failureOf(error: unknown): Failure {
  if (StreamProviderError.isInstance(error)) {
    const { code, type, message } = error
    if (type === 'policy_block') assert.equal(error.isRetryable, false)
    return { status: undefined, code, type, message, retryAfter: undefined }
  }
  assert.ok(APICallError.isInstance(error), `not an APICallError: ${String(error)}`)
  const { statusCode: status = 0, message, responseHeaders } = error
  if ([401, 403, 413].includes(status)) assert.equal(error.isRetryable, false)
  const { code, type } = (error.data as { error: { code: unknown; type: unknown } } | undefined)?.error ?? {}
  return { status, code, type, message, retryAfter: responseHeaders?.['retry-after'] }
}

async function streamed(options: StreamArguments, onText?: () => void): Promise<Answer> {
  let [text, finish, tokens] = ['', '', undefined as number | undefined]
  const [calls, errors] = [[] as unknown[], [] as unknown[]]
  for await (const part of streamText({ ...options, onError: () => {} }).stream) {
    if (part.type === 'text-delta') {
      text += part.text
      onText?.()
    } else if (part.type === 'error') errors.push(part.error)
    else if (part.type === 'tool-call') calls.push([part.toolCallId, part.toolName, part.input])
    else if (part.type === 'abort') break
    else if (part.type === 'finish') {
      finish = part.finishReason
      tokens = part.totalUsage.totalTokens
    }
  }
  assert.ok(errors.length <= 1)
  if (errors.length > 0) assert.ok(text === '' || finish === 'error')
  return { text, calls, tokens, error: errors.length === 0 ? undefined : failureOf(errors[0]) }
}

holdsFor({
  name: 'AI SDK',
  async ask(gateway, asking) {
    const { prompt = 'Hello', key, model: name, retries = 0, usage, signal, onText } = asking
    const chosen = { ...(key && { key }), ...(name && { model: name }), ...(usage && { includeUsage: usage }) }
    const options: StreamArguments = {
      ...{ model: model(gateway, chosen), prompt, maxRetries: retries },
      ...(asking.tools && { tools }),
      ...(signal && { abortSignal: signal }),
    }
    if (asking.streamed) return streamed(options, onText)
    try {
      const { text, toolCalls, usage: used } = await generateText(options as Parameters<typeof generateText>[0])
      const calls = toolCalls.map((call) => [call.toolCallId, call.toolName, call.input])
      return { text, calls, tokens: used.totalTokens, error: undefined }
    } catch (error) {
      return { text: '', calls: [], tokens: undefined, error: failureOf(error) }
    }
  },
})

describe('AI SDK', () => {
  it('n=2: the first choice is the answer', async (t) => {
    const { provider, gateway } = await start(t)
    const both = { choices: [{ content: 'Heads it is.' }, { content: 'Tails, I say.' }] }
    provider.reply(chat(both))
    const result = await generateText({ model: model(gateway), ...once, providerOptions: { gateway: { n: 2 } } })
    assert.equal(result.text, 'Heads it is.')
    assert.equal(((await provider.next()).json as { n: number }).n, 2)
  })

  it('image parts reach the provider', async (t) => {
    const { provider, gateway } = await start(t)
    const image = new Uint8Array([137, 80, 78, 71, 13, 10, 26, 10])
    await generateText({
      model: model(gateway),
      maxRetries: 0,
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'What is this?' },
            { type: 'file', data: image, mediaType: 'image/png' },
          ],
        },
      ],
    })
    const url = `data:image/png;base64,${Buffer.from(image).toString('base64')}`
    const { messages } = (await provider.next()).json as { messages: { content: unknown }[] }
    assert.deepEqual(messages[0]?.content, [
      { type: 'text', text: 'What is this?' },
      { type: 'image_url', image_url: { url } },
    ])
  })

  it('completions are governed, too', async (t) => {
    const { provider: upstream, gateway } = await start(t)
    const choices = [{ index: 0, text: CLEAN, finish_reason: 'stop', logprobs: null }]
    upstream.reply(json({ id: 'cmpl-7x1', object: 'text_completion', created: 1793000000, model: 'gpt-test', choices }))
    const { text } = await generateText({ model: provider(gateway).completionModel('gpt-test'), ...once })
    assert.equal(text, CLEAN)
    assert.equal((await upstream.next()).url, '/v1/completions')
  })
})
