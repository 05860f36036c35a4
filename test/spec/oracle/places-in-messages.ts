/** Where a caller can put text in a request of the messages API. */
import type { Json } from '../../../core/engine/contract/plugin.ts'
import type { InPlace, JsonObject } from './places-in.ts'

type Put = InPlace['put']

const text = (said: string, more: JsonObject = {}): JsonObject => ({ type: 'text', text: said, ...more })
const user = (content: Json): JsonObject => ({ role: 'user', content })
const assistant = (content: Json): JsonObject => ({ role: 'assistant', content })
const hello = user('Hello there')
const talk = (...messages: JsonObject[]): JsonObject => ({ messages })
const withMore = (more: JsonObject): JsonObject => ({ ...talk(hello), ...more })
/** A block that the user sends, and one that came from the model. */
const given = (...blocks: JsonObject[]): JsonObject => talk(user(blocks))
const told = (...blocks: JsonObject[]): JsonObject => talk(hello, assistant(blocks), user('Go on'))
const called = (input: Json, more: JsonObject = {}): JsonObject => ({
  type: 'tool_use',
  id: 'toolu_1',
  name: 'save',
  input,
  ...more,
})
const result = (content: Json, more: JsonObject = {}): JsonObject =>
  talk(hello, assistant([called({})]), user([{ type: 'tool_result', tool_use_id: 'toolu_1', content, ...more }]))
const tool = (more: JsonObject): JsonObject =>
  withMore({ tools: [{ name: 'save', input_schema: { type: 'object' }, ...more }] })
const hosted = (type: string, content: Json): JsonObject =>
  told(
    { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: {} },
    { type, tool_use_id: 'srvtoolu_1', content },
  )
const page = 'https://example.test/page'
/** Random bytes, as what only the provider can read. */
const SEAL =
  'pexaTCRuP0FQOZvtxDY2Av4r1XRNhRWD3KLUGdg0bbk4Z3JCNFzVfEBCppmvIRm9Ej5VSMkkCYxY9Wat25q5FgusTlYvKcIGqjFjpjXMjg6bH8zdzLcjO0oul7EWA2vF'
const found = (more: JsonObject): JsonObject => ({
  type: 'web_search_result',
  url: page,
  title: 'A page',
  encrypted_content: SEAL,
  page_age: null,
  ...more,
})
const cite = (more: JsonObject): JsonObject =>
  told(
    text('So it is.', {
      citations: [
        {
          type: 'web_search_result_location',
          cited_text: 'it is',
          url: page,
          title: 'A page',
          encrypted_index: SEAL,
          ...more,
        },
      ],
    }),
  )
const doc = (source: JsonObject, more: JsonObject = {}): JsonObject =>
  given({ type: 'document', source, ...more }, text('Read it'))
const plainDoc: JsonObject = { type: 'text', media_type: 'text/plain', data: 'A page' }

// biome-ignore format: a table reads best with one entry in a line.
const PUTS: Readonly<Record<string, Put | { put: Put; identifier?: true; closed?: true; path?: string }>> = {
  user: (said) => talk(user(said)),
  'user-block': (said) => given(text(said)),
  'user-blocks': (_said, parts) => given(...parts.map((part) => text(part))),
  'user-blocks-image-between': (_said, parts) => given(...parts.flatMap((part) => [text(part), { type: 'image', source: { type: 'url', url: 'https://example.test/a.png' } }])),
  system: (said) => withMore({ system: said }),
  'system-block': (said) => withMore({ system: [text('You are kind.'), text(said, { cache_control: { type: 'ephemeral' } })] }),
  'system-blocks': (_said, parts) => withMore({ system: parts.map((part) => text(part)) }),
  'system-message': (said) => talk(hello, { role: 'system', content: said }),
  assistant: (said) => talk(hello, assistant(said), user('Go on')),
  'assistant-block': (said) => told(text(said)),
  'assistant-blocks': (_said, parts) => told(...parts.map((part) => text(part))),
  prefill: (said) => talk(hello, assistant(said)),
  'image-address': (said) => given({ type: 'image', source: { type: 'url', url: `https://example.test/a.png?note=${said}` } }),
  'image-data': (said) => given({ type: 'image', source: { type: 'base64', media_type: 'image/png', data: said } }),
  'image-kind': (said) => given({ type: 'image', source: { type: 'base64', media_type: `image/png ${said}`, data: 'AAAA' } }),
  'image-file': { put: (said) => given({ type: 'image', source: { type: 'file', file_id: said } }), identifier: true },
  'document-text': (said) => doc({ ...plainDoc, data: said }),
  'document-content': (said) => doc({ type: 'content', content: said }),
  'document-blocks': (_said, parts) => doc({ type: 'content', content: parts.map((part) => text(part)) }),
  'document-title': (said) => doc(plainDoc, { title: said }),
  'document-context': (said) => doc(plainDoc, { context: said }),
  'document-address': (said) => doc({ type: 'url', url: `https://example.test/a.pdf?note=${said}` }),
  'document-vendor': (said) => doc(plainDoc, { x_note: { [said]: [said] } }),
  'search-source': (said) => given({ type: 'search_result', source: said, title: 'x', content: [text('x')] }),
  'search-title': (said) => given({ type: 'search_result', source: page, title: said, content: [text('x')] }),
  'search-content': (_said, parts) => given({ type: 'search_result', source: page, title: 'x', content: parts.map((part) => text(part)) }),
  'tool-input': (said) => talk(hello, assistant([called({ note: said })]), user([{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'ok' }])),
  'tool-input-key': (said) => told(called({ [said]: 1 })),
  'tool-input-deep': (said) => told(called({ list: [{ any: [said] }] })),
  'tool-input-nested': (said) => told(called({ body: JSON.stringify({ note: said }) })),
  'tool-input-text': (said) => told(called(said)),
  'tool-name': { put: (said) => told(called({}, { name: said })), identifier: true },
  'tool-id': { put: (said) => talk(hello, assistant([called({}, { id: said })]), user([{ type: 'tool_result', tool_use_id: said, content: 'ok' }])), identifier: true },
  'tool-vendor': (said) => told(called({}, { caller: { type: 'direct', note: said } })),
  'tool-result': (said) => result(said),
  'tool-result-blocks': (_said, parts) => result(parts.map((part) => text(part))),
  'tool-result-error': (said) => result(said, { is_error: true }),
  'tool-result-document': (said) => result([{ type: 'document', source: { ...plainDoc, data: said } }]),
  'tool-result-search': (said) => result([{ type: 'search_result', source: page, title: 'x', content: [text(said)] }]),
  'tool-result-tabs': (said) => result([{ type: 'browser_state', tabs: [{ title: said, url: `${page}?q=${said}` }] }]),
  'tool-result-unknown': (said) => result([{ type: 'note', lines: [said] }]),
  thinking: (said) => told({ type: 'thinking', thinking: said, signature: SEAL }, text('Fine')),
  'thinking-alone': (said) => told({ type: 'thinking', thinking: said, signature: SEAL }),
  'thinking-unsigned': (said) => told({ type: 'thinking', thinking: said, signature: '' }, text('Fine')),
  'thinking-signature': (said) => told({ type: 'thinking', thinking: 'Hm', signature: said }, text('Fine')),
  'thinking-redacted': (said) => told({ type: 'redacted_thinking', data: said }, text('Fine')),
  'server-tool-input': (said) => told({ type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: said } }),
  'mcp-tool-input': (said) => told({ type: 'mcp_tool_use', id: 'mcptoolu_1', name: 'get', server_name: 'crm', input: { query: said } }),
  'mcp-server-name': (said) => told({ type: 'mcp_tool_use', id: 'mcptoolu_1', name: 'get', server_name: said, input: {} }),
  'mcp-result': (said) => told({ type: 'mcp_tool_result', tool_use_id: 'mcptoolu_1', is_error: false, content: said }),
  'mcp-result-blocks': (_said, parts) => told({ type: 'mcp_tool_result', tool_use_id: 'mcptoolu_1', is_error: false, content: parts.map((part) => text(part)) }),
  'web-title': (title) => hosted('web_search_tool_result', [found({ title })]),
  'web-address': (said) => hosted('web_search_tool_result', [found({ url: `${page}?q=${said}` })]),
  'web-sealed': (said) => hosted('web_search_tool_result', [found({ encrypted_content: said })]),
  'web-age': (said) => hosted('web_search_tool_result', [found({ page_age: said })]),
  'web-error': (said) => hosted('web_search_tool_result', { type: 'web_search_tool_result_error', error_code: said }),
  'fetch-data': (data) => hosted('web_fetch_tool_result', { type: 'web_fetch_result', url: page, content: { type: 'document', source: { ...plainDoc, data }, title: 'x' }, retrieved_at: '2026-11-20T10:00:00Z' }),
  'fetch-title': (title) => hosted('web_fetch_tool_result', { type: 'web_fetch_result', url: page, content: { type: 'document', source: plainDoc, title } }),
  'shell-stdout': (stdout) => hosted('bash_code_execution_tool_result', { type: 'bash_code_execution_result', stdout, stderr: '', return_code: 0, content: [] }),
  'shell-stderr': (stderr) => hosted('code_execution_tool_result', { type: 'code_execution_result', stdout: '', stderr, return_code: 1, content: [] }),
  'editor-content': (content) => hosted('text_editor_code_execution_tool_result', { type: 'text_editor_code_execution_view_result', file_type: 'text', content }),
  'editor-lines': (said) => hosted('text_editor_code_execution_tool_result', { type: 'text_editor_code_execution_str_replace_result', lines: said.split('\n') }),
  'tool-reference': (said) => hosted('tool_search_tool_result', { type: 'tool_search_tool_search_result', tool_references: [{ type: 'tool_reference', tool_name: said }] }),
  compaction: (content) => told({ type: 'compaction', content }),
  'compaction-sealed': (said) => told({ type: 'compaction', content: 'x', encrypted_content: said }),
  'container-file': { put: (said) => given({ type: 'container_upload', file_id: said }), identifier: true },
  'unknown-block': (said) => given({ type: 'note', note: { lines: [said] } }, text('Hello')),
  'unknown-block-key': (said) => given({ type: 'note', note: { [said]: 1 } }, text('Hello')),
  'block-vendor': (said) => given(text('Hello', { x_note: { why: said } })),
  'cited-text': (said) => cite({ cited_text: said }),
  'cited-title': (title) => cite({ title }),
  'cited-document': (said) => cite({ document_title: said }),
  'cited-address': (said) => cite({ url: `${page}?q=${said}` }),
  'cited-sealed': (said) => cite({ encrypted_index: said }),
  'message-vendor': (said) => talk({ ...hello, x_note: { deep: [said] } }),
  'cache-kind': (said) => given(text('Hello', { cache_control: { type: 'ephemeral', ttl: said } })),
  'tool-description': (description) => tool({ description }),
  'tool-definition-name': { put: (name) => tool({ name }), identifier: true },
  'tool-schema': (description) => tool({ input_schema: { type: 'object', properties: { a: { type: 'string', description } } } }),
  'tool-schema-enum': (said) => tool({ input_schema: { type: 'object', properties: { a: { enum: ['x', said] } } } }),
  'tool-schema-key': (said) => tool({ input_schema: { type: 'object', properties: { [said]: { type: 'string' } } } }),
  'tool-example': (note) => tool({ input_examples: [{ note }] }),
  'tool-hosted': (city) => withMore({ tools: [{ type: 'web_search_20260318', name: 'web_search', user_location: { type: 'approximate', city } }] }),
  'tool-domains': (said) => withMore({ tools: [{ type: 'web_search_20260318', name: 'web_search', allowed_domains: ['example.test', said] }] }),
  'tool-choice': { put: (name) => withMore({ tool_choice: { type: 'tool', name } }), identifier: true },
  'user-id': (said) => withMore({ metadata: { user_id: said } }),
  'user-id-json': (said) => withMore({ metadata: { user_id: JSON.stringify({ device_id: 'd', session_id: said }) } }),
  'metadata-vendor': (said) => withMore({ metadata: { [said]: said } }),
  'stop-sequence': (said) => withMore({ stop_sequences: ['END', said] }),
  'output-schema': (description) => withMore({ output_config: { format: { type: 'json_schema', schema: { type: 'object', description } } } }),
  'output-effort': (effort) => withMore({ output_config: { effort: `low ${effort}` } }),
  'old-format': (said) => withMore({ output_format: { type: 'json_schema', schema: { const: said } } }),
  'compaction-prompt': (instructions) => withMore({ context_management: { edits: [{ type: 'compact_20260112', instructions }] } }),
  'mcp-address': (said) => withMore({ mcp_servers: [{ type: 'url', name: 'crm', url: `https://example.test/mcp?q=${said}` }] }),
  'mcp-label': (name) => withMore({ mcp_servers: [{ type: 'url', name, url: 'https://example.test/mcp' }] }),
  container: { put: (id) => withMore({ container: { id } }), identifier: true },
  'thinking-display': (display) => withMore({ thinking: { type: 'adaptive', display } }),
  thread: { put: (said) => withMore({ thread: { type: 'continue', previous_message_id: said } }), closed: true },
  fallbacks: { put: (said) => withMore({ fallbacks: [{ model: said }] }), closed: true },
  'service-tier': (said) => withMore({ service_tier: `auto ${said}` }),
  place: (said) => withMore({ inference_geo: said }),
  vendor: (said) => withMore({ x_vendor: { list: [said] } }),
  'vendor-key': (said) => withMore({ x_vendor: { [said]: null } }),
  count: { put: (said) => talk(user(said)), path: '/v1/messages/count_tokens' },
  'count-system': { put: (said) => withMore({ system: [text(said)] }), path: '/v1/messages/count_tokens' },
}

/** Named after their API. */
export const MESSAGES_IN: Readonly<Record<string, InPlace>> = Object.fromEntries(
  Object.entries(PUTS).map(([name, one]) => {
    const { put, ...more } = typeof one === 'function' ? { put: one } : one
    const base = 'path' in more ? { model: 'gpt-test' } : { model: 'gpt-test', max_tokens: 100 }
    return [
      `messages-${name}`,
      { api: 'messages', ...more, put: (said, parts) => ({ ...base, ...put(said, parts) }) } satisfies InPlace,
    ]
  }),
)
