import type { GovernanceEvent, Log, Rejection, Verdict } from '../contract/plugin.ts'
import type { Subject } from '../events/emitter.ts'
import type { ExchangeHolds } from './holds.ts'

/** What the recorder reads and writes of an exchange. */
export interface RecordedExchange {
  readonly id: string
  readonly log: Log
  /** Its events go to the audit log. */
  readonly audited: boolean
  readonly holds: ExchangeHolds | undefined
  readonly description: Subject
  readonly request: { readonly stream: boolean }
  /** Rules that raised its label. */
  readonly rules: string[] | undefined
  /** The first of the two writes was attempted. */
  begun: boolean
  /** The last write has started. */
  ended: boolean
  /** Events of the first write while its success is uncertain. */
  unsure: readonly GovernanceEvent[] | undefined
  /** This process's lease, while the exchange is open in the store. */
  lease: number | undefined
  /** Limits are counted only in this process. */
  countedLocally: boolean
  /** Takes the events since the last write. */
  takeRecords(): readonly GovernanceEvent[]
  /** Returns the events of a write that was never made. */
  giveBackRecords(records: readonly GovernanceEvent[]): void
  /** Drops all holds: the limits cannot be taken. */
  dropHolds(): void
  wouldBlock(verdict: Verdict): void
}

/** Records exchanges and events. */
export interface Recorder {
  /** Whether anything reads the records. */
  readonly audited: boolean
  /** Records before the model is called. Returns undefined, without a promise, if there is nothing to write. */
  begin(x: RecordedExchange): Promise<Verdict | Rejection | undefined> | undefined
  /**
   * Records before the last byte. Resolves to false if recording failed: the client must not get the reply. Returns
   * undefined, without a promise, if there is nothing to write or wait for.
   */
  end(x: RecordedExchange): Promise<boolean> | undefined
  /** Records an event outside of any exchange. */
  append(event: GovernanceEvent): void
}
