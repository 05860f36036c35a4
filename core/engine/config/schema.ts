/**
 * The shape of the config file: the source of types, validation, defaults and `config/schema.json` for editors.
 * `rules.ts` contains the rules that a JSON Schema cannot express.
 */
import type { JSONSchema } from 'json-schema-to-ts'
import { keySchema, pluginEntrySchema, routeSchema } from './schema-entries.ts'
import { auditSchema, limitsSchema } from './schema-ledger.ts'
import { listenTlsSchema, socketSchema } from './schema-listen.ts'
import { upstreamSchema } from './schema-upstream.ts'

const MiB = 1024 * 1024

const listenSchema = {
  type: 'object',
  description: 'Address, limits and timeouts for requests.',
  default: {},
  additionalProperties: false,
  properties: {
    host: {
      type: 'string',
      minLength: 1,
      default: '127.0.0.1',
      description: 'Address to listen on; 0.0.0.0 or :: for all. Default 127.0.0.1. SERVICE_HOST overrides it.',
    },
    port: {
      type: 'integer',
      minimum: 0,
      maximum: 65535,
      default: 8787,
      description: 'TCP port, 0 to 65535; 0 picks a free one. Default 8787. SERVICE_PORT overrides it.',
    },
    socket: socketSchema,
    tls: listenTlsSchema,
    max_body_bytes: {
      type: 'integer',
      minimum: 1024,
      maximum: 256 * MiB,
      default: 16 * MiB,
      description: 'Largest request body, bytes, 1024 to 268435456 (256 MiB). Default 16777216 (16 MiB). Above: 413.',
    },
    max_json_values: {
      type: 'integer',
      minimum: 100_000,
      maximum: 10_000_000,
      default: 320_000,
      description:
        'Most JSON values, names and elements, of a request body with its tool arguments, 100000 to 10000000; a member counts twice, with its name. Default 320000: the largest embeddings request of the API, and far more than long conversations with many tools need. Above: 413.',
    },
    max_header_bytes: {
      type: 'integer',
      minimum: 1024,
      maximum: MiB,
      default: 16384,
      description: 'Largest request head, bytes, 1024 to 1048576. Default 16384 (16 KiB). Above: 431.',
    },
    headers_timeout_seconds: {
      type: 'number',
      minimum: 0.001,
      maximum: 3600,
      default: 10,
      description: 'Time for the whole request head, seconds, 0.001 to 3600. Default 10.',
    },
    request_timeout_seconds: {
      type: 'number',
      minimum: 0.001,
      maximum: 3600,
      default: 60,
      description: 'Time for the whole request with its body, seconds, 0.001 to 3600. Default 60. Later: 408.',
    },
    keep_alive_seconds: {
      type: 'integer',
      minimum: 1,
      maximum: 3600,
      default: 75,
      description: 'How long an idle connection stays open, seconds, 1 to 3600. Default 75.',
    },
    max_connections: {
      type: 'integer',
      minimum: 0,
      maximum: 1_000_000,
      default: 0,
      description:
        'Most open client connections of one process, 0 to 1000000. A few more get 503, further ones are closed. 0: as many as file descriptors allow, two per connection. Default 0.',
    },
    pre_stop_seconds: {
      type: 'number',
      minimum: 0,
      maximum: 600,
      description:
        'How long new connections are still served after SIGTERM while /health/ready already answers 503 `draining`, so that load balancers route elsewhere first; seconds, 0 to 600. Default 5 with several workers and no terminal, else 0.',
    },
    drain_seconds: {
      type: 'number',
      minimum: 0,
      maximum: 3600,
      default: 25,
      description: 'How long running exchanges may continue after the port is closed, seconds, 0 to 3600. Default 25.',
    },
    reuse_port: {
      type: 'boolean',
      default: true,
      description:
        'With several workers: true lets the kernel spread connections over them (SO_REUSEPORT; systems without it behave as with false); false lets the primary distribute them in turn, which is more even for a few long-lived connections and slower for many short ones. Default true.',
    },
    trusted_proxies: {
      type: 'array',
      items: { type: 'string' },
      default: [],
      description:
        'Addresses or CIDR ranges of proxies whose x-forwarded-for is trusted. Default none: the client is the peer.',
    },
  },
} as const satisfies JSONSchema

const logSchema = {
  type: 'object',
  description: 'The log: JSON lines on stderr or in a file, without prompts, keys or tokens.',
  default: {},
  additionalProperties: false,
  properties: {
    level: {
      type: 'string',
      enum: ['debug', 'info', 'warn', 'error', 'silent'],
      default: 'info',
      description: 'Lowest level written. Default info. SERVICE_LOG_LEVEL overrides it.',
    },
    file: {
      type: 'string',
      minLength: 1,
      description:
        'File to which all workers append the log; SIGUSR1 opens it again, for tools that rotate logs. Default none: stderr.',
    },
  },
} as const satisfies JSONSchema

const streamSchema = {
  type: 'object',
  description: 'How streamed replies behave.',
  default: {},
  additionalProperties: false,
  properties: {
    block_signal: {
      type: 'string',
      enum: ['error', 'finish_reason'],
      default: 'error',
      description:
        'How to report a block within a stream: error (an error event, SDKs throw) or finish_reason (the reply ends with content_filter). Default error.',
    },
    keep_alive_seconds: {
      type: 'number',
      minimum: 0,
      maximum: 3600,
      default: 15,
      description: 'Send a comment after this long without other output, seconds, 0 to 3600; 0 sends none. Default 15.',
    },
  },
} as const satisfies JSONSchema

const inspectionSchema = {
  type: 'object',
  description:
    'How many findings one exchange may have, and what the gateway remembers of inspected requests, so that it inspects a growing conversation only once.',
  default: {},
  additionalProperties: false,
  properties: {
    max_findings: {
      type: 'integer',
      minimum: 1000,
      maximum: 100_000_000,
      default: 100_000,
      description:
        'Largest number of findings in one request, and in one reply, 1000 to 100000000: beyond it the request is refused with 413 and the reply ends with 502, in every mode. A value counts once for each plugin and reading that reports it. Many findings take memory and delay other requests. Default 100000.',
    },
    memo_bytes: {
      type: 'integer',
      minimum: 0,
      maximum: 4096 * MiB,
      default: 32 * MiB,
      description:
        'Approximate memory for remembered findings in each process, bytes, 0 to 4294967296 (4 GiB); 0 turns it off. Texts themselves are not kept. Default 33554432 (32 MiB).',
    },
    memo_from_bytes: {
      type: 'integer',
      minimum: 0,
      maximum: MiB,
      default: 4096,
      description:
        'Smaller requests are not remembered, because inspecting them is cheaper; bytes, 0 to 1048576. Default 4096.',
    },
    memo_scope: {
      type: 'string',
      enum: ['key', 'team', 'shared'],
      default: 'key',
      description:
        'Which requests share remembered findings: those of one API key, of one team (a key without a team shares with none), or all. With team and shared, response times can reveal whether another caller recently sent the same text. Default key.',
    },
  },
} as const satisfies JSONSchema

const egressSchema = {
  type: 'object',
  description: 'What plugins may connect to beyond public addresses. Does not apply to upstreams.',
  default: {},
  additionalProperties: false,
  properties: {
    allow: {
      type: 'array',
      items: { type: 'string' },
      default: [],
      description:
        'CIDR ranges (open private addresses only) and exact host:port (may also name loopback). Default none.',
    },
  },
} as const satisfies JSONSchema

const settingsSchema = {
  type: 'object',
  description: 'What admins may change while the gateway runs, beyond the settings that plugins declare.',
  default: {},
  additionalProperties: false,
  properties: {
    override_options: {
      type: 'array',
      items: { type: 'string', minLength: 1, maxLength: 128 },
      uniqueItems: true,
      default: [],
      description:
        'Plugins, by name, whose options an admin key may override at /api/plugins/{name}/options; "*" for all. An override can also switch a guard off. Default none: only this file sets options.',
    },
  },
} as const satisfies JSONSchema

export const configSchema = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  title: 'governed-gateway configuration',
  type: 'object',
  additionalProperties: false,
  required: ['upstreams'],
  properties: {
    listen: listenSchema,
    store: {
      type: 'string',
      default: 'file:./data',
      description:
        'Where state lives: memory, file:<folder>, redis://host:6379/0 or rediss://host:6379/0?ca=<file>; paths are relative to this file. Default file:./data. SERVICE_STORE overrides it.',
    },
    workers: {
      anyOf: [
        { type: 'integer', minimum: 1, maximum: 256 },
        { type: 'string', const: 'auto' },
      ],
      default: 1,
      description:
        'Processes that serve requests, 1 to 256, or auto for one per core available to this machine (or container). They share port, store, limits and sessions. Default 1: one process uses about one core, and each needs its own memory. SERVICE_WORKERS overrides it.',
    },
    instance: {
      type: 'string',
      pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$',
      description:
        'Name of this node in events and in the audit trail, unique among the nodes that share the store; with Redis, workers add -w1, -w2 ... Letters, digits, dot, dash and underscore, at most 64. Default: host name, process id and a random part, new at each start. SERVICE_INSTANCE overrides it.',
    },
    worker_timeout_seconds: {
      type: 'number',
      minimum: 1,
      maximum: 3600,
      default: 30,
      description:
        'With several workers: how long a worker may be unresponsive, such as in an endless loop of a plugin, before it is killed and replaced; seconds, 1 to 3600. Default 30.',
    },
    secret: {
      type: 'string',
      minLength: 32,
      maxLength: 1024,
      description:
        'Secret of the deployment, 32 to 1024 characters; session ids and tokens are derived from it. Default: created at the first start and kept in the data folder; required with Redis. SERVICE_SECRET overrides it.',
    },
    log: logSchema,
    stream: streamSchema,
    upstreams: {
      type: 'object',
      description: 'Providers by name. Names: letters, digits, dot, dash and underscore, at most 64 characters.',
      minProperties: 1,
      propertyNames: { pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$' },
      additionalProperties: upstreamSchema,
    },
    routes: {
      type: 'array',
      description:
        'Upstreams for each model; the first match wins. Optional with a single upstream, which then gets all models.',
      default: [],
      items: routeSchema,
    },
    keys: {
      type: 'array',
      description: 'API keys. When the list is empty, the first start creates a user key and an admin key.',
      default: [],
      items: keySchema,
    },
    inspection: inspectionSchema,
    audit: auditSchema,
    limits: limitsSchema,
    egress: egressSchema,
    settings: settingsSchema,
    plugins: {
      type: 'array',
      description: 'Plugins in tap order. With none, the gateway is a plain authenticated streaming proxy.',
      default: [],
      items: pluginEntrySchema,
    },
  },
} as const satisfies JSONSchema
