import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createOpenAICompatible, type OpenAICompatibleProvider } from '@ai-sdk/openai-compatible'
import { APICallError, generateText, jsonSchema, StreamProviderError, streamText, type ToolSet, tool } from 'ai'
import { chat, chunks, every, json, stream } from '../../core/testing/provider.ts'
import { LIMITED_KEY, type TestGateway, UPSTREAM_KEY, USER_KEY } from '../helpers/gateway.ts'
import {
  assertReadable,
  BLOCKED_LATE,
  CLEAN,
  CUT_STREAMS,
  FORBIDDEN,
  PROVIDER_ERRORS,
  REASON,
  start,
  TOOL_CALLS,
  WEATHER_ARGUMENTS,
} from './setup.ts'

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

/** Reads a stream to its end: its text, its errors, and why it finished. */
async function drain(options: StreamArguments) {
  const result = streamText({ ...options, onError: () => {} })
  const seen = { text: '', errors: [] as unknown[], finish: '', usage: undefined as unknown, calls: [] as unknown[] }
  for await (const part of result.stream) {
    if (part.type === 'text-delta') seen.text += part.text
    else if (part.type === 'error') seen.errors.push(part.error)
    else if (part.type === 'tool-call') seen.calls.push([part.toolCallId, part.toolName, part.input])
    else if (part.type === 'finish') {
      seen.finish = part.finishReason
      seen.usage = part.totalUsage.totalTokens
    }
  }
  return seen
}

async function failure(promise: PromiseLike<unknown>): Promise<APICallError> {
  const error = await promise.then(
    () => assert.fail('a request that must fail was answered'),
    (reason: unknown) => reason,
  )
  assert.ok(APICallError.isInstance(error), `not an APICallError: ${String(error)}`)
  assertReadable(error.message)
  return error
}

/** The error of a call, buffered or as the only error of a stream. */
async function failing(streamed: boolean, options: StreamArguments): Promise<APICallError> {
  if (!streamed) return failure(generateText(options as Parameters<typeof generateText>[0]))
  const { errors, text } = await drain(options)
  assert.equal(text, '')
  assert.equal(errors.length, 1)
  return failure(Promise.reject(errors[0]))
}

const codeOf = (error: APICallError): unknown => (error.data as { error: { code: unknown } }).error.code

describe('AI SDK: answers', () => {
  it('buffered', async (t) => {
    const { provider, gateway } = await start(t)
    provider.reply(chat('Good morning'))
    const result = await generateText({ model: model(gateway), ...once })
    assert.equal(result.text, 'Good morning')
    assert.equal(result.finishReason, 'stop')
    assert.equal(result.usage.totalTokens, 12)
    assert.ok(result.response.headers?.['x-request-id'])
    const request = await provider.next()
    assert.equal(request.headers.authorization, `Bearer ${UPSTREAM_KEY}`)
    assert.deepEqual(request.json, { model: 'gpt-test', messages: [{ role: 'user', content: 'Hello' }] })
  })

  it('streamed', async (t) => {
    const { provider, gateway } = await start(t)
    provider.reply(chat(CLEAN, { split: { seed: 2 } }))
    const seen = await drain({ model: model(gateway), ...once })
    assert.equal(seen.text, CLEAN)
    assert.equal(seen.finish, 'stop')
    assert.deepEqual(seen.errors, [])
  })

  it('tool calls, streamed and buffered', async (t) => {
    const { provider, gateway } = await start(t)
    provider.reply(chat(TOOL_CALLS, { pieces: every(2) }), chat(TOOL_CALLS))
    const expected = [
      ['call_a', 'get_weather', JSON.parse(WEATHER_ARGUMENTS)],
      ['call_b', 'get_time', {}],
    ]
    const streamed = await drain({ model: model(gateway), ...once, tools })
    assert.deepEqual(streamed.calls, expected)
    assert.equal(streamed.finish, 'tool-calls')
    const buffered = await generateText({ model: model(gateway), ...once, tools })
    assert.deepEqual(
      buffered.toolCalls.map((call) => [call.toolCallId, call.toolName, call.input]),
      expected,
    )
  })

  it('n=2: the first choice is the answer', async (t) => {
    const { provider, gateway } = await start(t)
    const both = { choices: [{ content: 'Heads it is.' }, { content: 'Tails, I say.' }] }
    provider.reply(chat(both))
    const result = await generateText({ model: model(gateway), ...once, providerOptions: { gateway: { n: 2 } } })
    assert.equal(result.text, 'Heads it is.')
    assert.equal(((await provider.next()).json as { n: number }).n, 2)
  })

  it('usage of a stream only when it was asked for', async (t) => {
    const { provider, gateway } = await start(t)
    provider.reply(chat('Hi there'), chat('Hi there'))
    assert.equal((await drain({ model: model(gateway, { includeUsage: true }), ...once })).usage, 12)
    assert.equal((await drain({ model: model(gateway), ...once })).usage, undefined)
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

  it('an abort in the middle of a stream reaches the provider', async (t) => {
    const { provider, gateway } = await start(t)
    provider.reply(stream(chunks(CLEAN).slice(0, -1), { done: false, end: 'hang' }))
    const leave = new AbortController()
    const result = streamText({ model: model(gateway), ...once, abortSignal: leave.signal, onError: () => {} })
    const request = await provider.next()
    for await (const part of result.stream) {
      if (part.type === 'text-delta') leave.abort()
      if (part.type === 'abort') break
    }
    assert.equal(await request.closed, 'aborted')
    await provider.idle()
  })
})

describe('AI SDK: errors of the gateway', () => {
  it('401 for a wrong key', async (t) => {
    const { provider, gateway } = await start(t)
    const error = await failure(generateText({ model: model(gateway, { key: 'sk-wrong' }), ...once }))
    assert.equal(error.statusCode, 401)
    assert.equal(codeOf(error), 'invalid_api_key')
    assert.equal(error.isRetryable, false)
    assert.equal(provider.requests.length, 0)
  })

  it('403 for a model that the key may not use', async (t) => {
    const { gateway } = await start(t)
    const options = { key: LIMITED_KEY, model: 'other' }
    const error = await failure(generateText({ model: model(gateway, options), ...once }))
    assert.equal(error.statusCode, 403)
    assert.equal(codeOf(error), 'model_not_allowed')
  })

  it('none for completions, which are governed too', async (t) => {
    const { provider: upstream, gateway } = await start(t)
    const choices = [{ index: 0, text: CLEAN, finish_reason: 'stop', logprobs: null }]
    upstream.reply(json({ id: 'cmpl-7x1', object: 'text_completion', created: 1793000000, model: 'gpt-test', choices }))
    const { text } = await generateText({ model: provider(gateway).completionModel('gpt-test'), ...once })
    assert.equal(text, CLEAN)
    assert.equal((await upstream.next()).url, '/v1/completions')
  })

  it('413 for a body that is too large', async (t) => {
    const { gateway } = await start(t)
    const prompt = 'x'.repeat(2_000_000)
    const error = await failure(generateText({ model: model(gateway), prompt, maxRetries: 0 }))
    assert.equal(error.statusCode, 413)
    assert.equal(codeOf(error), 'request_too_large')
    assert.equal(error.isRetryable, false)
  })
})

describe('AI SDK: errors of the provider', () => {
  for (const { name, script, status, message } of PROVIDER_ERRORS) {
    for (const streamed of [false, true]) {
      it(`${name}, ${streamed ? 'streamed' : 'buffered'}`, async (t) => {
        const { provider, gateway } = await start(t)
        provider.reply(script())
        const error = await failing(streamed, { model: model(gateway), ...once })
        assert.equal(error.statusCode, status)
        assert.match(error.message, message)
        if (status === 429) assert.equal(error.responseHeaders?.['retry-after'], '7')
      })
    }
  }
})

describe('AI SDK: policy', () => {
  for (const streamed of [false, true]) {
    const form = streamed ? 'streamed' : 'buffered'

    it(`blocks a prompt with 403 and no retry, ${form}`, async (t) => {
      const { provider, gateway } = await start(t)
      const prompt = `This is ${FORBIDDEN}.`
      assertBlock(await failing(streamed, { model: model(gateway), prompt, maxRetries: 2 }))
      assert.equal(provider.requests.length, 0)
    })

    it(`blocks the start of a reply with 403 and no retry, ${form}`, async (t) => {
      const { provider, gateway } = await start(t)
      provider.otherwise(chat(`${FORBIDDEN} from the first word on`))
      assertBlock(await failing(streamed, { model: model(gateway), prompt: 'Hello', maxRetries: 2 }))
      assert.equal(provider.requests.length, 1)
    })
  }

  function assertBlock(error: APICallError): void {
    assert.equal(error.statusCode, 403)
    assert.equal(error.isRetryable, false)
    assert.equal(codeOf(error), 'permission_denied')
    assert.match(error.message, REASON)
  }

  it('ends a stream with an error when the reply breaks a rule on the way', async (t) => {
    const { provider, gateway } = await start(t)
    provider.otherwise(chat(BLOCKED_LATE))
    const { text, errors, finish } = await drain({ model: model(gateway), prompt: 'Hello', maxRetries: 2 })
    assert.equal(errors.length, 1)
    const [error] = errors
    assert.ok(StreamProviderError.isInstance(error))
    assert.equal(error.type, 'policy_block')
    assert.equal(error.isRetryable, false)
    assert.match(error.message, REASON)
    assert.equal(finish, 'error')
    assert.ok(text.length > 0 && BLOCKED_LATE.startsWith(text) && !text.includes(FORBIDDEN))
    assert.equal(provider.requests.length, 1)
  })
})

describe('AI SDK: a stream that is cut is never a success', () => {
  for (const [name, script] of Object.entries(CUT_STREAMS)) {
    it(name, async (t) => {
      const { provider, gateway } = await start(t)
      provider.reply(script)
      const { text, errors, finish } = await drain({ model: model(gateway), ...once })
      assert.ok(text.length > 0 && CLEAN.startsWith(text))
      assert.equal(errors.length, 1)
      assert.ok(StreamProviderError.isInstance(errors[0]))
      assert.equal(errors[0].code, 'upstream_disconnected')
      assertReadable(errors[0].message)
      assert.equal(finish, 'error')
    })
  }
})
