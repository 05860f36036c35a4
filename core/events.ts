import * as crypto from 'node:crypto'
import { v7 } from 'uuid'
import { isoTime } from './clock.ts'
import { GatewayError } from './errors.ts'
import { isTapped } from './hooks.ts'
import type { EventLog } from './log.ts'
import type { EventSpec, GovernanceEvent, Hooks, Json, Severity } from './plugin.ts'

/** Every event the core emits. Each exchange ends in exactly one of the first six. */
export const CORE_EVENTS: Readonly<Record<string, Severity>> = {
  'request.completed': 'info',
  'request.blocked': 'block',
  'request.rejected': 'info',
  'response.blocked': 'block',
  'stream.aborted': 'info',
  'upstream.failed': 'info',
  'request.redacted': 'action',
  'response.redacted': 'action',
  'flags.rejected': 'action',
  'flags.loosened': 'detection',
  'auth.failed': 'action',
  'policy.would_block': 'detection',
  'plugin.failed': 'detection',
  'plugin.slow': 'info',
  'store.unavailable': 'detection',
  'store.recovered': 'info',
  'config.reloaded': 'info',
  'audit.anchor': 'info',
  'settings.updated': 'info',
  'service.started': 'info',
  'service.stopped': 'info',
}

/** Each exchange ends in exactly one of these. */
export const TERMINAL: ReadonlySet<string> = new Set(Object.keys(CORE_EVENTS).slice(0, 6))

/** Rejections that an operator wants to see as refused attempts, not as noise. */
export const REFUSALS: ReadonlySet<string | null> = new Set([
  'flag_not_permitted',
  'model_not_allowed',
  'rate_limit_exceeded',
])

// RFC 9562 version 7: sortable by time. Node has it natively from 24.16 on.
const uuid: () => string = (crypto as unknown as { randomUUIDv7?: () => string }).randomUUIDv7 ?? v7

export const SCHEMA_VERSION = 1

/** Builds events, hands them to the observers of the chain, and writes them to the log. */
export class Emitter {
  readonly #log: EventLog
  readonly #hooks: Hooks | undefined
  readonly #declared: ReadonlyMap<string, EventSpec>
  readonly #instance: string
  readonly #append: (event: GovernanceEvent) => void

  constructor(
    instance: string,
    log: EventLog,
    hooks?: Hooks,
    declared: ReadonlyMap<string, EventSpec> = new Map(),
    append: (event: GovernanceEvent) => void = () => {},
  ) {
    this.#append = append
    this.#instance = instance
    this.#log = log
    this.#hooks = hooks
    this.#declared = declared
  }

  /** An event that belongs to no exchange. */
  emit(type: string, payload: Readonly<Record<string, Json | undefined>>, severity?: Severity): GovernanceEvent {
    const event = this.build(type, payload, severity)
    this.tell(event)
    this.#append(event)
    return event
  }

  build(type: string, payload: Readonly<Record<string, Json | undefined>>, severity?: Severity): GovernanceEvent {
    const event: GovernanceEvent = {
      id: uuid(),
      schema_version: SCHEMA_VERSION,
      time: isoTime(),
      type,
      severity: severity ?? CORE_EVENTS[type] ?? this.#declared.get(type)?.severity ?? 'info',
      instance: this.#instance,
    }
    Object.assign(event, payload)
    return event
  }

  /** To the observers of the chain and to the log. */
  tell(event: GovernanceEvent): void {
    if (this.#hooks !== undefined && isTapped(this.#hooks.onEvent as never)) this.#hooks.onEvent.call(event)
    this.#log.event(event, Object.hasOwn(CORE_EVENTS, event.type))
  }
}

/** What the gateway says of an event; a plugin's payload never stands in its place. */
const ENVELOPE = [
  'id',
  'schema_version',
  'time',
  'type',
  'severity',
  'instance',
  'seq',
  'prev_hash',
  'hash',
  'request_id',
  'key_id',
  'source_name',
  'environment',
] as const

/** Throws `GW_PLUGIN_CONTRACT` for a payload with a member that is the gateway's to fill. */
export function checkPayload(type: string, payload: object): void {
  const taken = ENVELOPE.find((name) => Object.hasOwn(payload, name))
  if (taken === undefined) return
  throw new GatewayError(
    'GW_PLUGIN_CONTRACT',
    `The payload of '${type}' has a member '${taken}', which the gateway fills. Give it another name.`,
  )
}

/** Random, since it is told to clients: unlike an event's id it says nothing of the time. */
export const requestId = (): string => `req_${crypto.randomUUID()}`
