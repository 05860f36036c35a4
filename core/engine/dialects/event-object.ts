import type { Json } from '../contract/plugin.ts'
import { isObject } from '../json/fields.ts'
import { parseJson, skipSpace } from '../json/read.ts'
import { splice } from '../json/splice.ts'
import type { JsonObject, Path } from '../json/strict.ts'

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

interface HasService {
  payload: string
  readonly tree: JsonObject
}

/**
 * Drops the provider's `service`: that name is reserved for the gateway.
 *
 * @param member that may have one, too: clients keep what is in it as the whole reply
 */
export function dropService(event: HasService, member?: string): void {
  const { tree } = event
  const inner = member === undefined ? undefined : tree[member]
  const within = isObject(inner) ? inner : undefined
  if (tree.service === undefined && within?.service === undefined) return
  const places: Path[] = [['service'], ...(member === undefined ? [] : [[member, 'service']])]
  event.payload = splice(
    event.payload,
    places.map((path) => ({ kind: 'remove', path })),
  )
  delete tree.service
  delete within?.service
}
