import type { GovernanceEvent } from '../../engine/contract/plugin.ts'

export { EventSource } from './source.ts'

/** `json` is our own schema, docs/events.md; `cef` Common Event Format 0; `ocsf` the Open Cybersecurity Schema 1.8.0. */
export type EventFormat = 'json' | 'cef' | 'ocsf'

/** An event, with its text when it was read from the log. */
export interface RecordedEvent {
  readonly event: GovernanceEvent
  /** The canonical JSON of the event. */
  readonly text?: string | undefined
}

/** How other formats call this product. */
export const PRODUCT = 'Governed Gateway'

/** The text of a member, or undefined when it is none or empty. */
export function text(event: GovernanceEvent, name: string): string | undefined {
  const value = event[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** The number of a member as a whole one. */
export function whole(event: GovernanceEvent, name: string): number | undefined {
  return wholeOf(event[name])
}

export function wholeOf(value: unknown): number | undefined {
  if (typeof value !== 'number' || !Number.isFinite(value)) return undefined
  // No receiver's integer is wider than 64 bits, and none of ours exceeds what JSON keeps exactly.
  const rounded = Math.min(Math.max(Math.round(value), -Number.MAX_SAFE_INTEGER), Number.MAX_SAFE_INTEGER)
  return rounded === 0 ? 0 : rounded
}

const EARLIEST = 1_000_000_000_000
const LATEST = 4_102_444_800_000

/** Milliseconds since 1970; what is no time of this century becomes the nearest that is. */
export function millis(event: GovernanceEvent): number {
  const parsed = Date.parse(event.time)
  return Number.isNaN(parsed) ? EARLIEST : clampTime(parsed)
}

export const clampTime = (ms: number): number => Math.min(Math.max(ms, EARLIEST), LATEST)
