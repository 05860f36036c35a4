/** All places of a JSON value where something else can be put. */
import type { Json } from '../../core/plugin.ts'

/** Puts a value in one place and gives the whole. */
export type Put = (inner: Json) => Json

/** One for each value within `value`, itself first, and one for an extra member of each object. */
export function placesOf(value: Json, put: Put = (inner) => inner): Put[] {
  const out: Put[] = [put]
  if (typeof value !== 'object' || value === null) return out
  if (!Array.isArray(value)) out.push((inner) => put({ ...value, 'an extra one': inner }))
  for (const [key, inner] of Object.entries(value)) {
    const putInner: Put = (other) =>
      put(Array.isArray(value) ? value.with(Number(key), other) : { ...value, [key]: other })
    out.push(...placesOf(inner, putInner))
  }
  return out
}

export const HIDDEN = 'a hidden text'

/** A text in every disguise: alone, as a name, in a list, deep inside. */
export const HIDDEN_FORMS: readonly Json[] = [HIDDEN, { [HIDDEN]: 1 }, [HIDDEN], [{ x: { y: HIDDEN } }]]
