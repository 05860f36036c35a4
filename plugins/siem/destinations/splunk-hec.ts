import type { FetchReply } from 'governed-gateway'
import { attemptOf, encodeRecorded } from 'governed-gateway/kit'
import { type Batch, type Destination, MAX_BYTES, type Sent, urlOf, type Verdict } from './destination.ts'
import { httpChannel, jsonOf, unexpected, withPath } from './http.ts'

const options = {
  type: 'object',
  additionalProperties: false,
  properties: {
    index: { type: 'string', description: 'Index; default the one of the token.', minLength: 1, maxLength: 128 },
    sourcetype: {
      type: 'string',
      description: 'Default _json, and cef for that format.',
      minLength: 1,
      maxLength: 128,
    },
    source: { type: 'string', description: 'Default source_name.', minLength: 1, maxLength: 256 },
    host: { type: 'string', description: 'Default the instance of each event.', minLength: 1, maxLength: 256 },
  },
} as const

interface SplunkOptions {
  readonly index?: string
  readonly sourcetype?: string
  readonly source?: string
  readonly host?: string
}

/**
 * Splunk's HTTP Event Collector: consecutive envelopes. An event counts as delivered when the collector accepts it.
 * With one batch at a time, waiting for the index would take seconds per batch.
 */
export const splunkHec: Destination = {
  maxBytes: MAX_BYTES,
  maxEvents: 10_000,
  schemes: ['https', 'http'],
  options,
  write(recorded, { format, source: from, options: given }) {
    const { event } = recorded
    const { index, sourcetype, source, host } = given as SplunkOptions
    const about = {
      time: Date.parse(event.time) / 1000,
      host: host ?? event.instance,
      source: source ?? from.source_name,
      sourcetype: sourcetype ?? (format === 'cef' ? 'cef' : '_json'),
      index,
    }
    const text = encodeRecorded(format, recorded, from)
    return `${JSON.stringify(about).slice(0, -1)},"event":${format === 'cef' ? JSON.stringify(text) : text}}`
  },
  open(settings, outside) {
    const url = withPath(urlOf(settings), '/services/collector/event')
    // Tokens with indexer acknowledgement require a channel; others ignore it.
    const channel = crypto.randomUUID()
    const token = settings.auth_token === undefined ? {} : { authorization: `Splunk ${settings.auth_token}` }
    return httpChannel(settings, outside, {
      request: ({ items }) => ({
        url,
        contentType: 'application/json',
        headers: { ...token, 'x-splunk-request-channel': channel },
        body: items.map(({ text }) => text).join('\n'),
      }),
      read,
    })
  },
}

/** Codes that identify a wrong event; the index has the events before it. */
const WRONG_EVENT: ReadonlySet<unknown> = new Set([6, 12, 13, 15])
const WRONG_TOKEN: ReadonlySet<unknown> = new Set([1, 2, 3, 4])
const BUSY: ReadonlySet<unknown> = new Set([8, 9, 18, 19, 20, 26, 27])

async function read(reply: FetchReply, { items }: Batch): Promise<Sent> {
  const { status } = reply
  const answer = await jsonOf(reply)
  const code = answer?.code
  if (code === undefined) return status < 300 ? unexpected(status) : attemptOf(reply)
  if (code === 0 && status < 300) return { result: 'delivered', status }
  const error = `splunk_${String(code).slice(0, 4)}`
  if (WRONG_TOKEN.has(code)) return { result: 'auth', status, error }
  if (BUSY.has(code)) return { ...attemptOf(reply), result: 'unavailable', error }
  const wrong = Number(answer?.['invalid-event-number'] ?? -1)
  if (WRONG_EVENT.has(code) && Number.isInteger(wrong) && wrong >= 0 && wrong < items.length) {
    const each = items.map((_, i): Verdict => (i < wrong ? 'delivered' : i === wrong ? 'rejected' : 'again'))
    return { result: 'rejected', status, error, each }
  }
  // A 2xx with another code stored nothing; it may be the health endpoint.
  return status < 300 ? { result: 'unavailable', status, error } : { ...attemptOf(reply), error }
}
