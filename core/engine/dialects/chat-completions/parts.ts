import type { Json } from '../../contract/plugin.ts'
import { toEdits } from '../../json/edits.ts'
import { isObject } from '../../json/fields.ts'
import { parseJson } from '../../json/read.ts'
import { type Edit, splice } from '../../json/splice.ts'
import type { JsonObject, Path } from '../../json/strict.ts'
import { isRole } from '../shapes.ts'
import type { Item, Segment } from '../stream.ts'
import { tokenIdEdits } from './derived.ts'
import { type ChatEvent, indexOf } from './event.ts'
import { MARKERS } from './markers.ts'
import { ENVELOPE as SHAPES } from './reply.ts'

/** Splits an event with several texts into one event per text, so that they do not wait for each other. */
export function divide(item: Item): Item[] {
  const tree = inspected(item)
  const moving = item.segments.filter((segment) => canMove(item, segment))
  const staying = item.segments.filter((segment) => !moving.includes(segment))
  const out: Item[] = moving.map((segment) => partOf(item, segment, tree))
  if (toolsMove(item)) out.push(toolPart(item, tree))
  if (staying.length > 0 || (item.tools.length > 0 && !toolsMove(item)) || saysMore(item, true))
    out.push(restPart(item, moving, staying))
  return out
}

/** The number of parts of an event that need not wait for each other. */
export function unitsOf(item: Item): number {
  const moving = item.segments.filter((segment) => canMove(item, segment)).length
  const stays = moving < item.segments.length || (item.tools.length > 0 && !toolsMove(item))
  return moving + (toolsMove(item) ? 1 : 0) + (stays || (moving > 0 && endsAnother(item)) ? 1 : 0)
}

/** Whether the event ends a choice that says nothing in it: a finish waits for what its choice said before. */
const endsAnother = ({ event, finishes, segments }: Item): boolean =>
  finishes && (event as ChatEvent).finished.some((choice) => segments.every(({ view }) => view.choice !== choice))

const choicesOf = ({ event }: Item): readonly Json[] => (event as ChatEvent).choices

const toolsMove = ({ tools }: Item): boolean => tools.length > 0 && tools.every(({ path }) => path[2] === 'delta')

/**
 * Whether a text may be sent in its own event. A part repeats the path to its text, so no name on the path may have
 * been rewritten.
 */
export const canMove = ({ changes }: Item, { path, still }: Segment): boolean =>
  !still && !changes?.some(({ field }) => field.place === 'key' && field.path.every((step, i) => path[i] === step))

/** The event after rewrites; parts are made only from it. */
function inspected({ payload, event, changes }: Item): JsonObject {
  return changes === undefined
    ? (event as ChatEvent).tree
    : (parseJson(splice(payload, toEdits(changes))) as JsonObject)
}

/** Takes the safe start of an item's only text; the item keeps the rest. */
export function cutFront(item: Item, length: number): { front: Item; rest: Item } {
  const [segment] = item.segments as readonly [Segment]
  const whole = item.extent === 'part' ? item : partOf(item, segment, inspected(item))
  const [moved] = whole.segments as readonly [Segment]
  const front: Item = { ...whole, segments: [{ ...moved, text: moved.text.slice(0, length) }] }
  const restSegment = { ...segment, start: segment.start + length, text: segment.text.slice(length) }
  const extent = item.extent === 'event' ? 'rest' : item.extent
  return { front, rest: { ...item, segments: [restSegment], extent } }
}

/** An event of the same answer with one text of one choice. */
function partOf(item: Item, segment: Segment, tree: JsonObject): Item {
  const position = segment.path[1] as number
  const choice = (tree.choices as readonly Json[])[position] as JsonObject
  const { value, path } = skeleton(choice, segment.path.slice(2))
  const said = value as JsonObject
  const { delta } = choice
  if (isObject(delta) && isObject(said.delta) && isRole(delta.role))
    said.delta = { role: delta.role as Json, ...said.delta }
  // A part holds only its choice; clients use `index`, not the position.
  const index = indexOf(choice, position)
  const choices = [{ index, ...said, finish_reason: null }]
  return {
    ...item,
    payload: JSON.stringify({ ...envelopeOf(item, tree), choices }),
    segments: [{ ...segment, path: ['choices', 0, ...path] }],
    tools: [],
    changes: undefined,
    choices: [index],
    finishes: false,
    derived: false,
    extent: 'part',
  }
}

/**
 * Reduces a value to the path to one text, and the members that identify list entries along it. Other ids stay with the rest
 * of the event: some clients join the strings of a member over events.
 */
function skeleton(value: Json, steps: Path, inList = false): { value: Json; path: Path } {
  const [step, ...more] = steps
  if (step === undefined) return { value: '', path: [] }
  if (Array.isArray(value)) {
    const inner = skeleton(value[step as number] as Json, more, true)
    return { value: [inner.value], path: [0, ...inner.path] }
  }
  const object = value as JsonObject
  const inner = skeleton(object[step] as Json, more)
  const kept: JsonObject = {}
  for (const name of inList ? ['type', 'id', 'index', 'format'] : ['type', 'index']) {
    const marker = object[name]
    if (marker !== undefined && MARKERS.get(name)?.(marker) === true) kept[name] = marker
  }
  return { value: { ...kept, [step]: inner.value }, path: [step, ...inner.path] }
}

/** A part with the tool calls; its rewrites still use the original names. */
function toolPart(item: Item, tree: JsonObject): Item {
  const choices = choicesOf(item).map((choice, i) => {
    if (!isObject(choice) || !isObject(choice.delta)) return { index: i, delta: {}, finish_reason: null }
    const { role, tool_calls, function_call } = choice.delta
    const delta = {
      ...(isRole(role) ? { role } : {}),
      ...(tool_calls === undefined ? {} : { tool_calls }),
      ...(function_call === undefined ? {} : { function_call }),
    }
    return { index: indexOf(choice, i), delta, finish_reason: null }
  })
  const payload = JSON.stringify({ ...envelopeOf(item, tree), choices })
  return { ...item, payload, segments: [], finishes: false, extent: 'rest' }
}

/** The event without its texts: finish reasons, usage, annotations, filter results. */
function restPart(item: Item, moved: readonly Segment[], segments: readonly Segment[]): Item {
  const edits: Edit[] = moved.map(({ path }) =>
    // Clients of completions expect a text in every choice.
    path.length === 3 && path[2] === 'text' ? { kind: 'replace', path, json: '""' } : { kind: 'remove', path },
  )
  for (let i = 0; i < choicesOf(item).length; i++) {
    if (toolsMove(item)) {
      edits.push({ kind: 'remove', path: ['choices', i, 'delta', 'tool_calls'] })
      edits.push({ kind: 'remove', path: ['choices', i, 'delta', 'function_call'] })
    }
    edits.push({ kind: 'replace', path: ['choices', i, 'logprobs'], json: 'null' })
    const choice = choicesOf(item)[i]
    if (isObject(choice)) edits.push(...tokenIdEdits(choice, i))
  }
  return {
    ...item,
    payload: splice(item.payload, edits),
    segments,
    tools: toolsMove(item) ? [] : item.tools,
    extent: 'rest',
  }
}

/** Whether the event has more than its texts and tool calls; null members do not count. */
export function saysMore(item: Item, withRole: boolean): boolean {
  if (item.finishes || item.changes !== undefined || !hasOnly((item.event as ChatEvent).tree, ENVELOPE)) return true
  const texts = new Set(withRole ? ['tool_calls', 'function_call', 'role'] : [])
  for (const { path } of item.segments) if (path.length === 4) texts.add(path[3] as string)
  const isText = item.segments.some(({ path }) => path.length === 3 && path[2] === 'text')
  return choicesOf(item).some((choice) => {
    if (!isObject(choice) || !hasOnly(choice, isText ? TEXT_CHOICE : CHOICE)) return true
    return isObject(choice.delta) && !hasOnly(choice.delta, texts)
  })
}

const ENVELOPE = new Set('id object created model choices system_fingerprint service_tier obfuscation'.split(' '))
const CHOICE = new Set(['index', 'delta', 'logprobs'])
const TEXT_CHOICE = new Set(['index', 'text', 'logprobs'])

function hasOnly(object: JsonObject, names: ReadonlySet<string>): boolean {
  for (const name in object) if (object[name] !== null && !names.has(name)) return false
  return true
}

/** The members that say which answer a part belongs to; all others stay with the rest of the event. */
function envelopeOf({ segments }: Item, tree: JsonObject): JsonObject {
  const out: JsonObject = {}
  for (const name of ['id', 'object', 'created', 'model', 'system_fingerprint', 'service_tier']) {
    const value = tree[name]
    const grows = segments.some(({ path }) => path[0] === name)
    if (value !== undefined && !grows && SHAPES[name]?.exempts?.(value) === true) out[name] = value
  }
  return out
}
