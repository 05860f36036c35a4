import type { GovernanceEvent, Json } from '../contract/plugin.ts'

/** What kind of record an event is to a receiver that thinks in kinds. */
export type Category = 'exchange' | 'access' | 'data' | 'detection' | 'change' | 'system'

/** What the gateway did, in the words of receivers. */
export type Disposition =
  | 'allowed'
  | 'blocked'
  | 'redacted'
  | 'observed'
  | 'logged'
  | 'rejected'
  | 'unauthorized'
  | 'aborted'
  | 'error'

export type Level = 'info' | 'low' | 'medium' | 'high' | 'critical'

/** An event as the formats of others need it. */
export interface EventClass {
  /** For people, the same for every event of a type. */
  readonly title: string
  readonly family: Category
  readonly act: Disposition
  readonly level: Level
}

export interface Detection {
  readonly type: string
  readonly count: number
  readonly action: string
}

export const TITLES: Readonly<Record<string, string>> = {
  'request.completed': 'Chat completion completed',
  'request.blocked': 'Request blocked by policy',
  'request.rejected': 'Request rejected',
  'response.blocked': 'Response blocked by policy',
  'stream.aborted': 'Chat completion aborted',
  'upstream.failed': 'Model provider failed',
  'request.redacted': 'Data redacted in request',
  'response.redacted': 'Data redacted in response',
  'auth.failed': 'Authentication failed',
  'flags.rejected': 'Governance flag rejected',
  'flags.loosened': 'Governance flag loosened',
  'pii.detected': 'Personal data detected',
  'secret.detected': 'Secret detected',
  'injection.detected': 'Prompt injection detected',
  'hidden_text.detected': 'Hidden text detected',
  'policy.detected': 'Policy rule matched',
  'policy.would_block': 'Policy would have blocked',
  'budget.threshold': 'Budget threshold reached',
  'budget.exceeded': 'Budget exceeded',
  'ratelimit.exceeded': 'Rate limit exceeded',
  'plugin.failed': 'Plugin failed',
  'plugin.slow': 'Plugin slow',
  'settings.updated': 'Settings updated',
  'config.reloaded': 'Configuration reloaded',
  'config.rejected': 'Configuration rejected',
  'service.started': 'Gateway started',
  'service.stopped': 'Gateway stopped',
  'alert.failed': 'Alert could not be delivered',
  'export.dropped': 'Audit events dropped from export',
  'export.replayed': 'Rejected audit events sent again',
  'audit.anchor': 'Audit trail anchored',
  test: 'Test event',
}

/** Families of the types that are known; others are told by severity and name. */
const FAMILIES: Readonly<Record<string, Category>> = {
  'request.completed': 'exchange',
  'request.blocked': 'exchange',
  'request.rejected': 'exchange',
  'response.blocked': 'exchange',
  'stream.aborted': 'exchange',
  'upstream.failed': 'exchange',
  'request.redacted': 'data',
  'response.redacted': 'data',
  'pii.detected': 'data',
  'secret.detected': 'data',
  'auth.failed': 'access',
  'config.reloaded': 'change',
  'config.rejected': 'change',
}

const ACTS: Readonly<Record<string, Disposition>> = {
  'request.rejected': 'rejected',
  'stream.aborted': 'aborted',
  'upstream.failed': 'error',
  'request.redacted': 'redacted',
  'response.redacted': 'redacted',
  'auth.failed': 'unauthorized',
  'policy.would_block': 'observed',
  'flags.rejected': 'rejected',
  'alert.failed': 'error',
  'export.dropped': 'error',
}

/** What a table says, and not what every object has, such as `valueOf`. */
export const own = <V>(table: Readonly<Record<string, V>>, name: string): V | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined

export function read(event: GovernanceEvent): EventClass {
  const family = familyOf(event)
  const act = actOf(event, family)
  return { title: own(TITLES, event.type) ?? titleOf(event.type), family, act, level: levelOf(event, family, act) }
}

/** What was found, whatever the shape of the event. */
export function detectionsOf(event: GovernanceEvent): Detection[] {
  const { detections } = event
  if (!Array.isArray(detections)) return []
  return detections.flatMap((one) => {
    const { type, count, action } = (one ?? {}) as Record<string, Json>
    if (typeof type !== 'string') return []
    return [{ type, count: typeof count === 'number' ? count : 1, action: String(action ?? 'detect') }]
  })
}

function titleOf(type: string): string {
  const words = type.replace(/[^\p{L}\p{N}]+/gu, ' ').trim()
  return words === '' ? 'Governance event' : words[0]!.toUpperCase() + words.slice(1)
}

function familyOf({ type, severity }: GovernanceEvent): Category {
  const known = own(FAMILIES, type)
  if (known !== undefined) return known
  if (type.endsWith('.updated')) return 'change'
  return severity === 'info' && !type.endsWith('.detected') ? 'system' : 'detection'
}

function actOf(event: GovernanceEvent, family: Category): Disposition {
  const { type, severity, code } = event
  // Refused for want of budget, not for what was said.
  if (code === 'budget_exceeded' || (type === 'budget.exceeded' && severity === 'block')) return 'rejected'
  const known = own(ACTS, type)
  if (known !== undefined) return known
  if (severity === 'block') return 'blocked'
  const found = strongest(detectionsOf(event))
  if (family === 'exchange') return found === 'redacted' ? 'redacted' : 'allowed'
  if (found !== undefined) return found
  if (severity === 'action') return 'rejected'
  return severity === 'detection' ? 'observed' : 'logged'
}

function strongest(detections: readonly Detection[]): Disposition | undefined {
  if (detections.length === 0) return undefined
  if (detections.some(({ action }) => action === 'block')) return 'blocked'
  return detections.some(({ action }) => action === 'redact' || action === 'tokenize') ? 'redacted' : 'observed'
}

/** Guesses of one source within one event's ten seconds that are an attack and no typing error. */
const GUESSING = 10

function levelOf(event: GovernanceEvent, family: Category, act: Disposition): Level {
  const { severity, mode, type } = event
  if (severity === 'block') {
    return event.classification === 'RESTRICTED' || event.output_classification === 'RESTRICTED' ? 'critical' : 'high'
  }
  if (family === 'access') return typeof event.count === 'number' && event.count >= GUESSING ? 'critical' : 'medium'
  if (act === 'blocked') return 'high'
  if (severity === 'action') return act === 'redacted' ? 'low' : 'medium'
  if (severity === 'detection') {
    const watched = mode === 'monitor' || type === 'policy.would_block' || type === 'plugin.failed'
    return watched ? 'medium' : 'low'
  }
  return family === 'change' || act === 'redacted' || act === 'error' ? 'low' : 'info'
}
