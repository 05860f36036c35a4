const MiB = 1024 * 1024

export const schema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    path: {
      type: 'string',
      minLength: 1,
      default: './data/audit/audit.jsonl',
      description: 'The file that is written to. A relative path counts from the folder of the config file.',
    },
    rotate: {
      type: 'string',
      enum: ['hourly', 'daily', 'never'],
      default: 'daily',
      description: 'When a new file begins (UTC), besides at `max_bytes`.',
    },
    max_bytes: {
      type: 'integer',
      minimum: 4096,
      maximum: 64 * 1024 * MiB,
      default: 256 * MiB,
      description: 'Size at which a new file begins, bytes.',
    },
    keep_files: {
      type: 'integer',
      minimum: 1,
      maximum: 100_000,
      default: 400,
      description: 'Rotated files that are kept; the oldest go first.',
    },
    keep_days: {
      type: 'number',
      exclusiveMinimum: 0,
      maximum: 36_500,
      default: 400,
      description: 'Days that a rotated file is kept after its last event.',
    },
  },
} as const
