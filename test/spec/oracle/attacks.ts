/** What does not fit into places: replies that are no completions, and requests that are none. */
import { bearer, USER_KEY } from '../../helpers/gateway.ts'
import type { Said } from './provider.ts'

const JSON_TYPE = { 'content-type': 'application/json' }
const SSE_TYPE = { 'content-type': 'text/event-stream' }

const said = (status: number, headers: Record<string, string>, ...pieces: string[]): Said => ({
  status,
  headers,
  pieces: pieces.map((piece) => Buffer.from(piece)),
})
const failing = (status: number, error: unknown): Said => said(status, JSON_TYPE, JSON.stringify({ error }))
const error = (message: string) => ({ message, type: 'invalid_request_error', param: null, code: null })

const CHUNK = { id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm' }
const delta = (content: string): string =>
  `data: ${JSON.stringify({ ...CHUNK, choices: [{ index: 0, delta: { role: 'assistant', content }, finish_reason: null }] })}\n\n`
const END = `data: ${JSON.stringify({ ...CHUNK, choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })}\n\ndata: [DONE]\n\n`
const stream = (...pieces: string[]): Said => said(200, SSE_TYPE, delta('Fine, '), ...pieces, delta('then.'), END)
const WHOLE = JSON.stringify({
  id: 'c',
  object: 'chat.completion',
  created: 1,
  model: 'm',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Fine' }, finish_reason: 'stop' }],
})
const reply = (isStream: boolean, headers: Record<string, string>): Said =>
  isStream ? said(200, { ...SSE_TYPE, ...headers }, delta('Fine'), END) : said(200, { ...JSON_TYPE, ...headers }, WHOLE)

/** Headers hold no line ends. */
const oneLine = (text: string): string => encodeURI(text).replaceAll('%20', ' ').replaceAll('%22', '"')

// biome-ignore format: a table reads best with one entry in a line.
export const REPLIES: Readonly<Record<string, (text: string, isStream: boolean) => Said>> = {
  'error-400': (text) => failing(400, error(text)),
  'error-404': (text) => failing(404, error(text)),
  'error-409': (text) => failing(409, error(text)),
  'error-422': (text) => failing(422, error(text)),
  'error-429': (text) => failing(429, error(text)),
  'error-401': (text) => failing(401, error(text)),
  'error-500': (text) => failing(500, error(text)),
  'error-param': (text) => failing(400, { ...error('No'), param: text }),
  'error-code': (text) => failing(400, { ...error('No'), code: text }),
  'error-type': (text) => failing(400, { ...error('No'), type: text }),
  'error-vendor': (text) => failing(400, { ...error('No'), innererror: { filter: { detail: [text] } } }),
  'error-beside': (text) => said(400, JSON_TYPE, JSON.stringify({ error: error('No'), detail: text })),
  'error-text': (text) => failing(400, text),
  'error-list': (text) => said(400, JSON_TYPE, JSON.stringify([{ error: error(text) }])),
  'error-page': (text) => said(400, { 'content-type': 'text/html' }, `<h1>${text}</h1>`),
  'error-plain': (text) => said(422, { 'content-type': 'text/plain' }, text),
  'error-stream': (text) => said(400, SSE_TYPE, `data: ${JSON.stringify({ error: error(text) })}\n\n`),
  'error-of-200': (text) => said(200, JSON_TYPE, JSON.stringify({ error: error(text) })),
  'redirect': (text) => said(302, { location: `https://example.test/?q=${encodeURIComponent(text)}` }),
  'no-content': (text) => said(204, { 'x-note': oneLine(text) }),
  'stream-error-first': (text) => said(200, SSE_TYPE, `data: ${JSON.stringify({ error: error(text) })}\n\n`),
  'stream-error-later': (text) => stream(`data: ${JSON.stringify({ error: error(text) })}\n\n`),
  'stream-error-text': (text) => stream(`data: ${JSON.stringify({ error: text })}\n\n`),
  'stream-error-event': (text) => stream(`event: error\ndata: ${JSON.stringify({ message: text })}\n\n`),
  'stream-no-json': (text) => stream(`data: ${text.replaceAll('\n', ' ')}\n\n`),
  'stream-json-text': (text) => stream(`data: ${JSON.stringify(text)}\n\n`),
  'stream-json-list': (text) => stream(`data: ${JSON.stringify([text])}\n\n`),
  'stream-comment': (text) => stream(`: ${text.replaceAll('\n', ' ')}\n\n`),
  'stream-event-name': (text) => stream(`event: ${text.replaceAll('\n', ' ')}\n${delta('a')}`),
  'stream-event-id': (text) => stream(`id: ${text.replaceAll('\n', ' ')}\n${delta('a')}`),
  'stream-field': (text) => stream(`${text.replaceAll('\n', ' ')}: x\n${delta('a')}`),
  'stream-no-choices': (text) => stream(`data: ${JSON.stringify({ note: text })}\n\n`),
  'stream-behind-done': (text) => said(200, SSE_TYPE, delta('a'), END, `: ${text.replaceAll('\n', ' ')}\n\n${delta(text)}`),
  'stream-unfinished-event': (text) => said(200, SSE_TYPE, delta('a'), END.replace('data: [DONE]\n\n', ''), delta(text).trimEnd()),
  'whole-for-stream': (text) => said(200, JSON_TYPE, WHOLE.replace('Fine', JSON.stringify(text).slice(1, -1))),
  'stream-for-whole': (text) => said(200, SSE_TYPE, delta(text), END),
  'broken-json': (text) => said(200, JSON_TYPE, WHOLE.replace('Fine', JSON.stringify(text).slice(1, -1)).slice(0, -4)),
  'json-text': (text) => said(200, JSON_TYPE, JSON.stringify(text)),
  'json-list': (text) => said(200, JSON_TYPE, JSON.stringify([{ choices: [{ message: { content: text } }] }])),
  'no-type': (text) => said(200, {}, WHOLE.replace('Fine', JSON.stringify(text).slice(1, -1))),
  'plain-type': (text) => said(200, { 'content-type': 'text/plain' }, text),
  'double-member': (text) => said(200, JSON_TYPE, WHOLE.replace('"content"', `"content":${JSON.stringify(text)},"content"`)),
  'double-member-last': (text) => said(200, JSON_TYPE, WHOLE.replace('"Fine"', `"Fine","content":${JSON.stringify(text)}`)),
  'renamed-member': (text) => said(200, JSON_TYPE, WHOLE.replace('"content"', '"\\u0063ontent"').replace('Fine', JSON.stringify(text).slice(1, -1))),
  'stream-double-member': (text) => stream(delta('x').replace('"content"', `"content":${JSON.stringify(text)},"content"`)),
  'header': (text, isStream) => reply(isStream, { 'x-note': oneLine(text) }),
  'header-request-id': (text, isStream) => reply(isStream, { 'x-request-id': oneLine(text) }),
  'header-cookie': (text, isStream) => reply(isStream, { 'set-cookie': `a=${oneLine(text)}` }),
  'header-rate-limit': (text, isStream) => reply(isStream, { 'x-ratelimit-limit-requests': oneLine(text) }),
  'header-version': (text, isStream) => reply(isStream, { 'openai-version': oneLine(text), 'openai-organization': oneLine(text), 'openai-processing-ms': oneLine(text) }),
  'header-retry': (text) => said(429, { ...JSON_TYPE, 'retry-after': oneLine(text) }, JSON.stringify({ error: error('No') })),
  'header-type': (text, isStream) => reply(isStream, { 'content-type': `${isStream ? 'text/event-stream' : 'application/json'}; note="${oneLine(text).replaceAll('"', '')}"` }),
  'trailer': (text, isStream) => ({ ...reply(isStream, {}), trailers: { 'x-note': oneLine(text) } }),
}

export interface RawAsk {
  path: string
  headers: Record<string, string>
  body: string
}

const BODY = JSON.stringify({ model: 'gpt-test', messages: [{ role: 'user', content: 'Hello there' }] })
const PATH = '/v1/chat/completions'
const asking = (body: string, headers: Record<string, string> = {}, path = PATH): RawAsk => ({
  path,
  headers: { ...bearer(USER_KEY), ...headers },
  body,
})
const saying = (text: string): string => BODY.replace('Hello there', JSON.stringify(text).slice(1, -1))

// biome-ignore format: a table reads best with one entry in a line.
export const ASKS: Readonly<Record<string, (text: string) => RawAsk>> = {
  'broken-json': (text) => asking(saying(text).slice(0, -3)),
  'no-json': (text) => asking(text),
  'json-text': (text) => asking(JSON.stringify(text)),
  'double-member': (text) => asking(saying(text).replace('"role"', `"content":${JSON.stringify(text)},"role"`)),
  'double-vendor': (text) => asking(BODY.replace('"model"', `${JSON.stringify(text)}:1,${JSON.stringify(text)}:2,"model"`)),
  'other-case': (text) => asking(BODY.replace('"model"', `"Messages":[{"role":"user","content":${JSON.stringify(text)}}],"model"`)),
  'member-escaped': (text) => asking(saying(text).replace('"content"', '"\\u0063ontent"')),
  'no-messages': (text) => asking(JSON.stringify({ model: 'gpt-test', messages: text })),
  'role-number': (text) => asking(JSON.stringify({ model: 'gpt-test', messages: [{ role: 7, content: text }] })),
  'no-role': (text) => asking(JSON.stringify({ model: 'gpt-test', messages: [{ content: text }] })),
  'content-object': (text) => asking(JSON.stringify({ model: 'gpt-test', messages: [{ role: 'user', content: { text } }] })),
  'content-nested-list': (text) => asking(JSON.stringify({ model: 'gpt-test', messages: [{ role: 'user', content: [[{ type: 'text', text }]] }] })),
  'content-list-of-text': (text) => asking(JSON.stringify({ model: 'gpt-test', messages: [{ role: 'user', content: [text] }] })),
  'stream-text': (text) => asking(JSON.stringify({ ...JSON.parse(BODY), stream: text })),
  'n-text': (text) => asking(JSON.stringify({ ...JSON.parse(BODY), n: text })),
  'max-tokens-text': (text) => asking(JSON.stringify({ ...JSON.parse(BODY), max_tokens: text })),
  'temperature-text': (text) => asking(JSON.stringify({ ...JSON.parse(BODY), temperature: text })),
  'tools-text': (text) => asking(JSON.stringify({ ...JSON.parse(BODY), tools: text })),
  'session-metadata': (text) => asking(JSON.stringify({ ...JSON.parse(BODY), metadata: { session_id: text } })),
  'header': (text) => asking(BODY, { 'x-note': oneLine(text) }),
  'header-flags': (text) => asking(BODY, { 'x-service-flags': oneLine(text) }),
  'header-flag-value': (text) => asking(BODY, { 'x-service-flags': `mode=${oneLine(text)}` }),
  'header-session': (text) => asking(BODY, { 'x-service-session-id': oneLine(text) }),
  'header-agent': (text) => asking(BODY, { 'user-agent': oneLine(text) }),
  'header-cookie': (text) => asking(BODY, { cookie: `a=${oneLine(text)}` }),
  'header-trace': (text) => asking(BODY, { traceparent: oneLine(text) }),
  'header-organization': (text) => asking(BODY, { 'openai-organization': oneLine(text) }),
  'header-beta': (text) => asking(BODY, { 'openai-beta': oneLine(text) }),
  'header-type': (text) => asking(BODY, { 'content-type': `application/json; note="${oneLine(text).replaceAll('"', '')}"` }),
  'key': (text) => asking(BODY, { authorization: `Bearer ${oneLine(text)}` }),
  'path': (text) => asking(BODY, {}, `/v1/${encodeURIComponent(text)}`),
  'query': (text) => asking(saying(text), {}, `${PATH}?note=${encodeURIComponent(text)}`),
  'settings': (text) => ({ ...asking(JSON.stringify({ url: text }), {}, '/api/settings/siem') }),
}
