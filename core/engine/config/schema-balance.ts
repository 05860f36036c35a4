/** How upstreams share requests, and what happens when one fails: parts of `upstreams` and `routes`. */
import type { JSONSchema } from 'json-schema-to-ts'

const seconds = (description: string, minimum: number, maximum: number, value: number) =>
  ({
    type: 'number',
    minimum,
    maximum,
    default: value,
    description: `${description}, seconds, ${minimum} to ${maximum}. Default ${value}.`,
  }) as const

/** Members of `upstreams` about load and health. */
export const loadProperties = {
  max_concurrent: {
    type: 'integer',
    minimum: 1,
    maximum: 100_000,
    description:
      'Most concurrent requests of one process to this upstream, 1 to 100000. Further ones go to another upstream of the route, or wait. Default: no limit.',
  },
  max_waiting: {
    type: 'integer',
    minimum: 0,
    maximum: 100_000,
    default: 100,
    description:
      'Most requests that wait for max_concurrent, 0 to 100000; keys take turns. Beyond it: 429 with Retry-After. Default 100.',
  },
  max_wait_seconds: seconds('Longest such wait; then 429 with Retry-After', 0.001, 600, 10),
  idempotent: {
    type: 'boolean',
    default: false,
    description:
      'Whether the provider honours Idempotency-Key: requests with the same key are charged once and get the same answer. The gateway then adds a unique key to each request, which its attempts share. With retry, a request that may have been charged is retried at this upstream only. Check that your provider guarantees it. Default false.',
  },
  breaker: {
    type: 'object',
    description: 'When the gateway stops asking this upstream for a while, if the route has another.',
    default: {},
    additionalProperties: false,
    properties: {
      enabled: { type: 'boolean', default: true, description: 'Whether the breaker is used. Default true.' },
      failures: {
        type: 'integer',
        minimum: 1,
        maximum: 10_000,
        default: 5,
        description:
          'Failures in a row that open it: no connection, no answer, or a status of 500 and above; 1 to 10000. Default 5.',
      },
      failure_share: {
        type: 'number',
        minimum: 0.01,
        maximum: 1,
        default: 0.5,
        description: 'Share of failures within window_seconds that opens it, 0.01 to 1. Default 0.5.',
      },
      min_requests: {
        type: 'integer',
        minimum: 1,
        maximum: 1_000_000,
        default: 20,
        description: 'Fewest requests within window_seconds for failure_share to count, 1 to 1000000. Default 20.',
      },
      window_seconds: seconds('Time over which failure_share counts', 0.001, 3600, 30),
      open_seconds: seconds('Time until one request tries again', 0.001, 3600, 5),
      max_open_seconds: seconds('open_seconds doubles with each trial that fails, up to this', 0.001, 86_400, 60),
    },
  },
  health_check: {
    type: 'object',
    description:
      'A GET with the key of this upstream that opens and closes its breaker, so that no client request serves as the trial. Default: none.',
    additionalProperties: false,
    required: ['path'],
    properties: {
      path: {
        type: 'string',
        pattern: '^/[\\x21-\\x7e]*$',
        maxLength: 1024,
        description: 'Path below url, such as /models. Any status below 500 except 429 is healthy.',
      },
      interval_seconds: seconds('Time between two checks', 0.05, 3600, 10),
      timeout_seconds: seconds('Time for one check', 0.05, 600, 5),
    },
  },
} as const satisfies Readonly<Record<string, JSONSchema>>

/** `routes[].to`. */
export const toSchema = {
  type: 'array',
  minItems: 1,
  items: {
    anyOf: [
      { type: 'string' },
      {
        type: 'object',
        additionalProperties: false,
        required: ['upstream'],
        properties: {
          upstream: { type: 'string', description: 'Name of an upstream.' },
          weight: {
            type: 'integer',
            minimum: 0,
            maximum: 1000,
            description:
              'Its share among those of the same priority, with balance; 0 to 1000. 0: gets no requests. Default 1.',
          },
          priority: {
            type: 'integer',
            minimum: 0,
            maximum: 100,
            description:
              'Lower ones are asked first; higher ones when no lower one can answer. 0 to 100. Default 0. Without balance, those of one priority are asked in order.',
          },
        },
      },
    ],
  },
  description:
    'Names of upstreams, or objects with upstream, weight and priority. Without balance they are asked in order: later ones are fallbacks until the first byte.',
} as const satisfies JSONSchema

/** Members of `routes` about choice and failure. */
export const choiceProperties = {
  balance: {
    type: 'string',
    enum: ['order', 'weighted', 'least_busy', 'latency'],
    default: 'order',
    description:
      'How to choose among upstreams of one priority. order: the first that can answer. weighted: by chance, by weight. least_busy: of two by chance, the one with fewer open requests for its weight. latency: of two by chance, the one that answers sooner for its open requests. Default order.',
  },
  sticky: {
    type: 'string',
    enum: ['session'],
    description:
      "session: requests of one session go to the same upstream while it can answer, so that the provider's prompt cache hits; without sessions, those of one key. Needs balance. Default: none.",
  },
  retry: {
    type: 'object',
    description:
      'Asks an upstream again when no other can answer, before the first byte: after a failure to connect, 408, 429 and statuses of 500 and above. Default: never; the client gets the failure.',
    additionalProperties: false,
    properties: {
      attempts: {
        type: 'integer',
        minimum: 1,
        maximum: 10,
        default: 2,
        description: 'Most retries of one request, 1 to 10. Default 2.',
      },
      first_wait_seconds: seconds('Longest wait before the first; it doubles each time', 0.001, 60, 0.25),
      max_wait_seconds: seconds('Longest wait before any', 0.001, 600, 4),
      max_retry_after_seconds: seconds(
        'Longest Retry-After to wait for; a longer one counts as a failure of this upstream',
        0,
        600,
        2,
      ),
      budget: {
        type: 'number',
        minimum: 0.001,
        maximum: 1,
        default: 0.1,
        description: 'Most retries for each request of this route, in one process, 0.001 to 1. Default 0.1: a tenth.',
      },
    },
  },
  may_charge_twice: {
    type: 'boolean',
    default: false,
    description:
      'Whether to retry a request that the provider may have charged, here or at the next upstream: the connection broke without an answer, no first byte came in time, or the status was 504 or 524. Default false: the client gets the failure, unless the upstream is idempotent.',
  },
} as const satisfies Readonly<Record<string, JSONSchema>>
