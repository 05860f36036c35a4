/** What the tests of completions share: events and replies as providers write them, and what a client makes of both. */
import type { JsonObject } from '../../../../../core/testing/provider.ts'
import { bearer, type TestGateway, USER_KEY } from '../../../../helpers/gateway.ts'
import { type Reply, type SendOptions, send } from '../../../../helpers/http.ts'

export const MODEL = 'gpt-3.5-turbo-instruct'
const head = { id: 'cmpl-7x1', object: 'text_completion', created: 1793000000, model: MODEL }

export interface Choice {
  readonly index: number
  readonly text: string
  readonly finish_reason: string | null
  readonly logprobs: unknown
}

export interface Told {
  readonly choices?: Choice[]
  readonly usage?: unknown
  readonly service?: { readonly action: string; readonly warnings?: string[] }
  readonly error?: { readonly code: string; readonly param: string | null; readonly message: string }
}

export const said = (text: string, index = 0, more: object = {}): JsonObject => ({
  ...head,
  choices: [{ index, text, finish_reason: null, logprobs: null, ...more }],
})

export const finish = (index = 0, reason = 'stop'): JsonObject => said('', index, { finish_reason: reason })

export const buffered = (choices: readonly (string | object)[], more: object = {}): JsonObject => ({
  ...head,
  choices: choices.map((choice, index) => ({
    ...{ index, logprobs: null, finish_reason: 'stop' },
    ...(typeof choice === 'string' ? { text: choice } : choice),
  })),
  usage: { prompt_tokens: 5, completion_tokens: 7, total_tokens: 12 },
  ...more,
})

/** Token probabilities of these tokens, with an alternative to each. */
export const spelled = (...tokens: string[]) => ({
  tokens,
  token_logprobs: tokens.map(() => -0.5),
  top_logprobs: tokens.map(() => ({ alternative: -1 })),
  text_offset: tokens.map((_, i) => i),
})

export const complete = (gateway: TestGateway, body: object, options: SendOptions = {}): Promise<Reply> =>
  send(`${gateway.baseURL}/completions`, {
    ...options,
    body: { model: MODEL, prompt: 'Hello', ...body },
    headers: { ...bearer(USER_KEY), ...options.headers },
  })

/** What a client puts together from a stream. */
export function together(payloads: readonly string[]) {
  const events = payloads.filter((payload) => payload !== '[DONE]').map((payload) => JSON.parse(payload) as Told)
  const texts: string[] = []
  const finishes: (string | null)[] = []
  for (const { index, text, finish_reason: reason } of events.flatMap(({ choices }) => choices ?? [])) {
    texts[index] = (texts[index] ?? '') + text
    finishes[index] = reason ?? finishes[index] ?? null
  }
  const last = <K extends keyof Told>(name: K) => events.findLast((event) => event[name] != null)?.[name]
  const [usage, service, error] = [last('usage'), last('service'), last('error')]
  return { events, texts, finishes, usage, service, error, done: payloads.at(-1) === '[DONE]' }
}
