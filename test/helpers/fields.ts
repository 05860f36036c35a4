/** Every field of a request and of a reply that carries text, as tables: a value goes in, a body comes out. */
import { chunk, delta, type JsonObject } from '../../core/testing/provider.ts'
import { asking } from './gateway.ts'

type Body = Record<string, unknown>
type Row<T> = readonly [name: string, make: (value: string) => T]

const saying = (...messages: object[]): Body => ({ model: 'gpt-test', messages: [...messages, USER] })
const USER = { role: 'user', content: 'Go on.' }
const CALL = { id: 'call_1', type: 'function' }
const called = (args: string, name = 'send'): Body =>
  saying(
    { role: 'assistant', content: null, tool_calls: [{ ...CALL, function: { name, arguments: args } }] },
    { role: 'tool', tool_call_id: 'call_1', content: 'ok' },
  )
const assistant = (more: object): Body => saying({ role: 'assistant', content: 'Yes.', ...more })
const tool = (more: object): Body =>
  asking('Hello', {
    tools: [{ type: 'function', function: { name: 'send', parameters: { type: 'object' }, ...more } }],
  })
const parts = (...content: object[]): Body => saying({ role: 'user', content })
const text = (part: string) => ({ type: 'text', text: part })

/** Requests with the value in one field each. */
export const REQUEST_FIELDS: readonly Row<Body>[] = [
  ...['system', 'developer', 'user', 'assistant', 'somebody'].map(
    (role): Row<Body> => [`content, ${role}`, (value) => saying({ role, content: `It is ${value}, yes.` })],
  ),
  ['content, tool', (v) => saying({ role: 'tool', tool_call_id: 'call_1', content: `{"found":"${v}"}` })],
  ['content, function', (v) => saying({ role: 'function', name: 'f', content: v })],
  ['content part', (v) => parts(text('Look:'), text(`at ${v} please`))],
  ['content, split over two parts', (v) => parts(text(`at ${v.slice(0, 9)}`), text(`${v.slice(9)} please`))],
  ['content part of a tool', (v) => saying({ role: 'tool', tool_call_id: 'call_1', content: [text(v)] })],
  ['refusal part', (v) => saying({ role: 'assistant', content: [{ type: 'refusal', refusal: v }] })],
  ['unknown part', (v) => parts({ type: 'new_kind', deep: [{ er: v }] })],
  ['file name', (v) => parts({ type: 'file', file: { filename: `${v} cv.pdf`, file_id: 'file-1' } })],
  ['image URL', (v) => parts({ type: 'image_url', image_url: { url: `https://x.example/i.png?who=${v}` } })],
  ['image URL of an assistant', (v) => assistant({ images: [{ image_url: { url: `https://x.example/${v}` } }] })],
  ['name', (v) => saying({ role: 'user', name: v, content: 'Hi' })],
  ['reasoning_content', (v) => assistant({ reasoning_content: `They said ${v}.` })],
  ['reasoning', (v) => assistant({ reasoning: v })],
  ['refusal', (v) => assistant({ refusal: `Not ${v}.` })],
  ['tool arguments', (v) => called(JSON.stringify({ to: `"${v}"`, deep: [{ n: 1 }] }))],
  ['tool arguments, nested', (v) => called(JSON.stringify({ list: [{ to: { cc: [v] } }] }))],
  ['tool arguments, a key', (v) => called(JSON.stringify({ [v]: 1 }))],
  ['tool arguments, escaped', (v) => called(`{"to":"${escaped(v)}"}`)],
  ['tool arguments, no JSON', (v) => called(`send ${v}`)],
  ['tool arguments, JSON in a text', (v) => called(JSON.stringify({ body: JSON.stringify({ to: v }) }))],
  ['tool name', (v) => called('{}', v)],
  [
    'custom tool input',
    (v) => assistant({ tool_calls: [{ id: 'c', type: 'custom', custom: { name: 'x', input: v } }] }),
  ],
  ['function_call', (v) => assistant({ function_call: { name: 'send', arguments: JSON.stringify({ to: v }) } })],
  ['tool definition, name', (v) => tool({ name: v })],
  ['tool definition, description', (v) => tool({ description: `Writes to ${v} by default` })],
  ['tool definition, schema', (v) => tool({ parameters: { type: 'object', properties: { to: { enum: [v] } } } })],
  ['tool definition, schema key', (v) => tool({ parameters: { type: 'object', properties: { [v]: {} } } })],
  ['functions', (v) => asking('Hello', { functions: [{ name: 'f', description: v, parameters: {} }] })],
  ['tool_choice', (v) => asking('Hello', { tool_choice: { type: 'function', function: { name: v } } })],
  ['response_format', (v) => asking('Hello', { response_format: schemaOf({ description: `As ${v} does` }) })],
  ['response_format, default', (v) => asking('Hello', { response_format: schemaOf({ default: v }) })],
  ['prediction', (v) => asking('Hello', { prediction: { type: 'content', content: `Dear ${v},` } })],
  ['prediction part', (v) => asking('Hello', { prediction: { type: 'content', content: [text(v)] } })],
  ['metadata', (v) => asking('Hello', { metadata: { owner: v } })],
  ['metadata key', (v) => asking('Hello', { metadata: { [v]: 'x' } })],
  ['user', (v) => asking('Hello', { user: v })],
  ['safety_identifier', (v) => asking('Hello', { safety_identifier: v })],
  ['stop', (v) => asking('Hello', { stop: [v] })],
  ['documents', (v) => asking('Hello', { documents: [{ title: 'A', text: `Ask ${v}.` }] })],
  ['chat_template_kwargs', (v) => asking('Hello', { chat_template_kwargs: { persona: { is: v } } })],
  ['a vendor member', (v) => asking('Hello', { x_vendor: v })],
  ['a vendor key', (v) => asking('Hello', { x_vendor: { [v]: true } })],
  ['a vendor member of a message', (v) => saying({ role: 'user', content: 'Hi', note: { of: v } })],
]

function schemaOf(property: object): object {
  const schema = { type: 'object', properties: { to: { type: 'string', ...property } } }
  return { type: 'json_schema', json_schema: { name: 'mail', schema } }
}

/** Every character as `\uXXXX`, which no search for the plain value would see. */
const escaped = (value: string): string =>
  [...value].map((char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')

export interface ReplyField {
  readonly name: string
  /** A choice of a buffered reply. */
  choice(value: string): JsonObject
  /** The events of a stream that say the same, in pieces where the field grows. */
  events(value: string): JsonObject[]
  /** The placeholder must be there; absent where the field goes as a whole. */
  readonly dropped?: true
}

const grows = (field: string, index = 0, name = field): ReplyField => ({
  name,
  choice: (value) => ({ index, message: { role: 'assistant', content: null, [field]: `It is ${value}, yes.` } }),
  events: (value) => [...`It is ${value}, yes.`].map((char) => delta({ [field]: char }, index)),
})

/** A member that comes whole in one delta. */
const whole = (name: string, member: (value: string) => JsonObject): ReplyField => ({
  name,
  choice: (value) => ({ index: 0, message: { role: 'assistant', content: 'Hi', ...member(value) } }),
  events: (value) => [delta({ content: 'Hi' }), delta(member(value))],
})

const calls = (name: string, kind: string, say: (value: string) => { name: string; input: string }): ReplyField => {
  const field = kind === 'custom' ? 'input' : 'arguments'
  const call = (inner: object) => ({ id: 'call_1', type: kind, [kind]: inner })
  return {
    name,
    choice(value) {
      const { name: tool, input } = say(value)
      const message = { role: 'assistant', content: null, tool_calls: [call({ name: tool, [field]: input })] }
      return { index: 0, message, finish_reason: 'tool_calls' }
    },
    events(value) {
      const { name: tool, input } = say(value)
      return [
        delta({ tool_calls: [{ index: 0, ...call({ name: tool, [field]: '' }) }] }),
        ...[...input].map((char) => delta({ tool_calls: [{ index: 0, [kind]: { [field]: char } }] })),
      ]
    },
  }
}

const citation = (more: object): JsonObject => ({
  annotations: [
    { type: 'url_citation', url_citation: { start_index: 0, end_index: 1, title: 'T', url: 'x', ...more } },
  ],
})
const probability = (token: string) => ({ token, logprob: -0.1, bytes: null, top_logprobs: [] })

/** Replies with the value in one field each. */
export const REPLY_FIELDS: readonly ReplyField[] = [
  grows('content'),
  grows('content', 1, 'content of the second choice'),
  grows('reasoning_content'),
  grows('reasoning'),
  grows('refusal'),
  calls('tool arguments', 'function', (v) => ({ name: 'send', input: JSON.stringify({ to: `"${v}"`, n: [1] }) })),
  calls('tool arguments, a key', 'function', (v) => ({ name: 'send', input: JSON.stringify({ [v]: { x: true } }) })),
  calls('tool arguments, escaped', 'function', (v) => ({ name: 'send', input: `{"to":"${escaped(v)}"}` })),
  calls('tool arguments, no JSON', 'function', (v) => ({ name: 'send', input: `to ${v} now` })),
  calls('tool name', 'function', (v) => ({ name: v, input: '{}' })),
  calls('custom tool input', 'custom', (v) => ({ name: 'shell', input: `mail ${v} now` })),
  {
    name: 'function_call',
    choice: (v) => ({
      index: 0,
      message: { role: 'assistant', function_call: { name: 'f', arguments: `{"to":"${v}"}` } },
    }),
    events: (v) => [
      delta({ function_call: { name: 'f', arguments: '' } }),
      ...[...`{"to":"${v}"}`].map((char) => delta({ function_call: { arguments: char } })),
    ],
  },
  whole('annotation, title', (v) => citation({ title: `Page of ${v}` })),
  whole('annotation, URL', (v) => citation({ url: `https://x.example/?q=${v}` })),
  whole('image, URL', (v) => ({
    images: [{ type: 'image_url', image_url: { url: `https://x.example/i.png?who=${v}` } }],
  })),
  whole('audio transcript', (v) => ({ audio: { id: 'audio_1', transcript: `It is ${v}.` } })),
  whole('a vendor member', (v) => ({ reasoning_details: [{ type: 'reasoning.text', text: `Hm, ${v}.` }] })),
  whole('a vendor key', (v) => ({ extra: { [v]: 1 } })),
  {
    name: 'logprobs',
    dropped: true,
    choice: (v) => ({
      index: 0,
      message: { role: 'assistant', content: `It is ${v}.` },
      logprobs: { content: [probability(v)] },
    }),
    events: (v) => {
      const event = (content: string) => ({ index: 0, delta: { content }, finish_reason: null })
      const told = (content: string) => chunk([{ ...event(content), logprobs: { content: [probability(content)] } }])
      return ['It is ', v.slice(0, 5), v.slice(5), ' then.'].map(told)
    },
  },
]
