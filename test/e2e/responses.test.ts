/** Responses with the official SDKs and those that agents are built with. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createOpenAI } from '@ai-sdk/openai'
import { type BaseMessage, HumanMessage, ToolMessage } from '@langchain/core/messages'
import { ChatOpenAI } from '@langchain/openai'
import { Agent, tool as agentTool, OpenAIProvider, Runner, setTracingDisabled } from '@openai/agents'
import { generateText, isStepCount, jsonSchema, streamText, tool } from 'ai'
import OpenAI from 'openai'
import { apiError, every, json, type Script, type StreamOptions, stream } from '../../core/testing/provider.ts'
import { message, numbered, response, said, USAGE } from '../core/engine/dialects/responses/responding.ts'
import { ADMIN_KEY, type TestGateway, USER_KEY } from '../helpers/gateway.ts'
import { BLOCKED_LATE, CLEAN, FORBIDDEN, REASON, start } from './setup.ts'

setTracingDisabled(true)
process.env.OPENAI_AGENTS_DISABLE_TRACING = '1'

const model = 'gpt-test'

interface Told {
  text: string
  error?: unknown
}

/** What each client does, in its own way. */
interface Client {
  /** One question; the text that came, and the error that ended it. */
  ask(
    gateway: TestGateway,
    how: { streamed: boolean; prompt?: string; signal?: AbortSignal; onText?: () => void },
  ): Promise<Told>
  /** A question that a tool answers; the last text. */
  withTool(gateway: TestGateway, onCall: (city: string) => string): Promise<string>
}

async function caught(told: Told, run: () => Promise<void>): Promise<Told> {
  try {
    await run()
  } catch (error) {
    told.error = error
  }
  return told
}

const parameters = {
  type: 'object' as const,
  properties: { city: { type: 'string' as const } },
  required: ['city'],
  additionalProperties: false as const,
}
const weather = { type: 'function' as const, name: 'get_weather', description: 'Tells it.', parameters, strict: true }

const sdk = (gateway: TestGateway) => new OpenAI({ baseURL: gateway.baseURL, apiKey: USER_KEY, logLevel: 'off' })

const openai: Client = {
  ask: (gateway, { streamed, prompt = 'Hello', signal, onText }) => {
    const told: Told = { text: '' }
    const body = { model, input: prompt }
    const options = signal === undefined ? {} : { signal }
    return caught(told, async () => {
      if (!streamed) told.text = (await sdk(gateway).responses.create(body, options)).output_text
      else {
        for await (const event of await sdk(gateway).responses.create({ ...body, stream: true }, options)) {
          if (event.type === 'response.output_text.delta') {
            told.text += event.delta
            onText?.()
          }
        }
      }
    })
  },
  withTool: async (gateway, onCall) => {
    const input: OpenAI.Responses.ResponseInput = [{ role: 'user', content: 'Weather?' }]
    const first = await sdk(gateway)
      .responses.stream({ model, input, tools: [weather] })
      .finalResponse()
    for (const item of first.output) {
      if (item.type !== 'function_call') continue
      const output = onCall(JSON.parse(item.arguments).city)
      const next = [{ type: 'function_call_output' as const, call_id: item.call_id, output }]
      const body = { model, previous_response_id: first.id, input: next }
      return (await sdk(gateway).responses.create(body)).output_text
    }
    return ''
  },
}

const aiModel = (gateway: TestGateway) => createOpenAI({ baseURL: gateway.baseURL, apiKey: USER_KEY }).responses(model)

const aiSdk: Client = {
  ask: (gateway, { streamed, prompt = 'Hello', signal, onText }) => {
    const told: Told = { text: '' }
    const options = { model: aiModel(gateway), prompt, ...(signal && { abortSignal: signal }) }
    return caught(told, async () => {
      if (!streamed) {
        told.text = (await generateText(options)).text
        return
      }
      for await (const part of streamText({ ...options, onError: () => {} }).stream) {
        if (part.type === 'error') throw part.error
        if (part.type === 'abort') throw new Error('aborted')
        if (part.type !== 'text-delta') continue
        told.text += part.text
        onText?.()
      }
    })
  },
  withTool: async (gateway, onCall) => {
    const inputSchema = jsonSchema<{ city: string }>(parameters)
    const tools = { get_weather: tool({ inputSchema, execute: async ({ city }) => onCall(city) }) }
    const options = { model: aiModel(gateway), prompt: 'Weather?', tools, stopWhen: isStepCount(2) }
    const result = streamText(options)
    return await result.text
  },
}

const chatModel = (gateway: TestGateway) =>
  new ChatOpenAI({
    model,
    apiKey: USER_KEY,
    useResponsesApi: true,
    configuration: { baseURL: gateway.baseURL, logLevel: 'off' },
  })

const langchain: Client = {
  ask: (gateway, { streamed, prompt = 'Hello', signal, onText }) => {
    const told: Told = { text: '' }
    const options = signal === undefined ? {} : { signal }
    return caught(told, async () => {
      if (!streamed) told.text = (await chatModel(gateway).invoke(prompt, options)).text
      else {
        for await (const chunk of await chatModel(gateway).stream(prompt, options)) {
          told.text += chunk.text
          if (chunk.text !== '') onText?.()
        }
      }
    })
  },
  withTool: async (gateway, onCall) => {
    const bound = chatModel(gateway).bindTools([{ type: 'function', function: { name: 'get_weather', parameters } }])
    const messages: BaseMessage[] = [new HumanMessage('Weather?')]
    const first = await bound.invoke(messages)
    messages.push(first)
    for (const { id, args } of first.tool_calls ?? []) {
      messages.push(new ToolMessage({ tool_call_id: id as string, content: onCall(args.city) }))
    }
    return (await bound.invoke(messages)).text
  },
}

const runner = (gateway: TestGateway) =>
  new Runner({
    modelProvider: new OpenAIProvider({ openAIClient: sdk(gateway) as never, useResponses: true }),
    tracingDisabled: true,
  })

const agents: Client = {
  ask: (gateway, { streamed, prompt = 'Hello', signal, onText }) => {
    const told: Told = { text: '' }
    const agent = new Agent({ name: 'Helper', instructions: 'Be kind.', model })
    const options = signal === undefined ? {} : { signal }
    return caught(told, async () => {
      if (!streamed) {
        told.text = (await runner(gateway).run(agent, prompt, options)).finalOutput ?? ''
        return
      }
      const run = await runner(gateway).run(agent, prompt, { ...options, stream: true })
      for await (const event of run) {
        if (event.type !== 'raw_model_stream_event' || event.data.type !== 'output_text_delta') continue
        told.text += event.data.delta
        onText?.()
      }
      await run.completed
      if (run.error !== undefined && run.error !== null) throw run.error
    })
  },
  withTool: async (gateway, onCall) => {
    const get_weather = agentTool({
      name: 'get_weather',
      description: 'Tells it.',
      parameters,
      strict: true,
      execute: async (input) => onCall((input as { city: string }).city),
    })
    const agent = new Agent({ name: 'Helper', instructions: 'Be kind.', model, tools: [get_weather] })
    return (await runner(gateway).run(agent, 'Weather?')).finalOutput ?? ''
  },
}

const pieces = every(9)

/** Answers in the form that was asked for. */
const answer =
  (text: string, options: StreamOptions = {}): Script =>
  (exchange) => {
    const { stream: streamed } = exchange.request.json as { stream?: boolean }
    if (streamed !== true) return json(response({ output: [said(text)], usage: USAGE }))(exchange)
    return stream(message(pieces(text)), { done: false, ...options })(exchange)
  }

const call = {
  id: 'fc_a1',
  type: 'function_call',
  call_id: 'call_a1',
  name: 'get_weather',
  arguments: '{"city":"Oslo"}',
  status: 'completed',
}

const thought = { id: 'rs_a1', type: 'reasoning', summary: [{ type: 'summary_text', text: 'Think.' }] }

/** Calls the tool. */
const calling: Script = (exchange) => {
  const { stream: streamed } = exchange.request.json as { stream?: boolean }
  const whole = response({ output: [thought, call], usage: USAGE })
  if (streamed !== true) return json(whole)(exchange)
  const at = { item_id: call.id, output_index: 1 }
  const events = numbered([
    { type: 'response.created', response: response({ status: 'in_progress' }) },
    { type: 'response.output_item.added', output_index: 0, item: { ...thought, summary: [] } },
    { type: 'response.output_item.done', output_index: 0, item: thought },
    { type: 'response.output_item.added', output_index: 1, item: { ...call, arguments: '', status: 'in_progress' } },
    ...['{"city"', ':"Os', 'lo"}'].map((delta) => ({ type: 'response.function_call_arguments.delta', ...at, delta })),
    { type: 'response.function_call_arguments.done', ...at, arguments: call.arguments },
    { type: 'response.output_item.done', output_index: 1, item: call },
    { type: 'response.completed', response: whole },
  ])
  return stream(events, { done: false })(exchange)
}

/** The error, whatever wraps it. */
const words = (error: unknown): string =>
  error instanceof Error
    ? `${error.message} ${words(error.cause)} ${words((error as { lastError?: unknown }).lastError)}`
    : ''

for (const [name, client] of Object.entries({ openai, 'AI SDK': aiSdk, LangChain: langchain, 'Agents SDK': agents })) {
  describe(`${name}: responses`, () => {
    for (const streamed of [false, true]) {
      const form = streamed ? 'streamed' : 'buffered'
      it(`text, ${form}`, async (t) => {
        const { provider, gateway } = await start(t)
        provider.reply(answer(CLEAN))
        assert.deepEqual(await client.ask(gateway, { streamed }), { text: CLEAN })
        assert.equal(provider.requests.length, 1)
      })

      it(`a prompt that a policy blocks, ${form}: one error with the reason, and no request`, async (t) => {
        const { provider, gateway } = await start(t)
        const { text, error } = await client.ask(gateway, { streamed, prompt: `Say ${FORBIDDEN}` })
        assert.equal(text, '')
        assert.match(words(error), REASON)
        assert.equal(provider.requests.length, 0)
      })

      it(`a reply that a policy blocks, ${form}: the reason, and one request`, async (t) => {
        const { provider, gateway } = await start(t)
        provider.reply(answer(BLOCKED_LATE))
        const { text, error } = await client.ask(gateway, { streamed })
        assert.ok(CLEAN.startsWith(text) || BLOCKED_LATE.startsWith(text))
        assert.ok(!text.includes(FORBIDDEN))
        if (streamed) assert.notEqual(text, '')
        assert.match(words(error), REASON)
        assert.equal(provider.requests.length, 1)
      })

      it(`an error of the provider, ${form}`, async (t) => {
        const { provider, gateway } = await start(t)
        provider.reply(apiError(400, { message: 'Bad thing' }))
        const { error } = await client.ask(gateway, { streamed })
        assert.match(words(error), /Bad thing/)
        assert.equal(provider.requests.length, 1)
      })
    }

    it('a stream that is cut is an error', async (t) => {
      const { provider, gateway } = await start(t)
      const steps = message(pieces(CLEAN)).slice(0, 30)
      for (const end of ['end', 'reset'] as const) {
        provider.reply(stream(steps, { done: false, end }))
        const { text, error } = await client.ask(gateway, { streamed: true })
        assert.ok(CLEAN.startsWith(text))
        assert.ok(error instanceof Error, end)
      }
    })

    it('a tool over two turns', async (t) => {
      const { provider, gateway } = await start(t)
      provider.reply(calling, answer('Sunny.'))
      const cities: string[] = []
      const text = await client.withTool(gateway, (city) => {
        cities.push(city)
        return 'Sun'
      })
      assert.deepEqual([cities, text], [['Oslo'], 'Sunny.'])
      const second = JSON.stringify(provider.requests[1]?.json)
      assert.match(second, /"function_call_output"/)
      // What was said before is named.
      assert.match(second, /"(?:rs|resp)_a1"/)
    })

    it('an abort in the middle of a stream reaches the provider', async (t) => {
      const { provider, gateway } = await start(t)
      provider.reply(stream(message(pieces(CLEAN)).slice(0, 30), { done: false, end: 'hang' }))
      const controller = new AbortController()
      const asked = client.ask(gateway, { streamed: true, signal: controller.signal, onText: () => controller.abort() })
      const request = await provider.next()
      assert.equal(await request.closed, 'aborted')
      await asked
    })
  })
}

describe('openai: stored responses', () => {
  const whole = response({ output: [said(CLEAN)], usage: USAGE })
  const items = { object: 'list', data: [{ ...said('Hello'), id: 'msg_u1', role: 'user' }], has_more: false }

  it('retrieves, streams again, lists, cancels and deletes', async (t) => {
    const { provider, gateway } = await start(t)
    const { responses } = sdk(gateway)
    provider.reply(answer(CLEAN))
    const { id } = await responses.create({ model, input: 'Hello' })
    provider.reply(json(whole))
    assert.equal((await responses.retrieve(id, { include: ['file_search_call.results'] })).output_text, CLEAN)
    const events = message(pieces(CLEAN))
    for (const after of [undefined, 5]) {
      provider.reply(stream(events, { done: false }))
      let text = ''
      const query = { stream: true as const, ...(after !== undefined && { starting_after: after }) }
      for await (const event of await responses.retrieve(id, query)) {
        if (event.type === 'response.output_text.delta') text += event.delta
      }
      // Three events come before the first of the text.
      assert.equal(text, after === undefined ? CLEAN : CLEAN.slice(3 * 9))
    }
    provider.reply(json({ ...items, has_more: true, last_id: 'msg_u1' }), json({ ...items, data: [] }))
    const listed: string[] = []
    for await (const item of responses.inputItems.list(id, { limit: 1, order: 'asc' })) listed.push(item.id as string)
    assert.deepEqual(listed, ['msg_u1'])
    provider.reply(json(response({ status: 'cancelled' })), json({ id, object: 'response', deleted: true }))
    assert.equal((await responses.cancel(id)).status, 'cancelled')
    await responses.delete(id)
    const asked = provider.requests.slice(1).map(({ method, url }) => `${method} ${url.replace('/v1/responses/', '')}`)
    assert.deepEqual(asked, [
      `GET ${id}?include[]=file_search_call.results`,
      `GET ${id}?stream=true`,
      `GET ${id}?stream=true`,
      `GET ${id}/input_items?limit=1&order=asc`,
      `GET ${id}/input_items?limit=1&order=asc&after=msg_u1`,
      `POST ${id}/cancel`,
      `DELETE ${id}`,
    ])
  })

  it('count tokens and compact, and a policy blocks both', async (t) => {
    const { provider, gateway } = await start(t)
    const { responses } = sdk(gateway)
    provider.reply(json({ object: 'response.input_tokens', input_tokens: 9 }))
    assert.equal((await responses.inputTokens.count({ model, input: 'Hello' })).input_tokens, 9)
    provider.reply(json(response({ object: 'response.compaction', output: [said('Short.')], usage: USAGE })))
    const { output } = await responses.compact({ model: 'gpt-test' as never, input: 'Hello' })
    assert.equal(output[0]?.id, 'msg_a1')
    const input = `Say ${FORBIDDEN}`
    await assert.rejects(async () => await responses.inputTokens.count({ model, input }), REASON)
    await assert.rejects(async () => await responses.compact({ model: 'gpt-test' as never, input }), REASON)
    assert.equal(provider.requests.length, 2)
  })

  it('of others are not found, and forbidden text is blocked in each form', async (t) => {
    const { provider, gateway } = await start(t)
    const { responses } = sdk(gateway)
    const foreign = new OpenAI({ baseURL: gateway.baseURL, apiKey: ADMIN_KEY, logLevel: 'off' }).responses
    provider.reply(answer(CLEAN))
    const { id } = await responses.create({ model, input: 'Hello' })
    for (const call of [
      () => foreign.retrieve(id),
      () => foreign.retrieve(id, { stream: true }),
      () => foreign.cancel(id),
      () => foreign.delete(id),
      () => foreign.inputItems.list(id),
      () => responses.retrieve('resp_nobody1'),
    ]) {
      await assert.rejects(async () => await call(), OpenAI.NotFoundError)
    }
    assert.equal(provider.requests.length, 1)
    provider.reply(json(response({ output: [said(BLOCKED_LATE)] })))
    await assert.rejects(async () => await responses.retrieve(id), REASON)
    provider.reply(stream(message(pieces(BLOCKED_LATE)), { done: false }))
    let text = ''
    await assert.rejects(async () => {
      for await (const event of await responses.retrieve(id, { stream: true })) {
        if (event.type === 'response.output_text.delta') text += event.delta
      }
    }, REASON)
    assert.ok(text !== '' && CLEAN.startsWith(text))
  })
})
