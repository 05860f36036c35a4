/** Encodings of exports. */
import type { EventDescription, GovernanceEvent, Json } from 'governed-gateway'

export type Attributes = Readonly<Record<string, Json | undefined>>

/** A request in its trace. */
interface Root {
  readonly traceId: string
  /** Of the server span. */
  readonly spanId: string
  readonly sampled: boolean
}

export interface Span {
  readonly root: Pick<Root, 'traceId' | 'sampled'>
  readonly name: string
  readonly kind: SpanKind
  readonly spanId: string
  readonly parentId: string | undefined
  /** Whether the parent is a span of the client. */
  readonly isRemote: boolean
  /** On the clock of `performance.now()`. */
  readonly startedAt: number
  readonly endedAt: number
  readonly error: string | undefined
  readonly attributes: Attributes
}

/** A governance event; it holds no text of requests or replies. */
export interface LogRecord {
  readonly event: Readonly<GovernanceEvent>
  readonly eventHead: EventHead
  readonly root: Root | undefined
}

/** What a record says of its event. */
export type EventHead = Pick<EventDescription, 'title' | 'level'>

/** What everything that this process sends has in common. */
export interface Origin {
  readonly resource: Attributes
  readonly version: string
  /** Of the clock of spans: `performance.timeOrigin` of the thread that took their times. */
  readonly timeOrigin: number
}

export interface Codec {
  spans(spans: readonly Span[]): Uint8Array
  logs(records: Iterable<LogRecord>): Uint8Array
}

export const SCOPE = 'governed-gateway'

type SpanKind = (typeof SpanKind)[keyof typeof SpanKind]
/** As opentelemetry-proto numbers them. */
export const SpanKind = Object.freeze({ Internal: 1, Server: 2, Client: 3 } as const)

export const STATUS_ERROR = 2

/** Bit 8 of a span's flags: bit 9 says whether the parent is remote. */
export const flagsOf = ({ root, parentId, isRemote }: Span): number =>
  (root.sampled ? 1 : 0) | 0x100 | (isRemote && parentId !== undefined ? 0x200 : 0)

/** Number and text of a severity. */
export const SEVERITIES: Readonly<Record<EventDescription['level'], readonly [number, string]>> = {
  info: [9, 'INFO'],
  low: [10, 'INFO2'],
  medium: [13, 'WARN'],
  high: [17, 'ERROR'],
  critical: [19, 'ERROR3'],
}

/** Prefix of the names of events and of their members. */
export const PREFIX = 'gateway.'

/** The record has a field of its own for these members, or it is the same in all events of a type. */
export const isOwnField = (name: string): boolean => name === 'time' || name === 'trace_id' || name === 'type'

/** Unix microseconds of a time on the clock of `performance.now()`; numbers cannot hold nanoseconds. */
export const microseconds = ({ timeOrigin }: Origin, at: number): number => Math.round((timeOrigin + at) * 1000)
