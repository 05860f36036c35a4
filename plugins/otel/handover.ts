/** What goes from the thread of requests to the one that encodes, and back. */
import type { EventText } from 'governed-gateway'
import type { LogRecord, Origin, Told } from './codec.ts'
import type { Source } from './sources.ts'
import type { Root } from './trace.ts'

export interface ThreadOptions {
  readonly origin: Origin
  readonly encoding: 'json' | 'protobuf'
}

export type Order = { readonly id: number } & (
  | { readonly signal: 'traces'; readonly items: readonly Source<string>[] }
  | { readonly signal: 'logs'; readonly items: readonly Value[] }
)

export type Finished =
  | { readonly id: number; readonly body: Uint8Array }
  | { readonly id: number; readonly error: true }

/** A governance event that waits. */
export interface WaitingEvent {
  readonly text: EventText
  readonly told: Told
  readonly root: Root | undefined
}

type Value = string | boolean | undefined

/** One flat list: a copy of an object for each record would cost the thread of requests several times as much. */
export function packed(events: readonly WaitingEvent[]): Value[] {
  const values: Value[] = []
  for (const { text, told, root } of events) {
    values.push(text.json, told.title, told.level, root?.traceId, root?.spanId, root?.sampled)
  }
  return values
}

/** With the JSON of events in the place of what makes it. */
export const written = (sources: readonly Source[]): Source<string>[] =>
  sources.map((source) => (source.of === 'request' ? { ...source, text: source.text.json } : source))

const WIDTH = 6

export function unpacked(values: readonly Value[]): LogRecord[] {
  return Array.from({ length: values.length / WIDTH }, (_, i) => {
    const at = i * WIDTH
    const [json, title, level, traceId, spanId, sampled] = values.slice(at, at + WIDTH)
    const ids = { traceId: traceId as string, spanId: spanId as string, sampled: sampled as boolean }
    return {
      event: JSON.parse(json as string) as LogRecord['event'],
      told: { title: title as string, level: level as Told['level'] },
      root: traceId === undefined ? undefined : ids,
    }
  })
}
