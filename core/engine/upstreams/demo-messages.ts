/** The built-in `demo` model behind the Messages API: it answers as it would in a chat. */
import { isObject } from '../json/fields.ts'
import type { JsonObject } from '../json/strict.ts'
import { type DemoStamp, demoReply, demoTokens } from './demo.ts'

interface ChatReply {
  readonly model: string
  readonly choices: readonly [{ readonly message: { readonly content: string }; readonly finish_reason: string }]
  readonly usage: { readonly prompt_tokens: number; readonly completion_tokens: number }
}

/** Answers a request body with a `message`. Honours `model` and `max_tokens`. */
export function demoMessage(body: Readonly<JsonObject>, stamp: DemoStamp = {}): JsonObject {
  const { head, text, stop, usage } = plan(body, stamp)
  return { ...head, content: [{ type: 'text', text }], ...stop, usage }
}

/** The same answer as a stream. Yields the payload of each event. */
export function* demoMessageStream(
  body: Readonly<JsonObject>,
  stamp: DemoStamp = {},
): Generator<string, void, undefined> {
  const { head, text, stop, usage } = plan(body, stamp)
  const opened = { ...head, content: [], stop_reason: null, stop_sequence: null, usage: { ...usage, output_tokens: 0 } }
  yield JSON.stringify({ type: 'message_start', message: opened })
  yield JSON.stringify({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } })
  for (const token of demoTokens(text)) {
    yield JSON.stringify({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: token } })
  }
  yield JSON.stringify({ type: 'content_block_stop', index: 0 })
  yield JSON.stringify({ type: 'message_delta', delta: stop, usage: { output_tokens: usage.output_tokens } })
  yield JSON.stringify({ type: 'message_stop' })
}

/** The tokens that a prompt would cost. */
export function demoMessageTokens(body: Readonly<JsonObject>): JsonObject {
  return { input_tokens: plan(body, {}).usage.input_tokens }
}

function plan(body: Readonly<JsonObject>, { id = 'msg_demo', ...stamp }: DemoStamp) {
  const { model, max_tokens, system } = body
  const messages = Array.isArray(body.messages) ? body.messages.filter(isObject) : []
  const prompt = system === undefined ? messages : [{ role: 'system', content: system }, ...messages]
  const asked: JsonObject = { model: model ?? 'demo', max_tokens: max_tokens ?? null, messages: prompt }
  const reply = demoReply(asked, stamp) as unknown as ChatReply
  const [{ message, finish_reason: finish }] = reply.choices
  return {
    head: { id, type: 'message', role: 'assistant', model: reply.model },
    text: message.content,
    stop: { stop_reason: finish === 'length' ? 'max_tokens' : 'end_turn', stop_sequence: null },
    usage: { input_tokens: reply.usage.prompt_tokens, output_tokens: reply.usage.completion_tokens },
  }
}
