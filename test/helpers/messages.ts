/** Messages as Anthropic's API writes them. */
import { type Raw, raw } from '../../core/testing/provider.ts'

/** Of a thinking block. */
export const SIGNATURE = 'EqQBCgIYAhIkMTIzNDU2Nzg5MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Aa9'

const head = { id: 'msg_01a1', type: 'message', role: 'assistant', model: 'claude-test' }
const usage = { input_tokens: 5, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 7 }

/** A buffered message: a text, or blocks. */
export const message = (content: string | readonly object[], more: object = {}) => ({
  ...head,
  content: typeof content === 'string' ? [{ type: 'text', text: content }] : content,
  ...{ stop_reason: 'end_turn', stop_sequence: null, usage },
  ...more,
})

/** One event with its name. */
export const event = (type: string, more: object = {}): Raw =>
  raw(`event: ${type}\ndata: ${JSON.stringify({ type, ...more })}\n\n`)

export const begin = (more: object = {}): Raw =>
  event('message_start', {
    message: {
      ...head,
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: { ...usage, output_tokens: 1 },
      ...more,
    },
  })
export const blockStart = (index: number, content_block: object): Raw =>
  event('content_block_start', { index, content_block })
export const delta = (index: number, given: object): Raw => event('content_block_delta', { index, delta: given })
export const said = (text: string, index = 0): Raw => delta(index, { type: 'text_delta', text })
export const blockStop = (index: number): Raw => event('content_block_stop', { index })
export const finish = (stop_reason: string | null = 'end_turn', more: object = {}): Raw =>
  event('message_delta', { delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 7 }, ...more })
export const end = (): Raw => event('message_stop')

/** A block of text in these pieces. */
export const textBlock = (pieces: readonly string[], index = 0): Raw[] => [
  blockStart(index, { type: 'text', text: '' }),
  ...pieces.map((piece) => said(piece, index)),
  blockStop(index),
]

/** A call of a tool, its input in these pieces. */
export const toolBlock = (name: string, pieces: readonly string[], index = 0): Raw[] => [
  blockStart(index, { type: 'tool_use', id: `toolu_01A${index}`, name, input: {} }),
  ...pieces.map((partial_json) => delta(index, { type: 'input_json_delta', partial_json })),
  blockStop(index),
]

export const thinkingBlock = (pieces: readonly string[], signature: string, index = 0): Raw[] => [
  blockStart(index, { type: 'thinking', thinking: '', signature: '' }),
  ...pieces.map((thinking) => delta(index, { type: 'thinking_delta', thinking })),
  ...(signature === '' ? [] : [delta(index, { type: 'signature_delta', signature })]),
  blockStop(index),
]

/** A whole streamed message. */
export const whole = (blocks: readonly (readonly Raw[])[], stop = 'end_turn'): Raw[] => [
  begin(),
  ...blocks.flat(),
  finish(stop),
  end(),
]

/** The bytes of a whole message with one text. */
export const sse = (...pieces: string[]): string =>
  whole([textBlock(pieces)])
    .map(({ bytes }) => bytes.toString())
    .join('')
