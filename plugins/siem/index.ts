import { definePlugin } from 'governed-gateway'
import { check } from './check.ts'
import { DeadLetterLog } from './delivery/dead-letter-log.ts'
import { Deliverer, REPLAY } from './delivery/deliverer.ts'
import { figures } from './figures.ts'
import { PATH, routes } from './routes.ts'
import { schema } from './schema.ts'
import { type SiemSettings, settingsSchema } from './settings.ts'

/** Maximum number of rejected events kept for inspection and replay. */
const DEAD_LETTERS = 10_000
/** Maximum number of events kept beyond the longest backlog. */
const OVERFLOW = 100_000

/** Exports the audit log to the configured receiver. */
export default definePlugin<typeof schema, SiemSettings>({
  name: 'siem',
  description: 'Exports the audit log to a SIEM: webhook, Splunk, Elastic, Datadog, Sentinel, Loki or syslog',
  governs: 'usage',
  onError: 'allow',
  schema,
  events: {
    'export.dropped': {
      severity: 'info',
      title: 'Audit events dropped from export',
      disposition: 'error',
      schema: {
        type: 'object',
        description: 'The export dropped events because a queue was full.',
        properties: {
          destination: { type: 'string', description: 'Name of the destination.' },
          reason: { type: 'string', enum: ['backlog_full', 'dead_letter_full'], description: 'Queue that was full.' },
          count: { type: 'integer', minimum: 1, description: 'Events lost to the receiver since the last report.' },
          kept: { type: 'integer', minimum: 0, description: 'Important events moved to the overflow log meanwhile.' },
        },
        required: ['destination', 'reason', 'count', 'kept'],
      },
    },
    'export.paused': {
      severity: 'info',
      title: 'Export paused: its secret cannot be read',
      disposition: 'error',
      schema: {
        type: 'object',
        description: 'The export waits because the gateway cannot decrypt a stored secret of the destination.',
        properties: {
          destination: { type: 'string', description: 'Name of the destination.' },
          reason: { type: 'string', enum: ['secret_unreadable'], description: 'Always the same.' },
          fields: { type: 'array', items: { type: 'string' }, description: 'Settings to PUT again.' },
        },
        required: ['destination', 'reason', 'fields'],
      },
    },
    'export.replayed': {
      severity: 'info',
      title: 'Rejected audit events sent again',
      schema: {
        type: 'object',
        description: 'An admin started another delivery of the events in the dead letter log.',
        properties: {
          destination: { type: 'string', description: 'Name of the destination.' },
          count: { type: 'integer', minimum: 1, description: 'Number of events in the dead letter log.' },
          replayed_by: { type: 'string', description: 'Name of the admin key.' },
        },
        required: ['destination', 'count', 'replayed_by'],
      },
    },
  },
  check: ({ enabled, url }) =>
    enabled === true || url === undefined
      ? []
      : [{ option: 'enabled', message: 'is not true, so nothing is exported: set it to true', severity: 'warning' }],
  settings: {
    path: PATH,
    schema: settingsSchema,
    env: {
      url: 'SERVICE_SIEM_URL',
      destination: 'SERVICE_SIEM_DESTINATION',
      auth_token: 'SERVICE_SIEM_AUTH_TOKEN',
    },
    envImplies: { SERVICE_SIEM_URL: { enabled: true } },
    secrets: ['auth_token', 'signing_secret'],
    secretUrls: ['url'],
    targets: ['destination', 'url'],
    check: (settings: SiemSettings, tools) => check(settings, tools),
  },
  create(options, services) {
    const { settings, store } = services
    const timeoutMs = options.request_timeout_seconds * 1000
    const deadLetter = new DeadLetterLog(store, 'dead-letter', DEAD_LETTERS)
    const overflow = new DeadLetterLog(store, 'overflow', OVERFLOW)
    const deliverer = new Deliverer({
      services,
      deadLetter,
      overflow,
      timeoutMs,
      fastest: options.replay_batches_per_second,
      most: options.max_backlog_events,
    })
    for (const figure of figures({ store, deadLetter, backlog: () => deliverer.backlog() })) services.figure(figure)
    services.singleton('deliver', (signal) => deliverer.run(signal))
    const stops: (() => void)[] = []
    /** After a reload the next instance continues, so only the newest one flushes. */
    const newest = services.keep<{ deliverer?: Deliverer | undefined }>('newest', () => ({}))
    return {
      routes: routes({ services, deadLetter, timeoutMs, backlog: () => deliverer.backlog() }),
      async start() {
        newest.deliverer = deliverer
        stops.push(
          settings.onChange(() => deliverer.nudge()),
          store.watch(REPLAY, () => deliverer.nudge()),
        )
        await deliverer.prepare()
      },
      drain: (signal) => (newest.deliverer === deliverer ? deliverer.flush(signal) : undefined),
      async stop() {
        for (const stop of stops) stop()
        await deliverer.close()
      },
    }
  },
})
