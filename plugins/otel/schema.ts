export const schema = {
  type: 'object',
  additionalProperties: false,
  required: ['endpoint'],
  properties: {
    endpoint: {
      type: 'string',
      pattern: '^https?://[^\\s?#]+$',
      maxLength: 2048,
      description:
        'Base URL of the OTLP/HTTP receiver, such as `http://collector:4318`; `/v1/traces` and `/v1/logs` are added.',
    },
    headers: {
      type: 'object',
      default: {},
      maxProperties: 20,
      additionalProperties: { type: 'string', maxLength: 4096, writeOnly: true },
      description: 'Headers of each export, such as `authorization`.',
    },
    encoding: {
      type: 'string',
      enum: ['json', 'protobuf'],
      default: 'protobuf',
      description: 'Encoding of exports. `json` takes more processor time and twice the bytes.',
    },
    traces: { type: 'boolean', default: true, description: 'Whether to export spans.' },
    logs: { type: 'boolean', default: true, description: 'Whether to export governance events as log records.' },
    sample_ratio: {
      type: 'number',
      minimum: 0,
      maximum: 1,
      default: 0.1,
      description: 'Share of requests without a `traceparent` to trace. With one, its `sampled` flag decides.',
    },
    propagate: {
      type: 'boolean',
      default: true,
      description:
        'Whether providers get a `traceparent` of the gateway. Otherwise they get that of the client, if any.',
    },
    record_prompts: {
      type: 'boolean',
      default: false,
      description: 'Whether spans contain the messages as sent to the provider. They may hold personal data.',
    },
    service_name: {
      type: 'string',
      minLength: 1,
      maxLength: 256,
      default: 'governed-gateway',
      description: 'Resource attribute `service.name`.',
    },
    attributes: {
      type: 'object',
      default: {},
      maxProperties: 50,
      additionalProperties: { type: 'string', maxLength: 1024 },
      description: 'More resource attributes, such as `deployment.environment.name`.',
    },
    max_queue: {
      type: 'integer',
      minimum: 100,
      maximum: 1_000_000,
      default: 10_000,
      description:
        'Most spans, and most log records, that wait while the receiver is unavailable; further ones are dropped and counted.',
    },
    flush_seconds: {
      type: 'number',
      minimum: 0.1,
      maximum: 60,
      default: 2,
      description: 'Longest wait of a batch, seconds.',
    },
    timeout_seconds: {
      type: 'number',
      minimum: 0.1,
      maximum: 60,
      default: 10,
      description: 'Time limit of one export, seconds.',
    },
  },
} as const
