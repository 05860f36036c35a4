/** What a declaration says of an event, for people and for receivers that think in kinds. */
import type { JSONSchema } from 'json-schema-to-ts'
import type { GovernanceEvent, Severity } from './basics.ts'

/**
 * What kind of record an event is to a SIEM. In OCSF, `data` is a Data Security Finding (2006), `detection` a Detection
 * Finding (2004), and the others are API Activity (6003). `exchange` is the core's own: the end of one.
 */
export type EventCategory = 'exchange' | 'access' | 'data' | 'detection' | 'change' | 'system'

/** What the gateway did, in the words of receivers. */
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

/** How grave an event is to receivers. */
export type EventLevel = 'info' | 'low' | 'medium' | 'high' | 'critical'

/** What kind of data was found, with category `data`. */
export type EventData = 'personal' | 'governmental' | 'financial' | 'security'

/** One type of event, as its plugin declares it. Exports and alerts show it by what stands here. */
export interface EventSpec {
  severity: Severity
  /** JSON Schema of the payload; other members are left out. */
  schema?: JSONSchema
  /** For people, the same for every event of the type: `Personal data detected`. Default: the type in words. */
  title?: string
  /** Default: told from severity and name: `….detected` is `detection`, `….updated` is `change`, info is `system`. */
  category?: Exclude<EventCategory, 'exchange'>
  /** Default: what was done about its `detections`, else told from the severity. */
  disposition?: EventDisposition
  /** With category `data`: what kind of data it is. Default: told from the types that were found. */
  data?: EventData
}

/** One event as exports and alerts show it. */
export interface EventDescription {
  readonly title: string
  readonly category: EventCategory
  readonly disposition: EventDisposition
  readonly level: EventLevel
  readonly data: EventData | undefined
}

/** Says of an event what its type declares; of a type that nobody declares, what its name and severity say. */
export type DescribeEvent = (event: Readonly<GovernanceEvent>) => EventDescription
