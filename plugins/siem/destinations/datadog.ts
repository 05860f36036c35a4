import { encodeRecorded } from 'governed-gateway/kit'
import { type Destination, MAX_BYTES, urlOf } from './destination.ts'
import { accepted, httpChannel, withPath } from './http.ts'

const options = {
  type: 'object',
  additionalProperties: false,
  properties: {
    service: { type: 'string', description: 'Default source_name.', minLength: 1, maxLength: 100 },
    ddsource: { type: 'string', description: 'Default governed-gateway.', minLength: 1, maxLength: 100 },
    ddtags: {
      type: 'string',
      description: 'Tags separated by commas. Default env: and the environment.',
      minLength: 1,
      maxLength: 1000,
    },
  },
} as const

interface DatadogOptions {
  readonly service?: string
  readonly ddsource?: string
  readonly ddtags?: string
}

/** Datadog's log intake, version 2. */
export const datadog: Destination = {
  maxBytes: MAX_BYTES,
  maxEvents: 1000,
  schemes: ['https', 'http'],
  options,
  write(recorded, { format, source, options: given }) {
    const { event } = recorded
    const { source_name, environment } = source
    const {
      service = source_name,
      ddsource = 'governed-gateway',
      ddtags = `env:${environment}`,
    } = given as DatadogOptions
    const message = encodeRecorded(format, recorded, source)
    // Without a date, Datadog uses the time of arrival.
    return JSON.stringify({ date: event.time, ddsource, ddtags, hostname: event.instance, service, message })
  },
  open(settings, outside) {
    const url = withPath(urlOf(settings), '/api/v2/logs')
    const headers: Record<string, string> =
      settings.auth_token === undefined ? {} : { 'dd-api-key': settings.auth_token }
    return httpChannel(settings, outside, {
      request: ({ items }) => ({
        url,
        contentType: 'application/json',
        headers,
        body: `[${items.map(({ text }) => text).join(',')}]`,
      }),
      read: accepted,
    })
  },
}
