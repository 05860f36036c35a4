/** All events, with their JSON Schemas. */

import type { EventSpec, PluginSpec } from '../../contract/plugin.ts'
import { titleOf } from '../description.ts'
import { type CatalogueEntry, CORE_CATALOGUE } from './core-events.ts'
import { CHAIN, DETECTIONS, DIRECTION, DROPPED, ENVELOPE, EXCHANGE, EXPORTED, type Fields } from './envelope.ts'

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
export function eventSchema(
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
