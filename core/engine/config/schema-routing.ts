/** Time limits of a route, and which upstreams a request prefers: parts of `routes`. */
import type { JSONSchema } from 'json-schema-to-ts'
import { LEVELS } from '../contract/labels.ts'

export const REGION = '^[a-z0-9][a-z0-9-]{0,31}$'

/** Members of `routes`. */
export const routingProperties = {
  timeout_seconds: {
    type: 'number',
    minimum: 0.001,
    maximum: 86400,
    description:
      'Longest time from the request to the end of its reply, with all attempts, seconds, 0.001 to 86400; then 504. A request may ask for less with X-Service-Timeout. Default: the timeouts of the upstreams.',
  },
  first_token_timeout_seconds: {
    type: 'number',
    minimum: 0.001,
    maximum: 86400,
    description:
      'Time from asking an upstream to the first text of its stream, seconds, 0.001 to 86400. Then the next upstream is asked, although this one may charge for its work; after the last, 504. Until then nothing reaches the client. Default: none.',
  },
  prefer: {
    type: 'array',
    minItems: 1,
    items: {
      type: 'object',
      additionalProperties: false,
      required: ['label', 'upstreams'],
      properties: {
        label: { type: 'string', enum: LEVELS, description: 'For requests with this label or a higher one.' },
        upstreams: {
          type: 'array',
          items: { type: 'string' },
          minItems: 1,
          uniqueItems: true,
          description: 'Upstreams of "to" to ask before the others, in this order.',
        },
      },
    },
    description:
      'Upstreams that requests of a label prefer; of several entries that apply, the one with the highest label. Ceilings still hold. Default none.',
  },
  mirror: {
    type: 'object',
    description:
      'A second upstream that gets a copy of some requests, to compare a model. Its reply is inspected and measured (event upstream.mirrored) and then dropped: clients neither see it nor wait for it. Tokens and dollars of copies count against the budgets of the key. Default none.',
    additionalProperties: false,
    required: ['upstream', 'share'],
    properties: {
      upstream: { type: 'string', description: 'Name of the upstream.' },
      share: {
        type: 'number',
        minimum: 0,
        maximum: 1,
        description: 'Share of requests to copy, 0 to 1.',
      },
      model: {
        type: 'string',
        minLength: 1,
        maxLength: 256,
        description: "Name of the model there. Default: rename of the route, or the client's name.",
      },
      max_concurrent: {
        type: 'integer',
        minimum: 1,
        maximum: 1000,
        default: 4,
        description:
          "Most concurrent copies of one process, 1 to 1000; beyond that, requests are not copied. They do not count in the upstream's own max_concurrent. Default 4.",
      },
      timeout_seconds: {
        type: 'number',
        minimum: 0.001,
        maximum: 3600,
        default: 60,
        description: 'Longest time of a copy and its reply, seconds, 0.001 to 3600. Default 60.',
      },
      max_bytes: {
        type: 'integer',
        minimum: 1024,
        maximum: 67_108_864,
        default: 1_048_576,
        description:
          'Larger requests are not copied, and larger replies (of a stream: events) count as failed; bytes, 1024 to 67108864 (64 MiB). Default 1048576 (1 MiB).',
      },
    },
  },
  cheapest: {
    type: 'boolean',
    default: false,
    description:
      'Whether to ask upstreams of one priority by their cost, the lowest first; those without a cost come last. Default false.',
  },
} as const satisfies Readonly<Record<string, JSONSchema>>

/** Members of `upstreams`. */
export const placeProperties = {
  region: {
    type: 'string',
    pattern: REGION,
    description:
      'Region of the upstream, such as eu; lower-case letters, digits and dash, at most 32. Requests may ask for a region with X-Service-Region, and keys[].region demands one. Default none.',
  },
  cost: {
    type: 'number',
    minimum: 0,
    maximum: 1_000_000,
    description:
      'Price of the upstream for routes[].cheapest, 0 to 1000000, in any unit that all upstreams of a route share. Default: unknown.',
  },
} as const satisfies Readonly<Record<string, JSONSchema>>
