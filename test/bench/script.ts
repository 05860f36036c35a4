/** The fixed bytes of every measurement: a 2 KB prompt, a 1.2 KB reply, stream events of about 290 B. */

/** Ends of the exchange's bodies, as the limits state them. */
export const REQUEST_BYTES = 2048
export const REPLY_BYTES = 1228
/** Events of a stream beside its content: role, finish, usage, `[DONE]`. */
export const EXTRA_EVENTS = 4

const MODEL = 'gpt-4o-mini'
const WORDS = (
  'the river keeps its own slow count of seasons while small boats move along the bank and people trade bread ' +
  'cloth and stories under the old bridge where evening light falls on stone and water alike'
).split(' ')

/** Prose without digits, names or addresses: what no detector should find anything in. Deterministic. */
function prose(words: number, seed: number): string {
  let state = seed
  const out: string[] = []
  for (let i = 0; i < words; i++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    out.push(WORDS[state % WORDS.length]!)
  }
  return out.join(' ')
}

/** `build(filler)` with a filler that makes the JSON exactly `bytes` long. */
function sized(bytes: number, build: (filler: string) => unknown): Buffer {
  const empty = JSON.stringify(build('')).length
  const filler = prose(bytes, 7).slice(0, bytes - empty - 1)
  return Buffer.from(JSON.stringify(build(`${filler}.`)))
}

/** A chat request of {@link REQUEST_BYTES}: system message, two earlier turns, one question. */
export function requestBody(stream: boolean): Buffer {
  return sized(REQUEST_BYTES, (filler) => ({
    model: MODEL,
    messages: [
      { role: 'system', content: `You are a patient guide. ${prose(40, 1)}` },
      { role: 'user', content: prose(50, 2) },
      { role: 'assistant', content: prose(60, 3) },
      { role: 'user', content: filler },
    ],
    temperature: 0.7,
    ...(stream ? { stream: true, stream_options: { include_usage: true } } : {}),
  }))
}

/** A request as an SDK writes it, with the headers that come along. */
export function requestBytes(port: number, key: string, stream: boolean): Buffer {
  const body = requestBody(stream)
  const head = [
    'POST /v1/chat/completions HTTP/1.1',
    `host: 127.0.0.1:${port}`,
    'accept: application/json',
    'content-type: application/json',
    'user-agent: OpenAI/JS 7.55.0',
    'x-stainless-retry-count: 0',
    'x-stainless-lang: js',
    'x-stainless-package-version: 7.55.0',
    'x-stainless-os: Linux',
    'x-stainless-arch: x64',
    'x-stainless-runtime: node',
    'x-stainless-runtime-version: v24.21.0',
    `authorization: Bearer ${key}`,
    'accept-encoding: identity',
    'connection: keep-alive',
    `content-length: ${body.length}`,
  ]
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), body])
}

const ID = 'chatcmpl-BdK3mXtVqzYwRsLhPnGfCjUaEoDiT'
const USAGE = { prompt_tokens: 402, completion_tokens: 212, total_tokens: 614 }
const PROVIDER_HEADERS = [
  'date: Fri, 21 Nov 2025 10:00:00 GMT',
  'connection: keep-alive',
  'openai-processing-ms: 312',
  'openai-version: 2020-10-01',
  'x-ratelimit-limit-requests: 10000',
  'x-ratelimit-remaining-requests: 9999',
  'x-ratelimit-reset-requests: 6ms',
  'x-request-id: req_5f0c2d7be14a',
  'server: scripted',
]

function replyHead(...headers: string[]): Buffer {
  return Buffer.from(`${['HTTP/1.1 200 OK', ...PROVIDER_HEADERS, ...headers].join('\r\n')}\r\n\r\n`)
}

/** A whole buffered reply with a body of {@link REPLY_BYTES}. */
export function bufferedReply(): Buffer {
  const body = sized(REPLY_BYTES, (content) => ({
    id: ID,
    object: 'chat.completion',
    created: 1763676000,
    model: `${MODEL}-2024-07-18`,
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content, refusal: null, annotations: [] },
        logprobs: null,
        finish_reason: 'stop',
      },
    ],
    usage: USAGE,
    service_tier: 'default',
    system_fingerprint: 'fp_560af6e559',
  }))
  return Buffer.concat([replyHead('content-type: application/json', `content-length: ${body.length}`), body])
}

export const STREAM_HEAD: Buffer = replyHead(
  'content-type: text/event-stream; charset=utf-8',
  'cache-control: no-cache',
  'transfer-encoding: chunked',
)

function event(choices: unknown[], usage: unknown = null): Buffer {
  const chunk = {
    id: ID,
    object: 'chat.completion.chunk',
    created: 1763676000,
    model: `${MODEL}-2024-07-18`,
    service_tier: 'default',
    system_fingerprint: 'fp_560af6e559',
    choices,
    usage,
  }
  return Buffer.from(`data: ${JSON.stringify(chunk)}\n\n`)
}

function delta(content: Record<string, unknown>, finish: string | null = null): Buffer {
  return event([{ index: 0, delta: content, logprobs: null, finish_reason: finish }])
}

/** The events of one stream: `first` opens it, `content` holds one word each, `last` are finish, usage and `[DONE]`. */
export interface StreamScript {
  first: Buffer
  content: Buffer[]
  last: Buffer[]
}

export function streamScript(chunks: number): StreamScript {
  const words = prose(chunks, 11).split(' ')
  return {
    first: delta({ role: 'assistant', content: '', refusal: null }),
    content: words.map((word) => delta({ content: ` ${word}` })),
    last: [delta({}, 'stop'), event([], USAGE), Buffer.from('data: [DONE]\n\n')],
  }
}
