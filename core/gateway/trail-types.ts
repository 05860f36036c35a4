import { eventTypesOf } from '../engine/events/catalogue/selection.ts'
import { bundledSpecs } from '../engine/host/loader.ts'
import type { KnownTypes } from '../services/audit/routes.ts'

/**
 * Event types that a trail may contain: those of enabled plugins, and of bundled plugins that may have been enabled
 * before. Loads bundled plugins only when a requested type is unknown.
 */
export function typesInTrail(enabled: () => ReadonlySet<string>): KnownTypes {
  return async (asked) => {
    const known = enabled()
    if (asked.every((type) => known.has(type))) return known
    return new Set([...known, ...eventTypesOf(await bundledSpecs())])
  }
}
