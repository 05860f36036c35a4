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
      'Where it works, such as eu; lower-case letters, digits and dash, at most 32. Requests may ask for a region with X-Service-Region, and keys[].region demands one. Default none.',
  },
  cost: {
    type: 'number',
    minimum: 0,
    maximum: 1_000_000,
    description:
      'Its price in any unit that all upstreams of a route share, for routes[].cheapest, 0 to 1000000. Default: unknown.',
  },
} as const satisfies Readonly<Record<string, JSONSchema>>
