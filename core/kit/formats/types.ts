import type { EventDisposition, GovernanceEvent } from '../../engine/contract/plugin.ts'

export { EventSource } from './source.ts'

/** `json` is our own schema, docs/events.md; `cef` Common Event Format 0; `ocsf` the Open Cybersecurity Schema 1.8.0. */
export type EventFormat = 'json' | 'cef' | 'ocsf'

/** An event, with its text if read from the log. */
export interface RecordedEvent {
  readonly event: GovernanceEvent
  /** The canonical JSON of the event. */
  readonly text?: string | undefined
}

/** What did not succeed. */
export const FAILURES: ReadonlySet<EventDisposition> = new Set([
  'blocked',
  'rejected',
  'unauthorized',
  'aborted',
  'error',
])

/** Product name in other formats. */
export const PRODUCT = 'Governed Gateway'

/** A member's text, or undefined if missing or empty. */
export function text(event: GovernanceEvent, name: string): string | undefined {
  const value = event[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** A member's number, rounded to an integer. */
export function whole(event: GovernanceEvent, name: string): number | undefined {
  return wholeOf(event[name])
}

export function wholeOf(value: unknown): number | undefined {
  if (typeof value !== 'number' || !Number.isFinite(value)) return undefined
  // Fits the 64-bit integers of receivers, and stays exact in JSON.
  const rounded = Math.min(Math.max(Math.round(value), -Number.MAX_SAFE_INTEGER), Number.MAX_SAFE_INTEGER)
  return rounded === 0 ? 0 : rounded
}

const EARLIEST = 1_000_000_000_000
const LATEST = 4_102_444_800_000

/** Milliseconds since 1970; times outside of this century become the nearest time in it. */
export function millis(event: GovernanceEvent): number {
  const parsed = Date.parse(event.time)
  return Number.isNaN(parsed) ? EARLIEST : clampTime(parsed)
}

export const clampTime = (ms: number): number => Math.min(Math.max(ms, EARLIEST), LATEST)
