/** The APIs that are played: where each is, what is asked there, and what a whole reply looks like. */
import type { JsonObject } from './places-in.ts'

export const APIS = ['chat', 'completions', 'embeddings', 'moderations', 'messages', 'responses'] as const
export type Api = (typeof APIS)[number]

export const PATHS: Readonly<Record<Api, string>> = {
  chat: '/v1/chat/completions',
  completions: '/v1/completions',
  embeddings: '/v1/embeddings',
  moderations: '/v1/moderations',
  messages: '/v1/messages',
  responses: '/v1/responses',
}

/** These two have no streams. */
export const hasStreams = (api: Api): boolean => api !== 'embeddings' && api !== 'moderations'

/** APIs whose events have types, and names of their own. */
export const hasTypes = (api: Api): boolean => api === 'messages' || api === 'responses'

/** What asks for nothing in particular. */
export const plainAsk = (api: Api, content: string): JsonObject => {
  if (api === 'messages') return { model: 'gpt-test', max_tokens: 100, messages: [{ role: 'user', content }] }
  if (api === 'chat') return { model: 'gpt-test', messages: [{ role: 'user', content }] }
  return { model: 'gpt-test', [api === 'completions' ? 'prompt' : 'input']: content }
}

const VECTOR = Array.from({ length: 12 }, (_, at) => (at - 6) / 100)

/** The list of a whole reply and one entry of it, for APIs whose replies are lists of things. */
export const ENTRIES: Readonly<
  Record<'completions' | 'embeddings' | 'moderations', { list: string; object: string; entry: JsonObject }>
> = {
  completions: {
    list: 'choices',
    object: 'text_completion',
    entry: { index: 0, text: 'Fine', logprobs: null, finish_reason: 'stop' },
  },
  embeddings: { list: 'data', object: 'list', entry: { object: 'embedding', index: 0, embedding: VECTOR } },
  moderations: {
    list: 'results',
    object: 'list',
    entry: { flagged: false, categories: { hate: false }, category_scores: { hate: 0.01 } },
  },
}
