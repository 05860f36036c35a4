/** Messages as streams and as whole replies, with the oddities of a shape. */
import { blocksBegun, isBeginning } from './beginnings.ts'
import type { JsonObject } from './places-in.ts'
import type { Beat, MessageScene } from './places-out-messages.ts'
import { STALLED } from './values.ts'
import type { Ending, Indexes, Mix } from './wire.ts'

const USAGE = { input_tokens: 9, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 9 }

const MESSAGE: JsonObject = {
  id: 'msg_01oracle',
  type: 'message',
  role: 'assistant',
  model: 'gpt-test',
  content: [],
  stop_reason: null,
  stop_sequence: null,
  usage: USAGE,
}

export const wholeMessage = (
  scene: MessageScene | undefined,
  text: string,
  parts: readonly string[] = [text],
): JsonObject => ({
  ...MESSAGE,
  content: [{ type: 'text', text: 'Fine' }],
  stop_reason: 'end_turn',
  ...scene?.whole?.(text, parts),
})

type Block = Exclude<Beat, { event: JsonObject }>
const isProse = (beat: Beat): beat is Block =>
  'deltas' in beat && beat.start.type === 'text' && beat.deltas.every(({ type }) => type === 'text_delta')

/** What most events are, before those that are otherwise. */
const LEARNED: Beat = {
  start: { type: 'text', text: '' },
  deltas: Array<JsonObject>(4).fill({ type: 'text_delta', text: 'so ' }),
}

const STALLED_START: JsonObject = { type: 'text', text: '' }
const STALLED_DELTA: JsonObject = { type: 'text_delta', text: STALLED }

/** Texts in more blocks than one, with something between them or nothing. */
function apart(beats: readonly Beat[], mix: Mix): Beat[] {
  if (mix === 'learned') return [LEARNED, ...beats]
  if (mix === 'again') return [...beats, ...beats]
  if (mix !== 'reasoning' && mix !== 'other-choice') return [...beats]
  const aside: Beat = {
    start: { type: 'thinking', thinking: '', signature: '' },
    deltas: [{ type: 'thinking_delta', thinking: 'hm ' }],
  }
  return beats.flatMap((beat) => {
    if (!isProse(beat) || beat.deltas.length === 0) return [beat]
    const one = beat.deltas.map(
      (delta, at): Beat => ({ start: at === 0 ? beat.start : { type: 'text', text: '' }, deltas: [delta] }),
    )
    return mix === 'reasoning' ? one.flatMap((part, at) => (at === 0 ? [part] : [aside, part])) : one
  })
}

/** What comes between two deltas of a block. It says no piece of an unknown member twice. */
function between(mix: Mix, index: number, { x_note: _note, ...delta }: JsonObject, at: number): JsonObject[] {
  const more = (change: JsonObject): JsonObject => ({
    type: 'content_block_delta',
    index,
    delta: { ...delta, ...change },
  })
  const member = Object.keys(delta).find((key) => key !== 'type') ?? 'text'
  if (member === 'signature' || member === 'citation') return []
  switch (mix) {
    case 'empty':
      return [more({ [member]: '' })]
    case 'null':
      return [more({ [member]: null })]
    case 'no-choices':
      return [{ type: 'ping' }]
    case 'other-id':
      return [{ type: 'x_event', number: at }]
    case 'roles':
      return [
        { type: 'message_delta', delta: { stop_reason: null, stop_sequence: null }, usage: { output_tokens: at } },
      ]
    case 'tool-call':
      return [{ type: 'ping', x_number: at }]
    default:
      return []
  }
}

function eventsOf(beats: readonly Beat[], mix: Mix): JsonObject[] {
  if (mix === 'stalled') {
    const [start, delta, stop] = eventsOf([{ start: STALLED_START, deltas: [STALLED_DELTA] }], 'none')
    const others = eventsOf(beats, 'none').map((event) =>
      typeof event.index === 'number' ? { ...event, index: event.index + 1 } : event,
    )
    return [start, delta, ...others, stop] as JsonObject[]
  }
  let index = -1
  return apart(beats, mix).flatMap((beat): JsonObject[] => {
    if ('event' in beat) return [beat.event]
    index += 1
    const here = index
    const deltas = beat.deltas.flatMap((delta, at) => [
      ...(at > 0 ? between(mix, here, delta, at) : []),
      { type: 'content_block_delta', index: here, delta },
    ])
    return [
      { type: 'content_block_start', index: here, content_block: beat.start },
      ...deltas,
      { type: 'content_block_stop', index: here },
    ]
  })
}

function indexed(event: JsonObject, indexes: Indexes): JsonObject {
  const { index, type, ...rest } = event
  if (indexes === 'no-object') return { ...(index !== undefined && { index }), ...rest }
  if (indexes === 'no-id' && type === 'message_start') {
    const { id: _id, ...message } = event.message as JsonObject
    return { ...event, message }
  }
  if (typeof index !== 'number') return event
  if (indexes === 'missing') return { type: type as string, ...rest }
  if (indexes === 'string') return { ...event, index: String(index) }
  if (indexes === 'second-only') return { ...event, index: index + 1 }
  return event
}

interface Odd {
  readonly ending: Ending
  readonly indexes: Indexes
  readonly mix: Mix
}

/** The events of a stream, each with its name. */
export function messageEvents(
  scene: MessageScene,
  parts: readonly string[],
  { ending, indexes, mix }: Odd,
): { name: string; event: JsonObject | string }[] {
  const text = parts.join('')
  const open = { type: 'message_start', message: { ...MESSAGE, ...scene.opens?.(text) } }
  const beats = scene.beats?.(parts) ?? []
  const middle = eventsOf(isBeginning(ending) ? blocksBegun(beats, ending) : beats, mix)
  const { usage: _usage, content: _content, ...ends } = scene.ends?.(text) ?? {}
  const end = {
    type: 'message_delta',
    delta: { stop_reason: 'end_turn', stop_sequence: null, ...ends },
    usage: { output_tokens: 9 },
  }
  const stop = { type: 'message_stop' }
  const half = Math.ceil(middle.length / 2)
  const named = (event: JsonObject) => ({ name: String(event.type), event: indexed(event, indexes) })
  const list = ((): JsonObject[] => {
    switch (ending) {
      case 'no-done':
        return [open, ...middle, end]
      case 'no-finish':
        return [open, ...middle, stop]
      case 'done-twice':
        return [open, ...middle, end, stop, stop]
      case 'text-after-done':
        return [open, end, stop, ...middle, end, stop]
      case 'text-after-stop':
        return [open, end, ...middle, stop]
      case 'early-stop':
        return [open, ...middle.slice(0, half), end, ...middle.slice(half), stop]
      case 'early-each':
        return [
          { ...open, message: { ...open.message, content: [{ type: 'text', text: 'x9' }] } },
          ...middle.map((event) => (typeof event.index === 'number' ? { ...event, index: event.index + 1 } : event)),
          end,
          stop,
        ]
      case 'empty-finish-each':
        return [open, ...middle, { ...end, delta: { stop_reason: null, stop_sequence: null } }, end, stop]
      case 'stop-each':
        return [open, ...middle.filter(({ type }) => type !== 'content_block_stop'), end, stop]
      case 'finish-beside-last':
        return [{ type: 'ping' }, open, ...middle, end, stop]
      case 'breaks-off':
        return [open, ...middle]
      case 'usage-after':
        return [open, ...middle, end, end, stop]
      default:
        return [open, ...middle, end, stop]
    }
  })()
  return [...list.map(named), ...(ending === 'odd-finish-each' ? [{ name: '', event: '[DONE]' }] : [])]
}
