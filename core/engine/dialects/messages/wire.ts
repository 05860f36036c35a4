import { isAscii } from 'node:buffer'
import type { GatewayError } from '../../contract/errors.ts'
import type { Answer } from '../../contract/plugin.ts'
import { parseJson } from '../../json/read.ts'
import type { OwnReply } from '../dialect.ts'

/** The frames and bodies that the gateway writes, following the Server-Sent Events format and the SDKs' readers. */

const DELTA = 'event: content_block_delta\ndata: '
/** What the frame of a delta adds to its data. */
export const DELTA_LENGTH = DELTA.length + 2
const DELTA_START = '{"type":"content_block_delta",'

/**
 * One event. Clients choose events by the name in its own line, so it must not differ from the type in the data.
 *
 * @param type of the data, if known
 */
export function frame(payload: string, type?: string): string {
  const data = payload.includes('\n') ? payload.replace(/[\r\n]+/g, ' ') : payload
  if (isDelta(data)) return `${DELTA}${data}\n\n`
  return `event: ${type ?? (parseJson(data) as { type: string }).type}\ndata: ${data}\n\n`
}

/** The type of an event that repeats no member, where it stands first. */
export const typeAtStart = (data: string): string | undefined => AT_START.exec(data.slice(0, 128))?.[1]
const AT_START = /^\{"type":"([a-z][a-z0-9_.-]{0,63})"[,}]/i

/** Whether the data begins as deltas do; a slice is compared faster than `startsWith` does it. */
export const isDelta = (data: string): boolean => data.slice(0, DELTA_START.length) === DELTA_START

/** Whether each of these events is framed like the gateway's own deltas. */
export function isFramed(read: Buffer): boolean {
  for (let at = 0; at < read.length; at = read.indexOf(BLANK, at) + BLANK.length) {
    const end = Math.min(at + DELTA_BYTES.length, read.length)
    if (read.compare(DELTA_BYTES, 0, DELTA_BYTES.length, at, end) !== 0) return false
  }
  return isAscii(read) && !read.includes(0x0d)
}
const DELTA_BYTES = Buffer.from(DELTA)
const BLANK = Buffer.from('\n\n')

export const PING = 'event: ping\ndata: {"type":"ping"}\n\n'
export const STOP = frame('{"type":"message_stop"}')

/** Names that may stand in the line of an event. */
export const isEventName = (name: unknown): name is string =>
  typeof name === 'string' && /^[a-z][a-z0-9_.-]{0,63}$/i.test(name)

export const blockStop = (index: number): string => frame(JSON.stringify({ type: 'content_block_stop', index }))

/** The event that ends a message. */
export const messageDelta = ({ reason, sequence, tokens }: End, details?: object): string =>
  JSON.stringify({
    type: 'message_delta',
    delta: {
      stop_reason: reason,
      stop_sequence: sequence,
      ...(details === undefined ? {} : { stop_details: details }),
    },
    usage: { output_tokens: tokens },
  })

/** How a message ends. */
export interface End {
  readonly reason: string | null
  readonly sequence: string | null
  /** Tokens of the whole reply. */
  readonly tokens: number
}

export const messageStart = (id: string, model: string): string =>
  JSON.stringify({
    type: 'message_start',
    message: {
      ...head(id, model),
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: { input_tokens: 0, output_tokens: 0 },
    },
  })

const head = (id: string, model: string) => ({ id, type: 'message', role: 'assistant', model })

/** A message without a model, in the form that the client requested; usage is zero. */
export function messageAnswer({ id, model, content, stream }: OwnReply): Answer {
  const own = `msg_${id.replace(/^req_/, '')}`
  const body = stream ? streamed(own, model, content) : JSON.stringify(buffered(own, model, content))
  return { answer: { contentType: stream ? 'text/event-stream' : 'application/json', body: Buffer.from(body) } }
}

const buffered = (id: string, model: string, text: string): object => ({
  ...head(id, model),
  content: [{ type: 'text', text }],
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage: { input_tokens: 0, output_tokens: 0 },
})

const streamed = (id: string, model: string, text: string): string =>
  [
    messageStart(id, model),
    JSON.stringify({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }),
    JSON.stringify({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } }),
    JSON.stringify({ type: 'content_block_stop', index: 0 }),
    messageDelta({ reason: 'end_turn', sequence: null, tokens: 0 }),
  ]
    .map((payload) => frame(payload))
    .join('') + STOP

/** The number of tokens without a provider: a rough figure of four characters each. */
export const countAnswer = (): Answer => ({
  answer: { contentType: 'application/json', body: Buffer.from('{"input_tokens":0}') },
})

export const errorFrame = (body: object): string => frame(JSON.stringify(body))

/** The body of an error. SDKs choose their error class by the status, and show `details.error_code` beside it. */
export function errorBody(error: GatewayError, requestId: string, within?: object, beside?: object): object {
  const { message, type, wireCode, param } = error
  const code = error.code === 'GW_POLICY_BLOCK' && wireCode === 'permission_denied' ? type : wireCode
  const details = { ...(code === null ? {} : { error_code: code }), ...(param === null ? {} : { param }) }
  return {
    type: 'error',
    error: { type: typeOf(error), message, details, ...within },
    request_id: requestId,
    ...beside,
  }
}

/** The provider's own type, or the one that belongs to the status. */
const typeOf = ({ code, type, status }: GatewayError): string =>
  code === 'GW_UPSTREAM_ERROR' && TYPES.has(type) ? type : typeOfStatus(statusOf(code, status))

export const typeOfStatus = (status: number): string => TYPE_OF[status] ?? (status < 500 ? REQUEST : 'api_error')

const REQUEST = 'invalid_request_error'
const TYPE_OF: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  408: 'timeout_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  504: 'timeout_error',
  529: 'overloaded_error',
}
const TYPES: ReadonlySet<string> = new Set([REQUEST, 'api_error', ...Object.values(TYPE_OF)])

/** Agents take 422 for a feature that the provider lacks, and ask again without it, up to six times. They accept 403. */
export const statusOf = (code: GatewayError['code'], status: number): number =>
  code === 'GW_UNINSPECTABLE' ? 403 : status
