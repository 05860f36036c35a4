/** A large document of any API shape is walked in steps, with the same texts in the same order. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Json } from '../../../../core/engine/contract/plugin.ts'
import { chatCompletions } from '../../../../core/engine/dialects/chat-completions/dialect.ts'
import { completions } from '../../../../core/engine/dialects/completions/dialect.ts'
import type { Dialect } from '../../../../core/engine/dialects/dialect.ts'
import { embeddings } from '../../../../core/engine/dialects/embeddings/dialect.ts'
import { messages } from '../../../../core/engine/dialects/messages/dialect.ts'
import { moderations } from '../../../../core/engine/dialects/moderations/dialect.ts'
import { responses } from '../../../../core/engine/dialects/responses/dialect.ts'
import type { FieldList } from '../../../../core/engine/json/fields.ts'
import { allSteps, type Steps } from '../../../../core/engine/util/steps.ts'
import { shown } from '../../../helpers/listed.ts'

const MANY = Number.POSITIVE_INFINITY
const times = (count: number, make: (i: number) => unknown): unknown[] =>
  Array.from({ length: count }, (_, i) => make(i))
const free = (i: number) => ({ a: [i, { b: `free ${i}` }, 0.1234567 + i, null, true], [`key ${i}`]: 1234567 + i })

/** Parts whose number grows, in each place where an API has a list or free form. */
const REQUESTS: readonly (readonly [name: string, dialect: Dialect, make: (count: number) => object])[] = [
  [
    'messages',
    messages,
    (count) => ({
      model: 'm',
      system: times(count, (i) => ({ type: 'text', text: `rule ${i}` })),
      messages: [
        {
          role: 'user',
          content: times(count, (i) => ({
            type: 'text',
            text: `part ${i}`,
            citations: [{ type: 'char_location', cited_text: `cited ${i}`, odd: i }],
          })),
        },
        { role: 'assistant', content: times(count, (i) => ({ type: 'tool_use', id: 'a', name: 'f', input: free(i) })) },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'a', content: times(count, (i) => ({ type: 'text', text: `r ${i}` })) },
            {
              type: 'document',
              source: { type: 'content', content: times(count, (i) => ({ type: 'text', text: `${i}` })) },
            },
            {
              type: 'web_search_tool_result',
              content: times(count, (i) => ({ type: 'text', text: `found ${i}`, odd: free(i) })),
            },
          ],
        },
      ],
      tools: times(count, (i) => ({ name: `f${i}`, description: `does ${i}`, input_schema: free(i) })),
      metadata: { user_id: JSON.stringify(times(count, free)) },
      odd: times(count, free),
    }),
  ],
  [
    'responses',
    responses,
    (count) => ({
      model: 'm',
      instructions: 'be brief',
      input: [
        { role: 'user', content: times(count, (i) => ({ type: 'input_text', text: `part ${i}` })) },
        { type: 'function_call', call_id: 'a', name: 'f', arguments: JSON.stringify(times(count, free)) },
        {
          type: 'function_call_output',
          call_id: 'a',
          output: times(count, (i) => ({ type: 'input_text', text: `${i}` })),
        },
        { type: 'odd', value: times(count, free) },
        ...times(count, (i) => ({ role: i % 2 === 0 ? 'user' : 'assistant', content: `turn ${i}` })),
      ],
      tools: times(count, (i) => ({ type: 'mcp', server_label: `s${i}`, headers: { [`x-${i}`]: 'y' } })),
      prompt: {
        id: 'p',
        variables: Object.fromEntries(times(count, (i) => [`v${i}`, `value ${i}`]) as [string, string][]),
      },
      metadata: { a: 'b' },
    }),
  ],
  [
    'completions',
    completions,
    (count) => ({
      model: 'm',
      prompt: times(Math.min(count, 2048), (i) => `prompt ${i}`),
      suffix: 'end',
      odd: times(count, free),
    }),
  ],
  [
    'embeddings',
    embeddings,
    (count) => ({ model: 'm', input: times(Math.min(count, 2048), (i) => `text ${i}`), odd: times(count, free) }),
  ],
  [
    'moderations',
    moderations,
    (count) => ({
      input: times(Math.min(count, 2048), (i) => ({ type: 'text', text: `text ${i}` })),
      odd: times(count, free),
    }),
  ],
  [
    'chat completions',
    chatCompletions,
    (count) => ({
      model: 'm',
      messages: [
        { role: 'user', content: times(count, (i) => ({ type: 'text', text: `part ${i}` })) },
        {
          role: 'assistant',
          tool_calls: times(count, (i) => ({
            id: 'a',
            type: 'function',
            function: { name: 'f', arguments: JSON.stringify(free(i)) },
          })),
        },
        { role: 'tool', tool_call_id: 'a', content: 'done' },
      ],
      response_format: { type: 'json_schema', json_schema: times(count, free) },
    }),
  ],
]

const REPLIES: readonly (readonly [name: string, dialect: Dialect, make: (count: number) => object])[] = [
  [
    'messages',
    messages,
    (count) => ({
      type: 'message',
      role: 'assistant',
      content: times(count, (i) =>
        i % 2 === 0 ? { type: 'text', text: `${i}` } : { type: 'tool_use', id: 'a', name: 'f', input: free(i) },
      ),
      usage: { input_tokens: 1, odd: times(count, free) },
    }),
  ],
  [
    'responses',
    responses,
    (count) => ({
      id: 'resp_1',
      output: [
        {
          type: 'message',
          role: 'assistant',
          content: times(count, (i) => ({ type: 'output_text', text: `part ${i}` })),
        },
        { type: 'function_call', call_id: 'a', name: 'f', arguments: JSON.stringify(times(count, free)) },
      ],
      metadata: times(count, free),
    }),
  ],
  [
    'chat completions',
    chatCompletions,
    (count) => ({
      choices: times(count, (index) => ({
        index,
        message: {
          role: 'assistant',
          content: `to ${index}`,
          tool_calls: [{ id: 'a', function: { name: 'f', arguments: JSON.stringify(free(index)) } }],
        },
        content_filter_results: { odd: free(index) },
      })),
      usage: { prompt_tokens: 1, completion_tokens: 1 },
    }),
  ],
  [
    'completions',
    completions,
    (count) => ({ choices: times(count, (index) => ({ index, text: `text ${index}`, odd: free(index) })) }),
  ],
  [
    'embeddings',
    embeddings,
    (count) => ({
      data: times(count, (index) => ({ object: 'embedding', index, embedding: [0.1], odd: free(index) })),
    }),
  ],
  ['moderations', moderations, (count) => ({ results: times(count, (i) => ({ flagged: false, odd: free(i) })) })],
]

const counted = (steps: Steps<FieldList>): number => {
  for (let count = 1; ; count++) if (steps.next().done === true) return count
}

const documents = [
  ...REQUESTS.map(([name, dialect, make]) => ({
    name: `a request of ${name}`,
    atOnce: (count: number) => dialect.readRequest(Buffer.from(JSON.stringify(make(count)))),
    inSteps: (count: number) => allSteps(dialect.readRequestInSteps(Buffer.from(JSON.stringify(make(count))), MANY)),
  })),
  ...REPLIES.map(([name, dialect, make]) => {
    const asked = { tree: {}, json: {} as Record<string, Json> }
    return {
      name: `a reply of ${name}`,
      atOnce: (count: number) => dialect.readReply(JSON.stringify(make(count)), asked as never),
      inSteps: (count: number) => allSteps(dialect.readReplyInSteps(JSON.stringify(make(count)), asked as never)),
    }
  }),
]

for (const { name, atOnce, inSteps } of documents) {
  describe(`${name} that is walked in steps`, () => {
    it('has the same texts', () => {
      const expected = shown(atOnce(40).fields())
      assert.ok(expected.length > 3000)
      assert.ok(shown(allSteps(inSteps(40).fieldsInSteps())) === expected)
      // A second walk finds the same.
      assert.ok(shown(inSteps(40).fields()) === expected)
    })

    it('pauses the more often the more it holds', () => {
      const [few, many] = [400, 1600].map((count) => counted(inSteps(count).fieldsInSteps())) as [number, number]
      assert.ok(many >= 2 && many > 2 * few - 2, `${few} and ${many} steps`)
    })
  })
}
