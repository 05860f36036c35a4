import type { DescribeEvent, GovernanceEvent, Services } from 'governed-gateway'
import { type Attempt, type EventFormat, type EventSource, eventSource, type RecordedEvent } from 'governed-gateway/kit'
import type { JSONSchema } from 'json-schema-to-ts'
import type { SiemSettings } from '../settings.ts'

/** Result for one event of a batch. `again`: the receiver did not process it, so repeat it at once. */
export type Verdict = 'delivered' | 'rejected' | 'unavailable' | 'again'

/** Result of one batch. `error` beside `delivered` is of a batch before, which may be lost. */
export interface Sent extends Attempt {
  /** One result per event, if they differ. */
  readonly each?: readonly Verdict[]
  /** Why events in `each` were rejected, if `error` describes others. */
  readonly rejection?: string
}

/** One event, formatted for this destination. */
export interface Written {
  /** The same in every attempt. */
  readonly id: string
  readonly event: GovernanceEvent
  readonly text: string
  /** The receiver or the dead letter log has it, so it is never sent again. */
  settled: boolean
}

export interface Batch {
  /** Derived from the ids and texts of its items: the same in every attempt. */
  readonly id: string
  readonly items: readonly Written[]
}

/** Services for a channel. */
export interface Outside extends Pick<Services, 'fetch' | 'connect'> {
  /** Timeout of one attempt, milliseconds. */
  readonly timeoutMs: number
}

/** A connection to the receiver, valid until the settings change. */
export interface Channel {
  /** Sends a batch. A thrown error counts as unavailable. */
  send(batch: Batch, signal: AbortSignal): Promise<Sent>
  close?(): void
}

/** The settings that formatting may use: neither url nor credentials. */
export interface FormatSettings {
  readonly format: EventFormat
  readonly source: EventSource
  /** `destination_options`; never contains a secret. */
  readonly options: SiemSettings['destination_options']
}

export const formatSettings = (settings: SiemSettings, describe: DescribeEvent): FormatSettings => ({
  format: settings.format,
  source: eventSource(settings, describe),
  options: settings.destination_options,
})

export interface Destination {
  /** Maximum size of a body before compression, bytes. */
  readonly maxBytes: number
  /** Maximum events per batch, even if `buffer_size` is larger. */
  readonly maxEvents: number
  /** Allowed schemes of `url`. */
  readonly schemes: readonly string[]
  /** Schema of `destination_options`. */
  readonly options: JSONSchema
  /** Formats one event. */
  write(recorded: RecordedEvent, settings: FormatSettings): string
  open(settings: SiemSettings, outside: Outside): Channel
}

/** 1 MB; every receiver here accepts it. */
export const MAX_BYTES = 1_000_000

/** The url; a channel is opened only if there is one. */
export const urlOf = ({ url = '' }: SiemSettings): string => url
