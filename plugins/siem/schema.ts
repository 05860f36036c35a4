import { settingsSchema } from './settings.ts'

type Fields = (typeof settingsSchema)['properties']
type WithoutDefaults = { readonly [K in keyof Fields]: Omit<Fields[K], 'default'> }

/** Options are the initial values of settings, with the same defaults. */
const startingPoints = Object.fromEntries(
  Object.entries<object & { default?: unknown }>(settingsSchema.properties).map(([name, { default: _, ...field }]) => [
    name,
    field,
  ]),
) as unknown as WithoutDefaults

/** Options of the config entry: all settings, and options that only the operator of the machine sets. */
export const schema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    ...startingPoints,
    request_timeout_seconds: {
      type: 'number',
      description: 'How long one attempt may take, seconds. 0.1 to 60. Default 10.',
      minimum: 0.1,
      maximum: 60,
      default: 10,
    },
    replay_batches_per_second: {
      type: 'number',
      description:
        'Fastest delivery of the backlog after an outage of the receiver, batches a second; it starts at 5 and doubles every 10 s. 1 to 1000. Default 100.',
      minimum: 1,
      maximum: 1000,
      default: 100,
    },
    max_backlog_events: {
      type: 'integer',
      description:
        'Most events that wait for an unavailable receiver. Beyond it, the oldest leave the queue: block and terminal events go to a log of the newest 100000, all others are dropped and counted by export.dropped. 1000 to 100000000. Default 5000000.',
      minimum: 1000,
      maximum: 100_000_000,
      default: 5_000_000,
    },
  },
} as const
