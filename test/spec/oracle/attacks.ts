/** What does not fit into places: replies that are no completions, and requests that are none. */
import { gzipSync } from 'node:zlib'
import { bearer, USER_KEY } from '../../helpers/gateway.ts'
import { digitsOf } from './places-numbers.ts'
import type { Said } from './provider.ts'
import { wholeMessage } from './wire-messages.ts'
import { wholeResponse } from './wire-responses.ts'

const JSON_TYPE = { 'content-type': 'application/json' }
const SSE_TYPE = { 'content-type': 'text/event-stream' }

// biome-ignore format: a list reads best in few lines.
const HEADERS = [
  'server', 'server-timing', 'via', 'warning', 'link', 'etag', 'www-authenticate', 'proxy-authenticate', 'content-language',
  'content-location', 'content-disposition', 'location', 'alt-svc', 'age', 'x-should-retry', 'retry-after-ms', 'x-envoy-upstream-service-time',
  'x-ms-region', 'x-ms-client-request-id', 'apim-request-id', 'azureml-model-session', 'cf-ray', 'cf-cache-status', 'x-ratelimit-remaining-tokens',
  'x-ratelimit-reset-requests', 'anthropic-organization-id', 'request-id', 'x-served-by', 'x-powered-by', 'report-to', 'nel', 'p3p', 'refresh',
  'access-control-allow-origin', 'access-control-expose-headers', 'content-security-policy', 'x-service-session-id', 'x-service-flags',
]

const said16 = (text: string, type: string): Said => ({
  status: 200,
  headers: { 'content-type': type },
  pieces: [Buffer.from(text, 'utf16le')],
})

const said = (status: number, headers: Record<string, string>, ...pieces: string[]): Said => ({
  status,
  headers,
  pieces: pieces.map((piece) => Buffer.from(piece)),
})
const failing = (status: number, error: unknown): Said => said(status, JSON_TYPE, JSON.stringify({ error }))
const error = (message: string) => ({ message, type: 'invalid_request_error', param: null, code: null })

/** How an API speaks: a stream in pieces, and a whole reply that says `Fine`. */
interface Voice {
  /** What comes in front of all texts of a stream. */
  readonly begin: string
  readonly delta: (content: string) => string
  readonly end: string
  readonly whole: string
}

const event = (type: string, more: object): string => `event: ${type}\ndata: ${JSON.stringify({ type, ...more })}\n\n`

const CHUNK = { id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm' }
const CHAT: Voice = {
  begin: '',
  delta: (content) =>
    `data: ${JSON.stringify({ ...CHUNK, choices: [{ index: 0, delta: { role: 'assistant', content }, finish_reason: null }] })}\n\n`,
  end: `data: ${JSON.stringify({ ...CHUNK, choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })}\n\ndata: [DONE]\n\n`,
  whole: JSON.stringify({
    id: 'c',
    object: 'chat.completion',
    created: 1,
    model: 'm',
    choices: [{ index: 0, message: { role: 'assistant', content: 'Fine' }, finish_reason: 'stop' }],
  }),
}

const MESSAGE = wholeMessage(undefined, '')
const MESSAGES: Voice = {
  begin:
    event('message_start', { message: { ...MESSAGE, content: [], stop_reason: null } }) +
    event('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
  delta: (text) => event('content_block_delta', { index: 0, delta: { type: 'text_delta', text } }),
  end:
    event('content_block_stop', { index: 0 }) +
    event('message_delta', { delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { output_tokens: 9 } }) +
    event('message_stop', {}),
  whole: JSON.stringify(MESSAGE),
}

const RESPONSE = wholeResponse(undefined, '')
const ITEM = { output_index: 0, item_id: 'item_1', content_index: 0 }
const RESPONSES: Voice = {
  begin: event('response.created', { response: { ...RESPONSE, status: 'in_progress', output: [], usage: null } }),
  delta: (delta) => event('response.output_text.delta', { ...ITEM, delta }),
  end: event('response.completed', { response: { ...RESPONSE, output: [] } }),
  whole: JSON.stringify(RESPONSE),
}

/** Headers hold no line ends. */
const oneLine = (text: string): string => encodeURI(text).replaceAll('%20', ' ').replaceAll('%22', '"')

type Replies = Readonly<Record<string, (text: string, isStream: boolean) => Said>>

function repliesOf({ begin, delta, end: END, whole: WHOLE }: Voice): Replies {
  const begun = (...pieces: string[]): Said => said(200, SSE_TYPE, begin, ...pieces)
  const stream = (...pieces: string[]): Said => begun(delta('Fine, '), ...pieces, delta('then.'), END)
  const reply = (isStream: boolean, headers: Record<string, string>): Said =>
    isStream
      ? said(200, { ...SSE_TYPE, ...headers }, begin, delta('Fine'), END)
      : said(200, { ...JSON_TYPE, ...headers }, WHOLE)
  // biome-ignore format: a table reads best with one entry in a line.
  return {
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
    'stream-behind-done': (text) => begun(delta('a'), END, `: ${text.replaceAll('\n', ' ')}\n\n${delta(text)}`),
    'stream-unfinished-event': (text) => begun(delta('a'), END.replace('data: [DONE]\n\n', ''), delta(text).trimEnd()),
    'whole-for-stream': (text) => said(200, JSON_TYPE, WHOLE.replace('Fine', JSON.stringify(text).slice(1, -1))),
    'stream-for-whole': (text) => begun(delta(text), END),
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
    'header-many': (text, isStream) => reply(isStream, Object.fromEntries(HEADERS.map((name) => [name, oneLine(text)]))),
    'header-twice': (text, isStream) => ({ ...reply(isStream, {}), headers: { ...reply(isStream, {}).headers, 'x-request-id': ['req_1', oneLine(text)] } }),
    'header-retry-date': (text) => said(429, { ...JSON_TYPE, 'retry-after': `Wed, 21 Oct 2026 07:28:00 GMT ${oneLine(text)}` }, JSON.stringify({ error: error('No') })),
    'reason': (text, isStream) => ({ ...reply(isStream, {}), reason: oneLine(text) }),
    'reason-400': (text) => ({ ...failing(400, error('No')), reason: oneLine(text) }),
    'early-hints': (text, isStream) => ({ ...reply(isStream, {}), hints: { link: '</a.css>; rel=preload', 'x-note': oneLine(text) } }),
    'error-402': (text) => failing(402, error(text)),
    'error-403': (text) => failing(403, error(text)),
    'error-413': (text) => failing(413, error(text)),
    'error-503': (text) => failing(503, error(text)),
    'error-529': (text) => failing(529, error(text)),
    'error-request-id': (text) => said(400, JSON_TYPE, JSON.stringify({ error: error('No'), request_id: text })),
    'error-status': (text) => failing(400, { code: 400, message: 'No', status: text, details: [{ '@type': 'x', reason: text }] }),
    'error-metadata': (text) => failing(400, { ...error('Provider returned error'), metadata: { raw: JSON.stringify({ error: { message: text } }), provider_name: text } }),
    'error-json-message': (text) => failing(400, error(JSON.stringify({ detail: [{ loc: ['body', 'messages', 0], msg: text, input: text }] }))),
    'error-python-message': (text) => failing(400, error(`Invalid: {'role': 'user', 'content': '${text.replaceAll('\n', '\\n')}'}`)),
    'error-many': (text) => said(400, JSON_TYPE, JSON.stringify({ errors: [{ message: text }], message: text, msg: text, title: text })),
    'error-problem': (text) => said(422, { 'content-type': 'application/problem+json' }, JSON.stringify({ type: 'about:blank', title: 'No', detail: text, instance: text })),
    'error-xml': (text) => said(400, { 'content-type': 'application/xml' }, `<?xml version="1.0"?><Error><Message>${text}</Message></Error>`),
    'error-number': (text) => failing(400, { ...error('No'), code: Number(text.replace(/\D/g, '').slice(0, 16)), param: 4 }),
    'error-empty': (text) => said(400, { ...JSON_TYPE, 'x-error': oneLine(text) }),
    'utf-16': (text) => said16(WHOLE.replace('Fine', JSON.stringify(text).slice(1, -1)), 'application/json; charset=utf-16le'),
    'latin-1': (text) => ({ ...said(200, { 'content-type': 'application/json; charset=iso-8859-1' }), pieces: [Buffer.from(WHOLE.replace('Fine', `\u00e4\u00ff ${JSON.stringify(text).slice(1, -1)}`), 'latin1')] }),
    'lines-of-json': (text) => said(200, { 'content-type': 'application/x-ndjson' }, `${WHOLE}\n${WHOLE.replace('Fine', JSON.stringify(text).slice(1, -1))}\n`),
    'two-values': (text) => said(200, JSON_TYPE, WHOLE + WHOLE.replace('Fine', JSON.stringify(text).slice(1, -1))),
    'multipart': (text) => said(200, { 'content-type': 'multipart/mixed; boundary=b' }, `--b\r\ncontent-type: application/json\r\n\r\n${WHOLE.replace('Fine', JSON.stringify(text).slice(1, -1))}\r\n--b--`),
    'more-than-length': (text) => said(200, { ...JSON_TYPE, 'content-length': String(Buffer.byteLength(WHOLE)) }, WHOLE, text),
    'stream-utf-8-cut': (text) => ({ ...stream(), pieces: [Buffer.from(delta(`a ${text} `)), Buffer.from([0xe2, 0x82]), Buffer.from(delta(text) + END)] }),
    'stream-field-names': (text) => stream(`Data: ${JSON.stringify({ note: text })}\nDATA: ${text.replaceAll('\n', ' ')}\n data: ${text.replaceAll('\n', ' ')}\n\n`),
    'stream-retry': (text) => stream(`retry: ${text.replaceAll('\n', ' ')}\n${delta('a')}`),
    'stream-other-object': (text) => stream(`data: ${JSON.stringify({ type: 'response.output_text.delta', delta: text, item_id: text })}\n\n`),
    'stream-ping': (text) => stream(`event: ping\ndata: ${JSON.stringify({ type: 'ping', note: text })}\n\n`),
    'stream-done-odd': (text) => begun(delta('a'), `data: [DONE] ${text.replaceAll('\n', ' ')}\n\n`, END),
    'stream-double-choices': (text) => stream(delta('x').replace('"choices"', `"choices":[{"index":0,"delta":{"content":${JSON.stringify(text)}}}],"choices"`)),
    'stream-two-in-event': (text) => stream(delta('x').trimEnd() + delta(text).replace('data: ', '')),
    'trailer': (text, isStream) => ({ ...reply(isStream, {}), trailers: { 'x-note': oneLine(text) } }),
    'error-typed': (text) => said(400, JSON_TYPE, JSON.stringify({ type: 'error', error: { type: 'invalid_request_error', message: text, details: { note: text } }, request_id: 'req_1' })),
    'error-typed-name': (text) => said(529, JSON_TYPE, JSON.stringify({ type: 'error', error: { type: text, message: 'No' }, request_id: text })),
    'stream-error-typed': (text) => stream(event('error', { error: { type: 'overloaded_error', message: text }, request_id: text })),
    'stream-error-flat': (text) => stream(event('error', { code: text, message: text, param: text })),
    'stream-error-typed-first': (text) => said(200, SSE_TYPE, event('error', { error: { type: 'api_error', message: text } })),
    'stream-failed': (text) => stream(event('response.failed', { response: { ...RESPONSE, status: 'failed', error: { code: text, message: text } } })),
    'stream-name-only': (text) => stream(`event: note\ndata: ${JSON.stringify({ note: text })}\n\n`),
    'stream-names-twice': (text) => stream(`event: x\n${event('note', { text })}`),
    'stream-name-differs': (text) => stream(event('note', { text }).replace('event: note', 'event: message_stop')),
  }
}

/** By the API that replies. */
export const REPLIES: Readonly<Record<'chat' | 'messages' | 'responses', Replies>> = {
  chat: repliesOf(CHAT),
  messages: repliesOf(MESSAGES),
  responses: repliesOf(RESPONSES),
}

// biome-ignore format: a list reads best in few lines.
const ASK_HEADERS = [
  'x-request-id', 'x-correlation-id', 'x-client-request-id', 'idempotency-key', 'baggage', 'tracestate', 'b3', 'x-b3-traceid', 'x-amzn-trace-id',
  'sentry-trace', 'forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-user', 'x-real-ip', 'via', 'referer', 'origin', 'from',
  'accept-language', 'accept', 'if-none-match', 'x-stainless-lang', 'x-stainless-helper-method', 'http-referer', 'x-title', 'openai-project',
  'anthropic-beta', 'x-goog-api-client', 'x-user-email', 'x-http-method-override', 'x-original-url', 'prefer', 'warning',
]

export interface RawAsk {
  path: string
  headers: Record<string, string>
  body: string | Buffer
}

const BODY = JSON.stringify({ model: 'gpt-test', messages: [{ role: 'user', content: 'Hello there' }] })
const PATH = '/v1/chat/completions'
const asking = (body: string | Buffer, headers: Record<string, string> = {}, path = PATH): RawAsk => ({
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
  'header-many': (text) => asking(BODY, Object.fromEntries(ASK_HEADERS.map((name) => [name, oneLine(text)]))),
  'header-api-key': (text) => ({ ...asking(BODY), headers: { 'x-api-key': oneLine(text), 'api-key': oneLine(text) } }),
  'key-basic': (text) => ({ ...asking(BODY), headers: { authorization: `Basic ${Buffer.from(`user:${text}`).toString('base64')}` } }),
  'header-session-id-like': (text) => asking(BODY, { 'x-service-session-id': oneLine(text).replace(/[^A-Za-z0-9]+/g, '-') }),
  'utf-16': (text) => asking(Buffer.from(saying(text), 'utf16le'), { 'content-type': 'application/json; charset=utf-16' }),
  'utf-16-mark': (text) => asking(Buffer.from(`\ufeff${saying(text)}`, 'utf16le')),
  'byte-order-mark': (text) => asking(`\ufeff${saying(text)}`),
  'latin-1': (text) => asking(Buffer.from(saying(`\u00e4\u00ff ${text}`), 'latin1'), { 'content-type': 'application/json; charset=iso-8859-1' }),
  'broken-utf-8': (text) => asking(Buffer.concat([Buffer.from(saying(text).slice(0, -4)), Buffer.from([0xc3, 0x28]), Buffer.from(saying('').slice(-4))])),
  'gzip': (text) => asking(gzipSync(saying(text)), { 'content-encoding': 'gzip' }),
  'gzip-said-only': (text) => asking(saying(text), { 'content-encoding': 'gzip' }),
  'form': (text) => asking(`messages=${encodeURIComponent(text)}`, { 'content-type': 'application/x-www-form-urlencoded' }),
  'multipart': (text) => asking(`--b\r\ncontent-disposition: form-data; name="messages"\r\n\r\n${text}\r\n--b--`, { 'content-type': 'multipart/form-data; boundary=b' }),
  'two-values': (text) => asking(BODY + saying(text)),
  'list-of-requests': (text) => asking(`[${saying(text)}]`),
  'comments': (text) => asking(`/* ${text.replaceAll('*/', '')} */${BODY}`),
  'single-quotes': (text) => asking(saying(text).replaceAll('"', "'")),
  'prototype': (text) => asking(BODY.replace('"model"', `"__proto__":{"messages":[{"role":"user","content":${JSON.stringify(text)}}]},"model"`)),
  'constructor-member': (text) => asking(BODY.replace('"model"', `"constructor":{"prototype":{"note":${JSON.stringify(text)}}},"model"`)),
  'deep': (text) => asking(BODY.replace('"model"', `"x_deep":${'['.repeat(100)}${JSON.stringify(text)}${']'.repeat(100)},"model"`)),
  'too-deep': (text) => asking(BODY.replace('"model"', `"x_deep":${'['.repeat(400)}${JSON.stringify(text)}${']'.repeat(400)},"model"`)),
  'lone-surrogate': (text) => asking(saying(text).replace('"content":"', '"content":"\\ud83d ')),
  'model': (text) => asking(JSON.stringify({ ...JSON.parse(BODY), model: text })),
  'model-vendor': (text) => asking(JSON.stringify({ ...JSON.parse(BODY), model: `vendor/${text.replaceAll(' ', '-')}` })),
  'model-object': (text) => asking(JSON.stringify({ ...JSON.parse(BODY), model: { name: text } })),
  'model-list': (text) => asking(JSON.stringify({ ...JSON.parse(BODY), models: ['gpt-test', text], route: text })),
  'old-prompt': (text) => asking(JSON.stringify({ ...JSON.parse(BODY), prompt: text, suffix: text })),
  'responses-input': (text) => asking(JSON.stringify({ ...JSON.parse(BODY), input: [{ role: 'user', content: [{ type: 'input_text', text }] }], instructions: text })),
  'system-beside': (text) => asking(JSON.stringify({ ...JSON.parse(BODY), system: [{ type: 'text', text }] })),
  'servers': (text) => asking(JSON.stringify({ ...JSON.parse(BODY), mcp_servers: [{ url: `https://example.test/?t=${text}`, authorization_token: text }] })),
  'roles-twice': (text) => asking(JSON.stringify({ model: 'gpt-test', messages: [{ role: ['user'], content: text }] })),
  'message-text': (text) => asking(JSON.stringify({ model: 'gpt-test', messages: [text] })),
  'message-null': (text) => asking(JSON.stringify({ model: 'gpt-test', messages: [null, { role: 'user', content: text }] })),
  'number': (text) => asking(BODY.replace('"model"', `"x_number":${digitsOf(text).slice(0, 30) || 1},"model"`)),
  'number-exponent': (text) => asking(BODY.replace('"model"', `"x_number":${digitsOf(text).slice(0, 16) || 1}e0,"model"`)),
  'long-chat': (text) => asking(JSON.stringify({ model: 'gpt-test', messages: Array.from({ length: 80 }, (_, at) => ({ role: at % 2 === 0 ? 'user' : 'assistant', content: at === 46 ? text : `Word ${at}.` })) })),
  'settings': (text) => ({ ...asking(JSON.stringify({ url: text }), {}, '/api/settings/siem') }),
}
