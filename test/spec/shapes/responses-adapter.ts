import type { Adapter } from './adapter.ts'

const model = 'gpt-test'
const usage = { input_tokens: 9, output_tokens: 3, total_tokens: 12 }
const response = (more: object) => ({ id: 'resp_a1', object: 'response', created_at: 1763676000, model, ...more })
const part = (text: string) => ({ type: 'output_text', text, annotations: [], logprobs: [] })
const item = (status: string, content: object[]) => ({
  id: 'msg_a1',
  type: 'message',
  status,
  role: 'assistant',
  content,
})

export const responses: Adapter = {
  path: '/v1/responses',
  request: (input) => ({ model, input }),
  asked: ({ input }) => input,
  reply: (text) => response({ status: 'completed', output: [item('completed', [part(text)])], usage }),
  textOf: ({ output }) => output[0].content[0].text,
  stream: {
    events: (pieces) => {
      const text = pieces.join('')
      const at = { item_id: 'msg_a1', output_index: 0, content_index: 0 }
      const done = item('completed', [part(text)])
      return [
        { type: 'response.created', response: response({ status: 'in_progress', output: [] }) },
        { type: 'response.output_item.added', output_index: 0, item: item('in_progress', []) },
        { type: 'response.content_part.added', ...at, part: part('') },
        ...pieces.map((delta) => ({ type: 'response.output_text.delta', ...at, delta, logprobs: [] })),
        { type: 'response.output_text.done', ...at, text, logprobs: [] },
        { type: 'response.content_part.done', ...at, part: part(text) },
        { type: 'response.output_item.done', output_index: 0, item: done },
        { type: 'response.completed', response: response({ status: 'completed', output: [done], usage }) },
      ].map((event, sequence_number) => ({ ...event, sequence_number }))
    },
    done: false,
    textOf: (events) => events.map(({ type, delta }) => (type === 'response.output_text.delta' ? delta : '')).join(''),
  },
}

export const inputTokens: Adapter = {
  path: '/v1/responses/input_tokens',
  request: responses.request,
  asked: responses.asked,
  reply: () => ({ object: 'response.input_tokens', input_tokens: 9 }),
}

export const compact: Adapter = {
  path: '/v1/responses/compact',
  request: responses.request,
  asked: responses.asked,
  reply: (text) => response({ object: 'response.compaction', output: [item('completed', [part(text)])], usage }),
  textOf: ({ output }) => output[0].content[0].text,
}
