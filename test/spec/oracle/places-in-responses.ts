/** Where a caller can put text in a request of the responses API. */
import type { Json } from '../../../core/engine/contract/plugin.ts'
import type { InPlace, JsonObject } from './places-in.ts'

type Put = InPlace['put']

const ask = (...input: JsonObject[]): JsonObject => ({ input })
const withMore = (more: JsonObject): JsonObject => ({ input: 'Hello there', ...more })
const message = (role: string, content: Json, more: JsonObject = {}): JsonObject => ({
  type: 'message',
  role,
  content,
  ...more,
})
const hello = message('user', 'Hello there')
const part = (text: string, more: JsonObject = {}): JsonObject => ({ type: 'input_text', text, ...more })
const said = (text: string, more: JsonObject = {}): JsonObject => ({
  type: 'output_text',
  text,
  annotations: [],
  ...more,
})
/** An item behind a first message. */
const item = (type: string, more: JsonObject): JsonObject => ask(hello, { type, ...more })
const call = (args: string, more: JsonObject = {}): JsonObject =>
  item('function_call', { call_id: 'call_1', name: 'save', arguments: args, ...more })
const output = (value: Json, type = 'function_call'): JsonObject =>
  ask(
    hello,
    { type, call_id: 'call_1', name: 'save', [type === 'function_call' ? 'arguments' : 'input']: '{}' },
    { type: `${type}_output`, call_id: 'call_1', output: value },
  )
const tool = (more: JsonObject): JsonObject =>
  withMore({ tools: [{ type: 'function', name: 'save', parameters: { type: 'object' }, strict: false, ...more }] })
const page = 'https://example.test/page'
const done = { status: 'completed' }

// biome-ignore format: a table reads best with one entry in a line.
const PUTS: Readonly<Record<string, Put | { put: Put; identifier?: true; closed?: true; path?: string }>> = {
  input: (text) => ({ input: text }),
  instructions: (text) => withMore({ instructions: text }),
  user: (text) => ask(message('user', text)),
  'user-untyped': (text) => ask({ role: 'user', content: text }),
  'user-part': (text) => ask(message('user', [part(text)])),
  'user-parts': (_text, parts) => ask(message('user', parts.map((one) => part(one)))),
  'user-parts-image-between': (_text, parts) => ask(message('user', parts.flatMap((one) => [part(one), { type: 'input_image', detail: 'auto', image_url: 'https://example.test/a.png' }]))),
  developer: (text) => ask(message('developer', [part(text)]), hello),
  system: (text) => ask(message('system', text), hello),
  assistant: (text) => ask(hello, message('assistant', [said(text)], { id: 'msg_1', ...done }), hello),
  'assistant-parts': (_text, parts) => ask(hello, message('assistant', parts.map((one) => said(one)), done), hello),
  'assistant-text': (text) => ask(hello, message('assistant', text), hello),
  'unknown-role': (text) => ask(message('moderator', text)),
  refusal: (refusal) => ask(hello, message('assistant', [{ type: 'refusal', refusal }])),
  'annotation-title': (title) => ask(hello, message('assistant', [said('Fine', { annotations: [{ type: 'url_citation', start_index: 0, end_index: 4, url: page, title }] })])),
  'annotation-address': (text) => ask(hello, message('assistant', [said('Fine', { annotations: [{ type: 'url_citation', start_index: 0, end_index: 4, url: `${page}?q=${text}`, title: 'x' }] })])),
  'annotation-file': (filename) => ask(hello, message('assistant', [said('Fine', { annotations: [{ type: 'file_citation', index: 0, file_id: 'file-1', filename }] })])),
  logprobs: (text) => ask(hello, message('assistant', [said(text, { logprobs: (text.match(/.{1,4}/gsu) ?? []).map((token) => ({ token, logprob: -1, bytes: [...Buffer.from(token)], top_logprobs: [] })) })])),
  'image-address': (text) => ask(message('user', [{ type: 'input_image', detail: 'auto', image_url: `https://example.test/a.png?note=${text}` }])),
  'image-data-text': (text) => ask(message('user', [{ type: 'input_image', detail: 'auto', image_url: `data:text/plain,${text}` }])),
  'image-detail': (text) => ask(message('user', [{ type: 'input_image', detail: `low ${text}`, image_url: 'https://example.test/a.png' }])),
  'file-name': (text) => ask(message('user', [{ type: 'input_file', filename: `${text}.csv`, file_data: 'data:text/csv;base64,bmFtZQ==' }])),
  'file-data-text': (text) => ask(message('user', [{ type: 'input_file', filename: 'a.txt', file_data: `data:text/plain,${text}` }])),
  'file-address': (text) => ask(message('user', [{ type: 'input_file', file_url: `https://example.test/a.pdf?q=${text}` }])),
  'file-id': { put: (file_id) => ask(message('user', [{ type: 'input_file', file_id }])), identifier: true },
  'unknown-part': (text) => ask(message('user', [{ type: 'note', note: { lines: [text] } }])),
  'part-vendor': (text) => ask(message('user', [part('Hello', { x_note: { [text]: text } })])),
  'message-vendor': (text) => ask({ ...hello, x_note: [text] }),
  'message-phase': (phase) => ask(hello, message('assistant', 'Fine', { phase })),
  arguments: (note) => call(JSON.stringify({ note })),
  'arguments-key': (text) => call(JSON.stringify({ [text]: 1 })),
  'arguments-nested': (note) => call(JSON.stringify({ body: JSON.stringify({ note }) })),
  'arguments-raw': (text) => call(text),
  'call-name': { put: (name) => call('{}', { name }), identifier: true },
  'call-namespace': { put: (namespace) => call('{}', { namespace }), identifier: true },
  'call-id': { put: (call_id) => ask(hello, { type: 'function_call', call_id, name: 'save', arguments: '{}' }, { type: 'function_call_output', call_id, output: 'ok' }), identifier: true },
  'call-vendor': (text) => call('{}', { thought: text }),
  output: (text) => output(text),
  'output-parts': (_text, parts) => output(parts.map((one) => part(one))),
  'output-image': (text) => output([{ type: 'input_image', detail: 'auto', image_url: `https://example.test/a.png?q=${text}` }]),
  'custom-input': (input) => item('custom_tool_call', { call_id: 'call_1', name: 'run', input }),
  'custom-output': (text) => output(text, 'custom_tool_call'),
  summary: (text) => item('reasoning', { summary: [{ type: 'summary_text', text }] }),
  'summary-parts': (_text, parts) => item('reasoning', { summary: parts.map((text) => ({ type: 'summary_text', text })) }),
  reasoning: (text) => item('reasoning', { id: 'rs_1', summary: [], content: [{ type: 'reasoning_text', text }] }),
  'reasoning-sealed': (text) => item('reasoning', { id: 'rs_1', summary: [], encrypted_content: text }),
  compaction: (text) => item('compaction', { encrypted_content: text }),
  'web-query': (query) => item('web_search_call', { id: 'ws_1', ...done, action: { type: 'search', query } }),
  'web-queries': (text) => item('web_search_call', { id: 'ws_1', ...done, action: { type: 'search', queries: [text], sources: [{ type: 'url', url: `${page}?q=${text}` }] } }),
  'web-pattern': (pattern) => item('web_search_call', { id: 'ws_1', ...done, action: { type: 'find_in_page', url: page, pattern } }),
  'file-query': (text) => item('file_search_call', { id: 'fs_1', ...done, queries: [text] }),
  'file-result': (text) => item('file_search_call', { id: 'fs_1', ...done, queries: [], results: [{ file_id: 'file-1', filename: 'a.pdf', score: 0.5, text }] }),
  'file-result-name': (filename) => item('file_search_call', { id: 'fs_1', ...done, queries: [], results: [{ file_id: 'file-1', filename, score: 0.5, text: 'x' }] }),
  'file-attribute': (text) => item('file_search_call', { id: 'fs_1', ...done, queries: [], results: [{ file_id: 'file-1', filename: 'a', score: 0.5, text: 'x', attributes: { [text]: text } }] }),
  code: (code) => item('code_interpreter_call', { id: 'ci_1', ...done, container_id: 'cntr_1', code, outputs: null }),
  'code-logs': (logs) => item('code_interpreter_call', { id: 'ci_1', ...done, container_id: 'cntr_1', code: '1', outputs: [{ type: 'logs', logs }] }),
  'computer-text': (text) => item('computer_call', { id: 'cu_1', call_id: 'call_3', ...done, action: { type: 'type', text }, pending_safety_checks: [] }),
  'computer-check': (text) => item('computer_call', { id: 'cu_1', call_id: 'call_3', ...done, action: { type: 'wait' }, pending_safety_checks: [{ id: 'sc_1', code: 'x', message: text }] }),
  'computer-screen': (text) => item('computer_call_output', { call_id: 'call_3', output: { type: 'computer_screenshot', image_url: `https://example.test/s.png?q=${text}` } }),
  'image-prompt': (text) => item('image_generation_call', { ...done, result: null, revised_prompt: text }),
  'image-result': (text) => item('image_generation_call', { id: 'ig_1', ...done, result: text }),
  'local-shell': (text) => item('local_shell_call', { id: 'ls_1', call_id: 'call_4', ...done, action: { type: 'exec', command: ['echo', text], env: {} } }),
  'local-shell-env': (text) => item('local_shell_call', { id: 'ls_1', call_id: 'call_4', ...done, action: { type: 'exec', command: ['ls'], env: { NOTE: text }, working_directory: `/srv/${text}` } }),
  'local-shell-output': (text) => item('local_shell_call_output', { id: 'call_4', output: text }),
  shell: (text) => item('shell_call', { call_id: 'call_5', action: { commands: [text], timeout_ms: 1000, max_output_length: null } }),
  'shell-stdout': (stdout) => item('shell_call_output', { call_id: 'call_5', output: [{ stdout, stderr: '', outcome: { type: 'exit', exit_code: 0 } }] }),
  'shell-stderr': (stderr) => item('shell_call_output', { call_id: 'call_5', output: [{ stdout: '', stderr, outcome: { type: 'exit', exit_code: 0 } }] }),
  patch: (diff) => item('apply_patch_call', { call_id: 'call_6', ...done, operation: { type: 'update_file', path: 'a.ts', diff } }),
  'patch-path': (path) => item('apply_patch_call', { call_id: 'call_6', ...done, operation: { type: 'delete_file', path } }),
  'patch-output': (text) => item('apply_patch_call_output', { call_id: 'call_6', ...done, output: text }),
  'mcp-arguments': (note) => item('mcp_call', { id: 'mcp_1', server_label: 'crm', name: 'get', arguments: JSON.stringify({ note }), output: 'x' }),
  'mcp-output': (text) => item('mcp_call', { id: 'mcp_1', server_label: 'crm', name: 'get', arguments: '{}', output: text }),
  'mcp-error': (text) => item('mcp_call', { id: 'mcp_1', server_label: 'crm', name: 'get', arguments: '{}', error: { type: 'x', message: text } }),
  'mcp-approval': (reason) => ask(hello, { type: 'mcp_approval_request', id: 'mcpr_1', server_label: 'crm', name: 'get', arguments: '{}' }, { type: 'mcp_approval_response', approval_request_id: 'mcpr_1', approve: true, reason }),
  'mcp-tools': (description) => item('mcp_list_tools', { id: 'mcpl_1', server_label: 'crm', tools: [{ name: 'get', description, input_schema: { type: 'object', properties: { [description]: {} } } }] }),
  'tool-search': (query) => item('tool_search_call', { call_id: 'call_7', execution: 'client', ...done, arguments: { query } }),
  'tool-search-output': (description) => item('tool_search_output', { call_id: 'call_7', execution: 'client', ...done, tools: [{ type: 'function', name: 'late', description, parameters: {} }] }),
  'additional-tools': (description) => item('additional_tools', { role: 'developer', tools: [{ type: 'namespace', name: 'functions', description, tools: [{ type: 'custom', name: 'exec', description }] }] }),
  'configuration-update': (description) => item('configuration_update', { text: { format: { type: 'json_schema', name: 'late', schema: { type: 'object', description } } } }),
  program: (code) => item('program', { id: 'prog_1', call_id: 'call_8', code }),
  'program-result': (result) => item('program_output', { id: 'po_1', call_id: 'call_8', ...done, result }),
  'unknown-item': (text) => ask(hello, { type: 'new_item', note: { [text]: [text] } }),
  reference: { put: (id) => ask(hello, { type: 'item_reference', id }), closed: true },
  'reference-bare': { put: (id) => ask(hello, { id }), closed: true },
  'previous-id': { put: (text) => withMore({ previous_response_id: text }), closed: true },
  conversation: { put: (id) => withMore({ conversation: { id } }), closed: true },
  'prompt-id': { put: (id) => withMore({ prompt: { id } }), closed: true },
  'prompt-variable': { put: (text) => withMore({ prompt: { id: 'pmpt_1', variables: { name: text, part: part(text) } } }), closed: true },
  'tool-description': (description) => tool({ description }),
  'tool-name': { put: (name) => tool({ name }), identifier: true },
  'tool-schema': (description) => tool({ parameters: { type: 'object', properties: { a: { type: 'string', description } } } }),
  'tool-schema-enum': (text) => tool({ parameters: { type: 'object', properties: { a: { enum: ['x', text] } } } }),
  'tool-schema-key': (text) => tool({ parameters: { type: 'object', properties: { [text]: { type: 'string' } } } }),
  'tool-output-schema': (description) => tool({ output_schema: { type: 'object', description } }),
  'tool-grammar': (definition) => withMore({ tools: [{ type: 'custom', name: 'run', format: { type: 'grammar', syntax: 'lark', definition } }] }),
  'tool-namespace': (description) => withMore({ tools: [{ type: 'namespace', name: 'ns', description, tools: [{ type: 'function', name: 'a', description, parameters: {} }] }] }),
  'tool-mcp': (text) => withMore({ tools: [{ type: 'mcp', server_label: 'crm', server_url: `https://example.test/mcp?q=${text}`, server_description: text }] }),
  'tool-location': (city) => withMore({ tools: [{ type: 'web_search', user_location: { type: 'approximate', city }, filters: { allowed_domains: [city] } }] }),
  'tool-filter': (value) => withMore({ tools: [{ type: 'file_search', vector_store_ids: ['vs_1'], filters: { type: 'eq', key: 'owner', value } }] }),
  'tool-choice': { put: (name) => withMore({ tool_choice: { type: 'function', name } }), identifier: true },
  'format-description': (description) => withMore({ text: { format: { type: 'json_schema', name: 'x', description, schema: { type: 'object' } } } }),
  'format-schema': (text) => withMore({ text: { format: { type: 'json_schema', name: 'x', schema: { type: 'object', properties: { a: { enum: [text] } } } } } }),
  verbosity: (text) => withMore({ text: { verbosity: `low ${text}` } }),
  metadata: (note) => withMore({ metadata: { note } }),
  'metadata-key': (text) => withMore({ metadata: { [text]: 'x' } }),
  'user-name': (user) => withMore({ user }),
  'safety-name': (text) => withMore({ safety_identifier: text }),
  'cache-key': (text) => withMore({ prompt_cache_key: text }),
  include: (text) => withMore({ include: ['reasoning.encrypted_content', text] }),
  effort: (text) => withMore({ reasoning: { effort: `low ${text}` } }),
  'service-tier': (text) => withMore({ service_tier: `auto ${text}` }),
  truncation: (text) => withMore({ truncation: `auto ${text}` }),
  'client-metadata': (text) => withMore({ client_metadata: { 'x-codex-turn-metadata': JSON.stringify({ cwd: text }) } }),
  count: { put: (text) => ask(message('user', [part(text)])), path: '/v1/responses/input_tokens' },
  'count-instructions': { put: (instructions) => withMore({ instructions }), path: '/v1/responses/input_tokens' },
  compact: { put: (text) => ask(hello, message('assistant', [said(text)])), path: '/v1/responses/compact' },
  'compact-instructions': { put: (instructions) => withMore({ instructions }), path: '/v1/responses/compact' },
  'compact-vendor': { put: (text) => withMore({ x_vendor: { [text]: [text] } }), path: '/v1/responses/compact' },
  vendor: (text) => withMore({ x_vendor: { list: [text] } }),
  'vendor-key': (text) => withMore({ x_vendor: { [text]: null } }),
}

/** Named after their API. */
export const RESPONSES_IN: Readonly<Record<string, InPlace>> = Object.fromEntries(
  Object.entries(PUTS).map(([name, one]) => {
    const { put, ...more } = typeof one === 'function' ? { put: one } : one
    return [
      `responses-${name}`,
      {
        api: 'responses',
        ...more,
        put: (text, parts) => ({ model: 'gpt-test', ...put(text, parts) }),
      } satisfies InPlace,
    ]
  }),
)
