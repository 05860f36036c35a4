/** Texts that some clients show as one, in the order in which they come: content with refusals, and reasoning. */
import type { Texts } from './assemble.ts'

type Obj = Readonly<Record<string, unknown>>
const isObj = (value: unknown): value is Obj => typeof value === 'object' && value !== null && !Array.isArray(value)
const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

/** What a list of parts, one part or a string says. */
function said(value: unknown): string {
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return value.map(said).join('')
  if (!isObj(value)) return ''
  return [value.text, value.content, value.refusal].map(said).join('')
}
const thought = (part: Obj): string => [part.thinking, part.reasoning_content, part.reasoning].map(said).join('')

/** Adds them to what the events of a stream, or a whole reply, say. */
export function addShown(events: readonly unknown[], texts: Texts): void {
  const add = (path: string, text: string): void => {
    if (text !== '') texts.set(path, (texts.get(path) ?? '') + text)
  }
  for (const event of events) {
    if (!isObj(event)) continue
    for (const [at, choice] of list(event.choices).entries()) {
      if (!isObj(choice)) continue
      const body = [choice.delta, choice.message].find(isObj)
      if (body === undefined) continue
      const index = String(choice.index ?? at)
      add(`~shown[${index}]`, said(body.content) + said(body.refusal))
      if (body.reasoning === undefined || body.reasoning_content === undefined)
        add(`~thought[${index}]`, thought({ ...body, thinking: '' }))
    }
    const type = String(event.type)
    if (isObj(event.content_block)) {
      addPart(add, '', event.content_block)
      addMembers(add, event.index, event.content_block)
    }
    if (type === 'content_block_delta' && isObj(event.delta)) {
      addPart(add, '', event.delta)
      addPart(add, ':deltas', event.delta)
      addMembers(add, event.index, event.delta)
    }
    if (type === 'message') for (const part of list(event.content)) if (isObj(part)) addPart(add, '', part)
    if (/^response\.(?:output_text|refusal)\.delta$/.test(type)) add('~shown', said(event.delta))
    if (/^response\.(?:output_text|refusal)\.done$/.test(type)) add('~shown:done', said(event))
    if (type === 'response.reasoning_text.delta') add('~thought', said(event.delta))
    if (type === 'response.reasoning_summary_text.delta') add('~summary', said(event.delta))
    if (type === 'response.output_item.done') addItem(add, ':item', event.item)
    // Some clients join deltas to what began.
    if (type === 'response.output_item.added') addItem(add, ':begun', event.item)
    if (type === 'response.content_part.added') add('~shown:begun', said(event.part))
    if (/^response\.(?:output_text|refusal)\.delta$/.test(type)) add('~shown:begun', said(event.delta))
    if (type === 'response.reasoning_summary_part.added') add('~summary:begun', said(event.part))
    if (type === 'response.reasoning_summary_text.delta') add('~summary:begun', said(event.delta))
    const response = isObj(event.response) ? event.response : event.object === 'response' ? event : {}
    for (const item of list(response.output)) addItem(add, `:${type}`, item)
  }
}

type Add = (path: string, text: string) => void

function addPart(add: Add, copy: string, part: Obj): void {
  const text = said([part.text, part.refusal])
  add(`~shown${copy}`, text)
  add(`~thought${copy}`, thought(part))
}

/** Deltas go on with the members of their names in the beginning of the block. */
function addMembers(add: Add, index: unknown, part: Obj): void {
  for (const [name, text] of Object.entries(part))
    if (typeof text === 'string' && !['type', 'id', 'text'].includes(name)) add(`~block[${index}].${name}`, text)
}

function addItem(add: Add, copy: string, item: unknown): void {
  if (!isObj(item)) return
  if (item.type === 'message') add(`~shown${copy}`, said(item.content))
  if (item.type !== 'reasoning') return
  add(`~summary${copy}`, said(item.summary))
  add(`~thought${copy}`, said(item.content))
}
