import type { Json } from '../../contract/plugin.ts'
import { isSealed } from '../seals.ts'
import { isFormat, isId, isKind, isMediaPiece, isNumeric, isRole, type Shape } from '../shapes.ts'

/** Kinds, ids and signatures in the parts of a delta. */
export const isMarker = (key: string, value: Json): boolean => {
  const shape = MARKERS.get(key)
  return shape !== undefined && (value === null || shape(value))
}
/** Of them, what is long and no text. */
export const SEALS: ReadonlySet<string> = new Set(['signature', 'data', 'encrypted_content'])
export const MARKERS: ReadonlyMap<string, Shape> = new Map([
  ['type', isKind],
  ['id', isId],
  ['index', isNumeric],
  ['format', isFormat],
  ['role', isRole],
  ['signature', isSealed],
  ['data', isMediaPiece],
  ['encrypted_content', isSealed],
])
