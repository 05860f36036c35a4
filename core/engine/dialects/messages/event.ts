import type { Json, Usage } from '../../contract/plugin.ts'
import { isObject } from '../../json/fields.ts'
import { parseJson } from '../../json/read.ts'
import type { JsonObject, Path } from '../../json/strict.ts'
import { dropService, eventObject } from '../event-object.ts'
import type { StreamEvent } from '../stream.ts'
import { isEventName } from './wire.ts'

/** One event of a stream. */
export class MessagesEvent implements StreamEvent {
  payload: string
  readonly type: string
  usage: Usage | undefined = undefined
  /** A delta of the gateway: the beginning of its block, which the provider's deltas may repeat. */
  repeatsBeginning = false
  #tree: JsonObject | undefined

  /** @param tree omitted for an event of known spelling; parsed on first use */
  constructor(payload: string, type: string, tree?: JsonObject) {
    this.payload = payload
    this.type = type
    this.#tree = tree
  }

  get tree(): JsonObject {
    this.#tree ??= parseJson(this.payload) as JsonObject
    return this.#tree
  }

  dropService(): void {
    dropService(this, 'message')
  }

  get failed(): boolean {
    return this.type === 'error'
  }

  /** A pause is no part of the message. */
  get choiceIndexes(): readonly number[] {
    return this.type === 'ping' || this.failed ? NONE : ONLY
  }

  get finishes(): boolean {
    const { delta } = this.type === 'message_delta' ? this.tree : NOTHING
    return isObject(delta) && typeof delta.stop_reason === 'string' && delta.stop_reason !== ''
  }

  get finished(): readonly number[] {
    return this.finishes ? ONLY : NONE
  }

  get speaking(): readonly number[] {
    return this.type === 'content_block_delta' || this.type === 'content_block_start' ? ONLY : NONE
  }
}

/** A message is one answer. */
const ONLY: readonly number[] = [0]
const NONE: readonly number[] = []
const NOTHING: JsonObject = {}

/**
 * Parses the data of one event; undefined if it is none. Some servers send failures without a type.
 */
export function readEvent(payload: string, isError: boolean, parsed?: Json): MessagesEvent | undefined {
  const tree = eventObject(payload, parsed)
  if (tree === undefined) return undefined
  if (isError || (tree.type === undefined && tree.error !== undefined)) {
    const error: Json = tree.error ?? tree
    const own: JsonObject = { type: 'error', error }
    return new MessagesEvent(JSON.stringify(own), 'error', own)
  }
  return isEventName(tree.type) ? new MessagesEvent(payload, tree.type, tree) : undefined
}

/** The delta of a block with one text and nothing else, and the path to the text. */
export function onlyText({
  tree,
}: MessagesEvent): { readonly kind: string; readonly path: Path; readonly text: string } | undefined {
  const { type, index, delta } = tree
  if (type !== 'content_block_delta' || typeof index !== 'number' || !isObject(delta)) return undefined
  if (Object.keys(tree).length !== 3 || Object.keys(delta).length !== 2 || typeof delta.type !== 'string')
    return undefined
  const path = TEXT_OF.get(delta.type)
  const text = path === undefined ? undefined : delta[path[1] as string]
  return path === undefined || typeof text !== 'string' ? undefined : { kind: delta.type, path, text }
}

/** Where the text of each kind of delta is. */
const TEXT_OF: ReadonlyMap<string, Path> = new Map([
  ['text_delta', ['delta', 'text']],
  ['thinking_delta', ['delta', 'thinking']],
  ['input_json_delta', ['delta', 'partial_json']],
])
