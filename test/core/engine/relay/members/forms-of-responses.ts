/** Events of responses. */
import { type Form, put, type Telling } from './forms.ts'

const resp = {
  id: 'resp_1',
  object: 'response',
  created_at: 1,
  model: 'gpt-4o',
  output: [] as Form[],
  status: 'in_progress',
}
let seq = 0
const ev = (type: string, more: Form) => ({ type, sequence_number: seq++, ...more })
const item0 = { id: 'msg_1', type: 'message', role: 'assistant', status: 'in_progress', content: [] as Form[] }
const rstart = () => [
  ev('response.created', { response: resp }),
  ev('response.output_item.added', { output_index: 0, item: item0 }),
]
const rend = () => [ev('response.completed', { response: { ...resp, status: 'completed' } })]
const rev =
  (type: string, more: Form): Telling =>
  (pieces) => [...rstart(), ...pieces.map((x) => put(ev(type, more), x)), ...rend()]
const life =
  (more: Form): Telling =>
  (pieces) => [
    ...pieces.map((x, i) =>
      put(ev(i === 0 ? 'response.created' : 'response.in_progress', { response: { ...resp, ...more } }), x),
    ),
    ...rend(),
  ]
const lifeSame =
  (more: Form): Telling =>
  (pieces) => [...pieces.map((x) => put(ev('response.in_progress', { response: { ...resp, ...more } }), x)), ...rend()]
const items =
  (item: Form, done = false): Telling =>
  (pieces) => [
    ev('response.created', { response: resp }),
    ...pieces.flatMap((x, i) => [
      ev('response.output_item.added', { output_index: i, item: put(item, x) }),
      ...(done ? [ev('response.output_item.done', { output_index: i, item: put(item, x) })] : []),
    ]),
    ...rend(),
  ]
const addedTwice =
  (item: Form): Telling =>
  (pieces) => [
    ev('response.created', { response: resp }),
    ...pieces.map((x) => ev('response.output_item.added', { output_index: 0, item: put(item, x) })),
    ...rend(),
  ]
const doneTwice =
  (item: Form): Telling =>
  (pieces) => [
    ev('response.created', { response: resp }),
    ...pieces.map((x) => ev('response.output_item.done', { output_index: 0, item: put(item, x) })),
    ...rend(),
  ]
const at = { item_id: 'msg_1', output_index: 0, content_index: 0 }
export const RESPONSES: Record<string, Telling> = {}
for (const t of [
  'response.output_text.delta',
  'response.refusal.delta',
  'response.reasoning_text.delta',
  'response.function_call_arguments.delta',
  'response.custom_tool_call_input.delta',
  'response.mcp_call_arguments.delta',
  'response.audio.transcript.delta',
  'response.audio.delta',
  'response.code_interpreter_call_code.delta',
  'response.unknown.delta',
])
  RESPONSES[t] = rev(t, { ...at, delta: '@' })
RESPONSES['summary delta'] = rev('response.reasoning_summary_text.delta', { ...at, summary_index: 0, delta: '@' })
for (const t of [
  'response.output_text.delta',
  'response.in_progress_x',
  'response.audio.delta',
  'response.web_search_call.searching',
  'response.function_call_arguments.delta',
])
  for (const m of [
    'item_id',
    'response_id',
    'obfuscation',
    'note',
    'id',
    'sequence_number',
    'output_index',
    'data',
    'signature',
  ])
    RESPONSES[`${t} ${m}`] = rev(t, { ...at, delta: 'x', [m]: '@' })
RESPONSES['logprobs token'] = rev('response.output_text.delta', {
  ...at,
  delta: 'x',
  logprobs: [{ token: '@', logprob: 0, top_logprobs: [] }],
})
RESPONSES['logprobs top'] = rev('response.output_text.delta', {
  ...at,
  delta: 'x',
  logprobs: [{ token: 'x', logprob: 0, top_logprobs: [{ token: '@', logprob: 0 }] }],
})
RESPONSES.partial = rev('response.image_generation_call.partial_image', {
  item_id: 'ig_1',
  output_index: 0,
  partial_image_index: 0,
  partial_image_b64: '@',
})
RESPONSES['annot url'] = rev('response.output_text.annotation.added', {
  ...at,
  annotation_index: 0,
  annotation: { type: 'url_citation', url: '@', title: 't' },
})
RESPONSES['annot file'] = rev('response.output_text.annotation.added', {
  ...at,
  annotation_index: 0,
  annotation: { type: 'file_citation', file_id: '@', filename: 't' },
})
RESPONSES['annot type'] = rev('response.output_text.annotation.added', {
  ...at,
  annotation_index: 0,
  annotation: { type: '@', url: 'u', title: 't' },
})
RESPONSES['part type'] = rev('response.content_part.added', { ...at, part: { type: '@', text: '' } })
for (const m of [
  'id',
  'model',
  'status',
  'service_tier',
  'previous_response_id',
  'user',
  'note',
  'instructions',
  'prompt_cache_key',
  'truncation',
  'object',
  'safety_identifier',
  'created_at',
]) {
  RESPONSES[`life ${m}`] = life({ [m]: '@' })
  RESPONSES[`lifesame ${m}`] = lifeSame({ [m]: '@' })
}
for (const [n, m] of Object.entries({
  reasoning: { reasoning: { effort: '@' } },
  conv: { conversation: { id: '@' } },
  inc: { incomplete_details: { reason: '@' } },
  err: { error: { code: '@', message: 'x' } },
  err2: { error: { code: 'x', message: '@' } },
  usage: { usage: { input_tokens: 1, output_tokens: 1, total_tokens: 2, note: '@' } },
  fmt: { text: { format: { type: '@' } } },
  toolchoice: { tool_choice: '@' },
  tool: { tools: [{ type: '@' }] },
  toolname: { tools: [{ type: 'function', name: '@' }] },
  toolid: { tools: [{ type: 'file_search', vector_store_ids: ['@'] }] },
  meta: { metadata: { a: '@' } },
})) {
  RESPONSES[`life ${n}`] = life(m)
  RESPONSES[`lifesame ${n}`] = lifeSame(m)
}
const ITEMS: Readonly<Record<string, Form>> = {
  'message id': { ...item0, id: '@' },
  'message role': { ...item0, role: '@' },
  'message status': { ...item0, status: '@' },
  'message type': { ...item0, type: '@' },
  phase: { ...item0, phase: '@' },
  'text part': { ...item0, content: [{ type: 'output_text', text: '@', annotations: [] }] },
  'fc id': { id: '@', type: 'function_call', call_id: 'call_1', name: 'f', arguments: '{}' },
  'fc call_id': { id: 'fc_1', type: 'function_call', call_id: '@', name: 'f', arguments: '{}' },
  'fc name': { id: 'fc_1', type: 'function_call', call_id: 'call_1', name: '@', arguments: '{}' },
  'fc args': { id: 'fc_1', type: 'function_call', call_id: 'call_1', name: 'f', arguments: '@' },
  'reasoning enc': { id: 'rs_1', type: 'reasoning', summary: [], encrypted_content: '@' },
  'compaction enc': { id: 'cmp_1', type: 'compaction', encrypted_content: '@' },
  'reasoning summary': { id: 'rs_1', type: 'reasoning', summary: [{ type: 'summary_text', text: '@' }] },
  'image result': { id: 'ig_1', type: 'image_generation_call', status: 'completed', result: '@' },
  'search query': { id: 'ws_1', type: 'web_search_call', status: 'completed', action: { type: 'search', query: '@' } },
  'search url': { id: 'ws_1', type: 'web_search_call', status: 'completed', action: { type: 'open_page', url: '@' } },
  'file result id': {
    id: 'fs_1',
    type: 'file_search_call',
    status: 'completed',
    queries: [],
    results: [{ file_id: '@', text: 't' }],
  },
  'code container': {
    id: 'ci_1',
    type: 'code_interpreter_call',
    status: 'completed',
    code: '',
    container_id: '@',
    outputs: [],
  },
  'code image': {
    id: 'ci_1',
    type: 'code_interpreter_call',
    status: 'completed',
    code: '',
    container_id: 'cntr_1',
    outputs: [{ type: 'image', url: '@' }],
  },
  'computer shot': {
    id: 'co_1',
    type: 'computer_call_output',
    call_id: 'call_1',
    output: { type: 'computer_screenshot', image_url: '@' },
  },
  vendor: { ...item0, note: '@' },
  unknownitem: { id: 'x_1', type: 'vendor_item', data: '@' },
  unknownenc: { id: 'x_1', type: 'vendor_item', encrypted_content: '@' },
  mcp: { id: 'mcp_1', type: 'mcp_call', name: 'f', arguments: '{}', server_label: '@' },
}
for (const [n, i] of Object.entries(ITEMS)) {
  RESPONSES[`items ${n}`] = items(i)
  RESPONSES[`items and done ${n}`] = items(i, true)
  RESPONSES[`added twice ${n}`] = addedTwice(i)
  RESPONSES[`done twice ${n}`] = doneTwice(i)
}
