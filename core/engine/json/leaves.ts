import type { Json } from '../contract/plugin.ts'
import type { JsonObject } from './strict.ts'

/** A number of less than six digits, or a boolean. */
export const isShort = (value: Json): boolean =>
  typeof value === 'number' ? Number.isSafeInteger(value) && Math.abs(value) < 100_000 : typeof value === 'boolean'

/** A number of which only the source text has all digits. */
export const isLossy = (value: Json | undefined): value is number =>
  typeof value === 'number' && !Number.isSafeInteger(value)

/** Entries that are read without a pause. */
const FEW = 16

/** A container of few entries, of which none is a container or a number that may lose digits. */
export function isFlat(value: Json | undefined): value is Json[] | JsonObject {
  if (typeof value !== 'object' || value === null) return false
  if (Array.isArray(value)) return value.length <= FEW && value.every(isLeaf)
  let left = FEW
  for (const name in value) if (left-- === 0 || !isLeaf(value[name])) return false
  return true
}

const isLeaf = (value: Json | undefined): boolean => !isLossy(value) && (typeof value !== 'object' || value === null)
