import { GatewayError } from '../../engine/contract/errors.ts'
import type { GovernanceEvent, Severity } from '../../engine/contract/plugin.ts'
import { didYouMean } from '../../engine/util/suggest.ts'

/** Conditions on events; all that are set must hold. */
export interface EventFilter {
  /** Any of these. */
  readonly type?: readonly string[] | undefined
  /** Any of these, exactly. */
  readonly severity?: readonly string[] | undefined
  readonly keyId?: string | undefined
  readonly requestId?: string | undefined
  readonly sessionId?: string | undefined
  readonly model?: string | undefined
  /** Unix milliseconds, inclusive. */
  readonly since?: number | undefined
  /** Unix milliseconds, exclusive. */
  readonly until?: number | undefined
}

export function matches(event: GovernanceEvent, filter: EventFilter): boolean {
  if (filter.type !== undefined && !filter.type.includes(event.type)) return false
  if (filter.severity !== undefined && !filter.severity.includes(event.severity)) return false
  if (filter.keyId !== undefined && event.key_id !== filter.keyId) return false
  if (filter.requestId !== undefined && event.request_id !== filter.requestId) return false
  if (filter.sessionId !== undefined && event.session_id !== filter.sessionId) return false
  if (filter.model !== undefined && event.model !== filter.model) return false
  if (filter.since === undefined && filter.until === undefined) return true
  const time = Date.parse(event.time)
  return !(filter.since !== undefined && time < filter.since) && !(filter.until !== undefined && time >= filter.until)
}

const SEVERITIES: readonly Severity[] = ['info', 'detection', 'action', 'block']

const UNITS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/**
 * Parses a time: ISO 8601 with a zone, a date (UTC), Unix milliseconds, or an age (`90s`, `15m`, `24h`, `7d`).
 * Undefined for anything else.
 */
function parseTime(text: string): number | undefined {
  const ago = /^(\d{1,6})([smhd])$/.exec(text)
  if (ago !== null) return Date.now() - Number(ago[1]) * (UNITS[ago[2] as string] as number)
  if (/^\d{10,14}$/.test(text)) return text.length <= 10 ? Number(text) * 1000 : Number(text)
  if (!/^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2}))?$/.test(text)) return undefined
  // Date.parse reads February 30 as March 2.
  const day = new Date(`${text.slice(0, 10)}T00:00Z`)
  if (Number.isNaN(day.getTime()) || !day.toISOString().startsWith(text.slice(0, 10))) return undefined
  const time = Date.parse(text)
  return Number.isNaN(time) ? undefined : time
}

/** Reports a problem with a parameter. */
export type Complain = (name: string, message: string) => void

/** Reads a filter from parameters by name; reports every invalid one. */
export function parseFilter(
  get: (name: string) => string | undefined,
  complain: Complain,
  types?: ReadonlySet<string>,
): EventFilter {
  const list = (name: string, allowed?: readonly string[]): readonly string[] | undefined => {
    const items = get(name)?.split(',')
    if (items?.some((item) => item === '' || (allowed !== undefined && !allowed.includes(item)))) {
      complain(name, allowed === undefined ? 'names separated by commas' : `${allowed.join(', ')}, separated by commas`)
    }
    return items
  }
  const time = (name: string): number | undefined => {
    const text = get(name)
    const parsed = text === undefined ? undefined : parseTime(text)
    if (text !== undefined && parsed === undefined) {
      complain(name, 'a time such as 2026-03-16T10:00:00Z, 2026-03-16 or 24h (ago)')
    }
    return parsed
  }
  const word = (name: string): string | undefined => {
    const text = get(name)
    if (text === '' || (text !== undefined && text.length > 256)) complain(name, 'a text of 1 to 256 characters')
    return text
  }
  return {
    type: typesOf(list('type'), complain, types),
    severity: list('severity', SEVERITIES),
    keyId: word('key_id'),
    requestId: word('request_id'),
    sessionId: word('session_id'),
    model: word('model'),
    since: time('since'),
    until: time('until'),
  }
}

/** Rejects unknown types, which would silently match nothing. */
function typesOf(list: readonly string[] | undefined, complain: Complain, known: ReadonlySet<string> | undefined) {
  const wrong = known === undefined ? undefined : list?.find((type) => type !== '' && !known.has(type))
  if (wrong !== undefined && known !== undefined) {
    const hint = didYouMean(wrong, known).trim()
    complain('type', `types of docs/events.md; '${wrong.slice(0, 128)}' is none${hint === '' ? '' : ` (${hint})`}`)
  }
  return list
}

/** All problems as one catalogue error; `param` is the first name. */
export function parameterError(problems: readonly (readonly [name: string, message: string])[]): GatewayError {
  const lines = problems.map(([name, message]) => `${name}: expected ${message}`)
  return new GatewayError('GW_VALIDATION', `The query is not valid: ${lines.join('; ')}.`, { param: problems[0]![0] })
}
