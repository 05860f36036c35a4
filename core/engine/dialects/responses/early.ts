import type { Json } from '../../contract/plugin.ts'
import { isObject } from '../../json/fields.ts'
import { parseJson } from '../../json/read.ts'
import { type Edit, splice } from '../../json/splice.ts'
import { hasDuplicates, type JsonObject, type Path } from '../../json/strict.ts'
import { kindOf, outputIndex } from './delta-kinds.ts'
import { ResponsesEvent } from './event.ts'
import { LAST, LIFECYCLE } from './event-types.ts'
import { typeOf } from './items.ts'

/** A text that came before its deltas. */
interface EarlyText {
  readonly output: number
  /** Clients show texts with the same name as one; undefined: alone. */
  readonly field: string | undefined
  readonly text: string
  /** The event that has it as a delta. */
  readonly delta: JsonObject
}

/** A text in an item or a part, and what its deltas are called. */
interface Beginning {
  readonly path: Path
  readonly name: string
  readonly index: JsonObject
  readonly text: string
}

/**
 * Texts that a provider sends before their deltas: in the event that begins an item or a part, or in the response so far.
 * Some clients read them there, others read only deltas, and a third kind joins both, so that each reads another text. So
 * these events leave as official servers send them, with empty texts, and the deltas carry the text. If they continue it, or if
 * there are none, the gateway sends it in a delta: before its own deltas or end, or a later text that clients join to it. Not earlier:
 * its deltas may still come between those of other items.
 */
export class EarlyTexts {
  /** By output index and place; in the order in which they came. */
  readonly #waiting = new Map<string, EarlyText>()
  /** Places that had deltas. */
  readonly #spoken = new Set<string>()
  /** An event had a response. */
  #isTold = false

  /** What is to be read in place of an event; undefined: the event itself. */
  split(event: ResponsesEvent): readonly ResponsesEvent[] | undefined {
    const { type, tree } = event
    if (LIFECYCLE.test(type) && !LAST.test(type)) return this.#soFar(event)
    if (type.endsWith('.added')) this.#begin(event)
    else if (type.endsWith('.delta')) return this.#before(event, this.#speak(type, tree))
    else if (this.#waiting.size > 0 && (type.endsWith('.done') || LAST.test(type)))
      return this.#before(event, LAST.test(type) ? [...this.#waiting.keys()] : this.#until(type, tree))
    return undefined
  }

  /** Whether deltas may come for a text that came before them. */
  get waits(): boolean {
    return this.#waiting.size > 0
  }

  /** The first event with the response leaves without its output, others with text do not leave: some readers start anew there. */
  #soFar(event: ResponsesEvent): readonly ResponsesEvent[] | undefined {
    const isFirst = !this.#isTold
    this.#isTold = true
    const output = event.response?.output
    if (!Array.isArray(output) || output.every((item) => beginningsOf(item, []).length === 0)) return undefined
    if (!isFirst) return []
    edit(event, [{ kind: 'replace', path: ['response', 'output'], json: '[]' }])
    return undefined
  }

  #begin(event: ResponsesEvent): void {
    const { type, tree } = event
    const edits: Edit[] = []
    for (const { path, name, index, text } of beginningsIn(type, tree)) {
      edits.push({ kind: 'replace', path, json: '""' })
      const delta = { type: `${name}.delta`, ...index, delta: text }
      const key = keyOf(delta.type, delta)
      if (key === undefined || this.#spoken.has(key)) continue
      if (indexIn(delta) === undefined && this.#alike(delta).some((at) => this.#waiting.get(at)?.text === text))
        continue
      this.#waiting.set(key, { output: outputIndex(delta), field: fieldOfDelta(delta.type, delta), text, delta })
    }
    if (edits.length > 0) edit(event, edits)
  }

  /** A delta has its text; texts before it can no longer have deltas. */
  #speak(type: string, tree: JsonObject): readonly string[] {
    const key = keyOf(type, tree)
    if (key === undefined || tree.delta === '' || tree.delta === null) return NONE
    this.#spoken.add(key)
    const repeated = (indexIn(tree) === undefined ? this.#alike(tree) : [key]).find((at) =>
      this.#repeats(at, tree.delta),
    )
    if (repeated !== undefined) this.#waiting.delete(repeated)
    if (this.#waiting.size === 0) return NONE
    const earlier = this.#earlier(type, tree)
    return this.#waiting.has(key) ? [...earlier, key] : earlier
  }

  #repeats(at: string, first: Json | undefined): boolean {
    const early = this.#waiting.get(at)
    return early !== undefined && repeatsAll(early, first)
  }

  /** Texts in the item that deltas of this kind may repeat, if they have no index of a part. */
  #alike(tree: JsonObject): string[] {
    return this.#keys(({ output, delta }) => output === outputIndex(tree) && delta.type === tree.type)
  }

  /** Texts before that of a delta, which clients show as one with it. */
  #earlier(type: string, tree: JsonObject): string[] {
    const [output, part] = positionOf(type, tree)
    const field = fieldOfDelta(type, tree)
    return this.#keys(
      (at) =>
        field !== undefined &&
        at.field === field &&
        (at.output < output || (at.output === output && partOf(at) < part)),
    )
  }

  /** Texts that an event ends, and those before that clients show as one with them. */
  #until(type: string, tree: JsonObject): string[] {
    const [output, part] = positionOf(type, tree)
    const ended = beginningsIn(type.replace(/done$/, 'added'), tree)
    const fields = new Set(ended.map(({ name, index }) => fieldOfDelta(`${name}.delta`, index)))
    return this.#keys(
      (at) =>
        (at.output === output && partOf(at) <= part) ||
        (at.output < output && at.field !== undefined && fields.has(at.field)),
    )
  }

  #keys(some: (text: EarlyText) => boolean): string[] {
    return [...this.#waiting].filter(([, text]) => some(text)).map(([key]) => key)
  }

  #before(event: ResponsesEvent, keys: readonly string[]): readonly ResponsesEvent[] | undefined {
    if (keys.length === 0) return undefined
    const { sequence_number: number } = event.tree
    const deltas = keys.map((key) => {
      const { delta } = this.#waiting.get(key) as EarlyText
      this.#waiting.delete(key)
      this.#spoken.add(key)
      const tree = typeof number === 'number' ? { ...delta, sequence_number: Math.max(0, number - 1) } : delta
      return new ResponsesEvent(JSON.stringify(tree), tree)
    })
    return [...deltas, event]
  }
}

const NONE: readonly string[] = []
const NO_ARGUMENTS = '{}'

/** Whether the deltas that begin with this one repeat the whole text; otherwise they continue it. */
const repeatsAll = ({ text }: EarlyText, first: Json | undefined): boolean =>
  typeof first !== 'string' || text.startsWith(first) || first.startsWith(text) || text === NO_ARGUMENTS

const edit = (event: ResponsesEvent, edits: readonly Edit[]): void => {
  // Our own reading of an ambiguous event.
  if (hasDuplicates(event.payload, event.tree)) event.payload = JSON.stringify(event.tree)
  event.payload = splice(event.payload, edits)
  event.tree = parseJson(event.payload) as JsonObject
}

function keyOf(type: string, tree: JsonObject): string | undefined {
  const known = kindOf(type)
  return known === undefined ? undefined : `${outputIndex(tree)}/${known.kind.place(tree).join('/')}`
}

/** The name of what clients show as one with this text; undefined: nothing. */
function fieldOfDelta(type: string, tree: JsonObject): string | undefined {
  const kind = kindOf(type)?.kind
  return kind === undefined || kind.isCall ? undefined : kind.field(tree)
}

const partOf = ({ delta }: EarlyText): number => indexIn(delta) ?? 0
const indexIn = ({ content_index: c, summary_index: s, command_index: k }: JsonObject): number | undefined =>
  [c, s, k].find((at) => typeof at === 'number')

/** The item of an event, and the part of that. */
const positionOf = (type: string, tree: JsonObject): readonly [number, number] => [
  outputIndex(tree),
  indexIn(tree) ?? (type === 'response.output_item.done' ? Number.POSITIVE_INFINITY : 0),
]

function beginningsIn(type: string, tree: JsonObject): Beginning[] {
  const { type: _type, item = null, part = null, sequence_number: _number, ...at } = tree
  if (type === 'response.output_item.added') {
    const id = isObject(item) ? item.id : undefined
    const of = typeof id === 'string' ? { item_id: id, ...at } : at
    return beginningsOf(item, ['item']).map((one) => ({ ...one, index: { ...of, ...one.index } }))
  }
  if (type === 'response.content_part.added') return partTexts(part, ['part'], at, 'response.output_text')
  if (type === 'response.reasoning_summary_part.added') return partTexts(part, ['part'], at, SUMMARY)
  const known = kindOf(type)
  const text = known === undefined ? undefined : tree[known.kind.whole]
  if (known === undefined || typeof text !== 'string' || text === '') return []
  const { [known.kind.whole]: _whole, ...index } = at
  return [{ path: [known.kind.whole], name: type.slice(0, -'.added'.length), index, text }]
}

const SUMMARY = 'response.reasoning_summary_text'
const THOUGHT = 'response.reasoning_text'

/** Texts of an item that its deltas may repeat. */
function beginningsOf(item: Json, path: Path): Beginning[] {
  if (!isObject(item)) return []
  const type = typeOf(item)
  if (type === 'message' || type === 'reasoning') {
    const { content, summary } = item
    const name = type === 'reasoning' ? THOUGHT : 'response.output_text'
    return [
      ...listed(summary, (part, i) => partTexts(part, [...path, 'summary', i], { summary_index: i }, SUMMARY)),
      ...listed(content, (part, i) => partTexts(part, [...path, 'content', i], { content_index: i }, name)),
    ]
  }
  if (type === 'shell_call') {
    const commands = isObject(item.action) ? item.action.commands : undefined
    return listed(commands, (text, i) =>
      beginningOf(text, [...path, 'action', 'commands', i], 'response.shell_call_command', { command_index: i }),
    )
  }
  const [member, name] = OF_CALLS.get(type ?? '') ?? []
  return member === undefined || name === undefined ? [] : beginningOf(item[member], [...path, member], name, {})
}

/** The member that the deltas of an item repeat, and the type of these deltas. */
const OF_CALLS: ReadonlyMap<string, readonly [string, string]> = new Map([
  ['function_call', ['arguments', 'response.function_call_arguments']],
  ['mcp_call', ['arguments', 'response.mcp_call_arguments']],
  ['custom_tool_call', ['input', 'response.custom_tool_call_input']],
  ['code_interpreter_call', ['code', 'response.code_interpreter_call_code']],
])

const listed = (list: Json | undefined, of: (one: Json, i: number) => Beginning[]): Beginning[] =>
  Array.isArray(list) ? list.flatMap(of) : []

function partTexts(part: Json, path: Path, index: JsonObject, name: string): Beginning[] {
  if (!isObject(part)) return []
  const { type, text, refusal } = part
  const isThought = type === 'reasoning_text' && name !== SUMMARY
  return [
    ...beginningOf(text, [...path, 'text'], isThought ? THOUGHT : name, index),
    ...beginningOf(refusal, [...path, 'refusal'], 'response.refusal', index),
  ]
}

const beginningOf = (text: Json | undefined, path: Path, name: string, index: JsonObject): Beginning[] =>
  typeof text === 'string' && text !== '' ? [{ path, name, index, text }] : []
