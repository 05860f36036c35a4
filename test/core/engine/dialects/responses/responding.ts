/** What the tests of responses share: recorded streams, events as providers write them, and what a client makes of both. */
import { readFileSync } from 'node:fs'
import type { JsonObject, Step } from '../../../../../core/testing/provider.ts'
import { raw, type Split, stream } from '../../../../../core/testing/provider.ts'
import { bearer, type Setup, type TestGateway, USER_KEY } from '../../../../helpers/gateway.ts'
import { type Reply, type SendOptions, send } from '../../../../helpers/http.ts'

export const MODEL = 'gpt-test'

export const fixture = (name: string): string =>
  readFileSync(new URL(`../../../../fixtures/responses/${name}`, import.meta.url), 'utf8')

export const respond = (gateway: TestGateway, body: object = {}, options: SendOptions = {}): Promise<Reply> =>
  send(`${gateway.baseURL}/responses`, {
    ...options,
    body: { model: MODEL, input: 'Hello', ...body },
    headers: { ...bearer(USER_KEY), ...options.headers },
  })

// biome-ignore lint/suspicious/noExplicitAny: events of many forms, read by tests.
export type Event = any

/** Frames of a stream: the event's name and its data. */
export const framesOf = (text: string): { name: string | undefined; data: Event }[] =>
  text
    .split('\n\n')
    .filter((block) => block.includes('data: {'))
    .map((block) => ({
      name: /^event: (.*)$/m.exec(block)?.[1],
      data: JSON.parse(/(?:^|\n)data: ([^\n]*)/.exec(block)?.[1] as string) as Event,
    }))

export const eventsOf = (text: string): Event[] => framesOf(text).map(({ data }) => data)

/** The events of a whole stream with one message, its text cut into these deltas. */
export function message(deltas: readonly string[], more: { text?: string; output?: object[] } = {}): JsonObject[] {
  const text = more.text ?? deltas.join('')
  const part = { type: 'output_text', annotations: [], logprobs: [], text }
  const item = { id: 'msg_a1', type: 'message', status: 'completed', role: 'assistant', content: [part] }
  const at = { item_id: 'msg_a1', output_index: 0, content_index: 0 }
  return numbered([
    { type: 'response.created', response: response({ status: 'in_progress' }) },
    { type: 'response.output_item.added', output_index: 0, item: { ...item, status: 'in_progress', content: [] } },
    { type: 'response.content_part.added', ...at, part: { ...part, text: '' } },
    ...deltas.map((delta) => ({ type: 'response.output_text.delta', ...at, delta, logprobs: [] })),
    { type: 'response.output_text.done', ...at, text, logprobs: [] },
    { type: 'response.content_part.done', ...at, part },
    { type: 'response.output_item.done', output_index: 0, item },
    { type: 'response.completed', response: response({ output: more.output ?? [item], usage: USAGE }) },
  ])
}

export const USAGE = {
  input_tokens: 9,
  input_tokens_details: { cached_tokens: 4 },
  output_tokens: 3,
  output_tokens_details: { reasoning_tokens: 1 },
  total_tokens: 12,
}

export const response = (more: object = {}): JsonObject => ({
  id: 'resp_a1',
  object: 'response',
  created_at: 1793000000,
  status: 'completed',
  model: MODEL,
  output: [],
  error: null,
  incomplete_details: null,
  ...more,
})

export const said = (...texts: string[]): JsonObject => ({
  id: 'msg_a1',
  type: 'message',
  status: 'completed',
  role: 'assistant',
  content: texts.map((text) => ({ type: 'output_text', text, annotations: [], logprobs: [] })),
})

export const numbered = (events: readonly object[]): JsonObject[] =>
  events.map((event, i) => ({ ...event, sequence_number: i }) as unknown as JsonObject)

/** Asks for a stream; the steps are events, or a recorded text. */
export async function streamed(
  { provider, gateway }: Setup,
  steps: readonly Step[] | string,
  { split = 'event', more = {} }: { split?: Split; more?: object } = {},
) {
  provider.reply(stream(typeof steps === 'string' ? [raw(steps)] : steps, { split, done: false }))
  const reply = await respond(gateway, { stream: true, ...more })
  const text = await reply.text()
  return { status: reply.status, text, events: reply.status === 200 ? eventsOf(text) : [] }
}

/** Every text that a client can put together from a stream, by place. */
export function together(events: readonly Event[]) {
  const deltas = new Map<string, string>()
  const whole = new Map<string, unknown>()
  for (const event of events) {
    const { type, output_index: o, content_index: c, summary_index: s, command_index: k } = event
    const key = `${type.replace(/\.(delta|done)$/, '')}.${[o, c, s, k].join('.')}`
    if (type.endsWith('.delta') && typeof event.delta === 'string') {
      deltas.set(key, (deltas.get(key) ?? '') + event.delta)
    }
    const told = event.text ?? event.arguments ?? event.input ?? event.refusal ?? event.code ?? event.command
    if (type.endsWith('.done') && typeof told === 'string') whole.set(key, told)
  }
  const items = events.filter(({ type }) => type === 'response.output_item.done').map(({ item }) => item)
  const last = events.at(-1)
  return { deltas, whole, items, last, output: last?.response?.output as Event[], service: last?.response?.service }
}
