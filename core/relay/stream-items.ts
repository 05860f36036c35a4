import { derivedEdits } from '../dialects/chat-completions/derived.ts'
import { indexOf, type StreamEvent } from '../dialects/chat-completions/event.ts'
import { type Change, isObject, toEdits } from '../json/fields.ts'
import { type Edit, splice } from '../json/splice.ts'
import type { JsonObject, Path } from '../json/strict.ts'
import type { StreamView } from '../text/window.ts'

/** A piece of text of one event, and where it lies in its field. */
export interface Segment {
  readonly view: StreamView
  readonly path: Path
  /** Raw position in the field. */
  start: number
  text: string
}

/** A fragment of a tool call, whose call is inspected as a whole. */
export interface ToolSegment {
  readonly choice: number
  readonly path: Path
  /** What stands for the fragment; equals what came unless the call was rewritten. */
  text: string
  changed: boolean
}

/** One event that waits until all its text is safe. */
export interface Item {
  readonly event: StreamEvent
  payload: string
  readonly segments: Segment[]
  readonly tools: readonly ToolSegment[]
  /** Texts of the event that do not grow and that a plugin rewrote. */
  changes: readonly Change[] | undefined
  /** Indexes of the choices it speaks of. */
  readonly choices: readonly number[]
  readonly finishes: boolean
  /** Only a part of the event as it came; its text is always written anew. */
  readonly part: boolean
}

export const endOf = (segment: Segment): number => segment.start + segment.text.length

export function choiceIndexes(event: StreamEvent): number[] {
  const out: number[] = []
  for (let i = 0; i < event.choices.length; i++) {
    const choice = event.choices[i]
    if (isObject(choice)) out.push(indexOf(choice, i))
  }
  return out
}

/** The event as it may leave; the very payload that came unless something in it changed. */
export function render(item: Item): string | undefined {
  const edits: Edit[] = item.changes === undefined ? [] : toEdits(item.changes)
  const rewritten = new Set<number>()
  let gone = item.segments.length > 0 && item.tools.length === 0 && !item.finishes
  for (const segment of item.segments) {
    const touched = segment.view.touches(segment.start, endOf(segment))
    const text = touched ? segment.view.output(segment.start, segment.text) : segment.text
    if (text !== '') gone = false
    if (!touched && !item.part) continue
    rewritten.add(segment.path[1] as number)
    edits.push({ kind: 'replace', path: segment.path, json: JSON.stringify(text) })
  }
  for (const tool of item.tools) {
    if (tool.changed) edits.push({ kind: 'replace', path: tool.path, json: JSON.stringify(tool.text) })
  }
  if (gone && rewritten.size > 0 && isBare(item)) return undefined
  edits.push(...derivedEdits(item.event.choices, 'delta', (position) => rewritten.has(position)))
  return splice(item.payload, edits)
}

/** Says nothing but its texts, so that it may be left out when they are gone. */
function isBare(item: Item): boolean {
  if (isObject(item.event.tree.usage)) return false
  const texts = new Set(item.segments.map((segment) => segment.path.at(-1)))
  return item.event.choices.every(
    (choice) => isObject(choice) && isObject(choice.delta) && Object.keys(choice.delta).every((key) => texts.has(key)),
  )
}

/** Cuts an event with several texts into one event for each, so that none waits for another. */
export function divide(item: Item): Item[] {
  const out: Item[] = []
  for (const segment of item.segments) out.push(partOf(item, segment.path, [segment], []))
  if (item.tools.length > 0) out.push(toolPart(item))
  if (hasRest(item)) out.push(restPart(item))
  return out
}

/** The envelope of the event with one text of one choice. */
function partOf(item: Item, path: Path, segments: Segment[], tools: readonly ToolSegment[]): Item {
  const position = path[1] as number
  const choice = item.event.choices[position] as JsonObject
  const key = path[3] as string
  const delta = choice.delta as JsonObject
  const inner: JsonObject = key === 'audio' ? { audio: { transcript: '' } } : { [key]: '' }
  const role = typeof delta.role === 'string' ? { role: delta.role } : {}
  // A part holds its choice alone; clients go by `index`, not by position.
  const choices = [{ ...keep(choice), delta: { ...role, ...inner }, finish_reason: null }]
  const payload = JSON.stringify({ ...envelopeOf(item.event.tree), choices })
  const moved = segments.map((segment) => ({ ...segment, path: ['choices', 0, ...path.slice(2)] }))
  return {
    ...item,
    payload,
    segments: moved,
    tools,
    changes: undefined,
    choices: [indexOf(choice, position)],
    finishes: false,
    part: true,
  }
}

function toolPart(item: Item): Item {
  const choices = item.event.choices.map((choice) => {
    if (!isObject(choice) || !isObject(choice.delta)) return choice
    const { tool_calls, function_call } = choice.delta
    const delta = {
      ...(tool_calls === undefined ? {} : { tool_calls }),
      ...(function_call === undefined ? {} : { function_call }),
    }
    return { ...keep(choice), delta, finish_reason: null }
  })
  const payload = JSON.stringify({ ...envelopeOf(item.event.tree), choices })
  return { ...item, payload, segments: [], changes: undefined, finishes: false, part: true }
}

/** What remains of an event without its texts: finish reasons, usage, annotations, filter results. */
function restPart(item: Item): Item {
  const edits: Edit[] = item.segments.map(({ path }) => ({ kind: 'remove', path }))
  for (let i = 0; i < item.event.choices.length; i++) {
    edits.push({ kind: 'remove', path: ['choices', i, 'delta', 'tool_calls'] })
    edits.push({ kind: 'remove', path: ['choices', i, 'delta', 'function_call'] })
    edits.push({ kind: 'replace', path: ['choices', i, 'logprobs'], json: 'null' })
  }
  return { ...item, payload: splice(item.payload, edits), segments: [], tools: [], part: true }
}

function hasRest(item: Item): boolean {
  if (item.finishes || isObject(item.event.tree.usage)) return true
  const texts = new Set<unknown>(['role', 'tool_calls', 'function_call'])
  for (const { path } of item.segments) texts.add(path[3])
  return item.event.choices.some(
    (choice) => isObject(choice) && isObject(choice.delta) && Object.keys(choice.delta).some((key) => !texts.has(key)),
  )
}

const keep = (choice: JsonObject): JsonObject => ({ index: choice.index ?? 0 })

function envelopeOf(tree: JsonObject): JsonObject {
  const { choices: _choices, usage: _usage, obfuscation: _obfuscation, ...rest } = tree
  return rest
}

/** Takes the safe front of an item's only text; the item keeps the rest. */
export function cutFront(item: Item, length: number): { front: Item; rest: Item } {
  const [segment] = item.segments as [Segment]
  const whole = item.part ? item : partOf(item, segment.path, [segment], [])
  const [moved] = whole.segments as [Segment]
  const front = { ...whole, finishes: false, segments: [{ ...moved, text: moved.text.slice(0, length) }] }
  const restSegment = { ...segment, start: segment.start + length, text: segment.text.slice(length) }
  return { front, rest: { ...item, segments: [restSegment], part: true } }
}
