import type { FetchReply } from 'governed-gateway'
import { attemptOf } from 'governed-gateway/kit'
import { type Batch, type Destination, MAX_BYTES, type Sent, urlOf, type Verdict } from './destination.ts'
import { credentials, httpChannel, jsonOf, unexpected, withPath } from './http.ts'
import { timed } from './timed.ts'

const options = {
  type: 'object',
  additionalProperties: false,
  properties: {
    index: {
      type: 'string',
      description: 'Data stream or index. Default logs-governed_gateway-default.',
      pattern: '^[a-z0-9][a-z0-9._-]{0,127}$',
    },
    auth_scheme: {
      type: 'string',
      description: 'ApiKey: auth_token is the encoded key. Basic: it is user:password. Default ApiKey.',
      enum: ['ApiKey', 'Basic', 'Bearer'],
    },
  },
} as const

interface ElasticOptions {
  readonly index?: string
  readonly auth_scheme?: 'ApiKey' | 'Basic' | 'Bearer'
}

/** Elasticsearch and OpenSearch: `_bulk` with our ids, so that a repeated event is stored once. */
export const elastic: Destination = {
  maxBytes: MAX_BYTES,
  maxEvents: 10_000,
  schemes: ['https', 'http'],
  options,
  write(recorded, settings) {
    const action = JSON.stringify({ create: { _id: recorded.event.id } })
    return `${action}\n${timed(recorded, settings, { time: '@timestamp', message: 'message' })}\n`
  },
  open(settings, outside) {
    const { index = 'logs-governed_gateway-default', auth_scheme = 'ApiKey' } =
      settings.destination_options as ElasticOptions
    const target = new URL(withPath(urlOf(settings), `/${index}/_bulk`))
    target.searchParams.set('filter_path', 'errors,items.*.status')
    const headers = credentials(auth_scheme, settings.auth_token)
    return httpChannel(settings, outside, {
      request: ({ items }) => ({
        url: target.href,
        contentType: 'application/x-ndjson',
        headers,
        body: items.map(({ text }) => text).join(''),
      }),
      read,
      maxAnswerBytes: 2_000_000,
    })
  },
}

async function read(reply: FetchReply, { items }: Batch): Promise<Sent> {
  const { status } = reply
  if (status < 200 || status >= 300) return attemptOf(reply)
  const answer = await jsonOf(reply)
  if (answer?.errors === false) return { result: 'delivered', status }
  const results = answer?.items
  if (answer?.errors !== true || !Array.isArray(results) || results.length !== items.length) return unexpected(status)
  const statuses = results.map(statusOf)
  const each = statuses.map(verdictOf)
  const rejection = errorOf(statuses, each, 'rejected')
  const error = errorOf(statuses, each, 'unavailable') ?? rejection
  const result = each.includes('unavailable') ? 'unavailable' : 'rejected'
  return { result, status, each, ...(error !== undefined && { error }), ...(rejection !== undefined && { rejection }) }
}

function errorOf(statuses: readonly number[], each: readonly Verdict[], verdict: Verdict): string | undefined {
  const first = each.indexOf(verdict)
  return first < 0 ? undefined : `item_${statuses[first]}`
}

function statusOf(item: unknown): number {
  const [action] = Object.values(typeof item === 'object' && item !== null ? item : {}) as { status?: unknown }[]
  return typeof action?.status === 'number' ? action.status : 0
}

/** 409: an earlier attempt stored this id, but its answer was lost. */
function verdictOf(status: number): Verdict {
  if ((status >= 200 && status < 300) || status === 409) return 'delivered'
  if (status >= 400 && status < 500 && ![401, 403, 408, 429].includes(status)) return 'rejected'
  return 'unavailable'
}
