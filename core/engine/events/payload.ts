/** Validates plugin events: only declared types and members. */
import type { ErrorObject, ValidateFunction } from 'ajv'
import { validatorOf } from '../config/compile.ts'
import { GatewayError } from '../contract/errors.ts'
import { plainJson } from '../contract/plain-json.ts'
import type { EventSpec, Json, Log, PluginSpec } from '../contract/plugin.ts'
import { isObject } from '../util/is-object.ts'
import { CORE_CATALOGUE } from './catalogue/core-events.ts'
import { CHAIN, DETECTIONS, DIRECTION, DROPPED, ENVELOPE, EXCHANGE, EXPORTED } from './catalogue/envelope.ts'

export type Payload = Readonly<Record<string, Json | undefined>>

/** Members that only the gateway fills. */
const OWN: ReadonlySet<string> = new Set(Object.keys({ ...ENVELOPE, ...CHAIN, ...EXCHANGE, ...EXPORTED, ...DROPPED }))

/** The required part of a plugin's declaration. */
type Declaring = Pick<PluginSpec, 'name' | 'events'>

interface Declared {
  readonly plugin: string | undefined
  readonly spec: EventSpec
}

/** The event types of one chain's plugins, with their validators. */
export class PluginEvents {
  readonly #declared = new Map<string, Declared[]>()
  readonly #log: Pick<Log, 'error'>
  readonly #onFault: ((error: GatewayError) => void) | undefined
  readonly #warned = new Set<Declared>()

  /** `onFault` gets each payload that its schema rejects; tests fail on it. */
  constructor(plugins: readonly Declaring[], log: Pick<Log, 'error'>, onFault?: (error: GatewayError) => void) {
    this.#log = log
    this.#onFault = onFault
    for (const [type, spec] of FOR_PLUGINS) this.#declared.set(type, [{ plugin: undefined, spec }])
    for (const { name, events = {} } of plugins) {
      for (const [type, spec] of Object.entries(events)) {
        if (Object.hasOwn(CORE_CATALOGUE, type)) continue
        const all = this.#declared.get(type) ?? []
        this.#declared.set(type, [...all, { plugin: name, spec: detector(type, spec) }])
      }
    }
    // Now, not when the first request has an event.
    for (const [type, all] of this.#declared) for (const { spec } of all) compiledFor(type, spec)
  }

  severityOf(type: string): EventSpec['severity'] | undefined {
    return this.#declared.get(type)?.[0]?.spec.severity
  }

  /**
   * The payload to record. Removes and counts members that the type's schema does not allow, so that no event is lost.
   * `plugin` is undefined if the emitter is unknown, for example long after a tap.
   *
   * @throws GatewayError GW_PLUGIN_CONTRACT for an undeclared type, or one of the gateway or another plugin
   */
  admit(plugin: string | undefined, type: string, given: object): Payload {
    const declared = this.#declaredBy(plugin, type)
    const validate = compiledFor(type, declared.spec)
    const { payload, unread } = copyOf(given)
    if (unread === 0 && validate(payload)) return payload
    return this.#without(validate, declared, type, payload, unread)
  }

  #declaredBy(plugin: string | undefined, type: string): Declared {
    if (typeof type !== 'string') throw new GatewayError('GW_PLUGIN_CONTRACT', 'emit() takes the type of an event.')
    const all = this.#declared.get(type)
    const declared = plugin === undefined ? all?.[0] : all?.find((one) => (one.plugin ?? plugin) === plugin)
    if (declared !== undefined) return declared
    const owner = all?.[0]?.plugin
    const isCore = Object.hasOwn(CORE_CATALOGUE, type)
    const why = isCore ? "is the gateway's" : owner === undefined ? 'is declared by no plugin' : `is that of '${owner}'`
    throw new GatewayError(
      'GW_PLUGIN_CONTRACT',
      `The event '${type}' ${why}. A plugin emits the types that it lists in \`events\`.`,
    )
  }

  #without(validate: ValidateFunction, declared: Declared, type: string, payload: Payload, unread: number): Payload {
    const errors = validate(payload) ? [] : (validate.errors ?? [])
    const wrong = new Set(errors.map(memberOf))
    const fitting = Object.entries(payload).filter(([name]) => !wrong.has(name))
    const dropped = unread + Object.keys(payload).length - fitting.length
    this.#warn(declared, type, errors, dropped)
    const kept: Payload = Object.fromEntries(fitting)
    return dropped === 0 ? kept : { ...kept, dropped_members: dropped }
  }

  /** Reports once per type and chain. Undeclared names may contain anything, so only counts them. */
  #warn(declared: Declared, type: string, errors: readonly ErrorObject[], dropped: number): void {
    const known = Object.keys(payloadSchema(declared.spec).properties)
    const members = [...new Set(errors.map(memberOf))].filter((name) => known.includes(name))
    const unknown = errors.filter(({ keyword }) => keyword === 'additionalProperties').length
    const what = [...members, ...(unknown > 0 ? [`${unknown} that it does not list`] : [])].join(', ') || 'its form'
    const message = `The payload of '${type}' does not fit its schema in \`events\`: ${what}.`
    this.#onFault?.(new GatewayError('GW_PLUGIN_CONTRACT', message))
    if (this.#warned.has(declared)) return
    this.#warned.add(declared)
    const about = { plugin: declared.plugin, event_type: type, members, unknown, dropped }
    this.#log.error(about, 'the payload of an event does not fit its schema: it is recorded without these members')
  }
}

const coreSpec = (type: string): EventSpec => {
  const { severity, fields, required } = CORE_CATALOGUE[type] as (typeof CORE_CATALOGUE)[string]
  return { severity: severity[0]!, schema: { type: 'object', properties: fields, required } as never }
}

/** Core types that any plugin may emit. */
const FOR_PLUGINS: ReadonlyMap<string, EventSpec> = new Map([['policy.would_block', coreSpec('policy.would_block')]])

/** A detector's event, which the core fills; the same form applies if the plugin emits it. */
const detector = (type: string, spec: EventSpec): EventSpec =>
  spec.schema === undefined && type.endsWith('.detected')
    ? { ...spec, schema: { type: 'object', properties: { direction: DIRECTION, detections: DETECTIONS } } as never }
    : spec

interface ObjectSchema {
  readonly properties?: Readonly<Record<string, unknown>>
  readonly required?: readonly string[]
}

/** Schema of a payload: the plugin's declared members except those that the gateway fills. */
function payloadSchema({ schema }: EventSpec) {
  const { properties = {}, required = [] } = (schema ?? {}) as ObjectSchema
  return {
    type: 'object' as const,
    additionalProperties: false,
    required: required.filter((name) => !OWN.has(name)),
    properties: Object.fromEntries(Object.entries(properties).filter(([name]) => !OWN.has(name))),
  }
}

const compiled = new WeakMap<EventSpec, ValidateFunction>()

/** Compiles once. Throws `GW_PLUGIN_CONTRACT` if the schema itself is invalid. */
function compiledFor(type: string, spec: EventSpec): ValidateFunction {
  const known = compiled.get(spec)
  if (known !== undefined) return known
  try {
    const validate = validatorOf('event', payloadSchema(spec))
    compiled.set(spec, validate)
    return validate
  } catch (cause) {
    const message = `The schema of the event '${type}' is not valid: ${(cause as Error).message}`
    throw new GatewayError('GW_PLUGIN_CONTRACT', message, { cause })
  }
}

/** Throws `GW_PLUGIN_CONTRACT` for an invalid event schema. */
export function checkEventSpec(type: string, spec: EventSpec): void {
  const taken = takenMembers(spec)
  if (taken.length > 0) {
    const message = `The schema of the event '${type}' lists ${taken.join(', ')}, which the gateway fills. Give them other names.`
    throw new GatewayError('GW_PLUGIN_CONTRACT', message)
  }
  compiledFor(type, spec)
}

const takenMembers = ({ schema }: EventSpec): string[] =>
  Object.keys(((schema ?? {}) as ObjectSchema).properties ?? {}).filter((name) => OWN.has(name))

/** The payload member that an error concerns. */
function memberOf({ instancePath, keyword, params }: ErrorObject): string {
  const [, first] = instancePath.split('/')
  if (first !== undefined) return first.replaceAll('~1', '/').replaceAll('~0', '~')
  const { additionalProperty, missingProperty } = params as Record<string, string | undefined>
  return (keyword === 'required' ? missingProperty : additionalProperty) ?? ''
}

/** Copies a payload, and counts members that could not be copied: not JSON, or too large. */
function copyOf(given: object): { readonly payload: Payload; readonly unread: number } {
  const whole = copied(() => given)
  if (isObject<Json>(whole)) return { payload: whole, unread: 0 }
  const payload: Record<string, Json> = {}
  let unread = 0
  for (const name of namesOf(given)) {
    // As an object with one member, so that its name is checked, too.
    const one = copied(() => ({ [name]: (given as Record<string, unknown>)[name] }))
    if (isObject<Json>(one)) Object.assign(payload, one)
    else unread++
  }
  return { payload, unread: Math.max(unread, 1) }
}

/** Member names of an object that is not JSON as a whole; none for an array or an unreadable object. */
function namesOf(given: unknown): string[] {
  try {
    return isObject(given) ? Object.keys(given).slice(0, MOST_MEMBERS) : []
  } catch {
    return []
  }
}

const MOST_MEMBERS = 100

function copied(read: () => unknown): Json | undefined {
  try {
    return plainJson('', read())
  } catch {
    return undefined
  }
}
