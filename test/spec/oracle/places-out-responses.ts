/** Where a provider can put text in a response of the responses API, streamed and whole. */
import type { Json } from '../../../core/engine/contract/plugin.ts'
import { type JsonObject, QUOTES } from './places-in.ts'
import type { OutPlace } from './places-out.ts'
import { inTurns, replacedPlaces } from './places-out-replaced.ts'
import { inTwoParts } from './places-out-two.ts'

/** What a response says, as a stream and as a whole. */
export interface ResponseScene {
  /** Events between the first and the last one. */
  readonly events?: (parts: readonly string[]) => JsonObject[]
  /** The items that the last event and a whole reply tell. */
  readonly output?: (text: string, parts: readonly string[]) => JsonObject[]
  /** Members of the response, in the last event and in a whole reply. */
  readonly members?: (text: string) => JsonObject
  /** Of the first event, too. */
  readonly isEarly?: true
  /** There is no such whole reply. */
  readonly isStreamOnly?: true
}

export interface Place extends ResponseScene {
  once?: true
  identifier?: true
  replaced?: true
  turns?: true
  wrap?: (text: string) => string
}

/** The copies of a text: deltas, their end, the part, the item, the last event. What is left out says `Fine`, or nothing. */
type Copy = 'deltas' | 'done' | 'part' | 'item' | 'last'
export const ALL: readonly Copy[] = ['deltas', 'done', 'part', 'item', 'last']

/** A text that grows in an item. */
export interface Growing {
  /** Name of its events, without `.delta` and `.done`. */
  readonly name: string
  /** The member of the event that ends it. */
  readonly whole: string
  /** Its place beside the index of the item. */
  readonly at: JsonObject
  readonly item: (text: string) => JsonObject
  /** The part that has it, and how the events of that part are called. */
  readonly part?: { readonly name: string; readonly of: (text: string) => JsonObject }
  readonly delta?: (piece: string) => Json
  readonly end?: (text: string) => Json
}

export const ITEM_ID = 'item_0000000000'

export function tell(
  growing: Growing,
  parts: readonly string[],
  copies: readonly Copy[] = ALL,
  other = 'Fine',
  index = 0,
): JsonObject[] {
  const { name, whole, at, item, part, delta = (piece) => piece, end = (text) => text } = growing
  const text = parts.join('')
  const of = (copy: Copy): string => (copies.includes(copy) ? text : other)
  const place = { item_id: `${ITEM_ID}${index}`, output_index: index, ...at }
  const id = `${ITEM_ID}${index}`
  return [
    { type: 'response.output_item.added', output_index: index, item: { id, ...item(''), status: 'in_progress' } },
    ...(part ? [{ type: `response.${part.name}.added`, ...place, part: part.of('') }] : []),
    ...(copies.includes('deltas') ? parts : other === '' ? [] : [other]).map((piece) => ({
      type: `${name}.delta`,
      ...place,
      delta: delta(piece),
    })),
    { type: `${name}.done`, ...place, [whole]: end(of('done')) },
    ...(part ? [{ type: `response.${part.name}.done`, ...place, part: part.of(of('part')) }] : []),
    { type: 'response.output_item.done', output_index: index, item: { id, ...item(of('item')), status: 'completed' } },
  ]
}

export const grows = (growing: Growing, wrap?: (text: string) => string): Place => ({
  ...(wrap && { wrap }),
  events: (parts) => tell(growing, parts),
  output: (text) => [{ id: `${ITEM_ID}0`, ...growing.item(text), status: 'completed' }],
})
/** Only these copies have the text. */
const only = (copies: readonly Copy[], other?: string, growing: Growing = TEXT): Place => ({
  events: (parts) => tell(growing, parts, copies, other),
  output: (text) => [
    { id: `${ITEM_ID}0`, ...growing.item(copies.includes('last') ? text : (other ?? 'Fine')), status: 'completed' },
  ],
  isStreamOnly: true,
})

const textPart = (text: string, more: JsonObject = {}): JsonObject => ({
  type: 'output_text',
  text,
  annotations: [],
  logprobs: [],
  ...more,
})
export const message = (...content: JsonObject[]): JsonObject => ({ type: 'message', role: 'assistant', content })
export const TEXT: Growing = {
  name: 'response.output_text',
  whole: 'text',
  at: { content_index: 0 },
  item: (text) => message(textPart(text)),
  part: { name: 'content_part', of: textPart },
}
const refusal = (said: string): JsonObject => ({ type: 'refusal', refusal: said })
const REFUSAL: Growing = {
  name: 'response.refusal',
  whole: 'refusal',
  at: { content_index: 0 },
  item: (text) => message(refusal(text)),
  part: { name: 'content_part', of: refusal },
}
const summary = (text: string): JsonObject => ({ type: 'summary_text', text })
const SUMMARY: Growing = {
  name: 'response.reasoning_summary_text',
  whole: 'text',
  at: { summary_index: 0 },
  item: (text) => ({ type: 'reasoning', summary: [summary(text)] }),
  part: { name: 'reasoning_summary_part', of: summary },
}
const thought = (text: string): JsonObject => ({ type: 'reasoning_text', text })
const REASONING: Growing = {
  name: 'response.reasoning_text',
  whole: 'text',
  at: { content_index: 0 },
  item: (text) => ({ type: 'reasoning', summary: [], content: [thought(text)] }),
  part: { name: 'content_part', of: thought },
}
export const ARGUMENTS: Growing = {
  name: 'response.function_call_arguments',
  whole: 'arguments',
  at: {},
  item: (args) => ({ type: 'function_call', call_id: 'call_1', name: 'save', arguments: args }),
}
const INPUT: Growing = {
  name: 'response.custom_tool_call_input',
  whole: 'input',
  at: {},
  item: (input) => ({ type: 'custom_tool_call', call_id: 'call_1', name: 'run', input }),
}
const MCP: Growing = {
  name: 'response.mcp_call_arguments',
  whole: 'arguments',
  at: {},
  item: (args) => ({ type: 'mcp_call', server_label: 'crm', name: 'get', arguments: args, output: null, error: null }),
}
const CODE: Growing = {
  name: 'response.code_interpreter_call_code',
  whole: 'code',
  at: {},
  item: (code) => ({ type: 'code_interpreter_call', code, container_id: 'cntr_1', outputs: null }),
}
const SHELL: Growing = {
  name: 'response.shell_call_command',
  whole: 'command',
  at: { command_index: 0 },
  item: (command) => ({
    type: 'shell_call',
    call_id: 'call_1',
    action: { commands: command === '' ? [] : [command], max_output_length: null, timeout_ms: null },
  }),
}
const PATCH: Growing = {
  name: 'response.apply_patch_call_operation_diff',
  whole: 'diff',
  at: {},
  item: (diff) => ({
    type: 'apply_patch_call',
    call_id: 'call_1',
    operation: { type: 'update_file', path: 'a.ts', diff },
  }),
}
const stdout = (said: string): JsonObject => ({ stdout: said, stderr: '', outcome: { type: 'exit', exit_code: 0 } })
const STDOUT: Growing = {
  name: 'response.shell_call_output_content',
  whole: 'output',
  at: { command_index: 0 },
  item: (text) => ({
    type: 'shell_call_output',
    call_id: 'call_1',
    max_output_length: null,
    output: text === '' ? [] : [stdout(text)],
  }),
  delta: (piece) => ({ stdout: piece }),
  end: (text) => [stdout(text)],
}
const STDERR: Growing = {
  ...STDOUT,
  item: (text) => ({
    type: 'shell_call_output',
    call_id: 'call_1',
    max_output_length: null,
    output: text === '' ? [] : [{ ...stdout(''), stderr: text }],
  }),
  delta: (piece) => ({ stderr: piece }),
  end: (text) => [{ ...stdout(''), stderr: text }],
}

const noted = (note: string): string => JSON.stringify({ note })
const page = 'https://example.test/page'
const FINE = { id: `${ITEM_ID}0`, ...message(textPart('Fine')), status: 'completed' }

/** An item that is told whole when it is done. */
const item = (type: string, make: (text: string) => JsonObject): Place => {
  const of = (text: string): JsonObject => ({ id: `${ITEM_ID}0`, type, status: 'completed', ...make(text) })
  return {
    once: true,
    events: ([text]) => [
      { type: 'response.output_item.added', output_index: 0, item: { id: `${ITEM_ID}0`, type, status: 'in_progress' } },
      { type: 'response.output_item.done', output_index: 0, item: of(text as string) },
    ],
    output: (text) => [of(text)],
  }
}
/** Likewise, but nothing repeats it. */
const single = (events: (text: string) => JsonObject[]): Place => ({
  once: true,
  events: ([text]) => [...tell(TEXT, ['Fine']), ...events(text as string)],
  output: () => [FINE],
  isStreamOnly: true,
})
const member = (members: (text: string) => JsonObject, more: Partial<Place> = {}): Place => ({
  once: true,
  events: () => tell(TEXT, ['Fine']),
  output: () => [FINE],
  members,
  ...more,
})
const cited = (make: (text: string) => JsonObject): Place => {
  const annotation = (text: string): JsonObject => ({
    type: 'url_citation',
    start_index: 0,
    end_index: 4,
    url: page,
    title: 'A page',
    ...make(text),
  })
  const said = (text: string): JsonObject => message(textPart('Fine', { annotations: [annotation(text)] }))
  return {
    once: true,
    events: ([text]) => {
      const place = { item_id: `${ITEM_ID}0`, output_index: 0, content_index: 0 }
      const events = tell(
        {
          ...TEXT,
          item: () => said(text as string),
          part: {
            name: 'content_part',
            of: (t) => textPart(t, { annotations: t === '' ? [] : [annotation(text as string)] }),
          },
        },
        ['Fine'],
      )
      events.splice(3, 0, {
        type: 'response.output_text.annotation.added',
        ...place,
        annotation_index: 0,
        annotation: annotation(text as string),
      })
      return [
        { ...(events[0] as JsonObject), item: { id: `${ITEM_ID}0`, ...message(), status: 'in_progress' } },
        ...events.slice(1),
      ]
    },
    output: (text) => [{ id: `${ITEM_ID}0`, ...said(text), status: 'completed' }],
  }
}
export const probabilities = (text: string): Json =>
  (text.match(/.{1,4}/gsu) ?? []).map((token) => ({
    token,
    logprob: -0.1,
    bytes: [...Buffer.from(token)],
    top_logprobs: [],
  }))

// biome-ignore format: a table reads best with one entry in a line.
const PLACES: Readonly<Record<string, Place>> = {
  text: grows(TEXT),
  'text-only-deltas': only(['deltas'], ''),
  'text-only-done': only(['done'], ''),
  'text-only-part': only(['part'], ''),
  'text-only-item': only(['item'], ''),
  'text-only-last': only(['last'], ''),
  'text-odd-deltas': only(['deltas']),
  'text-odd-done': only(['done']),
  'text-odd-part': only(['part']),
  'text-odd-item': only(['item']),
  'text-odd-last': only(['last']),
  'text-deltas-and-last': only(['deltas', 'last'], ''),
  'text-done-and-item': only(['done', 'item']),
  'text-parts': { events: (parts) => parts.flatMap((piece, at) => tell({ ...TEXT, at: { content_index: at }, item: (told) => message(...parts.slice(0, told === '' ? 0 : at + 1).map((one) => textPart(one))) }, [piece]).slice(at === 0 ? 0 : 1, at === parts.length - 1 ? undefined : -1)), isStreamOnly: true },
  'text-added': single((text) => [{ type: 'response.output_item.added', output_index: 1, item: { id: 'item_1', ...message(textPart(text)), status: 'in_progress' } }]),
  'text-part-added': single((text) => [{ type: 'response.output_item.added', output_index: 1, item: { id: 'item_1', ...message(), status: 'in_progress' } }, { type: 'response.content_part.added', item_id: 'item_1', output_index: 1, content_index: 0, part: textPart(text) }]),
  'text-logprobs': { ...grows(TEXT), events: (parts) => tell(TEXT, parts).map((event) => (event.type === 'response.output_text.delta' ? { ...event, logprobs: probabilities(event.delta as string) } : event.type === 'response.output_text.done' ? { ...event, logprobs: probabilities(event.text as string) } : event)) },
  'logprobs-alone': single((text) => [{ type: 'response.output_text.delta', item_id: `${ITEM_ID}0`, output_index: 0, content_index: 0, delta: 'x', logprobs: probabilities(text) }]),
  'logprobs-item': item('message', (text) => ({ role: 'assistant', content: [textPart('x', { logprobs: probabilities(text) })] })),
  'event-name': single((text) => [{ type: 'response.output_text.delta', item_id: `${ITEM_ID}0`, output_index: 0, content_index: 0, delta: 'x', [text]: null }]),
  'unknown-event-name': single((text) => [{ type: 'response.new_event', [text]: null }]),
  'event-type': single((text) => [{ type: { note: [text] } as unknown as string }]),
  'done-list': single((text) => [{ type: 'response.output_text.done', item_id: `${ITEM_ID}0`, output_index: 0, content_index: 1, text: [text] as unknown as string }]),
  'arguments-list': single((text) => [{ type: 'response.function_call_arguments.done', item_id: `${ITEM_ID}1`, output_index: 1, arguments: [text] as unknown as string }]),
  'text-vendor': { events: (parts) => tell(TEXT, parts.map(() => 'x')).map((event, at) => (event.type === 'response.output_text.delta' ? { ...event, x_note: parts[at - 2] as string } : event)), isStreamOnly: true },
  'part-vendor': item('message', (text) => ({ role: 'assistant', content: [textPart('x', { x_note: { [text]: [text] } })] })),
  'part-unknown': item('message', (text) => ({ role: 'assistant', content: [{ type: 'note', lines: [text] }] })),
  'item-vendor': item('message', (text) => ({ role: 'assistant', content: [textPart('x')], x_note: [text] })),
  'item-phase': item('message', (phase) => ({ role: 'assistant', content: [textPart('x')], phase })),
  'item-unknown': item('new_item', (text) => ({ note: { [text]: [text] } })),
  refusal: grows(REFUSAL),
  'refusal-odd-last': only(['last'], 'Fine', REFUSAL),
  summary: grows(SUMMARY),
  'summary-odd-item': only(['item'], 'Fine', SUMMARY),
  'summary-parts': { events: (parts) => parts.flatMap((piece, at) => tell({ ...SUMMARY, at: { summary_index: at }, item: (told) => ({ type: 'reasoning', summary: parts.slice(0, told === '' ? 0 : at + 1).map(summary) }) }, [piece]).slice(at === 0 ? 0 : 1, at === parts.length - 1 ? undefined : -1)), isStreamOnly: true },
  reasoning: grows(REASONING),
  'reasoning-sealed': item('reasoning', (text) => ({ summary: [], encrypted_content: text })),
  arguments: grows(ARGUMENTS, noted),
  'arguments-key': grows(ARGUMENTS, (text) => JSON.stringify({ [text]: 1 })),
  'arguments-nested': grows(ARGUMENTS, (text) => JSON.stringify({ body: noted(text) })),
  'arguments-raw': grows(ARGUMENTS, (text) => text),
  'arguments-broken': grows(ARGUMENTS, (text) => `{"note": "${text.replace(QUOTES, '')}`),
  'arguments-only-item': { ...only(['item'], '', ARGUMENTS), wrap: noted },
  'arguments-only-last': { ...only(['last'], '', ARGUMENTS), wrap: noted },
  'arguments-odd-done': { ...only(['done'], '{}', ARGUMENTS), wrap: noted },
  'arguments-odd-item': { ...only(['item'], '{}', ARGUMENTS), wrap: noted },
  'arguments-only-deltas': { ...only(['deltas'], '', ARGUMENTS), wrap: noted },
  'arguments-object': item('function_call', (note) => ({ call_id: 'call_1', name: 'save', arguments: { note } })),
  'call-name': item('function_call', (text) => ({ call_id: 'call_1', name: `save ${text}`, arguments: '{}' })),
  'call-id': { ...item('function_call', (call_id) => ({ call_id, name: 'save', arguments: '{}' })), identifier: true },
  'call-vendor': item('function_call', (thought) => ({ call_id: 'call_1', name: 'save', arguments: '{}', thought })),
  'call-done-name': single((name) => [{ type: 'response.function_call_arguments.done', item_id: `${ITEM_ID}1`, output_index: 1, name, arguments: '{}' }]),
  input: grows(INPUT),
  'input-only-item': only(['item'], '', INPUT),
  'input-odd-last': only(['last'], 'ls', INPUT),
  'mcp-arguments': grows(MCP, noted),
  'mcp-output': item('mcp_call', (output) => ({ server_label: 'crm', name: 'get', arguments: '{}', output })),
  'mcp-error': item('mcp_call', (text) => ({ server_label: 'crm', name: 'get', arguments: '{}', error: { type: 'x', message: text } })),
  'mcp-label': item('mcp_call', (server_label) => ({ server_label, name: 'get', arguments: '{}' })),
  'mcp-tools': item('mcp_list_tools', (description) => ({ server_label: 'crm', tools: [{ name: 'get', description, input_schema: { type: 'object', properties: { [description]: {} } } }] })),
  'mcp-approval': item('mcp_approval_request', (note) => ({ server_label: 'crm', name: 'get', arguments: noted(note) })),
  code: grows(CODE),
  'code-odd-item': only(['item'], '1', CODE),
  'code-logs': item('code_interpreter_call', (logs) => ({ code: '1', container_id: 'cntr_1', outputs: [{ type: 'logs', logs }] })),
  shell: grows(SHELL),
  'shell-added': single((command) => [{ type: 'response.shell_call_command.added', output_index: 1, command_index: 0, command }]),
  'shell-odd-last': only(['last'], 'ls', SHELL),
  'shell-stdout': grows(STDOUT),
  'shell-stderr': grows(STDERR),
  'shell-stdout-odd-done': only(['done'], 'x', STDOUT),
  'shell-stdout-odd-last': only(['last'], 'x', STDOUT),
  patch: grows(PATCH),
  'patch-path': item('apply_patch_call', (path) => ({ call_id: 'call_1', operation: { type: 'delete_file', path } })),
  'local-shell': item('local_shell_call', (text) => ({ call_id: 'call_1', action: { type: 'exec', command: ['echo', text], env: { [text]: text }, working_directory: text } })),
  'computer-text': item('computer_call', (text) => ({ call_id: 'call_1', action: { type: 'type', text }, pending_safety_checks: [{ id: 'sc_1', message: text }] })),
  'web-query': item('web_search_call', (query) => ({ action: { type: 'search', query, queries: [query], sources: [{ type: 'url', url: `${page}?q=${query}` }] } })),
  'file-query': item('file_search_call', (text) => ({ queries: [text], results: null })),
  'file-result': item('file_search_call', (text) => ({ queries: [], results: [{ file_id: 'file-1', filename: text, score: 0.5, text, attributes: { [text]: text } }] })),
  'image-prompt': item('image_generation_call', (revised_prompt) => ({ result: null, revised_prompt })),
  'image-result': item('image_generation_call', (result) => ({ result })),
  'image-partial': single((text) => [{ type: 'response.image_generation_call.partial_image', item_id: 'ig_1', output_index: 1, partial_image_index: 0, partial_image_b64: text }]),
  'tool-search': item('tool_search_call', (query) => ({ call_id: 'call_1', execution: 'client', arguments: { query } })),
  program: item('program', (code) => ({ call_id: 'call_1', code })),
  'program-result': item('program_output', (result) => ({ call_id: 'call_1', result })),
  compaction: item('compaction', (text) => ({ encrypted_content: text })),
  transcript: { events: (parts) => [...tell(TEXT, ['Fine']), ...parts.map((delta) => ({ type: 'response.audio.transcript.delta', delta }))], output: () => [FINE], isStreamOnly: true },
  audio: single((delta) => [{ type: 'response.audio.delta', delta }]),
  'annotation-title': cited((title) => ({ title })),
  'annotation-address': cited((text) => ({ url: `${page}?q=${text}` })),
  'annotation-file': cited((filename) => ({ type: 'container_file_citation', container_id: 'cntr_1', file_id: 'file-1', filename })),
  'annotation-vendor': cited((text) => ({ x_note: { [text]: text } })),
  'event-unknown': { events: (parts) => [...tell(TEXT, ['Fine']), ...parts.map((delta) => ({ type: 'response.note.delta', output_index: 0, delta }))], output: () => [FINE], isStreamOnly: true },
  'event-unknown-deep': { events: (parts) => [...tell(TEXT, ['Fine']), ...parts.map((a) => ({ type: 'response.note', list: [{ a }] }))], output: () => [FINE], isStreamOnly: true },
  'event-unknown-key': single((text) => [{ type: 'response.note', note: { [text]: 1 } }]),
  'event-unknown-name': single((text) => [{ type: text.replace(/[\r\n]/g, ' ') }]),
  'event-vendor': { events: (parts) => [...tell(TEXT, ['Fine']), ...parts.map((x_note) => ({ type: 'keepalive', x_note }))], output: () => [FINE], isStreamOnly: true },
  'progress-vendor': single((text) => [{ type: 'response.web_search_call.searching', item_id: 'ws_1', output_index: 1, x_note: { [text]: text } }]),
  ...replacedPlaces(TEXT),
  error: { ...single((text) => [{ type: 'error', code: 'server_error', message: text, param: text }]) },
  'error-nested': single((text) => [{ type: 'error', error: { type: text, code: text, message: text, param: null } }]),
  'response-id': { ...member((id) => ({ id }), { isEarly: true }), identifier: true },
  'response-vendor': member((text) => ({ x_note: { [text]: [text] } })),
  'response-vendor-early': member((text) => ({ x_note: { [text]: [text] } }), { isEarly: true }),
  'response-text': member((output_text) => ({ output_text })),
  'response-status': member((text) => ({ status: `completed ${text}` })),
  'response-model': member((text) => ({ model: `gpt ${text}` }), { isEarly: true }),
  'response-error': member((text) => ({ status: 'failed', error: { code: text, message: text } })),
  'response-incomplete': member((reason) => ({ status: 'incomplete', incomplete_details: { reason } })),
  'response-usage': member((text) => ({ usage: { input_tokens: 1, output_tokens: 1, total_tokens: 2, x_note: text } })),
  'echo-instructions': member((instructions) => ({ instructions }), { isEarly: true }),
  'echo-metadata': member((text) => ({ metadata: { [text]: text } }), { isEarly: true }),
  'echo-tools': member((description) => ({ tools: [{ type: 'function', name: 'save', description, parameters: {} }] }), { isEarly: true }),
  'echo-user': member((user) => ({ user, safety_identifier: user, prompt_cache_key: user }), { isEarly: true }),
  'echo-previous': { ...member((id) => ({ previous_response_id: id }), { isEarly: true }), identifier: true },
}

/** Named after their API. */
export const RESPONSES_OUT: Readonly<Record<string, OutPlace>> = Object.fromEntries(
  Object.entries({ ...PLACES, ...inTwoParts(TEXT, REFUSAL, SUMMARY, REASONING), ...inTurns(TEXT) }).map(
    ([name, place]) => [`responses-${name}`, { api: 'responses', ...place, response: place } satisfies OutPlace],
  ),
)
