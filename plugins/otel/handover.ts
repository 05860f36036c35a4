/** What goes from the thread of requests to the one that encodes, and back. */
import type { EventText } from 'governed-gateway'
import type { LogRecord, Origin, Told } from './codec.ts'
import { isRequestId, isSampled, isTraceId, spanIdOf, traceIdOf } from './ids.ts'
import type { Source } from './sources.ts'
import type { Root } from './trace.ts'

export interface ThreadOptions {
  readonly origin: Origin
  readonly encoding: 'json' | 'protobuf'
  /** Of `limitOf`. */
  readonly limit: string
  readonly withPrompts: boolean
}

export type Order = { readonly id: number } & (
  | ({ readonly signal: 'traces' } & Written)
  | { readonly signal: 'logs'; readonly items: readonly Value[] }
)

export type Finished =
  | { readonly id: number; readonly body: Uint8Array }
  | { readonly id: number; readonly error: true }

/** A governance event that waits. */
export interface WaitingEvent {
  readonly text: EventText
  readonly told: Told
  /** Undefined if its ids are those that its request's id gives. */
  readonly root: Root | undefined
}

type Value = string | boolean | undefined

/** One flat list: a copy of an object for each record would cost the thread of requests several times as much. */
export function packed(events: readonly WaitingEvent[]): Value[] {
  const values: Value[] = []
  for (const { text, told, root } of events)
    values.push(text.json, told.title, told.level, root?.traceId, root?.sampled)
  return values
}

const WIDTH = 5

/** Each record is read when it is asked for: a batch of them at once would outlive collections of young objects. */
export function* unpacked(values: readonly Value[], limit: string): Generator<LogRecord> {
  for (let at = 0; at < values.length; at += WIDTH) {
    const event = JSON.parse(values[at] as string) as LogRecord['event']
    const told = { title: values[at + 1] as string, level: values[at + 2] as Told['level'] }
    yield { event, told, root: rootOf(event, values[at + 3] as string, values[at + 4] as boolean, limit) }
  }
}

function rootOf(
  { request_id: id, trace_id: from }: LogRecord['event'],
  traceId: string | undefined,
  sampled: boolean | undefined,
  limit: string,
): LogRecord['root'] {
  if (!isRequestId(id)) return undefined
  return {
    traceId: traceId ?? (isTraceId(from) ? from : traceIdOf(id)),
    spanId: spanIdOf(id),
    sampled: sampled ?? isSampled(id, limit),
  }
}

interface Written {
  /** JSON of sources, whose requests have no text. */
  readonly items: string
  /** Those texts, in order. */
  readonly texts: readonly string[]
}

/** One JSON text, for the same reason. */
export function written(sources: readonly Source[]): Written {
  const texts: string[] = []
  const items = sources.map((source) => {
    if (source.of !== 'request') return source
    texts.push(source.text.json)
    return { ...source, text: undefined }
  })
  return { items: JSON.stringify(items), texts }
}

export function read({ items, texts }: Written): Source<string>[] {
  let n = 0
  const sources = JSON.parse(items) as Source<string>[]
  return sources.map((source) => (source.of === 'request' ? { ...source, text: texts[n++] as string } : source))
}
