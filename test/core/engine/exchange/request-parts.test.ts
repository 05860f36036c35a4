import assert from 'node:assert/strict'
import { it } from 'node:test'
import { definePlugin, type ExchangeRequest, Stage } from 'governed-gateway'
import { testPlugin } from 'governed-gateway/testing'

const schema = { type: 'object', properties: {}, additionalProperties: false } as const
const IMAGE = 'https://example.com/cat.png'

const request = {
  messages: [
    { role: 'system', content: 'Be brief.' },
    {
      role: 'user',
      name: 'nora',
      content: [
        { type: 'text', text: 'What is' },
        { type: 'image_url', image_url: { url: IMAGE, detail: 'low' } },
        { type: 'text', text: 'this?' },
      ],
    },
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'look', arguments: '{"at":1}' } }],
    },
    { role: 'tool', tool_call_id: 'call_1', content: 'A cat' },
  ],
  tools: [{ type: 'function', function: { name: 'look' } }],
}

it('a plugin asks for messages and prompt without knowing their JSON', async () => {
  let seen: Pick<ExchangeRequest, 'messages' | 'prompt'> | undefined
  const reader = definePlugin({
    name: 'reader',
    schema,
    create: () => ({
      apply(hooks) {
        hooks.block.tap('reader', ({ request: { messages, prompt } }) => {
          seen = { messages, prompt }
        })
      },
    }),
  })
  await testPlugin(reader, { request, expect: { outcome: 'completed' } })
  assert.deepEqual(seen?.messages, [
    { role: 'system', texts: ['Be brief.'], callArguments: [] },
    { role: 'user', texts: ['What is', 'this?'], callArguments: [] },
    { role: 'assistant', texts: [], callArguments: ['{"at":1}'] },
    { role: 'tool', texts: ['A cat'], callArguments: [] },
  ])
  const { texts, media, ...counts } = { ...seen.prompt }
  const tool = '{"type":"function","function":{"name":"look"}}'
  assert.deepEqual(texts, ['Be brief.', 'What is', 'this?', 'nora', 'look', '{"at":1}', 'A cat', tool])
  assert.deepEqual(media, [{ kind: 'image', data: IMAGE, detail: 'low' }])
  assert.deepEqual(counts, { messages: 4, names: 1, tools: 2 })
})

it('at the final stage they are as they will be sent', async () => {
  const told: (readonly string[])[] = []
  const masking = definePlugin({
    name: 'masking',
    schema,
    create: () => ({
      detect(view) {
        const start = view.text.indexOf('brief')
        if (start >= 0) view.report({ type: 'word', start, end: start + 5, action: 'redact' })
      },
      apply(hooks) {
        hooks.block.tap({ name: 'masking', stage: Stage.Final }, (x) => {
          told.push(x.request.messages[0]?.texts ?? [], x.request.prompt.texts.slice(0, 1))
        })
      },
    }),
  })
  await testPlugin(masking, { request, expect: { outcome: 'completed' } })
  assert.ok(told.length > 0)
  for (const texts of told) assert.deepEqual(texts, ['Be [WORD].'])
})

it('an answer with a text of its own has the form that the client asked for, and is inspected', async () => {
  const answering = definePlugin({
    name: 'answering',
    schema,
    create: () => ({
      detect(view) {
        const start = view.text.indexOf('secret')
        if (start >= 0) view.report({ type: 'word', start, end: start + 6, action: 'redact' })
      },
      apply: (hooks) =>
        hooks.block.tap({ name: 'answering', stage: Stage.Final }, (x) => x.answer('No secret “here”.')),
    }),
  })
  const n = 2
  await testPlugin(answering, {
    request: { ...request, n },
    expect: { sent: null, choices: Array.from({ length: n }, () => ({ content: 'No [WORD] “here”.' })) },
  })
})
