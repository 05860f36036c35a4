import type { DescribeEvent, GovernanceEvent, Services } from 'governed-gateway'
import { type Attempt, type EventFormat, type EventSource, eventSource, type RecordedEvent } from 'governed-gateway/kit'
import type { JSONSchema } from 'json-schema-to-ts'
import type { SiemSettings } from '../settings.ts'

/** What the receiver said of one event of a batch. `again`: send it once more at once, the receiver never looked at it. */
export type Verdict = 'delivered' | 'rejected' | 'unavailable' | 'again'

/** The answer to one batch. */
export interface Sent extends Attempt {
  /** One for each event, when not all share the result. */
  readonly each?: readonly Verdict[]
  /** Why events in `each` were rejected, if `error` describes others. */
  readonly rejection?: string
}

/** One event as this destination writes it. */
export interface Written {
  /** The same whenever this event is written. */
  readonly id: string
  readonly event: GovernanceEvent
  readonly text: string
  /** The receiver has it, or it is in the dead letter log: never to be sent again. */
  settled: boolean
}

export interface Batch {
  /** Made of the ids and texts of its items: the same for every attempt. */
  readonly id: string
  readonly items: readonly Written[]
}

/** What a channel may use. */
export interface Outside extends Pick<Services, 'fetch' | 'connect'> {
  /** For one attempt, milliseconds. */
  readonly timeoutMs: number
}

/** An open way to the receiver, for as long as the settings stay as they are. */
export interface Channel {
  /** Sends a batch. What it throws counts as unavailable. */
  send(batch: Batch, signal: AbortSignal): Promise<Sent>
  close?(): void
}

/** How events are written: all that leaves of the settings. Whatever writes an event never sees url or credentials. */
export interface Manner {
  readonly format: EventFormat
  readonly source: EventSource
  /** `destination_options`, in which no kind of receiver keeps a secret. */
  readonly options: SiemSettings['destination_options']
}

export const mannerOf = (settings: SiemSettings, describe: DescribeEvent): Manner => ({
  format: settings.format,
  source: eventSource(settings, describe),
  options: settings.destination_options,
})

/** One kind of receiver. */
export interface Destination {
  /** Of a body, before compression. */
  readonly maxBytes: number
  /** Of a batch, whatever `buffer_size` says. */
  readonly maxEvents: number
  /** Schemes of `url`. */
  readonly schemes: readonly string[]
  /** Schema of `destination_options`. */
  readonly options: JSONSchema
  /** One event, with everything that belongs to it alone. */
  write(recorded: RecordedEvent, manner: Manner): string
  open(settings: SiemSettings, outside: Outside): Channel
}

/** 1 MB, which every receiver here takes. */
export const MAX_BYTES = 1_000_000

/** Where to: nothing is opened without a url. */
export const urlOf = ({ url = '' }: SiemSettings): string => url
