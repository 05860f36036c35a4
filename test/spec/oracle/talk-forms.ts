/** A talk in the form of each API: what the client sends, what the model says, and what of it comes back. */
import type { JsonObject } from './places-in.ts'
import type { Members, OutPlace } from './places-out.ts'
import { ARGUMENTS, type Growing, TEXT, tell } from './places-out-responses.ts'

/** APIs that hold talks. */
export const TALKING = ['chat', 'messages', 'responses'] as const
export type TalkingApi = (typeof TALKING)[number]

interface Call {
  readonly id: string
  readonly function: { readonly name: string; readonly arguments: string }
}

interface Spoken {
  readonly content: string | null
  readonly tool_calls?: readonly Call[]
}

const SCHEMA = { type: 'object' } as const

/** A request with these messages, which are in the form of the API. */
export function talkRequest(api: TalkingApi, history: JsonObject[]): JsonObject {
  if (api === 'messages')
    return { model: 'gpt-test', max_tokens: 100, messages: history, tools: [{ name: 'save', input_schema: SCHEMA }] }
  if (api === 'responses')
    return {
      model: 'gpt-test',
      input: history,
      store: false,
      tools: [{ type: 'function', name: 'save', parameters: SCHEMA, strict: false }],
    }
  const save = { type: 'function', function: { name: 'save', parameters: SCHEMA } }
  return { model: 'gpt-test', messages: history, tools: [save] }
}

/** A message of a chat in the form of another API. */
export function inForm(api: TalkingApi, message: JsonObject): JsonObject {
  const { role, content = null, tool_call_id: call = null } = message
  if (api === 'chat') return message
  if (api === 'messages') {
    if (role !== 'tool') return message
    return { role: 'user', content: [{ type: 'tool_result', tool_use_id: call, content }] }
  }
  return role === 'tool'
    ? { type: 'function_call_output', call_id: call, output: content }
    : { type: 'message', role: role ?? 'user', content }
}

/** What a model says, for APIs whose replies are scenes. `cut` takes a text apart. */
export function talkScene(api: TalkingApi, { delta }: Members, cut: (text: string) => string[]): OutPlace {
  const { content, tool_calls: calls = [] } = delta as unknown as Spoken
  if (api === 'messages') {
    const text = { type: 'text', text: '' }
    const tool = ({ id, function: { name } }: Call): JsonObject => ({ type: 'tool_use', id, name, input: {} })
    return {
      api,
      message: {
        beats: () =>
          content !== null
            ? [{ start: text, deltas: cut(content).map((piece) => ({ type: 'text_delta', text: piece })) }]
            : calls.map((call) => ({
                start: tool(call),
                deltas: cut(call.function.arguments).map((piece) => ({
                  type: 'input_json_delta',
                  partial_json: piece,
                })),
              })),
        whole: () => ({
          content:
            content !== null
              ? [{ ...text, text: content }]
              : calls.map((call) => ({ ...tool(call), input: JSON.parse(call.function.arguments) })),
          stop_reason: content !== null ? 'end_turn' : 'tool_use',
        }),
      },
    }
  }
  const grown: [Growing, string][] =
    content !== null
      ? [[TEXT, content]]
      : calls.map(({ id, function: { name, arguments: args } }) => [
          { ...ARGUMENTS, item: (told) => ({ type: 'function_call', call_id: id, name, arguments: told }) },
          args,
        ])
  const events = grown.map(([growing, text], at) => tell(growing, cut(text), undefined, undefined, at))
  return {
    api: 'responses',
    response: {
      events: () => events.flat(),
      output: () => events.map((list) => list.at(-1)?.item as JsonObject),
    },
  }
}
