import { definePlugin, type Services } from 'governed-gateway'
import { AuditCursor, systemClock } from 'governed-gateway/kit'
import { checkSettings, destinationsOf } from './destinations.ts'
import { routesOf, SETTINGS_PATH } from './routes.ts'
import { Runner } from './runner.ts'
import { type AlertingSettings, schema } from './schema.ts'

declare module 'governed-gateway' {
  interface EventPayloads {
    'alert.failed': {
      destination: string
      event_id: string
      event_type: string
      http_status?: number
      attempts: number
      error: string
    }
    'alert.paused': { reason: 'secret_unreadable'; fields: string[] }
  }
}

/** Alerts people to blocks and findings, at once and without repeats. */
export default definePlugin({
  name: 'alerting',
  description: 'Sends alerts to Slack, Teams and webhooks, without repeats and without delaying requests',
  governs: 'usage',
  onError: 'allow',
  schema,
  events: {
    'alert.failed': {
      severity: 'info',
      title: 'Alert could not be delivered',
      disposition: 'error',
      schema: {
        type: 'object',
        description: 'A destination did not accept an alert after all retries.',
        required: ['destination', 'event_id', 'event_type', 'attempts', 'error'],
        properties: {
          destination: { type: 'string', description: 'Name of the destination.' },
          event_id: { type: 'string', description: 'Id of the event that the alert is about.' },
          event_type: { type: 'string', description: 'Type of that event.' },
          http_status: { type: 'integer', description: 'Status of the last attempt, if the receiver answered.' },
          attempts: { type: 'integer', description: 'Number of attempts.' },
          error: { type: 'string', description: 'Kind of failure of the last attempt.' },
        },
      },
    },
    'alert.paused': {
      severity: 'info',
      title: 'Alerts paused: their secret cannot be read',
      disposition: 'error',
      schema: {
        type: 'object',
        description: 'Alerts wait because the gateway cannot decrypt a stored secret.',
        required: ['reason', 'fields'],
        properties: {
          reason: { type: 'string', enum: ['secret_unreadable'], description: 'Always the same.' },
          fields: { type: 'array', items: { type: 'string' }, description: 'Settings to PUT again.' },
        },
      },
    },
  },
  check: ({ enabled, webhook_url, destinations }) =>
    enabled || (webhook_url === undefined && destinations.length === 0)
      ? []
      : [{ option: 'enabled', message: 'is false, so no alerts are sent: set it to true', severity: 'warning' }],
  settings: {
    path: SETTINGS_PATH,
    schema,
    env: {
      webhook_url: 'SERVICE_ALERT_WEBHOOK_URL',
      webhook_type: 'SERVICE_ALERT_WEBHOOK_TYPE',
      min_severity: 'SERVICE_ALERT_MIN_SEVERITY',
    },
    envImplies: { SERVICE_ALERT_WEBHOOK_URL: { enabled: true } },
    secrets: ['webhook_url', 'signing_secret', 'destinations[].url', 'destinations[].signing_secret'],
    targets: ['webhook_url', 'destinations[].url'],
    check: checkSettings,
  },
  create(_options, services: Services<AlertingSettings>) {
    const { store, instance, log, settings, fetch, emit, describe } = services
    const clock = { now: Date.now, sleep: systemClock.sleep }
    const runner = new Runner({
      store,
      instance,
      log,
      settings,
      fetch,
      describe,
      emit,
      clock,
      auditLog: () => services.auditLog(),
    })
    services.singleton('send', (signal) => runner.run(signal))
    const cursor = new AuditCursor(services.auditLog)
    /** Creates a durable cursor at once in every process, so that the sender misses no event. */
    const follow = () => {
      const { current, unreadable } = settings
      return cursor.follow(current.enabled === true && (destinationsOf(current).length > 0 || unreadable.length > 0))
    }
    let unsubscribe = () => {}
    return {
      routes: routesOf({ store, instance, fetch, describe, settings: () => settings.current }),
      async start() {
        unsubscribe = settings.onChange(() => {
          follow().catch((error: unknown) => {
            log.error({ err: error }, 'the audit log could not be opened')
          })
        })
        await follow()
      },
      async stop() {
        unsubscribe()
        await cursor.close()
      },
    }
  },
})
