/** The built-in `demo` model behind the Responses API: it answers as it would in a chat, and keeps nothing. */
import type { Json } from '../contract/plugin.ts'
import { isObject } from '../json/fields.ts'
import type { JsonObject } from '../json/strict.ts'
import { type DemoStamp, demoReply, demoTokens } from './demo.ts'

interface ChatReply {
  readonly model: string
  readonly created: number
  readonly choices: readonly [{ readonly message: { readonly content: string }; readonly finish_reason: string }]
  readonly usage: { readonly prompt_tokens: number; readonly completion_tokens: number; readonly total_tokens: number }
}

/** Answers a request body with a `response`. Honours `model`, `instructions` and `max_output_tokens`. */
export function demoResponse(body: Readonly<JsonObject>, stamp: DemoStamp = {}): JsonObject {
  return plan(body, stamp).whole
}

/** The same answer as a stream. Yields the payload of each event. */
export function* demoResponseStream(
  body: Readonly<JsonObject>,
  stamp: DemoStamp = {},
): Generator<string, void, undefined> {
  const { opened, whole, item, part, ending } = plan(body, stamp)
  let number = 0
  const event = (type: string, members: JsonObject) => JSON.stringify({ type, ...members, sequence_number: number++ })
  const inPart = { item_id: item.id, output_index: 0, content_index: 0 }
  const { text } = part
  yield event('response.created', { response: opened })
  yield event('response.in_progress', { response: opened })
  yield event('response.output_item.added', {
    output_index: 0,
    item: { ...item, status: 'in_progress', content: [] },
  })
  yield event('response.content_part.added', { ...inPart, part: { ...part, text: '' } })
  for (const token of demoTokens(text))
    yield event('response.output_text.delta', { ...inPart, delta: token, logprobs: [] })
  yield event('response.output_text.done', { ...inPart, text, logprobs: [] })
  yield event('response.content_part.done', { ...inPart, part })
  yield event('response.output_item.done', { output_index: 0, item })
  yield event(ending, { response: whole })
}

export function demoResponseTokens(body: Readonly<JsonObject>): JsonObject {
  const { usage } = plan(body, {}).whole as { usage: { input_tokens: number } }
  return { object: 'response.input_tokens', input_tokens: usage.input_tokens }
}

function plan(body: Readonly<JsonObject>, { id = 'resp_demo', ...stamp }: DemoStamp) {
  const asked: JsonObject = { model: body.model ?? 'demo', max_tokens: body.max_output_tokens ?? null }
  const reply = demoReply({ ...asked, messages: messagesOf(body) }, stamp) as unknown as ChatReply
  const [{ message, finish_reason: finish }] = reply.choices
  const status = finish === 'length' ? 'incomplete' : 'completed'
  const part = { type: 'output_text', annotations: [], logprobs: [], text: message.content }
  const item = { id: 'msg_demo', type: 'message', status, role: 'assistant', content: [part] }
  const opened: JsonObject = {
    id,
    object: 'response',
    created_at: reply.created,
    status: 'in_progress',
    error: null,
    incomplete_details: null,
    instructions: body.instructions ?? null,
    max_output_tokens: body.max_output_tokens ?? null,
    metadata: {},
    model: reply.model,
    output: [],
    parallel_tool_calls: true,
    store: false,
    tool_choice: 'auto',
    tools: [],
    usage: null,
  }
  const { prompt_tokens: input, completion_tokens: output, total_tokens: total } = reply.usage
  const whole: JsonObject = {
    ...opened,
    status,
    incomplete_details: finish === 'length' ? { reason: 'max_output_tokens' } : null,
    output: [item],
    usage: {
      input_tokens: input,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: output,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: total,
    },
  }
  return { opened, whole, item, part, ending: `response.${status}` }
}

/** The input as messages of a chat; other items are skipped. */
function messagesOf({ input, instructions }: Readonly<JsonObject>): JsonObject[] {
  const items: readonly Json[] =
    typeof input === 'string' ? [{ role: 'user', content: input }] : Array.isArray(input) ? input : []
  const messages = items.filter(isObject).filter(({ role }) => typeof role === 'string')
  return typeof instructions === 'string' ? [{ role: 'system', content: instructions }, ...messages] : messages
}
