import { GatewayError } from '../contract/errors.ts'
import type { JsonObject } from '../json/strict.ts'

/**
 * Refuses names that differ from known ones only by case. Some servers match member names case-insensitively (Go's
 * encoding/json also folds U+017F and U+212A), so `Messages` would be a prompt that was not inspected.
 */
export function refuseLookalikes(object: JsonObject, known: ReadonlySet<string>, path: string): void {
  for (const key in object) {
    if (known.has(key)) continue
    const folded = key.toUpperCase().toLowerCase()
    if (folded !== key && known.has(folded)) {
      throw new GatewayError(
        'GW_INVALID_JSON',
        `The member name '${key}'${path === '' ? '' : ` in ${path}`} differs from '${folded}' only by case. Spell it exactly.`,
        { param: path === '' ? key : `${path}.${key}` },
      )
    }
  }
}
