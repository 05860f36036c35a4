import type { JSONSchema } from 'json-schema-to-ts'

const MiB = 1024 * 1024

export const auditSchema = {
  type: 'object',
  description: 'The audit log. It is written while a plugin reads it, to store, export or alert.',
  default: {},
  additionalProperties: false,
  properties: {
    on_error: {
      type: 'string',
      enum: ['block', 'allow'],
      default: 'block',
      description:
        'A request that cannot be recorded: block (503 audit_unavailable, nothing is sent to a provider) or allow (it continues; its events follow when the store is back). Default block.',
    },
    durability: {
      type: 'string',
      enum: ['stored', 'synced', 'relaxed'],
      default: 'stored',
      description:
        'What a recorded event survives before the client gets its last byte: stored (the death of any process), synced (also a power cut), relaxed (nothing: the client does not wait, and a killed process loses up to 0.2 s). With Redis, its appendfsync decides between stored and synced. Takes a restart. Default stored.',
    },
    spill_folder: {
      type: 'string',
      minLength: 1,
      description:
        'Folder for events that wait while the store is unavailable, and for those of a killed process until the next start; relative to this file. Default: the folder of the store; with Redis ./data.',
    },
    retention_days: {
      type: 'number',
      exclusiveMinimum: 0,
      maximum: 36_500,
      default: 90,
      description:
        'How long the store keeps an event that every plugin reading the log has acknowledged, days, up to 36500. Unread events are never removed. Default 90.',
    },
    max_records: {
      type: 'integer',
      minimum: 1000,
      maximum: 1_000_000_000,
      default: 5_000_000,
      description:
        'How many events of each instance the store keeps, 1000 to 1000000000; the oldest are removed first, but never unread ones. Default 5000000, about 4 GB.',
    },
    max_spill_bytes: {
      type: 'integer',
      minimum: MiB,
      maximum: 64 * 1024 * MiB,
      default: 256 * MiB,
      description:
        'Most waiting data, bytes per process, 1048576 to 68719476736. Default 268435456 (256 MiB). Beyond: as on_error says.',
    },
  },
} as const satisfies JSONSchema

export const limitsSchema = {
  type: 'object',
  description: 'Budgets and rate limits.',
  default: {},
  additionalProperties: false,
  properties: {
    on_store_error: {
      type: 'string',
      enum: ['block', 'local'],
      default: 'block',
      description:
        'Limits while the store is unavailable: block (503 limits_unavailable) or local (each process counts from zero against the same limits, and adds its counts to the store when it is back; those of a process that is killed meanwhile are lost). Default block.',
    },
  },
} as const satisfies JSONSchema
