import { type Field, FieldList, isObject } from '../../json/fields.ts'
import { parseJson } from '../../json/read.ts'
import { splice } from '../../json/splice.ts'
import { hasDuplicates, type JsonObject, type Path } from '../../json/strict.ts'
import type { Channel, Json, Usage } from '../../plugin.ts'
import { ENVELOPE, filterResults, readUsage } from './reply.ts'
import { isBase64, isInert } from './shapes.ts'
import { members, numeric, type Walk } from './walk.ts'

/** A piece of text that grows a field of one choice. */
export interface TextPiece {
  readonly channel: Channel
  readonly choice: number
  /** Name of the field within the choice; equal names grow the same text. */
  readonly field: string
  readonly path: Path
  readonly text: string
}

/** A fragment of a tool call; the call is inspected as a whole when its choice finishes. */
export interface ToolPiece {
  readonly choice: number
  /** `tool_calls.0`, `function_call` */
  readonly call: string
  readonly part: 'name' | 'arguments' | 'input'
  readonly path: Path
  readonly text: string
}

/** One event of a stream, as far as the relay has to know it. */
export class StreamEvent {
  payload: string
  #tree: JsonObject | undefined

  /** @param tree left out for an event that is known by its spelling; it is parsed when somebody asks */
  constructor(payload: string, tree?: JsonObject) {
    this.payload = payload
    this.#tree = tree
  }

  get tree(): JsonObject {
    this.#tree ??= parseJson(this.payload) as JsonObject
    return this.#tree
  }

  get choices(): readonly Json[] {
    const { choices } = this.tree
    return Array.isArray(choices) ? choices : NONE
  }

  /** Only the gateway speaks under the name `service`. */
  dropService(): void {
    if (this.tree.service === undefined) return
    this.payload = splice(this.payload, [{ kind: 'remove', path: ['service'] }])
    delete this.tree.service
  }

  get failed(): boolean {
    return this.tree.error !== undefined && this.tree.error !== null
  }

  get usage(): Usage | undefined {
    return readUsage(this.tree.usage)
  }

  /** Carries usage and nothing a client would miss. */
  get isUsageOnly(): boolean {
    return this.choices.length === 0 && isObject(this.tree.usage)
  }

  get finishes(): boolean {
    for (const choice of this.choices) if (isObject(choice) && typeof choice.finish_reason === 'string') return true
    return false
  }
}

const NONE: readonly never[] = []

/** Parses the data of one event; undefined when it is no JSON object. */
export function readEvent(payload: string): StreamEvent | undefined {
  let tree: unknown
  try {
    tree = parseJson(payload)
  } catch {
    return undefined
  }
  return isObject(tree as Json) ? new StreamEvent(payload, tree as JsonObject) : undefined
}

/** The data of an event named `error`, which some servers send bare, without the member `error` that clients look for. */
export function readErrorEvent(payload: string): StreamEvent | undefined {
  const event = readEvent(payload)
  if (event === undefined || event.failed) return event
  return readEvent(`{"error":${payload}}`)
}

export const indexOf = (choice: JsonObject, position: number): number =>
  typeof choice.index === 'number' ? choice.index : position

const MAX_CLEAN = 256
const markOf = (field: Field): string => `${field.path.join('\0')}\0${field.text}`

/** The text of an event that says nothing else: neither a finish, nor usage, nor a failure. */
export function onlyText(event: StreamEvent): TextPiece | undefined {
  const [choice] = event.choices
  if (event.choices.length !== 1 || !isObject(choice) || !isObject(choice.delta) || event.finishes || event.failed)
    return undefined
  if (isObject(event.tree.usage)) return undefined
  const [field, ...others] = Object.keys(choice.delta)
  const text = field === undefined ? undefined : choice.delta[field]
  if (field === undefined || others.length > 0 || field === 'role' || typeof text !== 'string' || text === '')
    return undefined
  return {
    channel: GROWING[field] ?? 'other',
    choice: indexOf(choice, 0),
    field,
    path: ['choices', 0, 'delta', field],
    text,
  }
}

/** What one event says: growing texts, tool fragments, and texts that are complete by themselves. */
export interface EventTexts {
  readonly pieces: TextPiece[]
  readonly tools: ToolPiece[]
  readonly fixed: FieldList | undefined
}

/**
 * The only code that knows where text lives in a stream event. Reused for all events of one stream: what repeats from
 * event to event and was clean once is not offered again.
 */
export class EventWalker {
  readonly #clean = new Set<string>()
  #pieces: TextPiece[] = []
  #tools: ToolPiece[] = []
  #fixed: FieldList | undefined = undefined
  #event: StreamEvent | undefined = undefined

  walk(event: StreamEvent): EventTexts {
    // Two readings of one event are settled in favour of ours.
    if (hasDuplicates(event.payload, event.tree)) event.payload = JSON.stringify(event.tree)
    this.#pieces = []
    this.#tools = []
    this.#fixed = undefined
    this.#event = event
    const { tree } = event
    for (const key in tree) {
      if (key === 'choices') {
        for (let i = 0; i < event.choices.length; i++) this.#choice(event.choices[i] as Json, i)
      } else if (!(key === 'object' || key === 'created' || key === 'usage') || typeof tree[key] === 'object') {
        this.#envelope(key, tree[key] as Json)
      }
    }
    return { pieces: this.#pieces, tools: this.#tools, fixed: this.#fixed }
  }

  /** A complete text that no plugin rewrote; it need not be offered again. */
  markClean(field: Field): void {
    if (this.#clean.size < MAX_CLEAN) this.#clean.add(markOf(field))
  }

  #envelope(key: string, value: Json): void {
    if (value === null) return
    if (typeof value === 'string' && Object.hasOwn(ENVELOPE, key) && isInert(value)) return
    this.#complete([], { [key]: value }, ENVELOPE)
  }

  /** Texts that do not grow: offered once, and again only when they change. */
  #complete(path: Path, object: JsonObject, known: Readonly<Record<string, Walk>>, role?: string): void {
    const list = new FieldList((this.#event as StreamEvent).payload)
    members(list, path, object, known, role)
    for (const field of list.fields) {
      if (this.#clean.has(markOf(field))) continue
      this.#fixed ??= new FieldList((this.#event as StreamEvent).payload)
      this.#fixed.fields.push(field)
    }
  }

  #choice(choice: Json, position: number): void {
    if (!isObject(choice)) return this.#complete(['choices', position], { [position]: choice }, {})
    const index = indexOf(choice, position)
    for (const key in choice) {
      const value = choice[key] as Json
      if (key === 'delta' && isObject(value)) this.#delta(value, index, position)
      else if (
        value !== null &&
        key !== 'index' &&
        key !== 'logprobs' &&
        !(key === 'finish_reason' && isInert(value))
      ) {
        this.#complete(['choices', position], { [key]: value }, CHOICE)
      }
    }
  }

  #delta(delta: JsonObject, choice: number, position: number): void {
    for (const key in delta) {
      const value = delta[key] as Json
      if (value === null) continue
      const channel = GROWING[key]
      if (typeof value === 'string' && key !== 'role') {
        if (value !== '') this.#grow(channel ?? 'other', choice, key, ['choices', position, 'delta', key], value)
      } else if (key === 'tool_calls' && Array.isArray(value)) this.#toolCalls(value, choice, position)
      else if (key === 'function_call' && isObject(value)) {
        this.#called(value, choice, 'function_call', ['choices', position, 'delta', key])
      } else if (key === 'audio' && isObject(value)) this.#audio(value, choice, position)
      else if (key !== 'role' || !isInert(value)) {
        this.#complete(['choices', position, 'delta'], { [key]: value }, DELTA, 'assistant')
      }
    }
  }

  #grow(channel: Channel, choice: number, field: string, path: Path, text: string): void {
    this.#pieces.push({ channel, choice, field, path, text })
  }

  #toolCalls(calls: readonly Json[], choice: number, position: number): void {
    for (let i = 0; i < calls.length; i++) {
      const call = calls[i]
      const path = ['choices', position, 'delta', 'tool_calls', i]
      if (!isObject(call)) continue
      const name = `tool_calls.${typeof call.index === 'number' ? call.index : i}`
      if (isObject(call.function)) this.#called(call.function, choice, name, [...path, 'function'])
      if (isObject(call.custom)) this.#called(call.custom, choice, name, [...path, 'custom'])
      const { function: _function, custom: _custom, ...rest } = call
      this.#complete(path, rest, TOOL, 'assistant')
    }
  }

  #called(called: JsonObject, choice: number, call: string, path: Path): void {
    for (const key in called) {
      const text = called[key]
      const part = key === 'name' || key === 'arguments' || key === 'input' ? key : undefined
      if (part !== undefined && typeof text === 'string') {
        this.#tools.push({ choice, call, part, path: [...path, key], text })
      } else this.#complete(path, { [key]: text as Json }, {}, 'assistant')
    }
  }

  #audio(audio: JsonObject, choice: number, position: number): void {
    const path = ['choices', position, 'delta', 'audio']
    for (const key in audio) {
      const value = audio[key] as Json
      if (key === 'transcript' && typeof value === 'string')
        this.#grow('transcript', choice, 'transcript', [...path, key], value)
      else if (value !== null && !(key === 'data' && isBase64(value))) {
        this.#complete(path, { [key]: value }, AUDIO, 'assistant')
      }
    }
  }
}

const GROWING: Readonly<Record<string, Channel | undefined>> = Object.assign(Object.create(null), {
  content: 'content',
  reasoning_content: 'reasoning',
  reasoning: 'reasoning',
  refusal: 'refusal',
})

const inertMember: Walk = (list, path, value) => {
  if (!isInert(value)) list.addAll('other', path, value)
}
const CHOICE = {
  content_filter_results: filterResults,
  content_filter_offsets: filterResults,
  finish_reason: inertMember,
}
const TOOL = { id: inertMember, type: inertMember, index: numeric }
const AUDIO = { id: inertMember, expires_at: numeric }
const DELTA: Readonly<Record<string, Walk>> = {
  annotations: (list, path, value) => list.addAll('annotation', path, value, 'assistant'),
}
