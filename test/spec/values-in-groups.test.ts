/** A value in groups that are members of JSON is found in every API as it is in a text. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { chunks, completion, every, json, stream } from 'governed-gateway/testing'
import { bearer, type Setup, setup, USER_KEY } from '../helpers/gateway.ts'
import { send } from '../helpers/http.ts'
import { message, toolBlock, whole } from '../helpers/messages.ts'

const model = 'gpt-test'
const user = { role: 'user', content: 'Pay.' }

const FOUND: Record<string, { card: unknown; left: unknown }> = {
  'a list of numbers': { card: [4556, 7375, 8689, 9855], left: ['[CREDIT_CARD]', '', '', ''] },
  'a list of digits': { card: [...'4556737586899855'].map(Number), left: ['[CREDIT_CARD]', ...Array(15).fill('')] },
  'a list of texts': { card: ['4556', '7375', '8689', '9855'], left: ['[CREDIT_CARD]', '', '', ''] },
  'an object': {
    card: { a: 4556, b: 7375, c: 8689, d: 9855 },
    left: { a: '[CREDIT_CARD]', b: '', c: '', d: '' },
  },
  'a list with more before': { card: [null, 4556, 7375, 8689, 9855], left: [null, '[CREDIT_CARD]', '', '', ''] },
}
const KEPT: Record<string, unknown> = {
  'numbers of another kind': { years: [2019, 2020, 2021, 2022], box: { x: 4556, y: 7375, width: 8689, height: 9855 } },
  times: { from: 1700000000, to: 1700003600 },
  'a long list': { values: Array.from({ length: 64 }, (_, i) => 1000 + 37 * i) },
}

/** How each API tells a call of a tool in a request. */
const ASKED: Record<string, { path: string; body: (input: object) => object; inputOf: (body: never) => unknown }> = {
  'arguments of chat completions': {
    path: '/v1/chat/completions',
    body: (input) => {
      const call = { id: 'call_1', type: 'function', function: { name: 'pay', arguments: JSON.stringify(input) } }
      return { messages: [user, { role: 'assistant', content: null, tool_calls: [call] }] }
    },
    inputOf: ({ messages }: { messages: { tool_calls: { function: { arguments: string } }[] }[] }) =>
      JSON.parse(messages[1]?.tool_calls[0]?.function.arguments as string),
  },
  'input of messages': {
    path: '/v1/messages',
    body: (input) => ({
      max_tokens: 9,
      messages: [user, { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'pay', input }] }],
    }),
    inputOf: ({ messages }: { messages: { content: { input: unknown }[] }[] }) => messages[1]?.content[0]?.input,
  },
  'arguments of responses': {
    path: '/v1/responses',
    body: (input) => ({
      input: [{ type: 'function_call', call_id: 'call_1', name: 'pay', arguments: JSON.stringify(input) }],
    }),
    inputOf: ({ input }: { input: { arguments: string }[] }) => JSON.parse(input[0]?.arguments as string),
  },
  metadata: {
    path: '/v1/chat/completions',
    body: (metadata) => ({ messages: [user], metadata }),
    inputOf: ({ metadata }: { metadata: unknown }) => metadata,
  },
}

const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 }
const response = (output: object[], status = 'completed') => ({
  ...{ id: 'resp_1', object: 'response', created_at: 1763676000, status, model, output, usage },
})
const functionCall = (args: string) => ({
  ...{ id: 'fc_1', type: 'function_call', status: 'completed', call_id: 'call_1', name: 'pay', arguments: args },
})
/** The same in a reply, buffered and in events. */
const ANSWERED: Record<
  string,
  { path: string; body: object; whole: (input: object) => object; events: (args: string) => object[] }
> = {
  'chat completions': {
    path: '/v1/chat/completions',
    body: { messages: [user] },
    whole: (input) => completion({ choices: [{ toolCalls: [{ name: 'pay', arguments: JSON.stringify(input) }] }] }),
    events: (args) => chunks({ choices: [{ toolCalls: [{ name: 'pay', arguments: args }] }] }, { pieces: every(5) }),
  },
  messages: {
    path: '/v1/messages',
    body: { max_tokens: 9, messages: [user] },
    whole: (input) => message([{ type: 'tool_use', id: 'toolu_01A0', name: 'pay', input }]),
    events: (args) => whole([toolBlock('pay', every(5)(args))], 'tool_use'),
  },
  responses: {
    path: '/v1/responses',
    body: { input: 'Pay.', store: false },
    whole: (input) => response([functionCall(JSON.stringify(input))]),
    events: (args) => {
      const at = { item_id: 'fc_1', output_index: 0 }
      return [
        { type: 'response.created', response: response([], 'in_progress') },
        { type: 'response.output_item.added', output_index: 0, item: functionCall('') },
        ...every(5)(args).map((delta) => ({ type: 'response.function_call_arguments.delta', ...at, delta })),
        { type: 'response.function_call_arguments.done', ...at, arguments: args },
        { type: 'response.output_item.done', output_index: 0, item: functionCall(args) },
        { type: 'response.completed', response: response([functionCall(args)]) },
      ].map((event, sequence_number) => ({ ...event, sequence_number }))
    },
  },
}

describe('a value in groups', () => {
  const owner: (() => Promise<void>)[] = []
  let parts: Setup
  before(async () => {
    parts = await setup(
      { after: (fn) => void owner.push(fn) },
      { plugins: [{ use: 'pii', options: { action: 'redact' } }] },
    )
  })
  after(async () => {
    for (const fn of owner) await fn()
  })
  const ask = async (path: string, body: object) =>
    (
      await send(`${parts.gateway.baseURL}${path.slice(3)}`, { body: { model, ...body }, headers: bearer(USER_KEY) })
    ).text()

  for (const [place, { path, body, inputOf }] of Object.entries(ASKED)) {
    const sent = async (input: object) => {
      parts.provider.reply(
        json(path === '/v1/messages' ? message('ok') : path === '/v1/responses' ? response([]) : completion('ok')),
      )
      await ask(path, body(input))
      return inputOf(parts.provider.requests.at(-1)?.json as never)
    }
    for (const [form, { card, left }] of Object.entries(FOUND)) {
      it(`is found as ${form} in ${place}`, async () => assert.deepEqual(await sent({ card }), { card: left }))
    }
    for (const [form, input] of Object.entries(KEPT)) {
      it(`is not seen in ${form} in ${place}`, async () => assert.deepEqual(await sent(input as object), input))
    }
  }

  for (const [place, { path, body, whole: buffered, events }] of Object.entries(ANSWERED)) {
    for (const streamed of [false, true]) {
      const got = async (input: object) => {
        parts.provider.reply(
          streamed
            ? stream(events(JSON.stringify(input)) as never[], { done: path === '/v1/chat/completions' })
            : json(buffered(input) as never),
        )
        return (await ask(path, { ...body, stream: streamed })).replaceAll('\\', '')
      }
      const how = `a ${streamed ? 'streamed' : 'buffered'} reply of ${place}`
      for (const [form, { card, left }] of Object.entries(FOUND)) {
        it(`is found as ${form} in ${how}`, async () => {
          const text = await got({ card })
          assert.ok(text.includes(JSON.stringify({ card: left })), text)
          assert.doesNotMatch(text.replace(/[\da-f]{8}-[\da-f-]{27}|sess_\w+/g, ''), /7375|7,3,7,5/)
        })
      }
      for (const [form, input] of Object.entries(KEPT)) {
        it(`is not seen in ${form} in ${how}`, async () => {
          const text = await got(input as object)
          assert.ok(!text.includes('[CREDIT'), text)
          assert.ok(streamed || text.includes(JSON.stringify(input)), text)
        })
      }
    }
  }
})
