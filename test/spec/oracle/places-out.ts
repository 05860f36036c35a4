/** Where a provider can put text: each place turns a text into chunks of a stream, and into a whole completion. */

import type { Json } from '../../../core/engine/contract/plugin.ts'
import type { Api } from './apis.ts'
import { type JsonObject, numbered, QUOTES } from './places-in.ts'
import { numbersOut } from './places-numbers.ts'
import { MESSAGES_OUT, type MessageScene } from './places-out-messages.ts'
import { ARGUMENTS, grows, RESPONSES_OUT, type ResponseScene, TEXT } from './places-out-responses.ts'
import { SHOWN_OUT } from './places-out-shown.ts'

/** Members of one event: of the chunk itself, of its choice, of its delta (in a whole reply: of the message). */
export interface Members {
  body?: JsonObject
  choice?: JsonObject
  delta?: JsonObject
}

export interface OutPlace {
  /** What one piece of the text becomes. Without it the place is in whole replies only. `pieces` are all. */
  stream?: (piece: string, at: number, pieces: readonly string[]) => Members
  /** What the whole text becomes in a buffered reply. */
  whole?: (text: string, pieces: readonly string[]) => Members
  /** How the text is wrapped before it is cut. */
  wrap?: (text: string) => string
  /** The value is one member, not a delta that others continue. */
  once?: true
  identifier?: true
  /** Most clients replace the member, or tell its elements apart: its first value leaves before another one shows that it goes on. */
  replaced?: true
  /** Texts of one place by turns: the stream ends where one of them goes on. */
  turns?: true
  /** Other texts of the same place come in the events before and behind: the value is all that one of them says. */
  amid?: true
  /** The API that replies; chat if absent. */
  api?: Api
  /** What a reply of the API of that name says. */
  message?: MessageScene
  response?: ResponseScene
}

/** Whether there is such a reply, as a stream or as a whole. */
export function canPlay({ stream, whole, message, response }: OutPlace, isStream: boolean): boolean {
  if (message) return (isStream ? message.beats : message.whole) !== undefined
  if (response) return isStream || response.isStreamOnly !== true
  return (isStream ? stream : whole) !== undefined
}

const delta = (member: string): OutPlace => ({
  stream: (piece) => ({ delta: { [member]: piece } }),
  whole: (text) => ({ delta: { [member]: text } }),
})
const both = (make: (text: string) => Members): OutPlace => ({ once: true, stream: make, whole: make })

const callOf = (args: string, at: number): JsonObject =>
  at === 0
    ? { index: 0, id: 'call_1', type: 'function', function: { name: 'save', arguments: args } }
    : { index: 0, function: { arguments: args } }
const call = (wrap: (text: string) => string): OutPlace => ({
  wrap,
  stream: (piece, at) => ({ delta: { tool_calls: [callOf(piece, at)] } }),
  whole: (text) => ({ delta: { content: null, tool_calls: [callOf(text, 0)] } }),
})
const tokens = (text: string, more: (token: string) => JsonObject = () => ({})): Json =>
  (text.match(/.{1,4}/gsu) ?? []).map((token) => ({
    token,
    logprob: -0.1,
    bytes: null,
    top_logprobs: [],
    ...more(token),
  }))

const completions = (choice: (text: string) => JsonObject, once = false): OutPlace => {
  const make = (text: string): Members => ({ choice: choice(text) })
  return { api: 'completions', stream: make, whole: make, ...(once && { once }) }
}
/** A text and the ids of its tokens, for a tokeniser that knows bytes alone. */
const encoded = (text: string): Members => ({
  delta: { content: text },
  choice: { token_ids: [...Buffer.from(text)] },
})
const oldTokens = (text: string): string[] => text.match(/.{1,4}/gsu) ?? []

// biome-ignore format: a table reads best with one entry in a line.
const PLACES: Readonly<Record<string, OutPlace>> = {
  content: delta('content'),
  refusal: delta('refusal'),
  reasoning_content: delta('reasoning_content'),
  reasoning: delta('reasoning'),
  'vendor-delta': delta('thoughts'),
  'reasoning-details': { stream: (text) => ({ delta: { reasoning_details: [{ type: 'reasoning.text', index: 0, text }] } }), whole: (text) => ({ delta: { reasoning_details: [{ type: 'reasoning.text', text }] } }) },
  'reasoning-details-no-index': { stream: (text) => ({ delta: { reasoning_details: [{ type: 'reasoning.text', text }] } }) },
  'reasoning-details-elements': { replaced: true, stream: (text, at) => ({ delta: { reasoning_details: [{ type: 'reasoning.text', index: at, text }] } }) },
  'vendor-delta-elements': { replaced: true, stream: (text, at) => ({ delta: { blocks: [{ index: at, list: [{ index: at % 2, note: text }] }] } }) },
  'vendor-delta-nested': { stream: (text) => ({ delta: { extra_content: { google: { thought: text } } } }), whole: (text) => ({ delta: { extra_content: { google: { thought: text } } } }) },
  'vendor-delta-list': { stream: (text) => ({ delta: { blocks: [{ text }] } }), whole: (text) => ({ delta: { blocks: [{ text }] } }) },
  'vendor-delta-key': both((text) => ({ delta: { extra: { [text]: 1 } } })),
  'vendor-choice': { stream: (text) => ({ choice: { x_note: text } }), whole: (text) => ({ choice: { x_note: text } }) },
  'vendor-choice-nested': both((text) => ({ choice: { content_filter_results: { custom: [{ detail: text }] } } })),
  'vendor-event': { stream: (text) => ({ body: { x_note: text } }), whole: (text) => ({ body: { x_note: text } }) },
  'vendor-event-numbers': { stream: (text, at) => ({ body: { x_note: numbered(text, at) } }) },
  'content-numbers': { stream: (text, at) => ({ delta: { content: numbered(text, at) } }) },
  'vendor-event-nested': both((text) => ({ body: { x_info: { list: [{ a: text }] } } })),
  'vendor-event-key': both((text) => ({ body: { x_info: { [text]: true } } })),
  // Members without a value: their names are all they say.
  'vendor-event-name': both((text) => ({ body: { [text]: null } })),
  'vendor-choice-name': both((text) => ({ choice: { [text]: null } })),
  'vendor-delta-name': both((text) => ({ delta: { [text]: null } })),
  'content-part-name': both((text) => ({ delta: { content: [{ type: 'text', text: 'x', [text]: null }] } })),
  'tool-call-name': both((text) => ({ delta: { tool_calls: [{ index: 0, id: 'call_1', type: 'function', function: { name: 'save', arguments: '{}' }, [text]: null }] } })),
  'prompt-filter': both((text) => ({ body: { prompt_filter_results: [{ prompt_index: 0, content_filter_results: { custom: { detail: text } } }] } })),
  moderation: both((text) => ({ body: { moderation: { results: [{ text }] } } })),
  'usage-vendor': both((text) => ({ body: { usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2, note: text } } })),
  // Members that most clients replace, and some join over events.
  'usage-vendor-grows': { replaced: true, stream: (note) => ({ body: { usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2, note } } }) },
  'model-grows': { replaced: true, stream: (model) => ({ body: { model }, delta: { content: 'x' } }) },
  'id-grows': { replaced: true, stream: (id) => ({ body: { id }, delta: { content: 'x' } }) },
  'role-grows': { replaced: true, stream: (role) => ({ delta: { role, content: 'x' } }) },
  'fingerprint-grows': { replaced: true, stream: (text) => ({ body: { system_fingerprint: text, service_tier: text }, delta: {} }) },
  'filter-grows': { replaced: true, stream: (detail) => ({ choice: { content_filter_results: { custom: [{ detail }] } } }) },
  'picture-grows': { replaced: true, stream: (url) => ({ delta: { images: [{ type: 'image_url', index: 0, image_url: { url } }] } }) },
  picture: both((url) => ({ delta: { images: [{ type: 'image_url', image_url: { url } }] } })),
  'picture-no-index-grows': { replaced: true, stream: (url) => ({ delta: { images: [{ type: 'image_url', image_url: { url } }] } }) },
  'call-turns': { turns: true, wrap: JSON.stringify, stream: (piece) => ({ delta: { tool_calls: ['call_1', 'call_2'].map((id) => ({ index: 0, id, type: 'function', function: { name: 'save', arguments: id === 'call_1' ? piece : '{}' } })) } }) },
  'call-ids': { stream: (id) => ({ delta: { tool_calls: [{ index: 0, id }] } }) },
  'call-type-grows': { stream: (type) => ({ delta: { tool_calls: [{ index: 0, type }] } }) },
  'audio-data-grows': { stream: (data) => ({ delta: { audio: { data } } }) },
  'audio-id-grows': { stream: (id) => ({ delta: { audio: { id, transcript: 'x' } } }) },
  'detail-signature-grows': { stream: (signature) => ({ delta: { reasoning_details: [{ type: 'reasoning.text', index: 0, signature }] } }) },
  'detail-data-grows': { stream: (data) => ({ delta: { reasoning_details: [{ type: 'reasoning.encrypted', index: 0, data }] } }) },
  'part-id-grows': { stream: (id) => ({ delta: { content: [{ type: 'text', id, text: '' }] } }) },
  'annotation-url-grows': { stream: (url) => ({ delta: { annotations: [{ type: 'url_citation', url_citation: { url } }] } }) },
  metadata: both((text) => ({ body: { metadata: { note: text } } })),
  citations: both((text) => ({ body: { citations: [text] } })),
  'choice-text': { stream: (text) => ({ choice: { text } }), whole: (text) => ({ choice: { text } }) },
  'message-in-stream': { stream: (content) => ({ choice: { message: { role: 'assistant', content } } }) },
  'delta-in-whole': { whole: (content) => ({ choice: { delta: { content } } }) },
  'content-parts': { stream: (text) => ({ delta: { content: [{ type: 'text', text }] } }), whole: (text) => ({ delta: { content: [{ type: 'text', text }] } }) },
  'content-part-then-string': { stream: (text, at) => ({ delta: { content: at === 0 ? [{ type: 'text', text }] : text } }) },
  'content-string-then-part': { stream: (text, at) => ({ delta: { content: at === 0 ? text : [{ type: 'text', text }] } }) },
  'content-object': { stream: (text) => ({ delta: { content: { text } } }), whole: (text) => ({ delta: { content: { text } } }) },
  'content-refusal-part': { stream: (refusal) => ({ delta: { content: [{ type: 'refusal', refusal }] } }), whole: (refusal) => ({ delta: { content: [{ type: 'refusal', refusal }] } }) },
  'refusal-parts': { stream: (text) => ({ delta: { refusal: [{ type: 'text', text }] } }), whole: (text) => ({ delta: { refusal: [{ type: 'text', text }] } }) },
  'refusal-object': { stream: (text) => ({ delta: { refusal: { text } } }), whole: (text) => ({ delta: { refusal: { text } } }) },
  'refusal-string-then-parts': { stream: (text, at) => ({ delta: { refusal: at === 0 ? text : [{ type: 'refusal', refusal: text }] } }) },
  'content-then-refusal-parts': { stream: (text, at) => ({ delta: at === 0 ? { content: text } : { refusal: [text] } }) },
  'tool-arguments': call((text) => JSON.stringify({ note: text })),
  'tool-arguments-key': call((text) => JSON.stringify({ [text]: 1 })),
  'tool-arguments-nested': call((text) => JSON.stringify({ body: JSON.stringify({ note: text }) })),
  'tool-arguments-raw': call((text) => text),
  'tool-arguments-broken': call((text) => `{"note": "${text.replace(QUOTES, '')}`),
  'tool-arguments-object': both((text) => ({ delta: { tool_calls: [{ index: 0, id: 'call_1', type: 'function', function: { name: 'save', arguments: { note: text } as unknown as string } }] } })),
  'tool-name': both((text) => ({ delta: { tool_calls: [{ index: 0, id: 'call_1', type: 'function', function: { name: `save ${text}`, arguments: '{}' } }] } })),
  'tool-call-id': { ...both((text) => ({ delta: { tool_calls: [{ index: 0, id: text, type: 'function', function: { name: 'save', arguments: '{}' } }] } })), identifier: true },
  'tool-call-vendor': { stream: (text, at) => ({ delta: { tool_calls: [{ ...callOf('', at), thought: text }] } }), whole: (text) => ({ delta: { tool_calls: [{ ...callOf('{}', 0), thought: text }] } }) },
  'tool-no-index': { wrap: (text) => JSON.stringify({ note: text }), stream: (piece, at) => ({ delta: { tool_calls: [at === 0 ? { id: 'call_1', type: 'function', function: { name: 'save', arguments: piece } } : { function: { arguments: piece } }] } }) },
  'tool-string-index': { wrap: (text) => JSON.stringify({ note: text }), stream: (piece, at) => ({ delta: { tool_calls: [{ ...callOf(piece, at), index: '0' }] } }) },
  'custom-input': { stream: (input, at) => ({ delta: { tool_calls: [at === 0 ? { index: 0, id: 'call_1', type: 'custom', custom: { name: 'run', input } } : { index: 0, custom: { input } }] } }), whole: (input) => ({ delta: { tool_calls: [{ id: 'call_1', type: 'custom', custom: { name: 'run', input } }] } }) },
  'function-call': { wrap: (text) => JSON.stringify({ note: text }), stream: (piece, at) => ({ delta: { function_call: at === 0 ? { name: 'save', arguments: piece } : { arguments: piece } } }), whole: (text) => ({ delta: { function_call: { name: 'save', arguments: text } } }) },
  logprobs: { stream: (text) => ({ delta: { content: text }, choice: { logprobs: { content: tokens(text) } } }), whole: (text) => ({ delta: { content: text }, choice: { logprobs: { content: tokens(text) } } }) },
  'logprobs-bytes': { stream: (text) => ({ delta: { content: text }, choice: { logprobs: { content: tokens(text, (token) => ({ token: '', bytes: [...Buffer.from(token)] })) } } }), whole: (text) => ({ delta: { content: text }, choice: { logprobs: { content: tokens(text, (token) => ({ token: '', bytes: [...Buffer.from(token)] })) } } }) },
  'logprobs-alone': { stream: (text) => ({ delta: { content: 'x' }, choice: { logprobs: { content: tokens(text) } } }), whole: (text) => ({ delta: { content: 'x' }, choice: { logprobs: { content: tokens(text) } } }) },
  'logprobs-refusal': { stream: (text) => ({ delta: { refusal: text }, choice: { logprobs: { content: null, refusal: tokens(text) } } }), whole: (text) => ({ delta: { refusal: text }, choice: { logprobs: { content: null, refusal: tokens(text) } } }) },
  'logprobs-top': { stream: (text) => ({ delta: { content: 'x' }, choice: { logprobs: { content: tokens(text, (token) => ({ token: 'x', top_logprobs: [{ token, logprob: -1, bytes: null }] })) } } }) },
  'logprobs-old': both((text) => ({ delta: { content: text }, choice: { logprobs: { tokens: text.match(/.{1,4}/gsu) ?? [], text_offset: [0] } } })),
  'token-ids': { stream: encoded, whole: encoded },
  'annotation-title': both((title) => ({ delta: { annotations: [{ type: 'url_citation', url_citation: { start_index: 0, end_index: 1, url: 'https://example.test/', title } }] } })),
  'annotation-address': both((text) => ({ delta: { annotations: [{ type: 'url_citation', url_citation: { start_index: 0, end_index: 1, url: `https://example.test/?q=${text}`, title: 'x' } }] } })),
  transcript: { stream: (transcript, at) => ({ delta: { audio: at === 0 ? { id: 'audio_1', transcript } : { transcript } } }), whole: (transcript) => ({ delta: { audio: { id: 'audio_1', data: 'AAAA', expires_at: 1, transcript } } }) },
  role: { ...both((text) => ({ delta: { role: `assistant ${text}`, content: 'x' } })) },
  'finish-reason': both((text) => ({ choice: { finish_reason: `stop ${text}` }, delta: { content: 'x' } })),
  'completion-id': { ...both((id) => ({ body: { id }, delta: { content: 'x' } })), identifier: true },
  fingerprint: { ...both((text) => ({ body: { system_fingerprint: `fp ${text}` }, delta: { content: 'x' } })) },
  'model-name': both((text) => ({ body: { model: `gpt ${text}` }, delta: { content: 'x' } })),
  'object-name': both((text) => ({ body: { object: `chat.completion ${text}` }, delta: { content: 'x' } })),
  'service-tier': both((text) => ({ body: { service_tier: `auto ${text}` }, delta: { content: 'x' } })),
  obfuscation: { stream: (text) => ({ delta: { content: 'x' }, body: { obfuscation: text } }) },
  'service-member': both((text) => ({ body: { service: { note: text } }, delta: { content: 'x' } })),
  'error-beside': both((message) => ({ body: { error: { message, type: 'server_error', code: null, param: null } }, delta: { content: 'x' } })),
  'completions-text': completions((text) => ({ text })),
  'completions-vendor': completions((text) => ({ x_note: text })),
  'completions-vendor-nested': completions((text) => ({ text: 'x', x_info: { list: [{ a: text }] } }), true),
  'completions-delta': completions((content) => ({ delta: { content } })),
  'completions-logprobs': completions((text) => ({ text, logprobs: { tokens: oldTokens(text), token_logprobs: oldTokens(text).map(() => -1), top_logprobs: null, text_offset: oldTokens(text).map((_, at) => at * 4) } }), true),
  'completions-name': completions((text) => ({ text: 'x', [text]: null }), true),
  'completions-logprobs-name': completions((text) => ({ text: '', logprobs: { [text]: null } }), true),
  'completions-logprobs-top': completions((text) => ({ text: 'x', logprobs: { tokens: ['x'], token_logprobs: [-1], top_logprobs: [{ [text]: -1 }], text_offset: [0] } }), true),
  'completions-logprobs-alone': completions((text) => ({ text: 'x', logprobs: { tokens: oldTokens(text), token_logprobs: oldTokens(text).map(() => -1), top_logprobs: null, text_offset: oldTokens(text).map((_, at) => at * 4) } }), true),
  'completions-token-ids': completions((text) => ({ text, ...encoded(text).choice })),
  'completions-finish-reason': completions((text) => ({ text: 'x', finish_reason: `stop ${text}` }), true),
  'completions-event': { api: 'completions', stream: (text) => ({ body: { x_note: text } }), whole: (text) => ({ body: { x_note: text } }) },
  'embeddings-vendor': { api: 'embeddings', whole: (text) => ({ body: { x_note: text } }) },
  'embeddings-entry': { api: 'embeddings', whole: (text) => ({ choice: { x_info: { [text]: [text] } } }) },
  'embeddings-vector': { api: 'embeddings', whole: (text) => ({ choice: { embedding: text } }) },
  'moderations-vendor': { api: 'moderations', whole: (text) => ({ body: { x_note: text } }) },
  'moderations-entry': { api: 'moderations', whole: (text) => ({ choice: { reason: text } }) },
  'moderations-category': { api: 'moderations', whole: (text) => ({ choice: { categories: { [text]: true } } }) },
  ...numbersOut((growing, wrap) => ({ api: 'responses', ...grows(growing, wrap), response: grows(growing, wrap) }), TEXT, ARGUMENTS),
  ...SHOWN_OUT,
  ...MESSAGES_OUT,
  ...RESPONSES_OUT,
}

/** Members of which a client may keep each value, and members that come once in an exchange of most providers. */
const AMID =
  /^(?:vendor-(?:delta|choice|event)(?:-list|-nested)?|completions-(?:vendor|event)|tool-call-(?:vendor|name)|metadata|annotation-title|audio-id-grows|usage-vendor|moderation|obfuscation|messages-(?:text-delta-vendor(?:-deep)?|delta-unknown(?:-deep)?|event-(?:vendor|unknown(?:-deep)?))|responses-(?:text-vendor|event-(?:vendor|unknown(?:-deep)?)))$/
const amid = Object.entries(PLACES).flatMap(([name, { stream, api, message, response }]) => {
  if (!AMID.test(name)) return []
  const place: OutPlace = {
    amid: true,
    ...(stream && { stream }),
    ...(api && { api }),
    ...(message?.beats && { message: { beats: message.beats } }),
    ...(response && { response: { ...response, isStreamOnly: true } }),
  }
  return [[`amid-${name}`, place] as const]
})

export const OUT_PLACES: Readonly<Record<string, OutPlace>> = { ...PLACES, ...Object.fromEntries(amid) }
