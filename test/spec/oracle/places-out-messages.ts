/** Where a provider can put text in a message of the messages API, streamed and whole. */
import type { Json } from '../../../core/engine/contract/plugin.ts'
import { type JsonObject, numbered, QUOTES } from './places-in.ts'
import type { OutPlace } from './places-out.ts'

/** A block of a message: how it begins, and what comes to it; or an event between blocks. */
export type Beat =
  | { readonly start: JsonObject; readonly deltas: readonly JsonObject[] }
  | { readonly event: JsonObject }

/** What a message says, as a stream and as a whole. */
export interface MessageScene {
  readonly beats?: (parts: readonly string[]) => Beat[]
  /** Members of the message as the stream begins, and of its end. */
  readonly opens?: (text: string) => JsonObject
  readonly ends?: (text: string) => JsonObject
  /** Members of a whole message. */
  readonly whole?: (text: string, parts: readonly string[]) => JsonObject
}

interface Place extends MessageScene {
  once?: true
  identifier?: true
  replaced?: true
  wrap?: (text: string) => string
}

const SEAL =
  'u4n5dtFLxoaLHmN4FZZkncuc/5uE1L/vSZuZh7EzT5ojdKZkLqSMsxEOJRLT76FzEHRM5ywNq7VOb2b0pI/f44q5zhJKTGrnosTFVSVyMbvDMSsvBa/iMis+B88s5EtC'
const page = 'https://example.test/page'

const text = (said: string, more: JsonObject = {}): JsonObject => ({ type: 'text', text: said, ...more })
const typed = (piece: string): JsonObject => ({ type: 'text_delta', text: piece })
const prose = (...parts: string[]): Beat => ({ start: text(''), deltas: parts.map(typed) })
const fine = prose('Fine')
/** Thinking in one piece. */
const mused = (piece: string): Beat => ({
  start: { type: 'thinking', thinking: '', signature: '' },
  deltas: [
    { type: 'thinking_delta', thinking: piece },
    { type: 'signature_delta', signature: SEAL },
  ],
})

/** A block that comes whole, with text behind it. */
const block = (make: (said: string) => JsonObject): Place => ({
  once: true,
  beats: ([said]) => [{ start: make(said as string), deltas: [] }, fine],
  whole: (said) => ({ content: [make(said), text('Fine')] }),
})
const hosted = (type: string, make: (said: string) => Json): Place =>
  block((said) => ({ type, tool_use_id: 'srvtoolu_1', content: make(said) }))
const cited = (make: (said: string) => JsonObject): Place => {
  const citation = (said: string): JsonObject => ({
    type: 'web_search_result_location',
    cited_text: 'it is',
    url: page,
    title: 'A page',
    encrypted_index: SEAL,
    ...make(said),
  })
  return {
    once: true,
    beats: ([said]) => [
      {
        start: text('', { citations: [] }),
        deltas: [{ type: 'citations_delta', citation: citation(said as string) }, typed('So it is')],
      },
    ],
    whole: (said) => ({ content: [text('So it is', { citations: [citation(said)] })] }),
  }
}
const opening = (make: (said: string) => JsonObject): Place => ({
  once: true,
  beats: () => [fine],
  opens: make,
  whole: (said) => ({ content: [text('Fine')], ...make(said) }),
})
const ending = (make: (said: string) => JsonObject): Place => ({
  once: true,
  beats: () => [fine],
  ends: make,
  whole: (said) => ({ content: [text('Fine')], ...make(said) }),
})
const eventual = (make: (piece: string) => JsonObject): Place => ({
  beats: (parts) => [fine, ...parts.map((piece) => ({ event: make(piece) }))],
})

const call = (start: JsonObject, wrap: (said: string) => string, whole?: (input: string) => Json): Place => ({
  wrap,
  beats: (parts) => [
    {
      start: { ...start, input: {} },
      deltas: parts.map((partial_json) => ({ type: 'input_json_delta', partial_json })),
    },
  ],
  ...(whole && { whole: (input) => ({ content: [{ ...start, input: whole(input) }], stop_reason: 'tool_use' }) }),
})
const TOOL: JsonObject = { type: 'tool_use', id: 'toolu_1', name: 'save' }
const SERVER_TOOL: JsonObject = { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search' }
const MCP_TOOL: JsonObject = { type: 'mcp_tool_use', id: 'mcptoolu_1', name: 'get', server_name: 'crm' }
const noted = (note: string): string => JSON.stringify({ note })
const parsed = (input: string): Json => JSON.parse(input) as Json
const found = (more: JsonObject): Json => [
  { type: 'web_search_result', url: page, title: 'A page', encrypted_content: SEAL, page_age: null, ...more },
]

const thinking = (signature: string): Place => ({
  beats: (parts) => [
    {
      start: { type: 'thinking', thinking: '', signature: '' },
      deltas: [
        ...parts.map((piece) => ({ type: 'thinking_delta', thinking: piece })),
        ...(signature === '' ? [] : [{ type: 'signature_delta', signature }]),
      ],
    },
    fine,
  ],
  whole: (said) => ({ content: [{ type: 'thinking', thinking: said, signature }, text('Fine')] }),
})

// biome-ignore format: a table reads best with one entry in a line.
const PLACES: Readonly<Record<string, Place>> = {
  text: { beats: (parts) => [prose(...parts)], whole: (said) => ({ content: [text(said)] }) },
  'text-start': block((said) => text(said)),
  'text-start-then-deltas': { beats: ([first, ...parts]) => [{ start: text(first as string), deltas: parts.map(typed) }] },
  'text-blocks': { beats: (parts) => parts.map((piece) => prose(piece)) },
  // In one piece: cut over blocks, beside the words of others, it is no value.
  'text-blocks-beside': { once: true, beats: (parts) => [prose('Then'), prose(...parts), prose('then')] },
  'text-blocks-starts': { beats: (parts) => parts.map((piece) => ({ start: text(piece), deltas: [] })) },
  'text-blocks-call-between': { beats: (parts) => parts.flatMap((piece, at) => [prose(piece), { start: { ...TOOL, id: `toolu_${at}`, input: {} }, deltas: [] }]) },
  'text-blocks-whole': { beats: (parts) => parts.map((piece) => prose(piece)), whole: (_said, parts) => ({ content: parts.map((piece) => text(piece)) }) },
  'text-blocks-mixed': { beats: (parts) => parts.map((piece, at) => (at % 2 === 0 ? prose(piece) : { start: text(piece), deltas: [] })) },
  'text-blocks-thinking-between': { beats: (parts) => parts.flatMap((piece) => [mused('Hm'), prose(piece)]), whole: (_said, parts) => ({ content: parts.flatMap((piece) => [{ type: 'thinking', thinking: 'Hm', signature: SEAL }, text(piece)]) }) },
  'thinking-then-text': { beats: (parts) => [mused(parts.join('').slice(0, 8)), prose(...parts)] },
  'text-no-type': { beats: (parts) => [{ start: text(''), deltas: parts.map((piece) => ({ text: piece })) }] },
  'text-delta-vendor': { beats: (parts) => [{ start: text(''), deltas: parts.map((x_note) => ({ ...typed('x'), x_note })) }] },
  'text-delta-vendor-deep': { beats: (parts) => [{ start: text(''), deltas: parts.map((a) => ({ ...typed('x'), x_note: { list: [{ a }] } })) }] },
  'text-delta-vendor-key': { once: true, beats: ([said]) => [{ start: text(''), deltas: [{ ...typed('x'), x_note: { [said as string]: 1 } }] }] },
  'text-block-vendor': block((said) => text('x', { x_note: { deep: [said] } })),
  'text-in-other-block': { beats: (parts) => [{ start: { type: 'note' }, deltas: parts.map(typed) }] },
  'delta-unknown': { beats: (parts) => [{ start: text(''), deltas: [typed('x'), ...parts.map((note) => ({ type: 'note_delta', note }))] }] },
  'delta-unknown-deep': { beats: (parts) => [{ start: text(''), deltas: [typed('x'), ...parts.map((note) => ({ type: 'note_delta', note: [{ note }] }))] }] },
  'block-unknown': block((said) => ({ type: 'note', note: { lines: [said] } })),
  'text-delta-name': { once: true, beats: ([said]) => [{ start: text(''), deltas: [{ ...typed('x'), [said as string]: null }] }] },
  'block-unknown-key': block((said) => ({ type: 'note', note: { [said]: [1] } })),
  'block-unknown-grows': { beats: (parts) => [{ start: { type: 'note', note: '' }, deltas: parts.map((note) => ({ type: 'note_delta', note })) }] },
  'block-unknown-begins': { replaced: true, beats: ([note, ...parts]) => [{ start: { type: 'note', note: note as string }, deltas: parts.map((piece) => ({ type: 'piece_delta', note: piece })) }] },
  'result-grows': { replaced: true, beats: ([content, ...parts]) => [{ start: { type: 'mcp_tool_result', tool_use_id: 'mcptoolu_1', is_error: false, content: content as string }, deltas: parts.map((piece) => ({ type: 'result_delta', content: piece })) }] },
  thinking: thinking(SEAL),
  'thinking-unsigned': thinking(''),
  'thinking-start': block((said) => ({ type: 'thinking', thinking: said, signature: SEAL })),
  'thinking-redacted': block((data) => ({ type: 'redacted_thinking', data })),
  signature: { once: true, beats: ([signature]) => [{ start: { type: 'thinking', thinking: '', signature: '' }, deltas: [{ type: 'thinking_delta', thinking: 'Hm' }, { type: 'signature_delta', signature: signature as string }] }, fine], whole: (signature) => ({ content: [{ type: 'thinking', thinking: 'Hm', signature }, text('Fine')] }) },
  'signature-again': { once: true, beats: ([signature]) => [{ start: { type: 'thinking', thinking: '', signature: '' }, deltas: [{ type: 'thinking_delta', thinking: 'Hm' }, { type: 'signature_delta', signature: SEAL }, { type: 'signature_delta', signature: signature as string }] }, fine] },
  'signature-grows': { beats: (parts) => [{ start: { type: 'thinking', thinking: '', signature: '' }, deltas: [{ type: 'thinking_delta', thinking: 'Hm' }, ...parts.map((signature) => ({ type: 'signature_delta', signature }))] }, fine] },
  'delta-type-grows': { replaced: true, beats: (parts) => [{ start: text(''), deltas: [typed('x'), ...parts.map((type) => ({ type, x_note: 1 }))] }] },
  'container-grows': { replaced: true, ...eventual((id) => ({ type: 'message_delta', delta: { container: { id } }, usage: { output_tokens: 1 } })) },
  'usage-grows': { replaced: true, ...eventual((note) => ({ type: 'message_delta', delta: {}, usage: { output_tokens: 1, note } })) },
  'tool-input': call(TOOL, noted, parsed),
  'tool-input-key': call(TOOL, (said) => JSON.stringify({ [said]: 1 }), parsed),
  'tool-input-nested': call(TOOL, (said) => JSON.stringify({ body: noted(said) }), parsed),
  'tool-input-deep': call(TOOL, (said) => JSON.stringify({ list: [{ any: [said] }] }), parsed),
  'tool-input-raw': call(TOOL, (said) => said),
  'tool-input-broken': call(TOOL, (said) => `{"note": "${said.replace(QUOTES, '')}`),
  'tool-input-start': block((note) => ({ ...TOOL, input: { note } })),
  'tool-input-text': block((said) => ({ ...TOOL, input: said })),
  'tool-input-text-grows': { wrap: noted, beats: ([input, ...parts]) => [{ start: { ...TOOL, input: input as string }, deltas: parts.map((partial_json) => ({ type: 'input_json_delta', partial_json })) }] },
  'tool-name-grows': { beats: ([name, ...parts]) => [{ start: { ...TOOL, name: name as string, input: {} }, deltas: parts.map((piece) => ({ type: 'name_delta', name: piece })) }] },
  'tool-name': block((said) => ({ ...TOOL, name: `save ${said}`, input: {} })),
  'tool-id': { ...block((id) => ({ ...TOOL, id, input: {} })), identifier: true },
  'tool-vendor': block((said) => ({ ...TOOL, input: {}, caller: { type: 'direct', note: said } })),
  'server-tool-input': call(SERVER_TOOL, noted, parsed),
  'mcp-tool-input': call(MCP_TOOL, noted, parsed),
  'mcp-server-name': block((said) => ({ ...MCP_TOOL, server_name: said, input: {} })),
  'mcp-result': block((content) => ({ type: 'mcp_tool_result', tool_use_id: 'mcptoolu_1', is_error: false, content: [text(content)] })),
  'mcp-result-text': block((content) => ({ type: 'mcp_tool_result', tool_use_id: 'mcptoolu_1', is_error: false, content })),
  'mcp-listing': block((description) => ({ type: 'mcp_tool_listing', server_name: 'crm', tools: [{ name: 'get', description }] })),
  'advisor-result': hosted('advisor_tool_result', (said) => ({ type: 'advisor_result', text: said })),
  'web-title': hosted('web_search_tool_result', (title) => found({ title })),
  'web-address': hosted('web_search_tool_result', (said) => found({ url: `${page}?q=${said}` })),
  'web-sealed': hosted('web_search_tool_result', (said) => found({ encrypted_content: said })),
  'web-age': hosted('web_search_tool_result', (page_age) => found({ page_age })),
  'fetch-data': hosted('web_fetch_tool_result', (data) => ({ type: 'web_fetch_result', url: page, content: { type: 'document', source: { type: 'text', media_type: 'text/plain', data }, title: 'x' } })),
  'fetch-title': hosted('web_fetch_tool_result', (title) => ({ type: 'web_fetch_result', url: page, content: { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'x' }, title } })),
  'fetch-time': hosted('web_fetch_tool_result', (retrieved_at) => ({ type: 'web_fetch_result', url: page, retrieved_at })),
  'shell-stdout': hosted('bash_code_execution_tool_result', (stdout) => ({ type: 'bash_code_execution_result', stdout, stderr: '', return_code: 0, content: [] })),
  'shell-stderr': hosted('code_execution_tool_result', (stderr) => ({ type: 'code_execution_result', stdout: '', stderr, return_code: 1, content: [] })),
  'shell-sealed': hosted('code_execution_tool_result', (said) => ({ type: 'encrypted_code_execution_result', encrypted_stdout: said, stderr: '', return_code: 0, content: [] })),
  'editor-content': hosted('text_editor_code_execution_tool_result', (content) => ({ type: 'text_editor_code_execution_view_result', file_type: 'text', content })),
  'editor-lines': hosted('text_editor_code_execution_tool_result', (said) => ({ type: 'text_editor_code_execution_str_replace_result', lines: ['x', said] })),
  'tool-reference': hosted('tool_search_tool_result', (tool_name) => ({ type: 'tool_search_tool_search_result', tool_references: [{ type: 'tool_reference', tool_name }] })),
  'unknown-result': hosted('new_tool_result', (said) => ({ type: 'new_result', rows: [{ [said]: said }] })),
  compaction: { beats: (parts) => [{ start: { type: 'compaction', content: null }, deltas: parts.map((content) => ({ type: 'compaction_delta', content })) }, fine], whole: (content) => ({ content: [{ type: 'compaction', content }, text('Fine')] }) },
  'compaction-start': block((content) => ({ type: 'compaction', content })),
  'container-file': { ...block((file_id) => ({ type: 'container_upload', file_id })), identifier: true },
  'cited-text': cited((said) => ({ cited_text: said })),
  'cited-title': cited((title) => ({ title })),
  'cited-document': cited((document_title) => ({ type: 'char_location', document_title, document_index: 0, start_char_index: 0, end_char_index: 5 })),
  'cited-address': cited((said) => ({ url: `${page}?q=${said}` })),
  'cited-sealed': cited((said) => ({ encrypted_index: said })),
  'cited-vendor': cited((said) => ({ x_note: { [said]: said } })),
  'message-content': { once: true, beats: () => [], opens: (said) => ({ content: [text(said)] }) },
  'message-vendor': opening((said) => ({ x_note: { list: [{ a: said }] } })),
  'message-vendor-key': opening((said) => ({ x_note: { [said]: 1 } })),
  'message-id': { ...opening((id) => ({ id })), identifier: true },
  'model-name': opening((said) => ({ model: `claude ${said}` })),
  role: opening((said) => ({ role: `assistant ${said}` })),
  'message-kind': opening((said) => ({ type: `message ${said}` })),
  'usage-tier': opening((said) => ({ usage: { input_tokens: 1, output_tokens: 1, service_tier: said } })),
  'usage-vendor': opening((said) => ({ usage: { input_tokens: 1, output_tokens: 1, x_note: { [said]: said } } })),
  transformations: opening((said) => ({ input_transformations: [{ type: 'dropped', reason: said }] })),
  container: { ...ending((id) => ({ container: { id, expires_at: '2026-11-20T10:00:00Z' } })), identifier: true },
  'stop-reason': ending((said) => ({ stop_reason: `end_turn ${said}` })),
  'stop-sequence': ending((stop_sequence) => ({ stop_reason: 'stop_sequence', stop_sequence })),
  'stop-explanation': ending((explanation) => ({ stop_reason: 'refusal', stop_details: { type: 'refusal', category: null, explanation } })),
  'stop-category': ending((category) => ({ stop_reason: 'refusal', stop_details: { type: 'refusal', category, explanation: null } })),
  'end-vendor': ending((said) => ({ x_note: { [said]: said } })),
  'event-vendor': { beats: (parts) => [fine, ...parts.map((x_note) => ({ event: { type: 'ping', x_note } }))] },
  'event-unknown': eventual((said) => ({ type: 'note', text: said })),
  'event-unknown-numbers': { beats: (parts) => [fine, ...parts.map((piece, at) => ({ event: { type: 'note', text: numbered(piece, at) } }))] },
  'event-unknown-deep': eventual((said) => ({ type: 'note', list: [{ a: said }] })),
  'event-unknown-name': { once: true, beats: ([said]) => [fine, { event: { type: (said as string).replace(/[\r\n]/g, ' ') } }] },
  'event-unknown-key': { once: true, beats: ([said]) => [fine, { event: { type: 'note', note: { [said as string]: 1 } } }] },
  error: { once: true, beats: ([message]) => [fine, { event: { type: 'error', error: { type: 'overloaded_error', message: message as string }, request_id: 'req_1' } }] },
  'error-details': { once: true, beats: ([said]) => [fine, { event: { type: 'error', error: { type: said as string, message: 'No', details: { note: said as string } }, request_id: said as string } }] },
}

/** Named after their API. */
export const MESSAGES_OUT: Readonly<Record<string, OutPlace>> = Object.fromEntries(
  Object.entries(PLACES).map(([name, { once, identifier, replaced, wrap, ...message }]) => [
    `messages-${name}`,
    {
      api: 'messages',
      ...(once && { once }),
      ...(identifier && { identifier }),
      ...(replaced && { replaced }),
      ...(wrap && { wrap }),
      message,
    } satisfies OutPlace,
  ]),
)
