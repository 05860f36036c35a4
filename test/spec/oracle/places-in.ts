/** Where a caller can put text: each place turns a text into the body of a request. */

import { encode } from 'gpt-tokenizer/encoding/cl100k_base'
import type { Json } from '../../../core/engine/contract/plugin.ts'
import type { Api } from './apis.ts'
import { MESSAGES_IN } from './places-in-messages.ts'
import { RESPONSES_IN } from './places-in-responses.ts'
import { NUMBERS_IN } from './places-numbers.ts'

export type JsonObject = { [key: string]: Json }

export interface InPlace {
  /** The request body that carries the text; `parts` are the same text in pieces, for places that join them. */
  put(text: string, parts: readonly string[]): JsonObject
  /** The place holds identifiers, so that only a text that is none must be found there. */
  identifier?: true
  /** The API that is asked; chat if absent. */
  api?: Api
  /** Another path of the same API, which has no streams. */
  path?: string
  /** Names what only the gateway's own records know: it is refused, whatever it says. */
  closed?: true
}

/** A piece of a text that is no first one, as a number if it is digits alone. */
export const numbered = (piece: string, at: number): string | number =>
  at > 0 && /^[1-9]\d{0,14}$/.test(piece) ? Number(piece) : piece

/** Quotation marks with the escapes in front of them: without the marks, those would belong to the value. */
export const QUOTES = /\\*"/g

const user = (content: Json): JsonObject => ({ role: 'user', content })
const hello = user('Hello there')
const chat = (...messages: JsonObject[]): JsonObject => ({ model: 'gpt-test', messages })
const withMore = (more: JsonObject): JsonObject => ({ ...chat(hello), ...more })
const assistant = (more: JsonObject): JsonObject => chat(hello, { role: 'assistant', content: null, ...more }, hello)
const tool = (fn: JsonObject): JsonObject => withMore({ tools: [{ type: 'function', function: fn }] })
const call = (args: string): JsonObject => ({
  id: 'call_1',
  type: 'function',
  function: { name: 'save', arguments: args },
})
const called = (args: string): JsonObject =>
  chat(
    hello,
    { role: 'assistant', content: null, tool_calls: [call(args)] },
    { role: 'tool', tool_call_id: 'call_1', content: 'ok' },
  )

const at =
  (api: Api) =>
  (put: InPlace['put']): InPlace => ({ api, put: (text, parts) => ({ model: 'gpt-test', ...put(text, parts) }) })
const completions = at('completions')
const embeddings = at('embeddings')
const moderations = at('moderations')
const picture = 'https://example.test/a.png'

// biome-ignore format: a table reads best with one entry in a line.
export const IN_PLACES: Readonly<Record<string, InPlace>> = {
  'user-content': { put: (text) => chat(user(text)) },
  'system-content': { put: (text) => chat({ role: 'system', content: text }, hello) },
  'developer-content': { put: (text) => chat({ role: 'developer', content: text }, hello) },
  'assistant-content': { put: (text) => chat(hello, { role: 'assistant', content: text }, hello) },
  'tool-result': { put: (text) => chat(hello, { role: 'assistant', content: null, tool_calls: [call('{}')] }, { role: 'tool', tool_call_id: 'call_1', content: text }) },
  'tool-result-parts': { put: (_text, parts) => chat(hello, { role: 'assistant', content: null, tool_calls: [call('{}')] }, { role: 'tool', tool_call_id: 'call_1', content: parts.map((text) => ({ type: 'text', text })) }) },
  'function-result': { put: (text) => chat(hello, { role: 'function', name: 'save', content: text }) },
  'unknown-role': { put: (text) => chat(hello, { role: 'moderator', content: text }) },
  'text-part': { put: (text) => chat(user([{ type: 'text', text }])) },
  'text-parts': { put: (_text, parts) => chat(user(parts.map((text) => ({ type: 'text', text })))) },
  'text-parts-image-between': { put: (_text, parts) => chat(user(parts.flatMap((text) => [{ type: 'text', text }, { type: 'image_url', image_url: { url: 'https://example.test/a.png' } }]))) },
  'refusal-part': { put: (text) => assistant({ content: [{ type: 'refusal', refusal: text }] }) },
  'unknown-part': { put: (text) => chat(user([{ type: 'note', note: { lines: [text] } }])) },
  'part-vendor-member': { put: (text) => chat(user([{ type: 'text', text: 'Hello', cache: { why: text } }])) },
  'image-address': { put: (text) => chat(user([{ type: 'image_url', image_url: { url: `https://example.test/a.png?note=${text}` } }])) },
  'image-detail': { put: (text) => chat(user([{ type: 'image_url', image_url: { url: 'https://example.test/a.png', detail: `low ${text}` } }])) },
  'image-data-text': { put: (text) => chat(user([{ type: 'image_url', image_url: { url: `data:text/plain,${text}` } }])) },
  'file-name': { put: (text) => chat(user([{ type: 'file', file: { filename: `${text}.txt`, file_data: 'data:text/plain;base64,aGVsbG8=' } }])) },
  'file-id': { put: (text) => chat(user([{ type: 'file', file: { file_id: text } }])), identifier: true },
  'message-name': { put: (text) => chat({ ...hello, name: text }), identifier: true },
  'message-refusal': { put: (text) => assistant({ content: 'No', refusal: text }) },
  'message-vendor': { put: (text) => chat({ ...hello, vendor: { deep: [{ text }] } }) },
  'message-vendor-key': { put: (text) => chat({ ...hello, vendor: { [text]: true } }) },
  'message-reasoning': { put: (text) => assistant({ content: 'Yes', reasoning_content: text }) },
  'tool-arguments': { put: (text) => called(JSON.stringify({ note: text })) },
  'tool-arguments-key': { put: (text) => called(JSON.stringify({ [text]: 1 })) },
  'tool-arguments-broken': { put: (text) => called(`{"note": "${text.replace(QUOTES, '')}`) },
  'tool-arguments-nested': { put: (text) => called(JSON.stringify({ body: JSON.stringify({ note: text }) })) },
  'tool-call-name': { put: (text) => assistant({ tool_calls: [{ id: 'call_1', type: 'function', function: { name: text, arguments: '{}' } }] }), identifier: true },
  'tool-call-id': { put: (text) => chat(hello, { role: 'assistant', content: null, tool_calls: [{ ...call('{}'), id: text }] }, { role: 'tool', tool_call_id: text, content: 'ok' }), identifier: true },
  'tool-call-vendor': { put: (text) => assistant({ tool_calls: [{ ...call('{}'), extra: { thought: text } }] }) },
  'custom-input': { put: (text) => assistant({ tool_calls: [{ id: 'call_1', type: 'custom', custom: { name: 'run', input: text } }] }) },
  'function-call-arguments': { put: (text) => assistant({ function_call: { name: 'save', arguments: JSON.stringify({ note: text }) } }) },
  'tool-description': { put: (text) => tool({ name: 'save', description: text, parameters: { type: 'object' } }) },
  'tool-parameter-description': { put: (text) => tool({ name: 'save', parameters: { type: 'object', properties: { a: { type: 'string', description: text } } } }) },
  'tool-parameter-enum': { put: (text) => tool({ name: 'save', parameters: { type: 'object', properties: { a: { enum: [text] } } } }) },
  'tool-parameter-name': { put: (text) => tool({ name: 'save', parameters: { type: 'object', properties: { [text]: { type: 'string' } }, required: [text] } }) },
  'tool-parameter-default': { put: (text) => tool({ name: 'save', parameters: { type: 'object', properties: { a: { default: { x: text } } } } }) },
  'tool-vendor': { put: (text) => withMore({ tools: [{ type: 'search', search: { hint: text } }] }) },
  'custom-tool-format': { put: (text) => withMore({ tools: [{ type: 'custom', custom: { name: 'run', description: 'runs', format: { type: 'grammar', grammar: { syntax: 'lark', definition: text } } } }] }) },
  'old-function-description': { put: (text) => withMore({ functions: [{ name: 'save', description: text }] }) },
  'tool-choice': { put: (text) => withMore({ tool_choice: { type: 'function', function: { name: text } } }), identifier: true },
  'response-schema': { put: (text) => withMore({ response_format: { type: 'json_schema', json_schema: { name: 'x', description: text, schema: { type: 'object' } } } }) },
  'response-schema-const': { put: (text) => withMore({ response_format: { type: 'json_schema', json_schema: { name: 'x', schema: { const: text } } } }) },
  prediction: { put: (text) => withMore({ prediction: { type: 'content', content: text } }) },
  'prediction-parts': { put: (_text, parts) => withMore({ prediction: { type: 'content', content: parts.map((text) => ({ type: 'text', text })) } }) },
  'metadata-value': { put: (text) => withMore({ metadata: { note: text } }) },
  'metadata-key': { put: (text) => withMore({ metadata: { [text]: 'x' } }) },
  user: { put: (text) => withMore({ user: text }) },
  'safety-identifier': { put: (text) => withMore({ safety_identifier: text }) },
  'prompt-cache-key': { put: (text) => withMore({ prompt_cache_key: text }) },
  stop: { put: (text) => withMore({ stop: text }) },
  'stop-list': { put: (text) => withMore({ stop: ['END', text] }) },
  'search-city': { put: (text) => withMore({ web_search_options: { user_location: { type: 'approximate', approximate: { city: text } } } }) },
  'moderation-policy': { put: (text) => withMore({ moderation: { model: 'm', policy: { input: text } } }) },
  'vendor-string': { put: (text) => withMore({ x_vendor: text }) },
  'vendor-nested': { put: (text) => withMore({ data_sources: [{ type: 'search', parameters: { filter: { any: [text] } } }] }) },
  'vendor-key': { put: (text) => withMore({ x_vendor: { [text]: null } }) },
  'vendor-template': { put: (text) => withMore({ chat_template_kwargs: { system: text } }) },
  'stream-options-vendor': { put: (text) => withMore({ stream_options: { note: text } }) },
  'audio-voice': { put: (text) => withMore({ modalities: ['text'], audio: { voice: `alloy ${text}`, format: 'mp3' } }) },
  'logit-bias-key': { put: (text) => withMore({ logit_bias: { [text]: 1 } }) },
  'service-tier': { put: (text) => withMore({ service_tier: `auto ${text}` }) },
  'reasoning-effort': { put: (text) => withMore({ reasoning_effort: `low ${text}` }) },
  'model-name': { put: (text) => ({ ...chat(hello), model: `gpt ${text}` }) },
  'completions-prompt': completions((prompt) => ({ prompt })),
  'completions-prompts': completions((text) => ({ prompt: ['Hello', text] })),
  'completions-suffix': completions((suffix) => ({ prompt: 'Hello', suffix })),
  'completions-stop': completions((text) => ({ prompt: 'Hello', stop: ['END', text] })),
  'completions-user': completions((user) => ({ prompt: 'Hello', user })),
  'completions-vendor': completions((text) => ({ prompt: 'Hello', x_vendor: { any: [text] } })),
  'completions-vendor-key': completions((text) => ({ prompt: 'Hello', x_vendor: { [text]: 1 } })),
  'completions-logit-bias-key': completions((text) => ({ prompt: 'Hello', logit_bias: { [text]: 1 } })),
  'embeddings-input': embeddings((input) => ({ input })),
  'embeddings-inputs': embeddings((text) => ({ input: ['Hello', text] })),
  'embeddings-tokens': embeddings((text) => ({ model: 'text-embedding-3-small', input: encode(text) })),
  'completions-tokens': completions((text) => ({ model: 'davinci-002', prompt: [encode('Hello'), encode(text)] })),
  'embeddings-user': embeddings((user) => ({ input: 'Hello', user })),
  'embeddings-encoding': embeddings((text) => ({ input: 'Hello', encoding_format: `float ${text}` })),
  'embeddings-vendor': embeddings((text) => ({ input: 'Hello', x_vendor: { [text]: { any: [text] } } })),
  'moderations-input': moderations((input) => ({ input })),
  'moderations-inputs': moderations((text) => ({ input: ['Hello', text] })),
  'moderations-part': moderations((text) => ({ input: [{ type: 'text', text }] })),
  'moderations-parts': moderations((_text, parts) => ({ input: parts.map((text) => ({ type: 'text', text })) })),
  'moderations-image-address': moderations((text) => ({ input: [{ type: 'image_url', image_url: { url: `${picture}?note=${text}` } }] })),
  'moderations-vendor': moderations((text) => ({ input: 'Hello', x_vendor: { [text]: { any: [text] } } })),
  'azure-chat': { path: '/openai/deployments/gpt-test/chat/completions?api-version=2026-01-01', put: (text) => chat(user(text)) },
  'azure-chat-v1': { path: '/openai/v1/chat/completions', put: (text) => withMore({ metadata: { note: text } }) },
  'azure-no-model': { path: '/openai/deployments/gpt-test/chat/completions', put: (text) => ({ messages: [user([{ type: 'text', text }])] }) },
  'azure-sources': { path: '/openai/deployments/gpt-test/chat/completions', put: (text) => withMore({ data_sources: [{ type: 'azure_search', parameters: { role_information: text, query: [text] } }] }) },
  'azure-completions': { api: 'completions', path: '/openai/deployments/gpt-test/completions', put: (prompt) => ({ prompt }) },
  'azure-embeddings': { api: 'embeddings', path: '/openai/deployments/gpt-test/embeddings', put: (input) => ({ input }) },
  'azure-responses': { api: 'responses', path: '/openai/responses', put: (input) => ({ model: 'gpt-test', input }) },
  ...NUMBERS_IN,
  ...MESSAGES_IN,
  ...RESPONSES_IN,
}
