/** What the provider answers in every measurement: a 1.2 KB reply, stream events of about 290 B. */
import { MODEL, prose, sized } from './text.ts'

/** Length of a buffered reply, unless the scenario says otherwise. */
export const REPLY_BYTES = 1228
/** Events of a stream beside its content: role, finish, usage, `[DONE]`. */
export const EXTRA_EVENTS = 4

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

/** A whole buffered reply with a body of `bytes`. */
export function bufferedReply(bytes: number = REPLY_BYTES): Buffer {
  const body = sized(bytes, (content) => ({
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

/** A whole response of the same length. Its text is shorter: the form takes more of the bytes. */
export function bufferedResponse(bytes: number = REPLY_BYTES): Buffer {
  const body = sized(bytes, (text) => ({
    id: 'resp_BdK3mXtVqzYwRsLhPnGfCjUaEoDiT',
    object: 'response',
    created_at: 1763676000,
    status: 'completed',
    model: `${MODEL}-2024-07-18`,
    output: [
      {
        id: 'msg_BdK3mXtVqzYwRsLhPnGfCjUaEoDiT',
        type: 'message',
        status: 'completed',
        role: 'assistant',
        content: [{ type: 'output_text', text, annotations: [], logprobs: [] }],
      },
    ],
    usage: { input_tokens: 402, output_tokens: 212, total_tokens: 614 },
    service_tier: 'default',
    store: false,
  }))
  return Buffer.concat([replyHead('content-type: application/json', `content-length: ${body.length}`), body])
}

/** A whole message of Anthropic's API, of the same length. */
export function bufferedMessage(bytes: number = REPLY_BYTES): Buffer {
  const body = sized(bytes, (text) => ({
    id: 'msg_01BdKXmXtVqzYwRsLhPnGfCj',
    type: 'message',
    role: 'assistant',
    model: MODEL,
    content: [{ type: 'text', text }],
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage: { input_tokens: 402, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 212 },
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
