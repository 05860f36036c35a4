import { eventTypesOf } from '../engine/events/catalogue/selection.ts'
import { bundledSpecs } from '../engine/host/loader.ts'
import type { KnownTypes } from '../services/audit/routes.ts'

/**
 * The types that a trail may hold: of plugins that are enabled, and of bundled ones that may have been before. The latter
 * are loaded when somebody asks for a type that no enabled plugin declares.
 */
export function typesInTrail(enabled: () => ReadonlySet<string>): KnownTypes {
  return async (asked) => {
    const known = enabled()
    if (asked.every((type) => known.has(type))) return known
    return new Set([...known, ...eventTypesOf(await bundledSpecs())])
  }
}
