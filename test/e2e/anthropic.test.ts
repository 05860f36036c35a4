/** Clients of Anthropic's API through the gateway: the official SDK, the AI SDK and LangChain. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createAnthropic } from '@ai-sdk/anthropic'
import Anthropic, { APIError, PermissionDeniedError } from '@anthropic-ai/sdk'
import { ChatAnthropic } from '@langchain/anthropic'
import { type AIMessageChunk, HumanMessage, ToolMessage } from '@langchain/core/messages'
import { APICallError, generateText, jsonSchema, stepCountIs, streamText, tool } from 'ai'
import { type JsonObject, json, type Script, type Step, stream } from '../../core/testing/provider.ts'
import { type TestGateway, USER_KEY } from '../helpers/gateway.ts'
import {
  begin,
  blockStart,
  event,
  message,
  SIGNATURE,
  said,
  textBlock,
  thinkingBlock,
  toolBlock,
  whole,
} from '../helpers/messages.ts'
import { BLOCKED_LATE, CLEAN, FORBIDDEN, REASON, start } from './setup.ts'

const MODEL = 'claude-test'
const SCHEMA = { type: 'object' as const, properties: { city: { type: 'string' as const } } }
const INPUT = { city: 'São Paulo' }

interface Told {
  text: string
  /** Names and inputs of calls. */
  calls: [name: string, input: unknown][]
}

/** What the tests need of a client; it may ask again as it does by default. */
interface Client {
  readonly name: string
  ask(gateway: TestGateway, prompt: string, maxRetries?: number): Promise<Told>
  /** Ends with the text so far and the error, if there was one. */
  stream(gateway: TestGateway, prompt: string, signal?: AbortSignal): Promise<Told & { error: unknown }>
  /** Asks, gives the result `sunny` to the call, and returns the final text. */
  converse(gateway: TestGateway, prompt: string): Promise<string>
  /** Status and message of an error. */
  read(error: unknown): { status: number | undefined; message: string }
}

const sdk = (gateway: TestGateway) => new Anthropic({ apiKey: USER_KEY, baseURL: gateway.url })
const asking = (content: string) => ({ model: MODEL, max_tokens: 512, messages: [{ role: 'user' as const, content }] })
const toldBy = (content: Anthropic.ContentBlock[]): Told => ({
  text: content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join(''),
  calls: content.flatMap((block) =>
    block.type === 'tool_use' ? [[block.name, block.input] as [string, unknown]] : [],
  ),
})

const official: Client = {
  name: 'the official SDK',
  ask: async (gateway, prompt) => toldBy((await sdk(gateway).messages.create(asking(prompt))).content),
  async stream(gateway, prompt, signal) {
    const running = sdk(gateway).messages.stream(asking(prompt), { ...(signal && { signal }) })
    let text = ''
    running.on('text', (piece) => {
      text += piece
    })
    try {
      return { ...toldBy((await running.finalMessage()).content), error: undefined }
    } catch (error) {
      return { text, calls: [], error }
    }
  },
  async converse(gateway, prompt) {
    const messages: Anthropic.MessageParam[] = [{ role: 'user', content: prompt }]
    const more = { model: MODEL, max_tokens: 512, tools: [{ name: 'weather', input_schema: SCHEMA }], messages }
    for (;;) {
      const { content } = await sdk(gateway).messages.stream(more).finalMessage()
      const call = content.find((block) => block.type === 'tool_use')
      if (call === undefined) return toldBy(content).text
      assert.deepEqual(call.input, INPUT)
      const result = { type: 'tool_result' as const, tool_use_id: call.id, content: 'sunny' }
      messages.push({ role: 'assistant', content }, { role: 'user', content: [result] })
    }
  },
  read(error) {
    assert.ok(error instanceof APIError, String(error))
    return { status: error.status, message: error.message }
  },
}

const aiModel = (gateway: TestGateway) => createAnthropic({ baseURL: gateway.baseURL, apiKey: USER_KEY })(MODEL)

const asks = (gateway: TestGateway) => ({ model: aiModel(gateway), maxOutputTokens: 512 })

const ai: Client = {
  name: 'the AI SDK',
  async ask(gateway, prompt, maxRetries = 2) {
    const { text, toolCalls } = await generateText({ ...asks(gateway), prompt, maxRetries })
    return { text, calls: toolCalls.map(({ toolName, input }) => [toolName, input]) }
  },
  async stream(gateway, prompt, signal) {
    const result = streamText({
      ...asks(gateway),
      prompt,
      onError: () => {},
      ...(signal && { abortSignal: signal }),
    })
    const told: Told & { error: unknown } = { text: '', calls: [], error: undefined }
    for await (const part of result.stream) {
      if (part.type === 'text-delta') told.text += part.text
      else if (part.type === 'error') told.error ??= part.error
      else if (part.type === 'abort') told.error ??= new Error('aborted')
      else if (part.type === 'tool-call') told.calls.push([part.toolName, part.input])
    }
    return told
  },
  async converse(gateway, prompt) {
    const weather = tool({
      inputSchema: jsonSchema<typeof INPUT>(SCHEMA),
      execute: (input) => {
        assert.deepEqual(input, INPUT)
        return 'sunny'
      },
    })
    const result = streamText({ ...asks(gateway), prompt, tools: { weather }, stopWhen: stepCountIs(4) })
    return await result.text
  },
  read(error) {
    const { statusCode: status, message: text } = error as APICallError
    return { status: APICallError.isInstance(error) ? status : undefined, message: text ?? JSON.stringify(error) }
  },
}

const chain = (gateway: TestGateway, maxRetries = 2) =>
  new ChatAnthropic({ model: MODEL, apiKey: USER_KEY, anthropicApiUrl: gateway.url, maxTokens: 512, maxRetries })

/** The text of a message of LangChain, be it a string or blocks. */
const textOf = ({ content }: { content: unknown }): string =>
  typeof content === 'string' ? content : (content as { text?: string }[]).map(({ text = '' }) => text).join('')

const langchain: Client = {
  name: 'LangChain',
  async ask(gateway, prompt, maxRetries) {
    const told = await chain(gateway, maxRetries).invoke(prompt)
    return { text: textOf(told), calls: (told.tool_calls ?? []).map(({ name, args }) => [name, args]) }
  },
  async stream(gateway, prompt, signal) {
    let all: AIMessageChunk | undefined
    let error: unknown
    try {
      for await (const chunk of await chain(gateway).stream(prompt, { ...(signal && { signal }) })) {
        all = all === undefined ? chunk : all.concat(chunk)
      }
    } catch (reason) {
      error = reason
    }
    return {
      text: all === undefined ? '' : textOf(all),
      calls: (all?.tool_calls ?? []).map(({ name, args }) => [name, args]),
      error,
    }
  },
  async converse(gateway, prompt) {
    const bound = chain(gateway).bindTools([{ name: 'weather', input_schema: SCHEMA }])
    const messages: (HumanMessage | AIMessageChunk | ToolMessage)[] = [new HumanMessage(prompt)]
    for (;;) {
      let all: AIMessageChunk | undefined
      for await (const chunk of await bound.stream(messages)) all = all === undefined ? chunk : all.concat(chunk)
      const call = all?.tool_calls?.[0]
      if (all === undefined || call === undefined) return all === undefined ? '' : textOf(all)
      assert.deepEqual(call.args, INPUT)
      messages.push(all, new ToolMessage({ content: 'sunny', tool_call_id: call.id ?? '' }))
    }
  },
  read(error) {
    const { status, message: text } = error as { status?: number; message?: string }
    return { status, message: text ?? '' }
  },
}

const half: Step[] = [begin(), blockStart(0, { type: 'text', text: '' }), said(CLEAN)]
const CUT: Readonly<Record<string, Script>> = {
  'connection closed': stream(half, { done: false, end: 'close' }),
  'connection reset': stream(half, { done: false, end: 'reset' }),
  'clean end in a block': stream(half, { done: false }),
}
const streamOf = (...pieces: string[]): Script => stream(whole([textBlock(pieces)]), { done: false, split: 'byte' })

for (const client of [official, ai, langchain]) {
  describe(client.name, () => {
    it('reads a message, buffered and streamed', async (t) => {
      const { gateway, provider } = await start(t)
      provider.reply(json(message('Hello back')), streamOf('Hello ', 'back'))
      assert.equal((await client.ask(gateway, 'Hello')).text, 'Hello back')
      const told = await client.stream(gateway, 'Hello')
      assert.deepEqual([told.text, told.error], ['Hello back', undefined])
      assert.deepEqual(
        provider.requests.map(({ url }) => url),
        ['/v1/messages', '/v1/messages'],
      )
    })

    it('reads text that is redacted', async (t) => {
      const { gateway, provider } = await start(t)
      provider.reply(streamOf('Pay with 4111 1111', ' 1111 1111 now.'))
      const { text, error } = await client.stream(gateway, 'Hello')
      assert.equal(error, undefined)
      assert.match(text, /^Pay with \S+ now\.$/)
      assert.doesNotMatch(text, /1111/)
    })

    it('calls tools over several turns, with thinking that stays as it was signed', async (t) => {
      const { gateway, provider } = await start(t)
      const pieces = JSON.stringify(INPUT)
      const call = () =>
        stream(
          whole(
            [
              thinkingBlock(['I ', 'look.'], SIGNATURE),
              textBlock(['One ', 'moment.'], 1),
              toolBlock('weather', ['', pieces.slice(0, 9), pieces.slice(9)], 2),
            ],
            'tool_use',
          ),
          { done: false },
        )
      provider.reply(call(), call(), streamOf('It is sunny.'))
      const text = await client.converse(gateway, 'Weather?')
      assert.match(text, /It is sunny\.$/)
      const last = (provider.requests.at(-1) as { json: JsonObject }).json.messages as { content: JsonObject[] }[]
      assert.equal(last.length, 5)
      for (const at of [1, 3]) {
        const [thinking] = (last[at] as { content: JsonObject[] }).content
        if (thinking?.type === 'thinking')
          assert.deepEqual([thinking.thinking, thinking.signature], ['I look.', SIGNATURE])
        assert.match(JSON.stringify(last[at]), /"tool_use"/)
        assert.match(JSON.stringify(last[at + 1]), /sunny/)
      }
    })

    it('leaves in the middle, and the provider is stopped', async (t) => {
      const { gateway, provider } = await start(t)
      provider.reply(stream([...half, new Promise(() => {})], { done: false }))
      const leave = new AbortController()
      const told = client.stream(gateway, 'Hello', leave.signal).catch((error: unknown) => ({ error }))
      const request = await provider.next()
      leave.abort()
      await request.closed
      assert.ok((await told).error !== undefined)
    })

    for (const streamed of [false, true]) {
      it(`is told the reason of a block, and does not ask again: ${streamed ? 'streamed' : 'buffered'}`, async (t) => {
        const { gateway, provider } = await start(t)
        const prompt = `Say ${FORBIDDEN}.`
        const error = streamed
          ? (await client.stream(gateway, prompt)).error
          : await client.ask(gateway, prompt).then(
              () => assert.fail('answered'),
              (reason: unknown) => reason,
            )
        const { status, message: told } = client.read(error)
        assert.deepEqual([status, provider.requests.length], [403, 0])
        assert.match(told, REASON)
        if (client === official) assert.ok(error instanceof PermissionDeniedError)
        const blocked = gateway.log.filter(
          ({ event: one }) => (one as { type?: string } | undefined)?.type === 'request.blocked',
        )
        assert.equal(blocked.length, 1)
      })
    }

    it('is told the reason of a block in the middle', async (t) => {
      const { gateway, provider } = await start(t)
      provider.reply(stream(whole([textBlock([CLEAN, BLOCKED_LATE.slice(CLEAN.length)])]), { done: false }))
      const { text, error } = await client.stream(gateway, 'Hello')
      assert.ok(error !== undefined)
      assert.match(client.read(error).message, REASON)
      assert.doesNotMatch(text, new RegExp(FORBIDDEN))
      assert.equal(provider.requests.length, 1)
    })

    for (const [status, type, seen] of [
      [400, 'invalid_request_error', 400],
      [404, 'not_found_error', 404],
      [413, 'request_too_large', 413],
      [401, 'authentication_error', 403],
      [529, 'overloaded_error', 529],
    ] as const) {
      it(`is told an error of the provider: ${status}`, async (t) => {
        const { gateway, provider } = await start(t)
        provider.otherwise(
          json(
            { type: 'error', error: { type, message: 'So it is' }, request_id: 'req_011' },
            {
              status,
              headers: { 'x-should-retry': 'false' },
            },
          ),
        )
        const error = await client.ask(gateway, 'Hello', 0).then(
          () => assert.fail('answered'),
          (reason: unknown) => reason,
        )
        const told = client.read(ai === client ? ((error as { lastError?: unknown }).lastError ?? error) : error)
        assert.equal(told.status, seen)
        assert.match(told.message, seen === 403 ? /credential/ : /So it is/)
        if (seen < 500) assert.equal(provider.requests.length, 1)
      })
    }

    it('is told that the provider failed in the middle', async (t) => {
      const { gateway, provider } = await start(t)
      const failed = event('error', { error: { type: 'overloaded_error', message: 'Overloaded' } })
      provider.reply(stream([...half, failed], { done: false }))
      const { error, text } = await client.stream(gateway, 'Hello')
      assert.match(client.read(error).message, /Overloaded/)
      assert.ok(CLEAN.startsWith(text))
    })

    for (const [name, script] of Object.entries(CUT)) {
      it(`never takes a cut stream for a whole one: ${name}`, async (t) => {
        const { gateway, provider } = await start(t)
        provider.reply(script)
        const { error } = await client.stream(gateway, 'Hello')
        assert.ok(error !== undefined)
        assert.match(client.read(error).message, /provider|upstream|connection/i)
      })
    }
  })
}
