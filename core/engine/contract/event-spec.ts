/** An event's declaration, for people and for receivers that use categories. */
import type { JSONSchema } from 'json-schema-to-ts'
import type { GovernanceEvent, Severity } from './basics.ts'

/**
 * Kind of record for a SIEM. In OCSF, `data` is a Data Security Finding (2006), `detection` a Detection Finding (2004),
 * and the others are API Activity (6003). Only the core uses `exchange`: the end of one.
 */
export type EventCategory = 'exchange' | 'access' | 'data' | 'detection' | 'change' | 'system'

/** The gateway's action, in the terms of receivers. */
export type EventDisposition =
  | 'allowed'
  | 'blocked'
  | 'redacted'
  | 'observed'
  | 'logged'
  | 'rejected'
  | 'unauthorized'
  | 'aborted'
  | 'error'

/** Severity for receivers. */
export type EventLevel = 'info' | 'low' | 'medium' | 'high' | 'critical'

/** Kind of data found, with category `data`. */
export type EventData = 'personal' | 'governmental' | 'financial' | 'security'

/** One event type, as its plugin declares it. Exports and alerts use this declaration. */
export interface EventSpec {
  severity: Severity
  /** JSON Schema of the payload; other members are removed. */
  schema?: JSONSchema
  /** Title for people, the same for every event of the type: `Personal data detected`. Default: the type in words. */
  title?: string
  /**
   * Default: derived from severity and name: `….detected` is `detection`, `….updated` is `change`, info is `system`.
   */
  category?: Exclude<EventCategory, 'exchange'>
  /** Default: derived from its `detections`, else from the severity. */
  disposition?: EventDisposition
  /** With category `data`: kind of data. Default: derived from the types found. */
  data?: EventData
}

/** One event, as exports and alerts show it. */
export interface EventDescription {
  readonly title: string
  readonly category: EventCategory
  readonly disposition: EventDisposition
  readonly level: EventLevel
  readonly data: EventData | undefined
}

/** Describes an event by the declaration of its type; if there is none, by its name and severity. */
export type DescribeEvent = (event: Readonly<GovernanceEvent>) => EventDescription
