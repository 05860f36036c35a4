/** What plugins may tell as events: types and members that they declared, and nothing else. */
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import { assertSchema, SCHEMA_IS_CHECKED } from '../config/meta-schema.ts'
import { GatewayError } from '../contract/errors.ts'
import { plainJson } from '../contract/plain-json.ts'
import type { EventSpec, Json, Log, PluginSpec } from '../contract/plugin.ts'
import { isObject } from '../util/is-object.ts'
import { CORE_CATALOGUE } from './catalogue/core-events.ts'
import { CHAIN, DETECTIONS, DIRECTION, DROPPED, ENVELOPE, EXCHANGE, EXPORTED } from './catalogue/envelope.ts'

export type Payload = Readonly<Record<string, Json | undefined>>

/** Types of the core that any plugin may tell. */
const FOR_PLUGINS: ReadonlySet<string> = new Set(['policy.would_block'])

/** Members that the gateway fills: a payload never stands in their place. */
const OWN: ReadonlySet<string> = new Set(Object.keys({ ...ENVELOPE, ...CHAIN, ...EXCHANGE, ...EXPORTED, ...DROPPED }))

/** The least that a plugin tells of its events. */
type Declaring = Pick<PluginSpec, 'name' | 'events'>

interface Declared {
  readonly plugin: string | undefined
  readonly spec: EventSpec
}

/** The types that the plugins of one chain declare, with a validator for each, compiled when it is first told. */
export class PluginEvents {
  readonly #declared = new Map<string, Declared[]>()
  readonly #log: Pick<Log, 'error'>
  readonly #onFault: ((error: GatewayError) => void) | undefined
  readonly #told = new Set<Declared>()

  /** `onFault` gets each payload that its schema refuses; tests fail with it. */
  constructor(plugins: readonly Declaring[], log: Pick<Log, 'error'>, onFault?: (error: GatewayError) => void) {
    this.#log = log
    this.#onFault = onFault
    for (const type of FOR_PLUGINS) this.#declared.set(type, [{ plugin: undefined, spec: coreSpec(type) }])
    for (const { name, events = {} } of plugins) {
      for (const [type, spec] of Object.entries(events)) {
        if (Object.hasOwn(CORE_CATALOGUE, type)) continue
        const all = this.#declared.get(type) ?? []
        this.#declared.set(type, [...all, { plugin: name, spec: detector(type, spec) }])
      }
    }
  }

  severityOf(type: string): EventSpec['severity'] | undefined {
    return this.#declared.get(type)?.[0]?.spec.severity
  }

  /**
   * The payload as it may be recorded. Members that the type's schema does not allow are left out and counted, so that
   * no event is lost for them. `plugin` is undefined where nobody knows who emits, such as long after a tap.
   *
   * @throws GatewayError GW_PLUGIN_CONTRACT for a type that is the gateway's or another plugin's, or that nobody declared
   */
  admit(plugin: string | undefined, type: string, given: object): Payload {
    const declared = this.#declaredBy(plugin, type)
    const validate = validatorOf(type, declared.spec)
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
    this.#tell(declared, type, errors, dropped)
    const kept: Payload = Object.fromEntries(fitting)
    return dropped === 0 ? kept : { ...kept, dropped_members: dropped }
  }

  /** Once for each type in a chain. Names that nobody declared may hold anything, so they are only counted. */
  #tell(declared: Declared, type: string, errors: readonly ErrorObject[], dropped: number): void {
    const known = Object.keys(schemaOf(declared.spec).properties)
    const members = [...new Set(errors.map(memberOf))].filter((name) => known.includes(name))
    const unknown = errors.filter(({ keyword }) => keyword === 'additionalProperties').length
    const what = [...members, ...(unknown > 0 ? [`${unknown} that it does not list`] : [])].join(', ') || 'its form'
    const message = `The payload of '${type}' does not fit its schema in \`events\`: ${what}.`
    this.#onFault?.(new GatewayError('GW_PLUGIN_CONTRACT', message))
    if (this.#told.has(declared)) return
    this.#told.add(declared)
    const about = { plugin: declared.plugin, event_type: type, members, unknown, dropped }
    this.#log.error(about, 'the payload of an event does not fit its schema: it is recorded without these members')
  }
}

const coreSpec = (type: string): EventSpec => {
  const { severity, fields, required } = CORE_CATALOGUE[type] as (typeof CORE_CATALOGUE)[string]
  return { severity: severity[0]!, schema: { type: 'object', properties: fields, required } as never }
}

/** A detector's event is the core's to fill, and has its form also when the plugin emits it. */
const detector = (type: string, spec: EventSpec): EventSpec =>
  spec.schema === undefined && type.endsWith('.detected')
    ? { ...spec, schema: { type: 'object', properties: { direction: DIRECTION, detections: DETECTIONS } } as never }
    : spec

interface ObjectSchema {
  readonly properties?: Readonly<Record<string, unknown>>
  readonly required?: readonly string[]
}

/** What a payload may be: the members that the plugin declared, but for those that the gateway fills. */
function schemaOf({ schema }: EventSpec) {
  const { properties = {}, required = [] } = (schema ?? {}) as ObjectSchema
  return {
    type: 'object' as const,
    additionalProperties: false,
    required: required.filter((name) => !OWN.has(name)),
    properties: Object.fromEntries(Object.entries(properties).filter(([name]) => !OWN.has(name))),
  }
}

const compiled = new WeakMap<EventSpec, ValidateFunction>()

/** Compiled once. Throws `GW_PLUGIN_CONTRACT` when the schema itself is wrong. */
function validatorOf(type: string, spec: EventSpec): ValidateFunction {
  const known = compiled.get(spec)
  if (known !== undefined) return known
  // An instance for each schema: a shared one would keep the schemas of reloaded plugins for ever.
  const ajv = new Ajv({
    strict: true,
    allowUnionTypes: true,
    allErrors: true,
    validateFormats: false,
    ...SCHEMA_IS_CHECKED,
  })
  try {
    const schema = schemaOf(spec)
    assertSchema(schema)
    const validate = ajv.compile(schema)
    compiled.set(spec, validate)
    return validate
  } catch (cause) {
    const message = `The schema of the event '${type}' is not valid: ${(cause as Error).message}`
    throw new GatewayError('GW_PLUGIN_CONTRACT', message, { cause })
  }
}

/** Throws `GW_PLUGIN_CONTRACT` for what no event's schema may be. */
export function checkEventSpec(type: string, spec: EventSpec): void {
  const taken = takenMembers(spec)
  if (taken.length > 0) {
    const message = `The schema of the event '${type}' lists ${taken.join(', ')}, which the gateway fills. Give them other names.`
    throw new GatewayError('GW_PLUGIN_CONTRACT', message)
  }
  validatorOf(type, spec)
}

const takenMembers = ({ schema }: EventSpec): string[] =>
  Object.keys(((schema ?? {}) as ObjectSchema).properties ?? {}).filter((name) => OWN.has(name))

/** The member of the payload that an error is about. */
function memberOf({ instancePath, keyword, params }: ErrorObject): string {
  const [, first] = instancePath.split('/')
  if (first !== undefined) return first.replaceAll('~1', '/').replaceAll('~0', '~')
  const { additionalProperty, missingProperty } = params as Record<string, string | undefined>
  return (keyword === 'required' ? missingProperty : additionalProperty) ?? ''
}

/** A copy of what the plugin gave, and how many of its members could not be copied: no JSON, or too much of it. */
function copyOf(given: object): { readonly payload: Payload; readonly unread: number } {
  const whole = copied(() => given)
  if (isObject<Json>(whole)) return { payload: whole, unread: 0 }
  const payload: Record<string, Json> = {}
  let unread = 0
  for (const name of namesOf(given)) {
    // As an object of one member, so that its name is judged too.
    const one = copied(() => ({ [name]: (given as Record<string, unknown>)[name] }))
    if (isObject<Json>(one)) Object.assign(payload, one)
    else unread++
  }
  return { payload, unread: Math.max(unread, 1) }
}

/** The members of what is no JSON as a whole; none of an array, or of what cannot be asked. */
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
