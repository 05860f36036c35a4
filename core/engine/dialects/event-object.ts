import type { Json } from '../contract/plugin.ts'
import { isObject } from '../json/fields.ts'
import { parseJson, skipSpace } from '../json/read.ts'
import type { JsonObject } from '../json/strict.ts'

const BRACE = 0x7b

/** The object that the data of an event is; undefined if it is none. */
export function eventObject(payload: string, parsed: Json | undefined): JsonObject | undefined {
  // An exception costs a hundred times the rest, and a stream may have any number of empty events.
  if (parsed === undefined && payload.charCodeAt(skipSpace(payload, 0)) !== BRACE) return undefined
  try {
    const tree = parsed ?? parseJson(payload)
    return isObject(tree) ? tree : undefined
  } catch {
    return undefined
  }
}
