import type { GovernanceEvent, Log, Rejection, Verdict } from '../contract/plugin.ts'
import type { Subject } from '../events/emitter.ts'
import type { ExchangeHolds } from './holds.ts'

/** What is known of an exchange where it is recorded, and what was recorded of it. */
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
  /** The first of the two writes was made, or tried. */
  begun: boolean
  /** The last write is under way. */
  ended: boolean
  /** Events of the first write, when it is not certain that it happened. */
  unsure: readonly GovernanceEvent[] | undefined
  /** Of this process, while the exchange is open in the store. */
  lease: number | undefined
  /** This process alone counts its limits. */
  countedLocally: boolean
  /** The events since the last write. */
  takeRecords(): readonly GovernanceEvent[]
  /** The write that took them was never made. */
  giveBackRecords(records: readonly GovernanceEvent[]): void
  /** The limits cannot be taken: nothing is held. */
  dropHolds(): void
  wouldBlock(verdict: Verdict): void
}

/** Where exchanges and events are recorded. */
export interface Recorder {
  /** Somebody reads what is recorded. */
  readonly audited: boolean
  /** Before the model is called. Undefined at once when there is nothing to write. */
  begin(x: RecordedExchange): Promise<Verdict | Rejection | undefined> | undefined
  /**
   * Before the last byte. False: what happened could not be recorded, so the client must not get it. Undefined at once
   * when there is nothing to write, or nothing to wait for.
   */
  end(x: RecordedExchange): Promise<boolean> | undefined
  /** An event that belongs to no exchange. */
  append(event: GovernanceEvent): void
}
