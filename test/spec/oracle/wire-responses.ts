/** Responses as streams and as whole replies, with the oddities of a shape. */
import { isBeginning, responseBegun } from './beginnings.ts'
import type { JsonObject } from './places-in.ts'
import type { ResponseScene } from './places-out-responses.ts'
import { STALLED } from './values.ts'
import type { Ending, Indexes, Mix } from './wire.ts'

const USAGE = {
  input_tokens: 9,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 9,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 18,
}

const RESPONSE: JsonObject = {
  id: 'resp_0racle000000000000000001',
  object: 'response',
  created_at: 1763676000,
  status: 'in_progress',
  error: null,
  incomplete_details: null,
  instructions: null,
  model: 'gpt-test',
  output: [],
  parallel_tool_calls: true,
  tool_choice: 'auto',
  tools: [],
  text: { format: { type: 'text' } },
  metadata: {},
  usage: null,
}

const FINE: JsonObject = {
  id: 'item_00000000000',
  type: 'message',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text: 'Fine', annotations: [], logprobs: [] }],
}

export const wholeResponse = (
  scene: ResponseScene | undefined,
  text: string,
  parts: readonly string[] = [text],
): JsonObject => ({
  ...RESPONSE,
  status: 'completed',
  output: scene?.output?.(text, parts) ?? [FINE],
  usage: USAGE,
  ...scene?.members?.(text),
})

/** What comes between two deltas of a text. It says no piece of an unknown member twice. */
function between(mix: Mix, { x_note: _note, ...delta }: JsonObject, at: number): JsonObject[] {
  const { output_index: _index, content_index: _content, ...rest } = delta
  switch (mix) {
    case 'empty':
      return typeof delta.delta === 'string' ? [{ ...delta, delta: '' }] : []
    case 'null':
      return [{ ...delta, delta: null }]
    case 'no-choices':
      return [{ type: 'keepalive' }]
    case 'reasoning':
      return [
        {
          type: 'response.reasoning_summary_text.delta',
          item_id: 'rs_1',
          output_index: 5,
          summary_index: 0,
          delta: 'hm ',
        },
      ]
    case 'other-choice':
      return [
        { type: 'response.output_text.delta', item_id: 'msg_2', output_index: 6, content_index: 0, delta: 'aside ' },
      ]
    case 'tool-call':
      return [{ type: 'response.function_call_arguments.delta', item_id: 'fc_1', output_index: 7, delta: ' ' }]
    case 'other-id':
      return typeof delta.delta === 'string'
        ? [{ ...rest, output_index: 0, content_index: 0, item_id: `other_${at}`, delta: '' }]
        : []
    case 'roles':
      return [{ type: 'response.in_progress', response: RESPONSE }]
    default:
      return []
  }
}

/** What most events are, before those that are otherwise. */
const LEARNED: JsonObject = {
  type: 'response.output_text.delta',
  item_id: 'msg_3',
  output_index: 8,
  content_index: 0,
  delta: 'so ',
}

const mixed = (events: readonly JsonObject[], mix: Mix): JsonObject[] => [
  ...(mix === 'learned' ? Array<JsonObject>(4).fill(LEARNED) : []),
  ...(mix === 'stalled' ? [{ ...LEARNED, delta: STALLED }] : []),
  ...(mix === 'again' ? [...events, ...events] : events).flatMap((event, at) => {
    const isNext = at > 0 && String(event.type).endsWith('.delta') && events[at - 1]?.type === event.type
    return isNext ? [...between(mix, event, at), event] : [event]
  }),
]

const INDEX = /^(?:output|content|summary|command)_index$/

function indexed(event: JsonObject, indexes: Indexes, at: number): JsonObject {
  const out: JsonObject = {}
  for (const [key, value] of Object.entries(event)) {
    if (key === 'type' && indexes === 'no-object') continue
    if (key === 'item_id' && indexes === 'no-id') continue
    if (INDEX.test(key) && indexes === 'missing') continue
    out[key] = INDEX.test(key) && indexes === 'string' ? String(value) : value
    if (key === 'output_index' && indexes === 'second-only') out[key] = Number(value) + 1
  }
  return indexes === 'no-object' ? out : { ...out, sequence_number: at }
}

interface Odd {
  readonly ending: Ending
  readonly indexes: Indexes
  readonly mix: Mix
}

/** The events of a stream, each with its name. */
export function responseEvents(
  scene: ResponseScene,
  parts: readonly string[],
  { ending, indexes, mix }: Odd,
): { name: string; event: JsonObject | string }[] {
  const text = parts.join('')
  const early = scene.isEarly ? scene.members?.(text) : {}
  const start = (type: string): JsonObject => ({ type, response: { ...RESPONSE, ...early } })
  const open = [start('response.created'), start('response.in_progress')]
  const told = scene.events?.(parts) ?? []
  const middle = mixed(isBeginning(ending) ? responseBegun(told, ending) : told, mix)
  const output = scene.output?.(text, parts) ?? []
  const last = (type: string, more: JsonObject = {}): JsonObject => ({
    type: `response.${type}`,
    response: { ...RESPONSE, status: type, output, usage: USAGE, ...scene.members?.(text), ...more },
  })
  const end = last('completed')
  const half = Math.ceil(middle.length / 2)
  const list = ((): JsonObject[] => {
    switch (ending) {
      case 'no-done':
        return [...open, ...middle]
      case 'no-finish':
        return [...open, ...middle, last('completed', { output: [] })]
      case 'done-twice':
        return [...open, ...middle, end, end]
      case 'text-after-done':
        return [...open, last('completed', { output: [] }), ...middle, end]
      case 'text-after-stop':
        return [...open, last('incomplete', { output: [] }), ...middle, end]
      case 'early-stop':
        return [...open, ...middle.slice(0, half), last('in_progress'), ...middle.slice(half), end]
      case 'early-each':
        return [...open, ...middle.flatMap((event) => [event, last('in_progress')]), end]
      case 'empty-finish-each':
        return [...open, ...middle, last('queued'), end]
      case 'stop-each':
        return [...open, ...middle.filter(({ type }) => !/\.added$/.test(String(type))), end]
      case 'finish-beside-last':
        return [...open, ...middle, last('incomplete', { incomplete_details: { reason: 'max_output_tokens' } })]
      case 'breaks-off':
        return [...open, ...middle]
      case 'usage-after':
        return [...open, ...middle, last('failed', { error: { code: 'server_error', message: 'No' } })]
      default:
        return [...open, ...middle, end]
    }
  })()
  return [
    ...list.map((event, at) => ({ name: String(event.type), event: indexed(event, indexes, at) })),
    ...(ending === 'odd-finish-each' ? [{ name: '', event: '[DONE]' }] : []),
  ]
}
