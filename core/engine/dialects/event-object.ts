import type { Json } from '../contract/plugin.ts'
import { isObject } from '../json/fields.ts'
import { parseJson } from '../json/read.ts'
import type { JsonObject } from '../json/strict.ts'

/** The object that the data of an event is; undefined if it is none. */
export function eventObject(payload: string, parsed: Json | undefined): JsonObject | undefined {
  try {
    const tree = parsed ?? parseJson(payload)
    return isObject(tree) ? tree : undefined
  } catch {
    return undefined
  }
}
