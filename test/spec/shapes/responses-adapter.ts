import { MODEL, message, response, said, USAGE } from '../../core/engine/dialects/responses/responding.ts'
import type { Adapter } from './adapter.ts'

export const responses: Adapter = {
  path: '/v1/responses',
  request: (input) => ({ model: MODEL, input }),
  asked: ({ input }) => input,
  reply: (text) => response({ output: [said(text)], usage: USAGE }),
  textOf: ({ output }) => output[0].content[0].text,
  stream: {
    events: (pieces) => message(pieces),
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
  reply: (text) => response({ object: 'response.compaction', output: [said(text)], usage: USAGE }),
  textOf: ({ output }) => output[0].content[0].text,
}
