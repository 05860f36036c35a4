import { definePlugin } from 'governed-gateway'
import { check } from './check.ts'
import { Deliverer, isActive, REPLAY } from './delivery/deliverer.ts'
import { Parked } from './delivery/parked.ts'
import { PATH, routes } from './routes.ts'
import { schema } from './schema.ts'
import { type SiemSettings, settingsSchema } from './settings.ts'

/** Most rejected events that are kept for an admin to look at and to replay. */
const DEAD_LETTERS = 10_000
/** Most events that are kept beyond the longest backlog. */
const OVERFLOW = 100_000

/** Exports the audit log to the receiver that the settings name. */
export default definePlugin<typeof schema, SiemSettings>({
  name: 'siem',
  description: 'Exports the audit log to a SIEM: webhook, Splunk, Elastic, Datadog, Sentinel, Loki or syslog',
  governs: 'usage',
  onError: 'allow',
  schema,
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
    targets: ['destination', 'url'],
    check: (settings: SiemSettings, tools) => check(settings, tools),
  },
  create(options, services) {
    const { settings, store } = services
    const timeoutMs = options.request_timeout_seconds * 1000
    const deadLetter = new Parked(store, 'dead-letter', DEAD_LETTERS)
    const overflow = new Parked(store, 'overflow', OVERFLOW)
    const deliverer = new Deliverer({
      services,
      deadLetter,
      overflow,
      timeoutMs,
      fastest: options.replay_batches_per_second,
    })
    services.singleton('deliver', (signal) => deliverer.run(signal))
    const stops: (() => void)[] = []
    const backlog = async () =>
      isActive(settings.current) ? services.auditLog().backlog() : { events: 0, oldest: null }
    return {
      routes: routes({ services, deadLetter, timeoutMs, backlog }),
      start() {
        stops.push(
          settings.onChange(() => deliverer.nudge()),
          store.watch(REPLAY, () => deliverer.nudge()),
        )
      },
      drain: (signal) => deliverer.flush(signal),
      stop() {
        for (const stop of stops) stop()
      },
    }
  },
})
