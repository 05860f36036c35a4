import { randomUUID } from 'node:crypto'
import { GatewayError, type GovernanceEvent, type Json, type Store } from 'governed-gateway'

export type DeliveryOutcome = 'delivered' | 'failed' | 'dropped' | 'suppressed'

/** Outcome of one message, or of an event that waits for a digest. */
export type DeliveryEntry = {
  readonly id: string
  /** ISO 8601. */
  readonly time: string
  readonly event_id: string
  readonly event_type: string
  readonly destination: string
  readonly outcome: DeliveryOutcome
  readonly http_status: number | null
  readonly attempts: number
  /** Latency of the last attempt. */
  readonly latency_ms: number | null
  /** A category, or why it was not sent; never text of the receiver. */
  readonly error: string | null
}

/** Maximum number of entries; older ones are removed. */
const CAP = 1_000
const LOG = 'deliveries'
const OUTCOMES: ReadonlySet<string> = new Set(['delivered', 'failed', 'dropped', 'suppressed'])

export interface AttemptDetails {
  readonly http_status?: number | undefined
  readonly attempts?: number
  readonly latency_ms?: number
  readonly error?: string | undefined
}

export function entryOf(
  event: Pick<GovernanceEvent, 'id' | 'type'>,
  destination: string,
  outcome: DeliveryOutcome,
  now: number,
  { http_status, attempts = 0, latency_ms, error }: AttemptDetails = {},
): DeliveryEntry {
  return {
    id: randomUUID(),
    time: new Date(now).toISOString(),
    event_id: event.id,
    event_type: event.type,
    destination,
    outcome,
    http_status: http_status ?? null,
    attempts,
    latency_ms: latency_ms ?? null,
    error: error ?? null,
  }
}

export const record = (store: Store, entries: readonly DeliveryEntry[]): Promise<void> =>
  entries.length === 0 ? Promise.resolve() : store.push(LOG, entries, CAP)

/**
 * One page, newest first.
 *
 * @param query `limit` (1 to 200, default 50), `cursor`, `outcome` or `status`, `destination`
 */
export async function page(store: Store, query: URLSearchParams): Promise<Json> {
  for (const name of query.keys()) if (!PARAMETERS.has(name)) throw invalid(name, 'is not a parameter of this route')
  const limit = limitOf(query.get('limit'))
  const outcome = query.get('outcome') ?? query.get('status')
  if (outcome !== null && !OUTCOMES.has(outcome)) {
    throw invalid(query.has('outcome') ? 'outcome' : 'status', `must be one of ${[...OUTCOMES].join(', ')}`)
  }
  const destination = query.get('destination')
  const { entries } = await store.recent(LOG, { limit: CAP })
  const wanted = (entries as DeliveryEntry[]).filter(
    (entry) => (outcome ?? entry.outcome) === entry.outcome && (destination ?? entry.destination) === entry.destination,
  )
  const rest = after(wanted, entries as DeliveryEntry[], query.get('cursor'))
  const shown = rest.slice(0, limit)
  return { entries: shown, next_cursor: rest.length > limit ? (shown.at(-1)?.id ?? null) : null }
}

const PARAMETERS: ReadonlySet<string> = new Set(['limit', 'cursor', 'outcome', 'status', 'destination'])

/** Entries older than the one with this id; none if it is gone. */
function after(
  wanted: readonly DeliveryEntry[],
  all: readonly DeliveryEntry[],
  cursor: string | null,
): DeliveryEntry[] {
  if (cursor === null) return [...wanted]
  if (!/^[0-9a-f-]{36}$/.test(cursor)) throw invalid('cursor', 'must be the next_cursor of an answer')
  const at = all.findIndex(({ id }) => id === cursor)
  if (at < 0) return []
  const older = new Set(all.slice(at + 1))
  return wanted.filter((entry) => older.has(entry))
}

function limitOf(text: string | null): number {
  if (text === null) return 50
  const limit = /^\d{1,3}$/.test(text) ? Number(text) : 0
  if (limit < 1 || limit > 200) throw invalid('limit', 'must be a whole number from 1 to 200')
  return limit
}

const invalid = (param: string, message: string): GatewayError =>
  new GatewayError('GW_INVALID_PARAMETER', `The query parameter '${param}' ${message}.`, { param })
