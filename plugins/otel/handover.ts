/** What goes from the thread of requests to the one that encodes, and back. */
import type { EventHead, LogRecord, Origin } from './codec.ts'
import { isRequestId, isSampled, isTraceId, spanIdOf, traceIdOf } from './ids.ts'
import { type Pile, type PileBytes, Records } from './pile.ts'
import { readSources, type Source } from './sources.ts'

export interface ThreadOptions {
  readonly origin: Origin
  readonly encoding: 'json' | 'protobuf'
  /** Of `limitOf`. */
  readonly limit: string
  readonly withPrompts: boolean
}

export type Order = { readonly id: number } & PileBytes &
  ({ readonly signal: 'traces' } | { readonly signal: 'logs'; readonly eventHeads: readonly EventHead[] })

export type Finished =
  | { readonly id: number; readonly body: Uint8Array }
  | { readonly id: number; readonly error: true }

/** What events are told as. There are few such pairs, so records name them by number. */
export class EventHeadTable {
  readonly all: EventHead[] = []
  readonly #newest = new Map<string, number>()

  /** The place of a description of an event of this type in `all`. */
  of(type: string, { title, level }: EventHead): number {
    const newest = this.#newest.get(type)
    if (newest !== undefined && isSame(this.all[newest] as EventHead, title, level)) return newest
    const known = this.all.findIndex((one) => isSame(one, title, level))
    const at = known === -1 ? this.all.push({ title, level }) - 1 : known
    this.#newest.set(type, at)
    return at
  }
}

const isSame = (head: EventHead, title: string, level: string): boolean => head.title === title && head.level === level

/** A log record: its event as JSON, the number of its description and, for a trace that is sampled or the client's, its id. */
export function writeLog(pile: Pile, text: string, head: number, traceId = '', sampled = false): void {
  pile.begin()
  pile.number(head)
  pile.byte(sampled ? 1 : 0)
  pile.id(traceId)
  pile.rest(text)
  pile.end(1)
}

export function* logRecordsOf(pile: PileBytes, all: readonly EventHead[], limit: string): Generator<LogRecord> {
  const records = new Records(pile)
  while (records.next()) {
    const eventHead = all[records.number() as number] as EventHead
    const sampled = records.byte() === 1
    const traceId = records.id()
    const event = JSON.parse(records.rest()) as LogRecord['event']
    yield { event, eventHead, root: rootOf(event, traceId, sampled, limit) }
  }
}

/** Records without a trace id have the ids that their request's id gives. */
function rootOf(
  { request_id: id, trace_id: from }: LogRecord['event'],
  traceId: string,
  sampled: boolean,
  limit: string,
): LogRecord['root'] {
  if (!isRequestId(id)) return undefined
  const spanId = spanIdOf(id)
  if (traceId !== '') return { traceId, spanId, sampled }
  return { traceId: isTraceId(from) ? from : traceIdOf(id), spanId, sampled: isSampled(id, limit) }
}

export const sourcesIn = (pile: PileBytes): Source[] => readSources(new Records(pile))
