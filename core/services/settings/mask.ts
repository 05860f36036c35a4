/** The admin's view: every field, with masked secrets. */
import type { Json } from '../../engine/contract/plugin.ts'
import type { Declaration } from '../../engine/host/declaration.ts'
import { type Fields, placesOf } from '../../engine/host/paths.ts'
import type { Effective } from './layers.ts'

export const MASK = '********'

export interface Notes {
  /** Invalid PUT values, by field. */
  readonly problems: readonly { readonly field: string; readonly message: string }[]
  readonly warnings: readonly string[]
}

/** Settings at the top level, so that an admin can edit the answer and send it back. */
export function masked(
  { secretsIn }: Declaration,
  { values, sources }: Effective,
  notes: Notes,
): { [key: string]: Json } {
  const shown: Fields = structuredClone(values)
  for (const path of secretsIn(values)) {
    for (const { parent, key, value } of placesOf(path, shown)) {
      const isSet = value !== undefined && value !== null
      parent[key] = isSet ? MASK : null
      parent[`${key}_set`] = isSet
    }
  }
  const extra: Fields = { sources: { ...sources } }
  if (notes.problems.length > 0) extra.problems = notes.problems.map((one) => ({ ...one }))
  if (notes.warnings.length > 0) extra.warnings = [...notes.warnings]
  return { ...shown, ...extra }
}
