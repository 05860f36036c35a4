/** All events, with their JSON Schemas. */

import type { EventSpec, PluginSpec } from '../../contract/plugin.ts'
import { titleOf } from '../description.ts'
import { type CatalogueEntry, CORE_CATALOGUE } from './core-events.ts'
import {
  CHAIN,
  DETECTIONS,
  DIRECTION,
  DROPPED,
  ENVELOPE,
  EXCHANGE,
  EXPORTED,
  type FieldSchema,
  type Fields,
} from './envelope.ts'

export type { CatalogueEntry } from './core-events.ts'
export { CHAIN, DROPPED, ENVELOPE, EXCHANGE, EXPORTED, type FieldSchema, type Fields, MEASURED } from './envelope.ts'

/** The events of the core and those declared by plugins, by type. */
export function catalogueOf(specs: readonly PluginSpec[]): ReadonlyMap<string, CatalogueEntry> {
  const all = new Map(Object.entries(CORE_CATALOGUE))
  for (const { name, events = {} } of specs) {
    for (const [type, spec] of Object.entries(events)) {
      const known = all.get(type)
      if (known === undefined) all.set(type, { ...spec, severity: [spec.severity], owner: name, ...own(type, spec) })
      else all.set(type, { ...known, owner: `${known.owner}, ${name}` })
    }
  }
  return all
}

interface Declared {
  readonly description?: string
  readonly required?: readonly string[]
  readonly properties?: Fields
}

/** Plugins describe their payload; the core fills a detector's event. */
function own(
  type: string,
  { schema, title = titleOf(type) }: EventSpec,
): Pick<CatalogueEntry, 'when' | 'fields' | 'required'> {
  if (type.endsWith('.detected') && schema === undefined) {
    const fields = { ...EXCHANGE, direction: DIRECTION, detections: DETECTIONS }
    return { when: `${title}.`, fields, required: ['request_id', 'direction', 'detections'] }
  }
  const { description = `${title}.`, required = [], properties = {} } = (schema ?? {}) as Declared
  return { when: description, fields: { ...EXCHANGE, ...properties }, required }
}

/**
 * The JSON Schema (draft-07) of one type. Allows only the listed members, in the trail, in observers and after export.
 */
function eventSchema(
  type: string,
  { severity, fields, required }: CatalogueEntry,
): { readonly properties: Fields; readonly [keyword: string]: unknown } {
  return {
    type: 'object',
    additionalProperties: false,
    required: [...Object.keys(ENVELOPE), ...required],
    properties: {
      ...ENVELOPE,
      type: { const: type },
      severity: { enum: severity },
      ...CHAIN,
      ...fields,
      ...EXPORTED,
      ...DROPPED,
    },
  }
}

/** One document with a schema for each type, and their union: `docs/events.schema.json` of the package. */
export function eventsSchema(specs: readonly PluginSpec[]): object {
  const schemas = [...catalogueOf(specs)].map(([type, entry]) => [type, eventSchema(type, entry)] as const)
  const shared = sharedFields(schemas.map(([, { properties }]) => properties))
  const withReferences = (properties: Fields) =>
    Object.entries(properties).map(([name, field]) => {
      const isShared = JSON.stringify(field) === JSON.stringify(shared.get(name))
      return [name, isShared ? { $ref: `#/definitions/fields/${name}` } : field]
    })
  const types = schemas.map(([type, schema]) => [
    type,
    { ...schema, properties: Object.fromEntries(withReferences(schema.properties)) },
  ])
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Events of governed-gateway, by type',
    oneOf: schemas.map(([type]) => ({ $ref: `#/definitions/${type}` })),
    definitions: { fields: Object.fromEntries(shared), ...Object.fromEntries(types) },
  }
}

/** Fields that several types have in the same way, by name. */
function sharedFields(types: readonly Fields[]): ReadonlyMap<string, FieldSchema> {
  const first = new Map<string, FieldSchema>()
  const shared = new Map<string, FieldSchema>()
  for (const [name, field] of types.flatMap((fields) => Object.entries(fields))) {
    const known = first.get(name)
    if (known === undefined) first.set(name, field)
    else if (JSON.stringify(known) === JSON.stringify(field)) shared.set(name, field)
  }
  return shared
}
