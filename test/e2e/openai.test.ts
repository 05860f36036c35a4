import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import OpenAI, { APIError } from 'openai'
import type { ChatCompletionMessageParam } from 'openai/resources/chat/completions'
import { chat, chunks, every, json, stream } from '../../core/testing/provider.ts'
import { LIMITED_KEY, type TestGateway, UPSTREAM_KEY, USER_KEY } from '../helpers/gateway.ts'
import { seenStream } from '../helpers/replies.ts'
import { assertValid } from '../helpers/schemas.ts'
import { type Failure, holdsFor } from './chat-clients.ts'
import { assertReadable, BLOCKED_LATE, CLEAN, CUT_STREAMS, FORBIDDEN, start } from './setup.ts'

const client = (gateway: TestGateway, apiKey = USER_KEY, maxRetries = 0): OpenAI =>
  new OpenAI({ baseURL: gateway.baseURL, apiKey, maxRetries })

const messages: ChatCompletionMessageParam[] = [{ role: 'user', content: 'Hello' }]
const model = 'gpt-test'

/** The error that a promise rejects with, which must be one of the SDK's own. */
async function failure(promise: PromiseLike<unknown>): Promise<InstanceType<typeof APIError>> {
  const error = await promise.then(
    () => assert.fail('a request that must fail was answered'),
    (reason: unknown) => reason,
  )
  assert.ok(error instanceof APIError, `not an APIError: ${String(error)}`)
  assertReadable(error.message)
  return error
}

/** Reads a stream to its end: what came, and the error that ended it. */
async function drain(events: AsyncIterable<OpenAI.ChatCompletionChunk>) {
  let text = ''
  try {
    for await (const event of events) text += event.choices[0]?.delta.content ?? ''
  } catch (error) {
    return { text, error: error as InstanceType<typeof APIError> }
  }
  return { text, error: undefined }
}

const CLASSES: Record<number, new (...args: never[]) => Error> = {
  400: OpenAI.BadRequestError,
  401: OpenAI.AuthenticationError,
  403: OpenAI.PermissionDeniedError,
  404: OpenAI.NotFoundError,
  409: OpenAI.ConflictError,
  422: OpenAI.UnprocessableEntityError,
  429: OpenAI.RateLimitError,
  500: OpenAI.InternalServerError,
  502: OpenAI.InternalServerError,
  503: OpenAI.InternalServerError,
}

function failureOf(error: unknown): Failure {
  assert.ok(error instanceof APIError, `not an APIError: ${String(error)}`)
  const { status, code, type, message, headers } = error
  if (status !== undefined) {
    assert.ok(error instanceof (CLASSES[status] ?? APIError), error.constructor.name)
    assert.ok(error.requestID)
  }
  const { reason, classification } = (error.error ?? {}) as { reason?: string; classification?: string }
  if (type === 'policy_block') assert.ok(reason && classification)
  return { status, code, type, message, retryAfter: headers?.get('retry-after') }
}

holdsFor({
  name: 'openai SDK',
  async ask(gateway, { streamed, prompt = 'Hello', key, model: name = model, retries, usage, signal, onText }) {
    const body = { model: name, messages: [{ role: 'user', content: prompt } as const] }
    const options = usage ? { stream_options: { include_usage: true } } : {}
    const payloads: string[] = []
    let failed: unknown
    try {
      const completions = client(gateway, key, retries).chat.completions
      if (streamed) {
        const events = await completions.create({ ...body, ...options, stream: true }, { signal })
        for await (const event of events) {
          payloads.push(JSON.stringify(event))
          if (event.choices[0]?.delta.content) onText?.()
        }
      } else payloads.push(JSON.stringify(await completions.create(body)))
    } catch (error) {
      failed = error
    }
    const { choices, usage: used } = seenStream(200, payloads)
    return {
      text: choices[0]?.content ?? '',
      calls: (choices[0]?.toolCalls ?? []).map((call) => [call.id, call.name, JSON.parse(call.arguments)]),
      tokens: used?.total_tokens as number | undefined,
      error: failed === undefined ? undefined : failureOf(failed),
    }
  },
})

/** A completion, or a part of one. */
const completionOf = (text: string, finish: string | null = null) => ({
  ...{ id: 'cmpl-7x1', object: 'text_completion', created: 1793000000, model },
  choices: [{ index: 0, text, finish_reason: finish, logprobs: null }],
})

describe('openai SDK: answers', () => {
  it('buffered', async (t) => {
    const { provider, gateway } = await start(t)
    provider.reply(chat('Good morning'))
    const { data, response } = await client(gateway).chat.completions.create({ model, messages }).withResponse()
    assert.equal(data.choices[0]?.message.content, 'Good morning')
    assert.deepEqual(data.usage, { prompt_tokens: 9, completion_tokens: 3, total_tokens: 12 })
    assertValid('chat-completion', JSON.parse(JSON.stringify(data)))
    assert.equal((data as { _request_id?: string })._request_id, response.headers.get('x-request-id'))
    assert.ok('service' in data)
    const request = await provider.next()
    assert.equal(request.headers.authorization, `Bearer ${UPSTREAM_KEY}`)
    assert.deepEqual(request.json, { model, messages })
  })

  it('streamed', async (t) => {
    const { provider, gateway } = await start(t)
    provider.reply(chat(CLEAN, { split: { seed: 1 } }), chat(CLEAN, { pieces: every(3) }))
    const events = await client(gateway).chat.completions.create({ model, messages, stream: true })
    assert.deepEqual(await drain(events), { text: CLEAN, error: undefined })
    const runner = client(gateway).chat.completions.stream({ model, messages })
    assert.equal(await runner.finalContent(), CLEAN)
  })

  it('streamed without a finish: governance is in a chunk of its own', async (t) => {
    const { provider, gateway } = await start(t)
    const unended = () => stream(chunks(CLEAN).slice(0, -1))
    for (const options of [undefined, { include_usage: true }]) {
      provider.reply(unended())
      const body = { model, messages, stream: true, ...(options && { stream_options: options }) } as const
      const events: OpenAI.ChatCompletionChunk[] = []
      for await (const event of await client(gateway).chat.completions.create(body)) events.push(event)
      assert.equal(events.map(({ choices }) => choices[0]?.delta.content ?? '').join(''), CLEAN)
      const last = events.at(-1)
      assert.ok(last !== undefined && 'service' in last)
      assert.equal(events.filter((event) => 'service' in event).length, 1)
      assert.equal(last.id, events[0]?.id)
      assertValid('chat-completion-chunk', JSON.parse(JSON.stringify(last)))
    }
  })

  it('n=2, streamed and buffered', async (t) => {
    const { provider, gateway } = await start(t)
    const both = { choices: [{ content: 'Heads it is.' }, { content: 'Tails, I say, tails.', finish: 'length' }] }
    provider.reply(chat(both), chat(both))
    const streamed = await client(gateway).chat.completions.stream({ model, messages, n: 2 }).finalChatCompletion()
    const buffered = await client(gateway).chat.completions.create({ model, messages, n: 2 })
    for (const { choices } of [streamed, buffered]) {
      assert.deepEqual(
        choices.map((choice) => [choice.index, choice.message.content, choice.finish_reason]),
        [
          [0, 'Heads it is.', 'stop'],
          [1, 'Tails, I say, tails.', 'length'],
        ],
      )
    }
  })

  it('usage only when it was asked for', async (t) => {
    const { provider, gateway } = await start(t)
    for (const asked of [true, false]) {
      provider.reply(chat('Hi there'))
      const options = asked ? { stream_options: { include_usage: true } } : {}
      const events = await client(gateway).chat.completions.create({ model, messages, stream: true, ...options })
      const usages: unknown[] = []
      for await (const event of events) usages.push(event.usage)
      const last = usages.pop()
      if (asked) assert.deepEqual(last, { prompt_tokens: 9, completion_tokens: 3, total_tokens: 12 })
      else assert.equal(last, undefined)
      assert.ok(usages.every((usage) => (asked ? usage === null : usage === undefined)))
    }
  })

  it('image parts reach the provider as they are', async (t) => {
    const { provider, gateway } = await start(t)
    const parts: ChatCompletionMessageParam[] = [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What is this?' },
          { type: 'image_url', image_url: { url: `data:image/png;base64,${'iVBORw0KGgo'.repeat(50)}`, detail: 'low' } },
        ],
      },
    ]
    const answer = await client(gateway).chat.completions.create({ model, messages: parts })
    assert.equal(answer.choices[0]?.message.content, 'Hello from the provider')
    assert.deepEqual((await provider.next()).json, { model, messages: parts })
  })

  it('models.list shows what the key may use', async (t) => {
    const { provider, gateway } = await start(t)
    provider.models = ['gpt-test', 'gpt-large', 'other']
    const list = async (key: string) => (await client(gateway, key).models.list()).data.map((one) => one.id).sort()
    assert.deepEqual(await list(USER_KEY), ['gpt-large', 'gpt-test', 'other'])
    assert.deepEqual(await list(LIMITED_KEY), ['gpt-large', 'gpt-test'])
  })
})

describe('openai SDK: errors of the gateway', () => {
  it('embeddings as numbers, in the encoding that the SDK asks for', async (t) => {
    const { provider, gateway } = await start(t)
    const embedding = Buffer.from(Float32Array.of(0.5, -0.25).buffer).toString('base64')
    provider.reply(json({ object: 'list', model, data: [{ object: 'embedding', index: 0, embedding }] }))
    const { data } = await client(gateway).embeddings.create({ model, input: ['x'] })
    assert.deepEqual(data[0]?.embedding, [0.5, -0.25])
    assert.equal(((await provider.next()).json as { encoding_format: string }).encoding_format, 'base64')
  })

  it('completions, buffered and streamed', async (t) => {
    const { provider, gateway } = await start(t)
    const prompt = 'Once upon'
    provider.reply(
      json(completionOf(CLEAN, 'stop')),
      stream([...every(3)(CLEAN).map((text) => completionOf(text)), completionOf('', 'stop')]),
    )
    const whole = await client(gateway).completions.create({ model, prompt })
    assert.deepEqual([whole.choices[0]?.text, 'service' in whole], [CLEAN, true])
    let text = ''
    let last: OpenAI.Completion | undefined
    for await (const event of await client(gateway).completions.create({ model, prompt, stream: true })) {
      text += event.choices[0]?.text ?? ''
      last = event
    }
    assert.deepEqual([text, last?.choices[0]?.finish_reason, 'service' in (last ?? {})], [CLEAN, 'stop', true])
  })

  it('completions that are blocked, buffered and in the middle of a stream', async (t) => {
    const { provider, gateway } = await start(t)
    provider.reply(
      json(completionOf(BLOCKED_LATE, 'stop')),
      stream([...every(5)(BLOCKED_LATE).map((text) => completionOf(text))]),
    )
    const error = await failure(client(gateway).completions.create({ model, prompt: 'x' }))
    assert.ok(error instanceof OpenAI.PermissionDeniedError)
    let text = ''
    const events = await client(gateway).completions.create({ model, prompt: 'x', stream: true })
    const late = await failure(
      (async () => {
        for await (const event of events) text += event.choices[0]?.text ?? ''
      })(),
    )
    assert.equal(late.code, 'permission_denied')
    assert.ok(text !== '' && !text.includes(FORBIDDEN))
  })

  it('moderations, without a model too', async (t) => {
    const { provider, gateway } = await start(t)
    provider.otherwise(json({ id: 'modr-7x1', model, results: [{ flagged: false, categories: { hate: false } }] }))
    for (const body of [{ input: 'x' }, { model, input: [{ type: 'text', text: 'x' } as const] }]) {
      const { results } = await client(gateway).moderations.create(body)
      assert.deepEqual(results[0]?.categories, { hate: false })
      assert.deepEqual((await provider.next()).json, body)
    }
  })

  it('404 for an endpoint that is not governed', async (t) => {
    const { provider, gateway } = await start(t)
    for (const call of [
      client(gateway).images.generate({ model, prompt: 'x' }),
      client(gateway).audio.speech.create({ model, input: 'x', voice: 'alloy' }),
    ]) {
      const error = await failure(call)
      assert.ok(error instanceof OpenAI.NotFoundError)
      assert.equal(error.code, 'unknown_url')
    }
    assert.equal(provider.requests.length, 0)
  })

  it('400 for a body that is wrong', async (t) => {
    const { gateway } = await start(t)
    const error = await failure(client(gateway).chat.completions.create({ model, messages: [] }))
    assert.ok(error instanceof OpenAI.BadRequestError)
    assert.equal(error.code, 'invalid_parameter')
    assert.equal(error.param, 'messages')
  })
})

describe('openai SDK: errors of the provider', () => {
  it('502 when the provider cannot be reached', async (t) => {
    const { provider, gateway } = await start(t)
    await provider.close()
    const error = await failure(client(gateway).chat.completions.create({ model, messages }))
    assert.equal(error.status, 502)
    assert.equal(error.code, 'upstream_unreachable')
  })
})

describe('openai SDK: a stream that is cut is never a success', () => {
  it('nor one that is blocked, for the helper that collects it', async (t) => {
    const { provider, gateway } = await start(t)
    for (const script of [...Object.values(CUT_STREAMS), chat(BLOCKED_LATE)]) {
      provider.reply(script)
      await assert.rejects(client(gateway).chat.completions.stream({ model, messages }).finalContent(), APIError)
    }
  })

  it('a finished stream without [DONE] is a success', async (t) => {
    const { provider, gateway } = await start(t)
    provider.reply(stream(chunks(CLEAN), { done: false }))
    const events = await client(gateway).chat.completions.create({ model, messages, stream: true })
    assert.deepEqual(await drain(events), { text: CLEAN, error: undefined })
  })
})
