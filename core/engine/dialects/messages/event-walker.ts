import type { Channel, Json } from '../../contract/plugin.ts'
import { type Field, FieldList, isObject } from '../../json/fields.ts'
import { Spellings } from '../../json/spellings.ts'
import { hasDuplicates, type JsonObject, type Path } from '../../json/strict.ts'
import type { Steps } from '../../util/steps.ts'
import { Many } from '../many.ts'
import { Neighbours } from '../neighbours.ts'
import type { RepeatList } from '../repeat-list.ts'
import { type Growth, type Over, Replaced } from '../replaced.ts'
import type { EventTexts, TextPiece, ToolPiece } from '../stream.ts'
import { count, type Known, members, numeric, type Walk } from '../walk.ts'
import { Beginning, isCall } from './beginning.ts'
import { block as blockFields, citation, usage } from './blocks.ts'
import type { MessagesEvent } from './event.ts'
import { END, MESSAGE } from './reply.ts'
import { encrypted, type } from './words.ts'

const ROLE = 'assistant'
/** All text blocks are one text: clients show them one after the other. */
export const TEXT = 'text'

const nothing: Walk = () => {}

/** Members of an event besides its content. */
const EVENT: Known = { type: nothing, index: numeric }
const MESSAGE_START: Known = { ...EVENT, message: nothing }
const MESSAGE_DELTA: Known = { ...EVENT, delta: nothing, usage }
const DELTA: Known = { type, estimated_tokens: count, signature: encrypted }

/** A walk that is put off. */
interface Later {
  readonly list: RepeatList
  readonly walk: (list: FieldList) => void
  readonly name: string | undefined
}

/**
 * The only code that knows where text lives in a stream event. Follows the order of the events, which decides to which
 * block a text belongs.
 */
export class EventWalker {
  /** Kind and count of content that cannot be inspected. */
  readonly uninspected = new Map<string, number>()
  /** Blocks with a signature: their thinking cannot be edited. */
  readonly signed = new Set<string>()
  #pieces: TextPiece[] = []
  #tools: ToolPiece[] = []
  #fixed: FieldList | undefined = undefined
  #ended: string[] = []
  #source = new Spellings('')
  #began = false
  #finished = false
  /** Number of blocks so far. */
  #blocks = 0
  /** Index of the block that takes deltas. */
  #open: number | undefined = undefined
  /** The texts with which that block began; deltas of unknown kinds may continue with them. */
  #beginning: Beginning | undefined = undefined
  /** Texts that are whole by themselves, though they may continue. */
  #alone = 0
  /** The block that an event names. */
  #place = ''
  readonly #neighbours = new Neighbours()
  readonly #many = new Many()
  readonly #replaced = new Replaced()
  /** What is left to walk of a large event, in order. */
  #later: Later[] | undefined = undefined

  /** @throws RangeError if the event is out of order */
  walk(event: MessagesEvent): EventTexts {
    // Send our own reading of an ambiguous event.
    if (hasDuplicates(event.payload, event.tree)) event.payload = JSON.stringify(event.tree)
    this.#begin(event)
    return this.#texts
  }

  /** Like `walk`, for a large event that repeats no member. */
  *walkInSteps(event: MessagesEvent): Steps<EventTexts> {
    const later: Later[] = []
    this.#later = later
    this.#begin(event)
    this.#later = undefined
    for (const { list, walk, name } of later) {
      yield* list.inSteps(() => walk(list))
      this.#keep(list, name)
    }
    return this.#texts
  }

  #begin(event: MessagesEvent): void {
    this.#pieces = []
    this.#tools = []
    this.#fixed = undefined
    this.#ended = []
    this.#source = new Spellings(event.payload)
    this.#many.restart()
    this.#event(event)
  }

  get #texts(): EventTexts {
    return { pieces: this.#pieces, tools: this.#tools, fixed: this.#fixed, settled: NONE, ended: this.#ended }
  }

  #event({ type: name, tree, repeatsBeginning }: MessagesEvent): void {
    this.#place = typeof tree.index === 'number' ? String(tree.index) : ''
    const isContent = name.startsWith('content_block_')
    if (isContent && (!this.#began || this.#finished)) throw new RangeError('A block outside of the message.')
    switch (name) {
      case 'message_start':
        return this.#messageStart(tree)
      case 'content_block_start':
        return this.#blockStart(tree)
      case 'content_block_delta':
        return this.#blockDelta(tree, repeatsBeginning)
      case 'content_block_stop':
        this.#checkOpen(tree)
        this.#end()
        this.#members(tree, EVENT)
        return
      case 'message_delta':
        return this.#messageDelta(tree)
      case 'ping':
      case 'error':
        return this.#unknown(tree, 'event')
      default:
        // Its name is in its own line, too.
        this.#collect((list) => list.add('other', ['type'], name, ROLE))
        return this.#unknown(tree, `event:${name}`)
    }
  }

  #messageStart(tree: JsonObject): void {
    if (this.#began) throw new RangeError('A message that begins twice.')
    this.#began = true
    this.#members(tree, MESSAGE_START)
    const { message } = tree
    if (!isObject(message)) throw new RangeError('A message that is no object.')
    const { content, ...rest } = message
    this.#collect((list) => members(list, ['message'], rest, MESSAGE))
    if (content === undefined || content === null) return
    if (!Array.isArray(content)) throw new RangeError('A content that is no list.')
    content.forEach((block, i) => {
      this.#block(i, block, ['message', 'content', i])
      this.#ended.push(callOf(i))
    })
    this.#blocks = content.length
  }

  #blockStart(tree: JsonObject): void {
    // Some servers leave out the end of a block.
    this.#end()
    const { index, content_block: block } = tree
    if (index !== this.#blocks) throw new RangeError('A block out of order.')
    this.#open = this.#blocks++
    this.#members(tree, { ...EVENT, content_block: nothing })
    this.#beginning = new Beginning(this.#block(index, block as Json, ['content_block']))
  }

  /** A block as it begins, or a whole one. Returns the members that have no text of their own kind. */
  #block(index: number, block: Json, path: Path): JsonObject {
    if (!isObject(block)) throw new RangeError('A block that is no object.')
    const { type: kind } = block
    const rest: JsonObject = { ...block }
    if (typeof block.text === 'string') {
      this.#grow('content', TEXT, [...path, 'text'], block.text, true, String(index))
      delete rest.text
    }
    if (kind === 'compaction' && typeof block.content === 'string') {
      this.#grow('content', TEXT, [...path, 'content'], block.content, true, String(index))
      delete rest.content
    }
    if (kind === 'thinking') {
      this.#think(index, [...path, 'thinking'], block.thinking)
      delete rest.thinking
    } else if (isCall(kind)) {
      this.#call(index, 'name', [...path, 'name'], block.name)
      delete rest.name
      if (typeof block.input === 'string') {
        this.#call(index, 'input', [...path, 'input'], block.input)
        delete rest.input
      }
    }
    if (this.#sign(index, [...path, 'signature'], block.signature, kind === 'thinking')) delete rest.signature
    this.#collect((list) => blockFields(list, path, rest, 'content'))
    return rest
  }

  #blockDelta(tree: JsonObject, repeatsBeginning: boolean): void {
    this.#checkOpen(tree)
    const index = this.#open as number
    const part = `${index}${repeatsBeginning ? '+' : ''}`
    const { delta } = tree
    const isPure = this.#members(tree, { ...EVENT, delta: nothing })
    if (!isObject(delta)) throw new RangeError('A delta that is no object.')
    const kind = typeof delta.type === 'string' ? delta.type : ''
    for (const key in delta) {
      // Clients join a number to the text, too.
      const value = TEXTS.has(key) && typeof delta[key] === 'number' ? String(delta[key]) : (delta[key] as Json)
      const path = ['delta', key]
      if (key === 'text' && typeof value === 'string') {
        this.#grow('content', TEXT, path, value, !isPure || Object.keys(delta).length > 2, part)
      } else if (key === 'content' && kind === COMPACTION && typeof value === 'string') {
        this.#grow('content', TEXT, path, value, true, String(index))
      } else if (key === 'thinking' && typeof value === 'string') this.#think(index, path, value)
      else if (key === 'partial_json' && typeof value === 'string') this.#call(index, 'input', path, value)
      else if (key === 'name' && typeof value === 'string' && isCall(this.#beginning?.kind))
        this.#call(index, 'name', path, value)
      else if (key === 'citation') this.#collect((list) => citation(list, path, value))
      else if (Object.hasOwn(DELTA, key)) {
        if (key === 'signature' && this.#sign(index, path, value, true)) continue
        this.#collect((list) => DELTA[key]?.(list, path, value), `delta ${index}`)
      } else {
        this.#collect((list) => list.add('other', path, key, ROLE, 'key'))
        this.#strings(`${kind}.${key}`, path, value)
      }
    }
  }

  #messageDelta(tree: JsonObject): void {
    if (!this.#began) throw new RangeError('An end before the message.')
    this.#end()
    const { delta } = tree
    this.#members(tree, MESSAGE_DELTA)
    if (!isObject(delta)) return this.#collect((list) => list.addAll('other', ['delta'], delta, ROLE))
    if (typeof delta.stop_reason === 'string' && delta.stop_reason !== '') this.#finished = true
    this.#members(delta, END, ['delta'], 'end')
  }

  #checkOpen({ index }: JsonObject): void {
    if (this.#open === undefined || index !== this.#open) throw new RangeError('An event of a block that is not open.')
  }

  /** The open block is complete. */
  #end(): void {
    if (this.#open !== undefined) this.#ended.push(callOf(this.#open))
    this.#open = undefined
    this.#beginning = undefined
  }

  /** Members that are complete by themselves; others may continue. Returns whether there are no others. */
  #members(tree: JsonObject, known: Known, path: Path = [], name = 'event'): boolean {
    let isPure = true
    for (const key in tree) {
      const value = tree[key] as Json
      const below = [...path, key]
      if (Object.hasOwn(known, key)) this.#collect((list) => known[key]?.(list, below, value), name)
      else {
        isPure = false
        this.#collect((list) => list.add('other', below, key, ROLE, 'key'))
        this.#strings(`${name}.${key}`, below, value)
      }
    }
    return isPure
  }

  #unknown(tree: JsonObject, name: string): void {
    for (const key in tree) {
      if (key === 'type') continue
      this.#collect((list) => list.add('other', [key], key, ROLE, 'key'))
      this.#strings(`${name}.${key}`, [key], tree[key] as Json)
    }
  }

  /** Strings that a client may put together over events, also with what the block had in a member of that name. */
  #strings(field: string, path: Path, value: Json): void {
    if (typeof value === 'string') {
      const begun = this.#beginning?.get(path.findLast((step) => typeof step === 'string') as string)
      const before = this.#neighbours.before(field, this.#place, value, begun)
      this.#grow('other', `${field}@${this.#place}`, path, value, true, `#${this.#alone++}`, before)
    } else if (Array.isArray(value)) for (const [i, one] of value.entries()) this.#strings(field, [...path, i], one)
    else if (isObject(value)) {
      for (const key in value) {
        this.#collect((list) => list.add('other', [...path, key], key, ROLE, 'key'))
        this.#strings(`${field}.${key}`, [...path, key], value[key] as Json)
      }
    } else this.#collect((list) => list.addAll('other', path, value, ROLE))
  }

  /** @param name of a place where other events may have other values */
  #collect(walk: (list: FieldList) => void, name?: string): void {
    const list = this.#many.list(this.#source)
    list.role = ROLE
    if (this.#later !== undefined) {
      this.#later.push({ list, walk, name })
      return
    }
    walk(list)
    this.#keep(list, name)
  }

  #keep(list: RepeatList, name: string | undefined): void {
    for (const [kind, number] of list.uninspected) {
      this.uninspected.set(kind, (this.uninspected.get(kind) ?? 0) + number)
    }
    if (name !== undefined)
      for (const { path, text, over } of list.words) this.#repeatable(name, path, text, true, over)
    if (list.fields.length === 0) return
    this.#many.addTexts(list.fields.length)
    this.#fixed ??= new FieldList(this.#source)
    if (name === undefined) this.#fixed.append(list)
    else for (const field of list.fields) this.#replace(field, name, this.#fixed)
    if (this.#fixed.fields.length === 0) this.#fixed = undefined
  }

  /** A text that is whole until an event says something else in its place. */
  #replace(field: Field, name: string, whole: FieldList): void {
    const { channel, path, place, text } = field
    if (place !== 'value' || !this.#repeatable(name, path, text, false, undefined, channel)) whole.fields.push(field)
  }

  /** Whether a text is part of one that grows, since another one stood in its place. */
  #repeatable(name: string, path: Path, text: string, fits: boolean, over?: Over, channel: Channel = 'other'): boolean {
    const mark = `${name}:${path.filter((step) => typeof step === 'string').join('.')}`
    const growth = this.#replaced.note(mark, text, fits, over)
    if (growth !== undefined) this.#grow(channel, mark, path, text, true, `#${this.#alone++}`, growth)
    return growth !== undefined
  }

  #grow(
    channel: Channel,
    field: string,
    path: Path,
    text: string,
    still: boolean,
    part: string,
    growth?: Partial<Growth>,
  ): void {
    this.#many.add()
    if (text === '') return
    this.#pieces.push({ channel, choice: 0, field, path, text, part, ...(still ? { still } : {}), ...growth })
  }

  #call(index: number, part: string, path: Path, text: Json | undefined): void {
    if (typeof text === 'string') this.#tools.push({ choice: 0, call: callOf(index), part, path, text })
    else if (text !== undefined) this.#collect((list) => list.addAll('tool_arguments', path, text, ROLE))
  }

  /** What a rewrite leaves is in the first piece: not in the beginning of a block, which some clients do not read. */
  #think(index: number, path: Path, text: Json | undefined): void {
    if (text === '') return
    if (typeof text === 'string') this.#call(index, 'thinking', path, text)
    else if (text !== undefined) this.#collect((list) => list.addAll('reasoning', path, text, ROLE))
  }

  /** All pieces of a signature are read as one. Returns whether it is a text. */
  #sign(index: number, path: Path, signature: Json | undefined, ofThoughts: boolean): boolean {
    if (typeof signature !== 'string' || signature === '') return false
    if (ofThoughts) this.signed.add(callOf(index))
    this.#call(index, 'signature', path, signature)
    return true
  }
}

const NONE: readonly never[] = []
const TEXTS: ReadonlySet<string> = new Set(['text', 'thinking', 'partial_json'])
/** Clients show what is compacted as text. */
const COMPACTION = 'compaction_delta'
/** A block as a call: only the whole of it leaves. */
const callOf = (index: number): string => `content.${index}`
