import type { FetchReply } from 'governed-gateway'
import { attemptOf, encodeRecorded } from 'governed-gateway/kit'
import type { SiemSettings } from '../settings.ts'
import { type Batch, type Destination, MAX_BYTES, type Sent, urlOf } from './destination.ts'
import { accepted, credentials, httpChannel, withPath } from './http.ts'

const options = {
  type: 'object',
  additionalProperties: false,
  properties: {
    labels: {
      type: 'object',
      description: 'Labels besides service_name, source_name and environment; at most 10.',
      maxProperties: 10,
      propertyNames: { pattern: '^[a-zA-Z_][a-zA-Z0-9_]{0,63}$' },
      additionalProperties: { type: 'string', minLength: 1, maxLength: 256 },
    },
    tenant: {
      type: 'string',
      description: 'X-Scope-OrgID. Default none.',
      pattern: "^[A-Za-z0-9!._*'()|-]{1,150}$",
    },
    auth_scheme: {
      type: 'string',
      description: 'Bearer, or Basic with user:password as auth_token. Default Bearer.',
      enum: ['Bearer', 'Basic'],
    },
  },
} as const

interface LokiOptions {
  readonly labels?: Readonly<Record<string, string>>
  readonly tenant?: string
  readonly auth_scheme?: 'Bearer' | 'Basic'
}

/** Grafana Loki's push API. */
export const loki: Destination = {
  maxBytes: MAX_BYTES - 8192,
  maxEvents: 10_000,
  schemes: ['https', 'http'],
  options,
  // Nanoseconds as text, because they exceed the precision of a JSON number.
  write: (recorded, { format, source }) =>
    JSON.stringify([`${Date.parse(recorded.event.time)}000000`, encodeRecorded(format, recorded, source)]),
  open(settings, outside) {
    const { tenant, auth_scheme = 'Bearer' } = settings.destination_options as LokiOptions
    const url = withPath(urlOf(settings), '/loki/api/v1/push')
    const headers = {
      ...credentials(auth_scheme, settings.auth_token),
      ...(tenant !== undefined && { 'x-scope-orgid': tenant }),
    }
    const stream = JSON.stringify(labelsOf(settings))
    return httpChannel(settings, outside, {
      request: (batch) => ({
        url,
        contentType: 'application/json',
        headers,
        body: `{"streams":[{"stream":${stream},"values":[${inOrder(batch).join(',')}]}]}`,
      }),
      read,
    })
  },
}

const labelsOf = ({ source_name, environment, destination_options }: SiemSettings): Record<string, string> => ({
  service_name: 'governed-gateway',
  source_name,
  environment,
  ...(destination_options as LokiOptions).labels,
})

/** Older servers require ascending times in a push, but events of several instances may interleave. */
const inOrder = ({ items }: Batch): string[] =>
  items
    .toSorted((a, b) => (a.event.time < b.event.time ? -1 : a.event.time > b.event.time ? 1 : 0))
    .map(({ text }) => text)

async function read(reply: FetchReply): Promise<Sent> {
  if (reply.status !== 400) return accepted(reply)
  const attempt = attemptOf(reply)
  const text = await reply.text()
  if (/out of order|too far behind/i.test(text)) return { ...attempt, error: 'out_of_order' }
  return /too old|too new/i.test(text) ? { ...attempt, error: 'outside_window' } : attempt
}
