import type { Awaitable, GovernanceEvent, Json, Route } from '../../engine/contract/plugin.ts'
import { CORE_PATHS } from '../../engine/util/core-paths.ts'
import { type EventFilter, matches, parameterError, parseFilter } from './query.ts'
import { type Positions, readTrail, type TrailReader } from './reader.ts'

const PARAMETERS: ReadonlySet<string> = new Set(
  'type severity key_id request_id session_id model since until limit cursor'.split(' '),
)
const DEFAULT_LIMIT = 50
const MAX_LIMIT = 200
/** Maximum records to read per request. A page may therefore be short or empty, with a cursor to continue. */
const MAX_LOOKED_AT = 20_000
/**
 * Ends a search by time. The trail is not strictly ordered by time: exchanges overlap, and queued records are appended
 * per process after an outage. After this many consecutive records that are too old, all earlier ones are assumed to be
 * too old.
 */
const TOO_OLD = 5000

/**
 * `GET /api/audit`: events of the trail, newest first. `durable` is false while no plugin reads the audit log: events
 * then go only to the process log, and the trail is empty. `types` lists event types of enabled plugins and, if needed,
 * of others in the trail.
 */
export function auditRoutes(reader: TrailReader, durable: () => boolean, types?: KnownTypes): Route[] {
  return [
    {
      method: 'GET',
      path: CORE_PATHS.audit,
      auth: 'admin',
      async handle({ query }) {
        const { filter, limit, positions } = parseQuery(query, await types?.(query.get('type')?.split(',') ?? []))
        const found = await search(reader, filter, limit, positions)
        return { body: { ...found, durable: durable() } as unknown as Json }
      },
    },
  ]
}

/** The known types, including those of `asked` that any available plugin declares. */
export type KnownTypes = (asked: readonly string[]) => Awaitable<ReadonlySet<string>>

interface Found {
  readonly events: readonly GovernanceEvent[]
  /** Null at the end of the trail. */
  readonly next_cursor: string | null
}

async function search(reader: TrailReader, filter: EventFilter, limit: number, from: Positions): Promise<Found> {
  const positions: Record<string, string> = { ...from }
  const events: GovernanceEvent[] = []
  const { since = Number.NEGATIVE_INFINITY } = filter
  let looked = 0
  let tooOld = 0
  for await (const { instance, cursor, event } of readTrail(reader, 'desc', positions)) {
    tooOld = Date.parse(event.time) < since ? tooOld + 1 : 0
    if (tooOld === TOO_OLD) return { events, next_cursor: null }
    positions[instance] = cursor
    if (matches(event, filter)) events.push(event)
    if (events.length === limit || ++looked === MAX_LOOKED_AT) return { events, next_cursor: written(positions) }
  }
  return { events, next_cursor: null }
}

function parseQuery(
  query: URLSearchParams,
  types: ReadonlySet<string> | undefined,
): { filter: EventFilter; limit: number; positions: Positions } {
  const problems: [string, string][] = []
  const complain = (name: string, message: string): void => void problems.push([name, message])
  for (const name of new Set(query.keys())) {
    if (!PARAMETERS.has(name)) complain(name, `one of ${[...PARAMETERS].join(', ')}`)
    else if (query.getAll(name).length > 1) complain(name, 'it once')
  }
  const get = (name: string): string | undefined => query.get(name) ?? undefined
  const filter = parseFilter(get, complain, types)
  const limitText = get('limit') ?? String(DEFAULT_LIMIT)
  const limit = Number(limitText)
  if (!/^\d{1,3}$/.test(limitText) || limit < 1 || limit > MAX_LIMIT)
    complain('limit', `a number from 1 to ${MAX_LIMIT}`)
  const cursor = get('cursor')
  const positions = cursor === undefined ? {} : readCursor(cursor)
  if (positions === undefined) complain('cursor', 'the next_cursor of an earlier answer')
  if (problems.length > 0) throw parameterError(problems)
  return { filter, limit, positions: positions ?? {} }
}

const written = (positions: Positions): string => Buffer.from(JSON.stringify(positions)).toString('base64url')

function readCursor(text: string): Positions | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString())
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
    const fits = Object.values(value).every((one) => typeof one === 'string' && /\/\d+(-\d+)?$/.test(one))
    return fits ? (value as Positions) : undefined
  } catch {
    return undefined
  }
}
