import type { JSONSchema } from 'json-schema-to-ts'
import { LEVELS } from '../contract/labels.ts'
import { TEAM_PATTERN } from '../util/team-name.ts'
import { choiceProperties, toSchema } from './schema-balance.ts'
import { REGION, routingProperties } from './schema-routing.ts'

/** One entry of `routes`. */
export const routeSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['model', 'to'],
  properties: {
    model: { type: 'string', description: 'Glob of model names; * stands for any run of characters.' },
    to: toSchema,
    ...choiceProperties,
    ...routingProperties,
    max_classification: {
      type: 'string',
      enum: LEVELS,
      description: 'Highest label of a request that may take this route. Default: no limit.',
    },
    rename: {
      type: 'string',
      minLength: 1,
      maxLength: 256,
      description: 'Model name to send upstream. Default: the one the client sent.',
    },
  },
} as const satisfies JSONSchema

/** One entry of `keys`. */
export const keySchema = {
  type: 'object',
  additionalProperties: false,
  required: ['id'],
  properties: {
    id: {
      type: 'string',
      pattern: '^[A-Za-z0-9][A-Za-z0-9._:-]{0,63}$',
      description: 'Name of the key in logs and events: letters, digits, . _ : -, at most 64 characters.',
    },
    hash: {
      type: 'string',
      pattern: '^sha256:[0-9A-Fa-f]{64}$',
      description: 'sha256: and the 64 hex digits of the key; governed-gateway keys create prints it. Or give key.',
    },
    key: {
      type: 'string',
      minLength: 8,
      maxLength: 512,
      pattern: '^[\\x21-\\x7e]+$',
      description: 'The key itself, 8 to 512 visible ASCII characters, best as a reference to the environment.',
    },
    client_certificate: {
      type: 'object',
      additionalProperties: false,
      minProperties: 1,
      description:
        'Requests without a key whose verified client certificate matches belong to this key; needs listen.tls.client_certificates. With subject and san, both must match. Default none.',
      properties: {
        subject: {
          type: 'string',
          minLength: 1,
          maxLength: 1024,
          description: 'The whole subject in any order, such as CN=app, O=Example. A comma within a value as \\,.',
        },
        san: {
          type: 'string',
          pattern: '^(DNS|URI|email|IP Address):.+$',
          maxLength: 1024,
          description:
            'One of its alternative names with its kind, such as URI:spiffe://example.org/app or DNS:app.internal.',
        },
      },
    },
    team: {
      type: 'string',
      maxLength: 64,
      pattern: TEAM_PATTERN,
      description: 'Team, for limits and reports: one line without invisible characters. Default none.',
    },
    models: {
      type: 'array',
      items: { type: 'string' },
      default: ['*'],
      description: 'Globs of the models this key may use. Default all.',
    },
    expires: {
      type: 'string',
      description: 'ISO 8601 date (valid through its last second, UTC) or date and time with zone. Default never.',
    },
    disabled: { type: 'boolean', default: false, description: 'Refuses the key at once. Default false.' },
    admin: { type: 'boolean', default: false, description: 'May use the settings and admin routes. Default false.' },
    max_classification: {
      type: 'string',
      enum: LEVELS,
      description: 'Highest label of a request this key may send. Default: no limit.',
    },
    region: {
      type: 'string',
      pattern: REGION,
      description: 'Only upstreams of this region may get requests of this key. Default: all.',
    },
    flags_allow: {
      type: 'array',
      items: {
        type: 'string',
        pattern: '^[a-z][a-z0-9_]*=[A-Za-z0-9_*-]+$',
        description: 'A flag and the value that it may have, such as mode=monitor.',
      },
      default: [],
      description:
        'Loosenings a request with this key may ask for in X-Service-Flags, such as mode=monitor or budget=*. Default none.',
    },
    flags: {
      type: 'object',
      propertyNames: { pattern: '^[a-z][a-z0-9_]*$' },
      additionalProperties: { type: ['string', 'integer', 'boolean'] },
      default: {},
      description: "The operator's flags for this key, such as mode: monitor. Default none.",
    },
  },
} as const satisfies JSONSchema

/** One entry of `plugins`. */
export const pluginEntrySchema = {
  type: 'object',
  additionalProperties: false,
  required: ['use'],
  properties: {
    use: {
      type: 'string',
      minLength: 1,
      description: 'A bundled plugin, a path relative to this file (./policies/mine.ts) or an installed npm package.',
    },
    enabled: { type: 'boolean', default: true, description: 'Default true.' },
    options: { type: 'object', default: {}, description: 'Options of the plugin; see its README.' },
    mode: {
      type: 'string',
      enum: ['monitor'],
      description: 'monitor: records the decisions of this plugin without enforcing them. Default: they are enforced.',
    },
    on_error: {
      type: 'string',
      enum: ['block', 'allow'],
      description: 'What happens to a request when the plugin fails. Default: what the plugin declares.',
    },
    timeout_ms: {
      type: 'integer',
      minimum: 1,
      maximum: 600_000,
      description: 'Deadline of one call, milliseconds, 1 to 600000. Default: what the plugin declares.',
    },
  },
} as const satisfies JSONSchema
