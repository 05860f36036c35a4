import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type AIMessageChunk, HumanMessage } from '@langchain/core/messages'
import { ChatOpenAI, type ChatOpenAIFields } from '@langchain/openai'
import { chat, chunks, every, stream } from '../../core/testing/provider.ts'
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

async function failure(promise: PromiseLike<unknown>): Promise<SdkError> {
  const error = await promise.then(
    () => assert.fail('a request that must fail was answered'),
    (reason: unknown) => reason as SdkError,
  )
  assert.ok(error instanceof Error)
  assertReadable(error.message)
  return error
}

/** Reads a stream to its end: the message so far, and the error that ended it. */
async function drain(model: ChatOpenAI, prompt = 'Hello') {
  let message: AIMessageChunk | undefined
  try {
    for await (const chunk of await model.stream(prompt)) message = message ? message.concat(chunk) : chunk
  } catch (error) {
    return { message, text: message?.text ?? '', error: error as SdkError }
  }
  return { message, text: message?.text ?? '', error: undefined }
}

const totalTokens = (message: object | undefined): number | undefined =>
  (message as { usage_metadata?: { total_tokens: number } } | undefined)?.usage_metadata?.total_tokens

const ask = (model: ChatOpenAI, streamed: boolean, prompt = 'Hello'): Promise<unknown> =>
  streamed
    ? drain(model, prompt).then(({ text, error }) => (error ? Promise.reject(error) : text))
    : model.invoke(prompt)

describe('LangChain: answers', () => {
  it('buffered', async (t) => {
    const { provider, gateway } = await start(t)
    provider.reply(chat('Good morning'))
    const message = await client(gateway).invoke('Hello')
    assert.equal(message.text, 'Good morning')
    assert.equal(totalTokens(message), 12)
    assert.equal(message.response_metadata.finish_reason, 'stop')
    const request = await provider.next()
    assert.equal(request.headers.authorization, `Bearer ${UPSTREAM_KEY}`)
    assert.deepEqual((request.json as { messages: unknown }).messages, [{ role: 'user', content: 'Hello' }])
  })

  it('streamed', async (t) => {
    const { provider, gateway } = await start(t)
    provider.reply(chat(CLEAN, { split: { seed: 3 } }))
    const { text, error } = await drain(client(gateway))
    assert.equal(error, undefined)
    assert.equal(text, CLEAN)
  })

  it('tool calls, streamed and buffered', async (t) => {
    const { provider, gateway } = await start(t)
    provider.reply(chat(TOOL_CALLS, { pieces: every(2) }), chat(TOOL_CALLS))
    const streamed = await drain(client(gateway))
    const buffered = await client(gateway).invoke('Hello')
    for (const message of [streamed.message, buffered]) {
      assert.deepEqual(
        message?.tool_calls?.map((call) => [call.id, call.name, call.args]),
        [
          ['call_a', 'get_weather', JSON.parse(WEATHER_ARGUMENTS)],
          ['call_b', 'get_time', {}],
        ],
      )
    }
  })

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

  it('usage of a stream only when it was asked for', async (t) => {
    const { provider, gateway } = await start(t)
    provider.reply(chat('Hi there'), chat('Hi there'))
    const asked = await drain(client(gateway))
    assert.equal(totalTokens(asked.message), 12)
    const silent = await drain(client(gateway, { streamUsage: false }))
    assert.equal(totalTokens(silent.message), undefined)
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

  it('an abort in the middle of a stream reaches the provider', async (t) => {
    const { provider, gateway } = await start(t)
    provider.reply(stream(chunks(CLEAN).slice(0, -1), { done: false, end: 'hang' }))
    const leave = new AbortController()
    const events = await client(gateway).stream('Hello', { signal: leave.signal })
    const request = await provider.next()
    const reading = (async () => {
      for await (const event of events) if (event.text !== '') leave.abort()
    })()
    await assert.rejects(reading, /abort/i)
    assert.equal(await request.closed, 'aborted')
    await provider.idle()
  })
})

describe('LangChain: errors of the gateway', () => {
  it('401 for a wrong key', async (t) => {
    const { provider, gateway } = await start(t)
    const error = await failure(client(gateway, { apiKey: 'sk-wrong' }).invoke('Hello'))
    assert.equal(error.status, 401)
    assert.equal(error.code, 'invalid_api_key')
    assert.equal(provider.requests.length, 0)
  })

  it('403 for a model that the key may not use', async (t) => {
    const { gateway } = await start(t)
    const error = await failure(client(gateway, { apiKey: LIMITED_KEY, model: 'other' }).invoke('Hello'))
    assert.equal(error.constructor.name, 'PermissionDeniedError')
    assert.equal(error.code, 'model_not_allowed')
  })

  it('413 for a body that is too large', async (t) => {
    const { gateway } = await start(t)
    const error = await failure(client(gateway).invoke('x'.repeat(2_000_000)))
    assert.equal(error.status, 413)
    assert.equal(error.code, 'request_too_large')
  })
})

describe('LangChain: errors of the provider', () => {
  for (const { name, script, status, message } of PROVIDER_ERRORS) {
    for (const streamed of [false, true]) {
      it(`${name}, ${streamed ? 'streamed' : 'buffered'}`, async (t) => {
        const { provider, gateway } = await start(t)
        provider.reply(script())
        const error = await failure(ask(client(gateway), streamed))
        assert.equal(error.status, status)
        assert.match(error.message, message)
        if (status === 429) assert.equal(error.headers?.get('retry-after'), '7')
      })
    }
  }
})

describe('LangChain: policy', () => {
  for (const streamed of [false, true]) {
    const form = streamed ? 'streamed' : 'buffered'

    it(`blocks a prompt with 403 and no retry, ${form}`, async (t) => {
      const { provider, gateway } = await start(t)
      const model = client(gateway, { maxRetries: 2 })
      assertBlock(await failure(ask(model, streamed, `This is ${FORBIDDEN}.`)))
      assert.equal(provider.requests.length, 0)
    })

    it(`blocks the start of a reply with 403 and no retry, ${form}`, async (t) => {
      const { provider, gateway } = await start(t)
      provider.otherwise(chat(`${FORBIDDEN} from the first word on`))
      assertBlock(await failure(ask(client(gateway, { maxRetries: 2 }), streamed)))
      assert.equal(provider.requests.length, 1)
    })
  }

  function assertBlock(error: SdkError): void {
    assert.equal(error.constructor.name, 'PermissionDeniedError')
    assert.equal(error.type, 'policy_block')
    assert.equal(error.code, 'permission_denied')
    assert.match(error.message, REASON)
    assert.match(error.error?.reason ?? '', REASON)
    assert.ok(error.error?.classification)
  }

  it('ends a stream with an error when the reply breaks a rule on the way', async (t) => {
    const { provider, gateway } = await start(t)
    provider.otherwise(chat(BLOCKED_LATE))
    const { text, error } = await drain(client(gateway, { maxRetries: 2 }))
    assert.equal(error?.type, 'policy_block')
    assert.equal(error?.code, 'permission_denied')
    assert.match(error?.message ?? '', REASON)
    assert.ok(text.length > 0 && BLOCKED_LATE.startsWith(text) && !text.includes(FORBIDDEN))
    assert.equal(provider.requests.length, 1)
  })
})

describe('LangChain: a stream that is cut is never a success', () => {
  for (const [name, script] of Object.entries(CUT_STREAMS)) {
    it(name, async (t) => {
      const { provider, gateway } = await start(t)
      provider.reply(script)
      const { text, error } = await drain(client(gateway))
      assert.ok(text.length > 0 && CLEAN.startsWith(text))
      assert.equal(error?.code, 'upstream_disconnected')
      assertReadable(error?.message ?? '')
    })
  }
})
