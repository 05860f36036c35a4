/** Events of messages. */
import { type Form, put, type Telling } from './forms.ts'

const begin = {
  type: 'message_start',
  message: {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'claude-x',
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { input_tokens: 1, output_tokens: 1 },
  },
}
const blockStart = (index: number, content_block: Form) => ({ type: 'content_block_start', index, content_block })
const blockDelta = (delta: Form) => ({ type: 'content_block_delta', index: 0, delta })
const blockStop = (index = 0) => ({ type: 'content_block_stop', index })
const stop = { type: 'message_stop' }
const end = [
  { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { output_tokens: 1 } },
  stop,
]
const deltas =
  (block: Form, delta: Form, more: Form = {}): Telling =>
  (pieces) => [
    begin,
    blockStart(0, block),
    ...pieces.map((x) => put({ ...blockDelta(delta), ...more }, x)),
    blockStop(),
    ...end,
  ]
const each =
  (block: Form): Telling =>
  (pieces) => [begin, ...pieces.flatMap((x, i) => [blockStart(i, put(block, x)), blockStop(i)]), ...end]
const startThen =
  (block: Form, delta: Form): Telling =>
  (pieces) => [
    begin,
    blockStart(0, put(block, pieces[0] ?? '')),
    ...pieces.slice(1).map((x) => put(blockDelta(delta), x)),
    blockStop(),
    ...end,
  ]
const atEnd =
  (delta: Form, more: Form = {}): Telling =>
  (pieces) => [
    begin,
    ...pieces.map((x) => put({ type: 'message_delta', delta: { ...delta }, usage: { output_tokens: 1 }, ...more }, x)),
    stop,
  ]
const TEXT = { type: 'text', text: '' }
export const MESSAGES: Record<string, Telling> = {
  text: deltas(TEXT, { type: 'text_delta', text: '@' }),
  'delta type': deltas(TEXT, { type: '@', text: 'x' }),
  thinking: deltas({ type: 'thinking', thinking: '', signature: '' }, { type: 'thinking_delta', thinking: '@' }),
  signature: deltas({ type: 'thinking', thinking: '', signature: '' }, { type: 'signature_delta', signature: '@' }),
  'signature start': startThen(
    { type: 'thinking', thinking: '', signature: '@' },
    { type: 'signature_delta', signature: '@' },
  ),
  'signature in text block': deltas(TEXT, { type: 'signature_delta', signature: '@' }),
  input: deltas(
    { type: 'tool_use', id: 'toolu_1', name: 'f', input: {} },
    { type: 'input_json_delta', partial_json: '@' },
  ),
  'redacted data start': startThen({ type: 'redacted_thinking', data: '@' }, { type: 'x', data: '@' }),
  'redacted data deltas': deltas({ type: 'redacted_thinking', data: '' }, { type: 'x', data: '@' }),
  'unknown enc': deltas({ type: 'compaction', content: '' }, { type: 'compaction_delta', encrypted_content: '@' }),
  'compaction content': deltas({ type: 'compaction', content: '' }, { type: 'compaction_delta', content: '@' }),
  'compaction enc start': startThen(
    { type: 'compaction', content: '', encrypted_content: '@' },
    { type: 'compaction_delta', encrypted_content: '@' },
  ),
  'compaction sig': deltas({ type: 'compaction', content: '' }, { type: 'compaction_delta', signature: '@' }),
  'citation url': deltas(TEXT, {
    type: 'citations_delta',
    citation: { type: 'web_search_result_location', url: '@', title: 't', cited_text: 'c', encrypted_index: '' },
  }),
  'citation enc': deltas(TEXT, {
    type: 'citations_delta',
    citation: { type: 'web_search_result_location', url: 'u', encrypted_index: '@' },
  }),
  'citation type': deltas(TEXT, { type: 'citations_delta', citation: { type: '@', url: 'u' } }),
  'citation file_id': deltas(TEXT, { type: 'citations_delta', citation: { type: 'char_location', file_id: '@' } }),
  'delta est': deltas(TEXT, { type: 'text_delta', text: 'x', estimated_tokens: '@' }),
  'delta extra': deltas(TEXT, { type: 'text_delta', text: 'x', note: '@' }),
  'delta id': deltas(TEXT, { type: 'text_delta', text: 'x', id: '@' }),
  'event extra': deltas(TEXT, { type: 'text_delta', text: 'x' }, { note: '@' }),
  'event id': deltas(TEXT, { type: 'text_delta', text: 'x' }, { id: '@' }),
  'block text': each({ type: 'text', text: '@' }),
  'block id': each({ type: 'tool_use', id: '@', name: 'f', input: {} }),
  'block name': each({ type: 'tool_use', id: 'toolu_1', name: '@', input: {} }),
  'block type': each({ type: '@', text: 'x' }),
  'block data': each({ type: 'redacted_thinking', data: '@' }),
  'block sig': each({ type: 'thinking', thinking: 'x', signature: '@' }),
  'block tool_use_id': each({ type: 'web_search_tool_result', tool_use_id: '@', content: [] }),
  'block enc': each({
    type: 'web_search_tool_result',
    tool_use_id: 'srvtoolu_1',
    content: [{ type: 'web_search_result', url: 'u', title: 't', encrypted_content: '@' }],
  }),
  'block url': each({
    type: 'web_search_tool_result',
    tool_use_id: 'srvtoolu_1',
    content: [{ type: 'web_search_result', url: '@', title: 't', encrypted_content: '' }],
  }),
  'block source data': each({ type: 'image', source: { type: 'base64', media_type: 'image/png', data: '@' } }),
  'block source url': each({ type: 'image', source: { type: 'url', url: '@' } }),
  'block file_id': each({ type: 'container_upload', file_id: '@' }),
  'block vendor': each({ type: 'text', text: 'x', note: '@' }),
  'block citations': each({ type: 'text', text: 'x', citations: [{ type: 'char_location', cited_text: '@' }] }),
  stop_reason: (pieces) => [
    begin,
    ...pieces.map((x) => ({ type: 'message_delta', delta: { stop_reason: x }, usage: { output_tokens: 1 } })),
    stop,
  ],
  stop_sequence: atEnd({ stop_sequence: '@' }),
  'container id': atEnd({ container: { id: '@' } }),
  'end usage': atEnd({}, { usage: { output_tokens: 1, service_tier: '@' } }),
  'end usage note': atEnd({}, { usage: { output_tokens: 1, note: '@' } }),
  'end ctx': atEnd({}, { context_management: { applied_edits: [{ type: '@' }] } }),
  'start+end service tier': (pieces) => [
    put(
      { ...begin, message: { ...begin.message, usage: { ...begin.message.usage, service_tier: '@' } } },
      pieces[0] ?? '',
    ),
    ...pieces.slice(1).map((x) => ({ type: 'message_delta', delta: {}, usage: { output_tokens: 1, service_tier: x } })),
    stop,
  ],
  ping: (pieces) => [begin, ...pieces.map((x) => ({ type: 'ping', note: x })), ...end],
  'ping id': (pieces) => [begin, ...pieces.map((x) => ({ type: 'ping', id: x })), ...end],
  unknown: (pieces) => [begin, ...pieces.map((x) => ({ type: 'vendor_event', id: x, data: x, signature: x })), ...end],
}
