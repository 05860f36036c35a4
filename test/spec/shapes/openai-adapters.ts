import { chunks, completion } from '../../../core/testing/provider.ts'
import type { Adapter } from './adapter.ts'

const model = 'gpt-test'
const usage = { prompt_tokens: 9, completion_tokens: 3, total_tokens: 12 }
const completed = { id: 'cmpl-a1', object: 'text_completion', created: 1763676000, model }
const choice = (text: string, finish_reason: string | null) => ({ index: 0, text, logprobs: null, finish_reason })

export const chatCompletions: Adapter = {
  path: '/v1/chat/completions',
  request: (content) => ({ model, messages: [{ role: 'user', content }] }),
  asked: ({ messages }) => messages.at(-1).content,
  reply: (text) => completion(text),
  textOf: ({ choices }) => choices[0].message.content,
  stream: {
    events: (pieces) => chunks(pieces.join(''), { pieces: (text) => (text === '' ? [] : pieces) }),
    done: true,
    textOf: (events) => events.map(({ choices }) => choices?.[0]?.delta?.content ?? '').join(''),
  },
}

export const completions: Adapter = {
  path: '/v1/completions',
  request: (prompt) => ({ model, prompt, max_tokens: 64 }),
  asked: ({ prompt }) => prompt,
  reply: (text) => ({ ...completed, choices: [choice(text, 'stop')], usage }),
  textOf: ({ choices }) => choices[0].text,
  stream: {
    events: (pieces) => [
      ...pieces.map((text) => ({ ...completed, choices: [choice(text, null)] })),
      { ...completed, choices: [choice('', 'stop')] },
    ],
    done: true,
    textOf: (events) => events.map(({ choices }) => choices?.[0]?.text ?? '').join(''),
  },
}

export const embeddings: Adapter = {
  path: '/v1/embeddings',
  request: (input) => ({ model, input }),
  asked: ({ input }) => input,
  reply: () => ({
    object: 'list',
    data: [{ object: 'embedding', index: 0, embedding: [0.25, -0.5] }],
    model,
    usage: { prompt_tokens: 9, total_tokens: 9 },
  }),
}

export const moderations: Adapter = {
  path: '/v1/moderations',
  request: (input) => ({ model, input }),
  asked: ({ input }) => input,
  reply: () => ({ id: 'modr-a1', model, results: [{ flagged: false, categories: {}, category_scores: {} }] }),
}
