import type { Json } from '../../contract/plugin.ts'
import { isObject } from '../../json/fields.ts'
import { parseJson } from '../../json/read.ts'
import { type Edit, splice } from '../../json/splice.ts'
import { hasDuplicates, type JsonObject, type Path } from '../../json/strict.ts'
import { MessagesEvent } from './event.ts'

/**
 * The events to read in place of one that has a text before its deltas; undefined: the event itself. Some clients show
 * what is in the beginning of a block and join the deltas to it, others show only deltas. So a block begins without text,
 * as official servers write it, and a delta carries it; and a message begins without blocks that have text.
 */
export function splitBeginning(event: MessagesEvent): readonly MessagesEvent[] | undefined {
  const { type, tree } = event
  if (type === 'content_block_start') return splitBlock(event)
  if (type !== 'message_start' || !isObject(tree.message)) return undefined
  const { content } = tree.message
  if (!Array.isArray(content) || content.every((block) => textOf(block) === undefined)) return undefined
  const begun = edited(event, [{ kind: 'replace', path: ['message', 'content'], json: '[]' }])
  const blocks = content.flatMap((block, index) => {
    const start = eventOf({ type: 'content_block_start', index, content_block: block })
    return [...(splitBlock(start) ?? [start]), eventOf({ type: 'content_block_stop', index })]
  })
  return [begun, ...blocks]
}

function splitBlock(event: MessagesEvent): readonly MessagesEvent[] | undefined {
  const { index = null, content_block: block = null } = event.tree
  const found = textOf(block)
  if (found === undefined) return undefined
  const { member, delta, text } = found
  const path: Path = ['content_block', member]
  const begun = edited(event, [{ kind: 'replace', path, json: '""' }])
  const repeated = eventOf({ type: 'content_block_delta', index, delta: { type: delta, [member]: text } })
  repeated.repeatsBeginning = true
  return [begun, repeated]
}

const eventOf = (tree: JsonObject): MessagesEvent => new MessagesEvent(JSON.stringify(tree), String(tree.type), tree)

function edited(event: MessagesEvent, edits: readonly Edit[]): MessagesEvent {
  // Our own reading of an ambiguous event.
  const known = hasDuplicates(event.payload, event.tree) ? JSON.stringify(event.tree) : event.payload
  const payload = splice(known, edits)
  const begun = new MessagesEvent(payload, event.type, parseJson(payload) as JsonObject)
  begun.usage = event.usage
  return begun
}

/** The text of a block, and what its deltas are called. */
function textOf(block: Json): { readonly member: string; readonly delta: string; readonly text: string } | undefined {
  if (!isObject(block) || typeof block.type !== 'string') return undefined
  const [member, delta] = OF_BLOCKS.get(block.type) ?? []
  if (member === undefined || delta === undefined) return undefined
  const text = block[member]
  return typeof text === 'string' && text !== '' ? { member, delta, text } : undefined
}

const OF_BLOCKS: ReadonlyMap<string, readonly [string, string]> = new Map([
  ['text', ['text', 'text_delta']],
  ['thinking', ['thinking', 'thinking_delta']],
])
