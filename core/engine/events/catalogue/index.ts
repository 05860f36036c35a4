/** All events there are, with a JSON Schema for each. */

import type { GovernanceEvent, PluginSpec, Severity } from '../../contract/plugin.ts'
import { read } from '../event-class.ts'
import { type CatalogueEntry, CORE_CATALOGUE } from './core-events.ts'
import { CHAIN, DETECTIONS, DIRECTION, DROPPED, ENVELOPE, EXCHANGE, EXPORTED, type Fields } from './envelope.ts'

export type { CatalogueEntry } from './core-events.ts'
export { CHAIN, DROPPED, ENVELOPE, EXCHANGE, EXPORTED, type FieldSchema, type Fields, MEASURED } from './envelope.ts'

/** The events of the core and those that plugins declare, by type. */
export function catalogueOf(specs: readonly PluginSpec[]): ReadonlyMap<string, CatalogueEntry> {
  const all = new Map(Object.entries(CORE_CATALOGUE))
  for (const { name, events = {} } of specs) {
    for (const [type, { severity, schema }] of Object.entries(events)) {
      const declared = own(type, severity, schema as Declared | undefined)
      const known = all.get(type)
      if (known === undefined) all.set(type, { severity: [severity], owner: name, ...declared })
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

/** Plugins describe their payload; a detector's event is the core's to fill. */
function own(
  type: string,
  severity: Severity,
  schema: Declared | undefined,
): Pick<CatalogueEntry, 'when' | 'fields' | 'required'> {
  if (type.endsWith('.detected') && schema === undefined) {
    const fields = { ...EXCHANGE, direction: DIRECTION, detections: DETECTIONS }
    return {
      when: `${read({ type, severity } as GovernanceEvent).title}.`,
      fields,
      required: ['request_id', 'direction', 'detections'],
    }
  }
  const {
    description = `${read({ type, severity } as GovernanceEvent).title}.`,
    required = [],
    properties = {},
  } = schema ?? {}
  return { when: description, fields: { ...EXCHANGE, ...properties }, required }
}

/** The JSON Schema (draft-07) of one type: nothing but what is listed, in the trail, in observers and after export. */
export function eventSchema(type: string, { severity, fields, required }: CatalogueEntry): object {
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
