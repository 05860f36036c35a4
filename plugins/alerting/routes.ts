import { type DescribeEvent, GatewayError, type Json, type Route, type Services, type Store } from 'governed-gateway'
import { testEvent } from 'governed-gateway/kit'
import { entryOf, page, record } from './delivery-log.ts'
import { type Destination, destinationsOf } from './destinations.ts'
import type { AlertingSettings } from './schema.ts'
import { send } from './sender.ts'

export const SETTINGS_PATH = '/api/settings/alerting'

export interface RouteParts {
  readonly store: Store
  /** Instance name in test events. */
  readonly instance: string
  readonly fetch: Services['fetch']
  readonly describe: DescribeEvent
  readonly settings: () => Readonly<AlertingSettings>
}

export const routesOf = (parts: RouteParts): Route[] => [
  {
    method: 'POST',
    path: `${SETTINGS_PATH}/test`,
    auth: 'admin',
    handle: async ({ query }) => ({ body: await test(parts, query.get('destination')) }),
  },
  {
    method: 'GET',
    path: `${SETTINGS_PATH}/delivery-log`,
    auth: 'admin',
    handle: async ({ query }) => ({ body: await page(parts.store, query) }),
  },
]

type TestResult = { ok: boolean; status: number | null; latency_ms: number; error: string | null }

/** Sends one real message to every destination, even if alerting is off. */
async function test(parts: RouteParts, name: string | null): Promise<Json> {
  const settings = parts.settings()
  const { timeout_seconds: timeout = 10 } = settings
  const all = destinationsOf(settings)
  const chosen = name === null ? all : all.filter((destination) => destination.name === name)
  if (chosen.length === 0) {
    const why =
      name === null
        ? 'No receiver is configured: set webhook_url or destinations.'
        : `There is no destination '${name}'.`
    throw new GatewayError('GW_VALIDATION', why, { param: name === null ? 'webhook_url' : 'destination' })
  }
  const results = await Promise.all(chosen.map((destination) => testOne(parts, destination, timeout * 1000)))
  const [first] = results as [TestResult]
  if (results.length === 1) return first
  const failed = results.find(({ ok }) => !ok)
  const destinations = results.map((result, i) => ({ destination: chosen[i]!.name, ...result }))
  return { ...(failed ?? first), destinations }
}

async function testOne(parts: RouteParts, destination: Destination, timeoutMs: number): Promise<TestResult> {
  const { store, instance } = parts
  const event = testEvent({ instance, destination: destination.name, message: MESSAGE })
  const began = performance.now()
  const attempt = await send(parts, destination, event, { timeoutMs, now: Date.now })
  const latency = Math.round(performance.now() - began)
  const ok = attempt.result === 'delivered'
  const details = { http_status: attempt.status, attempts: 1, latency_ms: latency, error: attempt.error }
  await record(store, [entryOf(event, destination.name, ok ? 'delivered' : 'failed', Date.now(), details)])
  return { ok, status: attempt.status ?? null, latency_ms: latency, error: attempt.error ?? null }
}

const MESSAGE = 'A test of the alerting settings of governed-gateway. Nothing happened.'
