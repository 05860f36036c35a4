import type { Channel, Json } from '../../contract/plugin.ts'
import { type Field, type FieldList, isObject } from '../../json/fields.ts'
import { hasDuplicates, type JsonObject, type Path } from '../../json/strict.ts'
import { allSteps, Pace, type Steps } from '../../util/steps.ts'
import type { RepeatList } from '../repeat-list.ts'
import { isPadding } from '../shapes.ts'
import type { Asked, EventTexts } from '../stream.ts'
import type { TokenRuns } from '../token-runs.ts'
import type { Walk } from '../walk.ts'
import { type DeltaKind, fieldOf, kindOf, outputIndex, partOf, placeOf } from './delta-kinds.ts'
import { RequestEcho } from './echo.ts'
import type { ResponsesEvent } from './event.ts'
import { COMMON, LAST, LIFECYCLE, PART, PROGRESS, STREAMS } from './event-types.ts'
import { FlatList } from './flat-list.ts'
import { Gathered } from './gathered.ts'
import { ItemFields } from './item-fields.ts'
import { annotation, isCall, item, part, typeOf } from './items.ts'
import { LastCopies } from './last-copies.ts'
import { AGAIN, TextOrder } from './order.ts'
import { isEmpty, noteTokens, probabilityEdits } from './probabilities.ts'
import { envelope } from './response.ts'
import { Skipped } from './skipped.ts'
import { StreamedText } from './streamed-text.ts'
import { type Output, readWord } from './streamed-words.ts'
import { unknownEvent } from './unknown-event.ts'
import { wholeText } from './whole-text.ts'

const ROLE = 'assistant'
/** Texts of a large event to look at before other exchanges run. */
const STEP = 1024
/** In the place of an index: texts of a response besides its output. */
const ENVELOPE = -1

/** The texts of one event. */
export interface ResponsesTexts extends EventTexts {
  /** The event has one growing text and nothing else. */
  readonly isPlain: boolean
}

/**
 * The only code that knows where text lives in a stream event. A text that grows over events is one view, and so are all
 * texts that clients show as one. Copies of a text are found by their place in the output and are not inspected again,
 * unless they differ.
 */
export class EventWalker {
  readonly #skipped = new Skipped()
  readonly uninspected: ReadonlyMap<string, number> = this.#skipped.all
  /** Texts by output index and place. */
  readonly #texts = new Map<string, StreamedText>()
  /** Growing texts that end with their item. */
  readonly #fields = new ItemFields()
  readonly #order = new TextOrder()
  /** While a finished item, or the last event, is read. */
  #last: LastCopies | undefined = undefined
  readonly #echo: RequestEcho
  readonly #tokens: TokenRuns
  #ended = false
  #event: ResponsesEvent = undefined as never
  readonly #found = new Gathered()
  readonly #pace = new Pace(STEP)
  #isInSteps = false

  constructor(asked: Asked, tokens: TokenRuns) {
    this.#tokens = tokens
    this.#echo = new RequestEcho(asked)
  }

  walk(event: ResponsesEvent): ResponsesTexts {
    // Send our own reading of an ambiguous event.
    if (hasDuplicates(event.payload, event.tree)) event.payload = JSON.stringify(event.tree)
    this.#begin(event)
    const steps = this.#walk(event.tree, event.type)
    if (steps !== undefined) allSteps(steps)
    return this.#end()
  }

  /** Like `walk`, for a large event that repeats no member. */
  *walkInSteps(event: ResponsesEvent): Steps<ResponsesTexts> {
    this.#begin(event)
    this.#isInSteps = true
    const steps = this.#walk(event.tree, event.type)
    if (steps !== undefined) yield* steps
    this.#isInSteps = false
    return this.#end()
  }

  #begin(event: ResponsesEvent): void {
    this.#event = event
    this.#found.restart(event.payload)
  }

  #end(): ResponsesTexts {
    const event = this.#event
    event.grown = this.#found.grown
    const { pieces, tools, fixed, settled, ended } = this.#found
    const isPlain = pieces.length === 1 && tools.length === 0 && fixed === undefined && event.edits.length === 0
    return { pieces, tools, fixed, settled, ended, isPlain }
  }

  /** A text by its place; whether it continues. */
  textAt(output: number, place: Path, grows = false): StreamedText {
    const key = `${output}/${place.join('/')}`
    if (grows) this.#order.extend(key, this.#event.tree.item_id)
    let streamed = this.#texts.get(key)
    if (streamed === undefined) {
      streamed = new StreamedText()
      this.#texts.set(key, streamed)
    }
    return streamed
  }

  /** Returns the steps that are left. */
  #walk(tree: JsonObject, type: string): Steps<void> | undefined {
    if (this.#ended && !PROGRESS.test(type)) throw new RangeError('An event follows the end of the response.')
    const known = kindOf(type)
    const output = outputIndex(tree)
    if (known?.end === 'delta') this.#delta(known.kind, output, tree)
    else if (known !== undefined) return this.#wholeText(known.kind, output, tree)
    else if (type === 'response.output_item.added' || type === 'response.output_item.done')
      return this.#item(output, tree, type)
    else if (PART.test(type)) return this.#part(output, tree, type)
    else if (type === 'response.output_text.annotation.added') return this.#annotation(output, tree)
    else if (LIFECYCLE.test(type)) return this.#lifecycle(tree, type)
    else if (PROGRESS.test(type)) this.#progress(tree, type)
    else unknownEvent(this.#found, this.#event, this.#texts)
    return undefined
  }

  /** Members that the event has besides those of its kind. */
  #others(tree: JsonObject, ...known: readonly string[]): void {
    for (const key in tree) {
      if (key === 'type' || known.includes(key)) continue
      const value = tree[key] as Json
      if (Object.hasOwn(COMMON, key))
        this.#found.common(COMMON[key] as Walk, `${key}@${tree.output_index}`, [key], value)
      else this.#found.member(tree, key, value)
    }
  }

  /** Looks at each field of a list, with pauses if the event is large. */
  *#eachOf(
    list: RepeatList,
    walk: (list: FieldList) => void,
    look: (field: Field) => void,
    output?: Output,
  ): Steps<void> {
    if (this.#isInSteps) yield* list.inSteps(() => walk(list))
    else walk(list)
    if (output !== undefined) this.#skipped.note(output.output ?? ENVELOPE, list.uninspected)
    for (const field of list.fields) {
      look(field)
      if (this.#pace.spent(1)) yield
    }
    for (const word of list.words) {
      if (output !== undefined) readWord(this.#found, this.#texts, word, output)
      if (this.#pace.spent(1)) yield
    }
  }

  #delta(kind: DeltaKind, output: number, tree: JsonObject): void {
    // Clients join a number to the text, too.
    const delta = typeof tree.delta === 'number' ? String(tree.delta) : tree.delta
    const place = kind.place(tree)
    if (kind.isCall) {
      if (typeof delta === 'string') this.#callPiece(output, place, ['delta'], delta)
      else this.#found.growAll(`event:${String(tree.type)}`, ['delta'], delta ?? null, placeOf(tree))
      this.#event.edits.push(...probabilityEdits(tree.logprobs, ['logprobs'], '', true))
    } else {
      const field = kind.field(tree)
      if (field.includes('.')) this.#fields.add(output, field)
      this.#extend(kind.channel, field, output, place, ['delta'], delta ?? null)
      noteTokens(this.#event, this.#tokens, `${output}/${place.join('/')}`)
    }
    this.#others(tree, 'delta', 'logprobs', 'obfuscation')
    if (tree.obfuscation !== undefined && !isPadding(tree.obfuscation)) this.#others({ obfuscation: tree.obfuscation })
  }

  /** A text, or an object of texts such as `stdout` and `stderr`. */
  #extend(channel: Channel, field: string, output: number, place: Path, path: Path, value: Json): void {
    if (typeof value === 'string') {
      if (value === '') return
      const key = `${output}/${place.join('/')}`
      const streamed = this.textAt(output, place, true)
      this.#order.grow(field, key, streamed)
      this.#order.turn(field, channel)
      this.#found.grow({ channel, choice: 0, field, path, text: value, part: partOf(this.#event.tree, key) }, streamed)
    } else if (isObject(value)) {
      for (const key in value) {
        if (!STREAMS.has(key)) this.#found.collect((list) => list.add('other', [...path, key], key, ROLE, 'key'))
        const name = `${field}.${key}`
        this.#fields.add(output, name)
        this.#extend(channel, name, output, [...place, key], [...path, key], value[key] as Json)
      }
    } else if (value !== null) this.#found.growAll(field, path, value)
  }

  #callPiece(output: number, place: Path, path: Path, text: string): void {
    const streamed = this.textAt(output, place, text !== '')
    streamed.append(text)
    this.#event.whole.set(path, streamed)
    this.#found.call({ choice: 0, call: String(output), part: place.join('.'), path, text })
  }

  /** An event that repeats a whole text. */
  *#wholeText(kind: DeltaKind, output: number, tree: JsonObject): Steps<void> {
    const place = kind.place(tree)
    const only = Array.isArray(tree.output) && tree.output.length === 1
    yield* this.#eachOf(new FlatList(this.#found.source), wholeText(kind, tree), (field) => {
      const [first, at, ...below] = field.path
      const isName = first === 'name'
      const inList = first === 'output' && typeof at === 'number'
      const where = isName ? ['name'] : inList ? ['output', only ? (place[1] as number) : at, ...below] : place
      this.#readText(field, output, where, isName || kind.isCall, true)
    })
    this.#dependent(output, place, [], { ...tree, text: tree[kind.whole] ?? null })
    this.#others(tree, kind.whole, 'logprobs', 'name')
  }

  /**
   * A text at a place of the output. It repeats the text already there, or it is new: part of a growing text, part of a
   * call, or complete.
   */
  #readText(field: Field, output: number, place: Path, isCallPart: boolean, still: boolean): void {
    const { text, path } = this.#found.counted(field)
    const mark = place.join('.')
    if (output === ENVELOPE && field.place === 'value' && this.#found.replaces(mark, path, text, false)) return
    const key = `${output}/${place.join('/')}${field.place === 'value' ? '' : `\0${field.place}`}`
    const known = this.#texts.get(key)
    this.#order.end(this.#event.type, key, text)
    const whole = field.place === 'value' && !isCallPart ? fieldOf(field.channel, place) : undefined
    if (whole !== undefined && text !== '' && this.#last !== undefined) {
      this.#last.add(whole, { field, key })
    } else if (known?.raw === text && (isCallPart || !this.#found.knows(`item:${key}`))) {
      this.#event.repeat(field, known)
    } else if (field.place === 'value' && !isCallPart && (whole !== undefined || known !== undefined)) {
      // Without indexes, texts that differ may be parts of one.
      const again = `${AGAIN}${this.#event.type}:${field.channel === 'refusal' ? 'content' : field.channel}`
      if (whole !== undefined) this.#growWhole(field, key, this.#order.knows(key, whole) ? again : whole, still)
      else this.#found.again(`item:${key}`, path, text, known?.raw ?? '')
    } else if (!isCallPart && field.place === 'value' && this.#found.knows(`item:${key}`)) {
      this.#found.replaces(`item:${key}`, path, text, false)
    } else {
      const streamed = new StreamedText()
      streamed.append(text)
      this.#texts.set(key, streamed)
      const isPart = isCallPart && field.place === 'value'
      this.#event.whole.set(isPart ? path : field, streamed)
      if (!isPart) return this.#found.keep(field)
      const part = known === undefined ? mark : `${mark}#${known.raw.length}`
      const behind = known === undefined ? this.#found.begin(`item:${key}`, text, false)?.behind : undefined
      this.#found.call({ choice: 0, call: String(output), part, path, text, behind: behind ?? '' })
    }
  }

  /** A whole text at a place, as a part of one that grows. */
  #growWhole({ channel, path, text }: Field, key: string, grows: string, still: boolean): void {
    const streamed = new StreamedText()
    this.#texts.set(key, streamed)
    if (!this.#order.knows(key, grows)) this.#order.grow(grows, key, streamed)
    if (text !== '') this.#order.turn(grows, channel)
    const part = text === '' ? key : this.#found.alone() // Also a beginning is shown by itself.
    this.#found.grow({ channel, choice: 0, field: grows, path, text, still, part }, streamed)
  }

  /** Reads the texts that clients show as one. */
  #endWholes(last: LastCopies): void {
    this.#last = undefined
    for (const { field, key, grows, streamed } of last.all(this.#order)) {
      if (grows !== undefined) this.#growWhole(field, key, grows, true)
      else {
        this.#texts.set(key, streamed)
        this.#event.repeat(field, streamed)
      }
    }
  }

  *#item(output: number, tree: JsonObject, type: string): Steps<void> {
    const value = tree.item ?? null
    const isReasoning = isObject(value) && typeOf(value) === 'reasoning'
    if (type.endsWith('.added') && !isReasoning) this.#found.settle(['reasoning', 'summary'])
    const isDone = type.endsWith('.done')
    const last = isDone ? new LastCopies(`${AGAIN}${type}`, output) : undefined
    this.#last = last
    yield* this.#walkItem(output, ['item'], value)
    if (last !== undefined) this.#endWholes(last)
    this.#dependents(output, ['item'], value)
    this.#others(tree, 'item')
    if (!isDone) return
    this.#order.endItem(output)
    this.#found.ended.push(String(output))
    this.#found.settle(this.#fields.take(output))
  }

  *#walkItem(output: number, path: Path, value: Json): Steps<void> {
    const list = new FlatList(this.#found.source)
    const isHeld = isCall(isObject(value) ? typeOf(value) : undefined)
    yield* this.#eachOf(
      list,
      () => item(list, path, value),
      (field) => this.#readText(field, output, field.path.slice(path.length), isHeld, true),
      { output, skips: path.length, isCall: isHeld },
    )
  }

  #dependents(output: number, path: Path, value: Json): void {
    if (!isObject(value) || !Array.isArray(value.content)) return
    value.content.forEach((one, i) => {
      if (isObject(one)) this.#dependent(output, ['content', i, 'text'], [...path, 'content', i], one)
    })
  }

  /** Token probabilities and citations of a text. */
  #dependent(output: number, place: Path, path: Path, value: JsonObject): void {
    const { text, logprobs, annotations } = value
    if (isEmpty(logprobs) && isEmpty(annotations)) return
    const spelled = typeof text === 'string' ? text : ''
    this.#event.edits.push(...probabilityEdits(logprobs, [...path, 'logprobs'], spelled, false))
    this.#event.parts.push({ path, part: value, streamed: this.textAt(output, place) })
  }

  *#part(output: number, tree: JsonObject, type: string): Steps<void> {
    const isSummary = type.includes('summary')
    const { [isSummary ? 'summary_index' : 'content_index']: at, part: value = null } = tree
    const place: Path = [isSummary ? 'summary' : 'content', typeof at === 'number' ? at : 0]
    const list = new FlatList(this.#found.source)
    yield* this.#eachOf(
      list,
      () => list.as(ROLE, () => part(list, ['part'], value, 'content')),
      (field) => this.#readText(field, output, [...place, ...field.path.slice(1)], false, true),
      { output, place, skips: 1 },
    )
    if (isObject(value)) this.#dependent(output, [...place, 'text'], ['part'], value)
    this.#others(tree, 'part')
  }

  *#annotation(output: number, tree: JsonObject): Steps<void> {
    const [c, a] = [tree.content_index, tree.annotation_index].map((at) => (typeof at === 'number' ? at : 0))
    const place: Path = ['content', c as number]
    const below: Path = [...place, 'annotations', a as number]
    yield* this.#eachOf(
      new FlatList(this.#found.source),
      (list) => list.as(ROLE, () => annotation(list, ['annotation'], tree.annotation ?? null)),
      (field) => this.#readText(field, output, [...below, ...field.path.slice(1)], false, true),
      { output, place: below, skips: 1 },
    )
    this.#event.cites = this.textAt(output, [...place, 'text'])
    this.#others(tree, 'annotation')
  }

  *#lifecycle(tree: JsonObject, type: string): Steps<void> {
    const { response } = tree
    if (!isObject(response)) this.#found.collect((list) => list.addAll('other', ['response'], response ?? null))
    else {
      const isLast = LAST.test(type)
      if (isLast) this.#last = new LastCopies(`${AGAIN}last`)
      yield* this.#output(response)
      if (isLast) this.#noteEnd()
      yield* this.#eachOf(
        new FlatList(this.#found.source),
        (list) => envelope(list, ['response'], response),
        (field) => {
          if (this.#echo.takes(field, 1, this.#event.edits)) return
          this.#readText(field, ENVELOPE, field.path.slice(1), false, true)
        },
        { output: undefined, skips: 1 },
      )
    }
    this.#others(tree, 'response')
  }

  /** Calls that only the last event has are complete. */
  #noteEnd(): void {
    this.#ended = true
    this.#last = undefined
    for (const call of new Set(this.#found.tools.map((piece) => piece.call))) this.#found.ended.push(call)
  }

  /** The last event repeats the whole output. */
  *#output(response: JsonObject): Steps<void> {
    const { output = null } = response
    if (Array.isArray(output)) {
      for (let i = 0; i < output.length; i++) {
        yield* this.#walkItem(i, ['response', 'output', i], output[i] as Json)
        if (this.#pace.spent(1)) yield
      }
      if (this.#last !== undefined) this.#endWholes(this.#last)
      for (let i = 0; i < output.length; i++) this.#dependents(i, ['response', 'output', i], output[i] as Json)
    } else this.#found.collect((list) => list.addAll('other', ['response', 'output'], output))
  }

  #progress(tree: JsonObject, type: string): void {
    if (type.endsWith('partial_image')) this.#skipped.note(outputIndex(tree), new Map([['image_url', 1]]))
    if (type === 'response.audio.delta') this.#skipped.note(outputIndex(tree), new Map([['audio', 1]]))
    this.#others(tree)
    this.#event.floats = type === 'keepalive' && this.#found.pieces.length === 0
  }
}
