/** Requests and replies whose JSON is special, each of about a given size. */
import { fill, TEXT_SHAPES, textOf } from './texts.ts'
import { JSON_TEXTS, withText } from './texts-of-json.ts'

type Make = (size: number) => object | string

const repeat = <T>(size: number, each: number, make: (i: number) => T): T[] =>
  Array.from({ length: Math.max(1, Math.floor(size / each)) }, (_, i) => make(i))

const members = (size: number, each: number, name: (i: number) => string, value: (i: number) => unknown): object =>
  Object.fromEntries(repeat(size, each, (i) => [name(i), value(i)]))

const nested = (depth: number): unknown =>
  depth === 0 ? 'end' : depth % 2 === 0 ? [nested(depth - 1)] : { a: nested(depth - 1) }

const mail = (i: number): string => `jo.doe${i}@example.org`

/** Values that stand in the arguments of a tool call, or in `metadata`. */
export const VALUES: Readonly<Record<string, Make>> = {
  decimals: (size) => repeat(size, 17, (i) => 1234567.125 + i),
  integers: (size) => repeat(size, 9, (i) => 12345678 + i),
  'numbers in groups': (size) => repeat(size, 22, (i) => [4556, 7375, 8689, 1000 + (i % 9000)]),
  'integers beyond 2^53': (size) => repeat(size, 20, (i) => 2 ** 60 + i * 4096),
  'many keys': (size) =>
    members(
      size,
      18,
      (i) => `member_${i}`,
      (i) => i % 10,
    ),
  'findings as keys': (size) => members(size, 28, mail, () => 1),
  'one finding as many keys': (size) =>
    members(
      size,
      32,
      (i) => `${mail(i % 7)}${' '.repeat(i % 3)} ${i}`,
      () => 1,
    ),
  'findings as values': (size) => members(size, 40, (i) => `member_${i}`, mail),
  'escaped keys': (size) =>
    members(
      size,
      20,
      (i) => `m"\\${i}`,
      (i) => i % 10,
    ),
  'short strings': (size) => repeat(size, 8, (i) => `word${i % 10}`),
  'empty containers': (size) => repeat(size, 6, (i) => (i % 2 === 0 ? [] : {})),
  'deep nesting': (size) => repeat(size, 500, () => nested(100)),
  'deep decimals': (size) => repeat(size, 200, (i) => ({ a: { b: { c: { d: { e: [[[[[1.2345678 + i]]]]] } } } } })),
}

const request = (messages: unknown, more: object = {}): object => ({ model: 'gpt-test', messages, ...more })
const user = (content: unknown) => ({ role: 'user', content })
const callOf = (name: string, args: unknown, i = 0) => ({
  id: `call_${i}`,
  type: 'function',
  function: { name, arguments: typeof args === 'string' ? args : JSON.stringify(args) },
})

const ofText: Record<string, Make> = Object.fromEntries(
  TEXT_SHAPES.map((shape) => [shape, (size: number) => request([user(textOf(shape, size))])]),
)
const ofMetadata: Record<string, Make> = Object.fromEntries(
  Object.entries(VALUES).map(([shape, make]) => [
    `${shape} in metadata`,
    (size: number) => request([user('hi')], { metadata: make(size) }),
  ]),
)
const ofArguments: Record<string, Make> = Object.fromEntries(
  Object.entries(VALUES).map(([shape, make]) => [
    `${shape} in arguments`,
    (size: number) =>
      request([user('hi'), { role: 'assistant', content: null, tool_calls: [callOf('f', make(size))] }]),
  ]),
)

const ofJson = (body: object): Record<string, Make> =>
  Object.fromEntries(
    Object.entries(JSON_TEXTS).map(([shape, make]) => [shape, (size: number) => withText(body, make(size))]),
  )

/** Bodies of requests. */
export const REQUESTS: Readonly<Record<string, Make>> = {
  ...ofText,
  ...ofJson(request([user('hi')])),
  ...ofMetadata,
  ...ofArguments,
  'many messages': (size) => request(repeat(size, 80, (i) => user(`Hello ${i}, how are you today?`))),
  'many messages with a finding': (size) => request(repeat(size, 80, (i) => user(`Hello ${mail(i)}, how are you?`))),
  'many parts': (size) => request([user(repeat(size, 50, (i) => ({ type: 'text', text: `part ${i} of it` })))]),
  'many parts with a finding': (size) =>
    request([user(repeat(size, 60, (i) => ({ type: 'text', text: `to ${mail(i)} ` })))]),
  'one finding over many parts': (size) =>
    request([user([...fill('a', size / 40)].map((text) => ({ type: 'text', text })))]),
  'many tools': (size) =>
    request([user('hi')], {
      tools: repeat(size, 200, (i) => ({
        type: 'function',
        function: {
          name: `f${i}`,
          description: 'Does a thing',
          parameters: { type: 'object', properties: { a: { type: 'string' } } },
        },
      })),
    }),
  'many tool calls': (size) =>
    request([
      user('hi'),
      {
        role: 'assistant',
        content: null,
        tool_calls: repeat(size, 110, (i) => callOf('f', { a: 1.2345678, b: mail(i) }, i)),
      },
    ]),
  'many unknown members': (size) =>
    request(
      [user('hi')],
      members(
        size,
        24,
        (i) => `vendor_${i}`,
        () => 'x',
      ),
    ),
  'many images': (size) =>
    request([
      user(repeat(size, 90, (i) => ({ type: 'image_url', image_url: { url: `https://example.org/${i}.png` } }))),
    ]),
  'a picture': (size) =>
    request([user([{ type: 'image_url', image_url: { url: `data:image/png;base64,${fill('iVBORw0KGgo', size)}` } }])]),
  logit_bias: (size) => request([user('hi')], { logit_bias: members(size, 10, String, () => 1) }),
}

/** Bodies of requests of Anthropic's messages. */
export const MESSAGES: Readonly<Record<string, Make>> = {
  'many blocks': (size) => ({
    ...request([user(repeat(size, 50, (i) => ({ type: 'text', text: `block ${i} of it` })))]),
    max_tokens: 9,
  }),
  'decimals in the input of a tool': (size) => ({
    ...request([
      user('hi'),
      { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'f', input: VALUES.decimals?.(size) }] },
    ]),
    max_tokens: 9,
  }),
}

/** Bodies of requests of OpenAI's responses. */
export const RESPONSES: Readonly<Record<string, Make>> = {
  'many items': (size) => ({
    model: 'gpt-test',
    input: repeat(size, 80, (i) => user(`Hello ${i}, how are you today?`)),
  }),
  'decimals in arguments': (size) => ({
    model: 'gpt-test',
    input: [
      { type: 'function_call', call_id: 'call_1', name: 'f', arguments: JSON.stringify(VALUES.decimals?.(size)) },
    ],
  }),
}

const reply = (message: object, more: object = {}): object => ({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1,
  model: 'gpt-test',
  choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: 'stop', ...more }],
  usage: { prompt_tokens: 9, completion_tokens: 9, total_tokens: 18 },
})

/** Bodies of buffered replies. */
export const REPLIES: Readonly<Record<string, Make>> = {
  ...ofJson(reply({ content: 'hi' })),
  'a repeated member': (size) => withText(reply({ content: 'hi' }), `{${'"a":1,'.repeat(size / 6)}"a":1}`),
  ...Object.fromEntries(TEXT_SHAPES.map((shape) => [shape, (size: number) => reply({ content: textOf(shape, size) })])),
  ...Object.fromEntries(
    Object.entries(VALUES).map(([shape, make]) => [
      `${shape} in arguments`,
      (size: number) => reply({ content: null, tool_calls: [callOf('f', make(size))] }),
    ]),
  ),
  'many choices': (size) => ({
    ...reply({}),
    choices: repeat(size, 110, (index) => ({
      index,
      message: { role: 'assistant', content: `Write to ${mail(index)}` },
      finish_reason: 'stop',
    })),
  }),
  'many probabilities': (size) =>
    reply(
      { content: `Write to ${mail(1)}` },
      {
        logprobs: {
          content: repeat(size, 110, (i) => ({
            token: `t${i}`,
            logprob: -1.5,
            bytes: [1],
            top_logprobs: [{ token: 'a', logprob: -2, bytes: null }],
          })),
        },
      },
    ),
  'many annotations': (size) =>
    reply({
      content: 'x',
      annotations: repeat(size, 110, (i) => ({
        type: 'url_citation',
        url_citation: { url: `https://example.org/${i}`, title: 'T' },
      })),
    }),
}

/** Ids of tokens that every vocabulary has, about `size` bytes of them. */
const tokens = (size: number): number[] => Array.from({ length: size / 6 }, (_, i) => 10_000 + ((i * 7919) % 40_000))

/** In `/v1/embeddings`. */
export const EMBEDDINGS: Readonly<Record<string, (size: number) => object>> = {
  tokens: (size) => ({ model: 'text-embedding-3-small', input: tokens(size) }),
  'lists of tokens': (size) => ({
    model: 'text-embedding-3-small',
    input: Array.from({ length: Math.min(2048, size / 600) }, () => tokens(Math.max(600, size / 2048))),
  }),
}

/** In `/v1/completions`. */
export const COMPLETIONS: Readonly<Record<string, (size: number) => object>> = {
  tokens: (size) => ({ model: 'gpt-3.5-turbo-instruct', prompt: tokens(size) }),
}
