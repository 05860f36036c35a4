import { type Field, FieldList, isObject } from '../../json/fields.ts'
import { Spellings } from '../../json/spellings.ts'
import { hasDuplicates, type JsonObject, type Path } from '../../json/strict.ts'
import type { Channel, Json } from '../../plugin.ts'
import { GROWING, indexOf, type StreamEvent, type TextPiece, type ToolPiece } from './event.ts'
import { images } from './images.ts'
import { ENVELOPE, filterResults, finish, logprobs } from './reply.ts'
import { isFormat, isId, isKind, isNumeric, isRole, isSealed, type Shape } from './shapes.ts'
import { id, kind, members, numeric, sealed, time, type Walk } from './walk.ts'

/** What one event says: growing texts, tool fragments, and texts that are complete by themselves. */
export interface EventTexts {
  readonly pieces: TextPiece[]
  readonly tools: ToolPiece[]
  readonly fixed: FieldList | undefined
}

const MAX_CLEAN = 256
const markOf = ({ path, place, text }: Field): string => `${path.join('\0')}\0${place}\0${text}`

const ROLE = 'assistant'

/**
 * The only code that knows where text lives in a stream event. Reused for all events of one stream: what repeats from
 * event to event and was clean once is not offered again.
 */
export class EventWalker {
  /** Kind of content that cannot be inspected, and how often; sound once for each choice. */
  readonly uninspected = new Map<string, number>()
  readonly #clean = new Set<string>()
  readonly #spoken = new Set<number>()
  #pieces: TextPiece[] = []
  #tools: ToolPiece[] = []
  #fixed: FieldList | undefined = undefined
  #source = new Spellings('')
  /** The choice that is walked: its index, and its position in the event. */
  #choice = 0
  #position = 0

  walk(event: StreamEvent): EventTexts {
    // Two readings of one event are settled in favour of ours.
    if (hasDuplicates(event.payload, event.tree)) event.payload = JSON.stringify(event.tree)
    this.#pieces = []
    this.#tools = []
    this.#fixed = undefined
    this.#source = new Spellings(event.payload)
    const { tree } = event
    for (const key in tree) {
      const value = tree[key] as Json
      if (key === 'choices' && Array.isArray(value)) this.#choices(value)
      else if (!isExempt(ENVELOPE, key, value)) this.#complete([], { [key]: value }, ENVELOPE)
    }
    return { pieces: this.#pieces, tools: this.#tools, fixed: this.#fixed }
  }

  /** A complete text that no plugin rewrote; it need not be offered again. */
  markClean(field: Field): void {
    if (this.#clean.size < MAX_CLEAN) this.#clean.add(markOf(field))
  }

  /** Texts that do not grow: offered once, and again only when they change. */
  #complete(path: Path, object: JsonObject, known: Readonly<Record<string, Walk>>, role?: string): void {
    this.#collect((list) => members(list, path, object, known, role), role)
  }

  #collect(walk: (list: FieldList) => void, role?: string): void {
    const list = new FieldList(this.#source)
    list.choice = this.#choice
    list.role = role
    walk(list)
    for (const [kind, count] of list.uninspected) {
      this.uninspected.set(kind, (this.uninspected.get(kind) ?? 0) + count)
    }
    for (const field of list.fields) {
      if (this.#clean.has(markOf(field))) continue
      this.#fixed ??= new FieldList(this.#source)
      this.#fixed.fields.push(field)
    }
  }

  #choices(choices: readonly Json[]): void {
    for (let i = 0; i < choices.length; i++) {
      const choice = choices[i] as Json
      const path = ['choices', i]
      this.#position = i
      if (!isObject(choice)) {
        this.#collect((list) => list.addAll('other', path, choice))
        continue
      }
      this.#choice = indexOf(choice, i)
      for (const key in choice) {
        const value = choice[key] as Json
        if (key === 'delta' && isObject(value)) this.#delta(value)
        else if (!isExempt(CHOICE, key, value)) this.#complete(path, { [key]: value }, CHOICE)
      }
      this.#choice = 0
    }
  }

  #delta(delta: JsonObject): void {
    const path = ['choices', this.#position, 'delta']
    for (const key in delta) {
      const value = delta[key] as Json
      if (value === null) continue
      const below = [...path, key]
      const channel = GROWING[key]
      if (key === 'role') {
        // Complete in every event that has it, so that it is never a piece of a longer text.
        if (!isRole(value)) this.#collect((list) => list.addAll('other', below, value, ROLE))
        continue
      }
      if (channel !== undefined) this.#grow(channel, key, below, value)
      else if (key === 'tool_calls' && Array.isArray(value)) this.#toolCalls(value, below)
      else if (key === 'function_call' && isObject(value)) this.#called(value, key, below)
      else if (key === 'audio' && isObject(value)) this.#audio(value, below)
      else if (key === 'images') this.#collect((list) => images(list, below, value, ROLE))
      else if (key === 'annotations') this.#collect((list) => list.addAll('annotation', below, value, ROLE))
      else {
        this.#collect((list) => list.add('other', below, key, ROLE, 'key'))
        this.#grow('other', key, below, value)
      }
    }
  }

  /** Any string within a delta may be a fragment of a longer one, however deep it stands. */
  #grow(channel: Channel, field: string, path: Path, value: Json): void {
    if (typeof value === 'string') {
      if (value !== '') this.#pieces.push({ channel, choice: this.#choice, field, path, text: value })
    } else if (typeof value === 'number') {
      this.#collect((list) => list.addAll('other', path, value, ROLE))
    } else if (Array.isArray(value)) {
      for (let i = 0; i < value.length; i++) {
        const inner = value[i] as Json
        const at = isObject(inner) && typeof inner.index === 'number' ? inner.index : i
        this.#grow(channel, `${field}.${at}`, [...path, i], inner)
      }
    } else if (value !== null && typeof value === 'object') {
      for (const key in value) {
        const inner = value[key] as Json
        if (isMarker(key, inner)) continue
        const below = [...path, key]
        this.#collect((list) => list.add(channel, below, key, ROLE, 'key'))
        this.#grow(GROWING[key] ?? channel, `${field}.${key}`, below, inner)
      }
    }
  }

  #toolCalls(calls: readonly Json[], path: Path): void {
    for (let i = 0; i < calls.length; i++) {
      const call = calls[i] as Json
      const below = [...path, i]
      if (!isObject(call)) {
        this.#collect((list) => list.addAll('tool_arguments', below, call, ROLE))
        continue
      }
      const name = `tool_calls.${typeof call.index === 'number' ? call.index : i}`
      for (const key in call) {
        const value = call[key] as Json
        if ((key === 'function' || key === 'custom') && isObject(value)) this.#called(value, name, [...below, key])
        else if (!isExempt(TOOL, key, value)) this.#complete(below, { [key]: value }, TOOL, ROLE)
      }
    }
  }

  #called(called: JsonObject, call: string, path: Path): void {
    for (const key in called) {
      const text = called[key] as Json
      const below = [...path, key]
      const part = key === 'name' || key === 'arguments' || key === 'input' ? key : undefined
      if (part !== undefined && typeof text === 'string') {
        this.#tools.push({ choice: this.#choice, call, part, path: below, text })
      } else {
        this.#collect((list) => {
          if (part === undefined) list.add('other', below, key, ROLE, 'key')
          list.addAll(part === 'name' ? 'tool_name' : 'tool_arguments', below, text, ROLE)
        })
      }
    }
  }

  #audio(audio: JsonObject, path: Path): void {
    if (!this.#spoken.has(this.#choice)) {
      this.#spoken.add(this.#choice)
      this.uninspected.set('audio', this.#spoken.size)
    }
    for (const key in audio) {
      const value = audio[key] as Json
      if (key === 'transcript' && value !== null) this.#grow('transcript', 'audio.transcript', [...path, key], value)
      else if (value !== null) this.#complete(path, { [key]: value }, AUDIO, ROLE)
    }
  }
}

/** True for what nearly every event has and no plugin looks at, found without making a list. */
function isExempt(known: Readonly<Record<string, Walk>>, key: string, value: Json): boolean {
  return value === null || (Object.hasOwn(known, key) && known[key]?.exempts?.(value) === true)
}

/** Kinds, ids and signatures within the parts of a delta. */
const isMarker = (key: string, value: Json): boolean => value === null || MARKERS.get(key)?.(value) === true
export const MARKERS: ReadonlyMap<string, Shape> = new Map([
  ['type', isKind],
  ['id', isId],
  ['index', isNumeric],
  ['format', isFormat],
  ['role', isRole],
  ['signature', isSealed],
  ['data', isSealed],
  ['encrypted_content', isSealed],
])

const CHOICE: Readonly<Record<string, Walk>> = {
  index: numeric,
  finish_reason: finish,
  logprobs,
  content_filter_results: filterResults,
  content_filter_offsets: filterResults,
}
const TOOL: Readonly<Record<string, Walk>> = { id, type: kind, index: numeric }
const AUDIO: Readonly<Record<string, Walk>> = { id, expires_at: time, data: sealed }
