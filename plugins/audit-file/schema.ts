const MiB = 1024 * 1024

export const schema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    path: {
      type: 'string',
      minLength: 1,
      default: './data/audit/audit.jsonl',
      description: 'The file to write. A relative path starts at the folder of the config file.',
    },
    rotate: {
      type: 'string',
      enum: ['hourly', 'daily', 'never'],
      default: 'daily',
      description: 'When to start a new file (UTC), besides at `max_bytes`.',
    },
    max_bytes: {
      type: 'integer',
      minimum: 4096,
      maximum: 64 * 1024 * MiB,
      default: 256 * MiB,
      description: 'Size at which to start a new file, bytes.',
    },
    keep_files: {
      type: 'integer',
      minimum: 1,
      maximum: 100_000,
      default: 400,
      description: 'Number of rotated files to keep; the oldest are deleted first.',
    },
    keep_days: {
      type: 'number',
      exclusiveMinimum: 0,
      maximum: 36_500,
      default: 400,
      description: 'Days to keep a rotated file after its last event.',
    },
  },
} as const
