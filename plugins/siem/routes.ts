import { GatewayError, type Route, type Services } from 'governed-gateway'
import { type Attempt, failedAttempt, testEvent } from 'governed-gateway/kit'
import { type DeadLetterLog, isPageCursor } from './delivery/dead-letter-log.ts'
import { isActive, REPLAY } from './delivery/deliverer.ts'
import { batchId } from './delivery/sender.ts'
import { readStatus, targetOf } from './delivery/status.ts'
import { formatSettings } from './destinations/destination.ts'
import { destinations, openChannel } from './destinations/index.ts'
import type { SiemSettings } from './settings.ts'

declare module 'governed-gateway' {
  interface EventPayloads {
    'export.replayed': { destination: string; count: number; replayed_by: string }
  }
}

export const PATH = '/api/settings/siem'
const MAX_LIMIT = 200

export interface RouteParts {
  readonly services: Pick<
    Services<SiemSettings>,
    'instance' | 'auditLog' | 'describe' | 'emit' | 'fetch' | 'connect' | 'settings' | 'store'
  >
  readonly deadLetter: DeadLetterLog
  readonly timeoutMs: number
  readonly backlog: () => Promise<{ readonly events: number; readonly oldest: number | null }>
}

export const routes = (parts: RouteParts): readonly Route[] => [
  { method: 'POST', path: `${PATH}/test`, auth: 'admin', handle: async () => ({ body: await test(parts) }) },
  { method: 'GET', path: `${PATH}/status`, auth: 'admin', handle: async () => ({ body: await status(parts) }) },
  {
    method: 'GET',
    path: `${PATH}/dead-letter`,
    auth: 'admin',
    handle: async ({ query }) => ({ body: await deadLetter(parts, query) }),
  },
  {
    method: 'POST',
    path: `${PATH}/dead-letter/replay`,
    auth: 'admin',
    handle: async ({ caller }) => ({ status: 202, body: await replay(parts, caller.keyId) }),
  },
]

/** Sends one marked test event, without filters, queue or retries. */
async function test({ services, timeoutMs }: RouteParts): Promise<{
  ok: boolean
  status: number | null
  latency_ms: number
  error: string | null
}> {
  const { fetch, connect, settings } = services
  const { current } = settings
  if (current.url === undefined && !settings.unreadable.includes('url')) {
    throw new GatewayError('GW_VALIDATION', 'There is no url to test. PUT url first.', {
      param: 'url',
    })
  }
  const destination = destinations[current.destination]
  const event = testEvent({ instance: services.instance })
  const item = {
    id: event.id,
    event,
    text: destination.write({ event }, formatSettings(current, services.describe)),
    settled: false,
  }
  const began = performance.now()
  const channel = openChannel(current, settings.unreadable, { fetch, connect, timeoutMs })
  const late = AbortSignal.timeout(timeoutMs)
  try {
    const sent = await channel
      .send({ id: batchId([item]), items: [item] }, late)
      .catch((error: unknown): Attempt => (late.aborted ? TIMEOUT : failedAttempt(error)))
    const ok = sent.result === 'delivered'
    return {
      ok,
      status: sent.status ?? null,
      latency_ms: Math.round(performance.now() - began),
      error: ok ? null : (sent.error ?? sent.result),
    }
  } finally {
    channel.close?.()
  }
}

/** Reported for both timeouts: of the request, and of the attempt. */
const TIMEOUT: Attempt = { result: 'unavailable', error: 'timeout' }

async function status({ services, deadLetter, backlog }: RouteParts) {
  const { current } = services.settings
  const active = isActive(services.settings)
  const [stored, waiting, dead] = await Promise.all([readStatus(services.store), backlog(), deadLetter.count()])
  const { oldest, events } = waiting
  const { state, target, unreported, ...figures } = stored
  // The delivering process learns of a change slightly later.
  const isAboutIt = active && target === targetOf(current)
  return {
    enabled: active,
    destination: current.destination,
    state: active ? state : 'disabled',
    queue_depth: events,
    oldest_age_seconds: oldest === null ? null : Math.max(0, Math.round((Date.now() - oldest) / 1000)),
    dead_letter: dead,
    ...figures,
    ...(!isAboutIt && { last_error: null, next_attempt: null }),
  }
}

async function deadLetter({ deadLetter }: RouteParts, query: URLSearchParams) {
  for (const name of query.keys()) {
    if (name !== 'limit' && name !== 'cursor') throw invalid(name, 'is unknown. Use limit and cursor')
  }
  const limit = Number(query.get('limit') ?? 50)
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_LIMIT) throw invalid('limit', `must be 1 to ${MAX_LIMIT}`)
  const cursor = query.get('cursor') ?? undefined
  if (cursor !== undefined && !isPageCursor(cursor))
    throw invalid('cursor', 'is invalid. Use `next_cursor` of the previous page')
  const { entries, next } = await deadLetter.page(limit, cursor)
  return { entries: [...entries], next_cursor: next ?? null }
}

const invalid = (param: string, what: string): GatewayError =>
  new GatewayError('GW_VALIDATION', `The query parameter ${param} ${what}.`, { param })

/** The delivering process does the replay. */
async function replay({ services, deadLetter }: RouteParts, keyId: string): Promise<{ events: number }> {
  const events = await deadLetter.count()
  if (events === 0) return { events }
  const { destination } = services.settings.current
  services.emit('export.replayed', { destination, count: events, replayed_by: keyId })
  await services.store.set(REPLAY, await deadLetter.newest(), { notify: true })
  return { events }
}
