import type { Json, Usage } from '../../contract/plugin.ts'
import { toEdits } from '../../json/edits.ts'
import { type Field, isObject } from '../../json/fields.ts'
import type { Edit } from '../../json/splice.ts'
import type { JsonObject } from '../../json/strict.ts'
import type { ViewOrigin } from '../../text/views.ts'
import type { Steps } from '../../util/steps.ts'
import { stepName } from '../place.ts'
import type {
  EventTexts,
  Item,
  KnownPlace,
  Segment,
  StreamDialect,
  StreamEvent,
  StreamWants,
  TextPlace,
  ToolForm,
} from '../stream.ts'
import { Templates } from '../templates.ts'
import { splitBeginning } from './early.ts'
import { StreamEnding } from './ending.ts'
import { MessagesEvent, onlyText, readEvent } from './event.ts'
import { EventWalker, TEXT } from './event-walker.ts'
import { readUsage } from './reply.ts'
import { DELTA_LENGTH, frame, isDelta, isFramed, PING } from './wire.ts'

/** One streamed message. Accepts only events that it created itself. */
export class MessagesStream implements StreamDialect {
  readonly isOrdered = true
  readonly keepAlive = PING
  readonly #templates = new Templates(DELTA_LENGTH)
  readonly #walker = new EventWalker()
  readonly #ending: StreamEnding
  /** A stop reason was there. */
  #finished = false
  /** Members of all `usage` so far: later ones replace earlier ones. */
  #usage: JsonObject = {}

  constructor(wants: StreamWants) {
    this.#ending = new StreamEnding(wants)
  }

  isDone(data: string): boolean {
    if (isDelta(data)) return false
    // Some servers write the end of another API after a whole message.
    if (!data.includes('message_stop')) return data === '[DONE]' && this.#finished
    return readEvent(data, false)?.type === 'message_stop'
  }

  own(data: string): string {
    return data
  }

  match(data: string): string | undefined {
    return this.#templates.match(data)
  }

  get known(): KnownPlace {
    return this.#templates.matched as KnownPlace
  }

  eventOf(data: string): MessagesEvent {
    return new MessagesEvent(data, 'content_block_delta')
  }

  read(data: string, isError: boolean, tree?: Json): MessagesEvent | undefined {
    const event = readEvent(data, isError, tree)
    if (event?.type === 'message_start' || event?.type === 'message_delta') this.#noteUsage(event)
    if (event !== undefined && event.type !== 'content_block_delta') {
      this.#finished ||= event.finishes
      // A template knows a block, not whether that is still open.
      this.#templates.forget()
      this.#templates.hope()
    }
    return event
  }

  #noteUsage(event: MessagesEvent): void {
    const { message, usage } = event.tree
    const reported = event.type === 'message_start' && isObject(message) ? message.usage : usage
    if (!isObject(reported)) return
    for (const name in reported) if (reported[name] !== null) this.#usage[name] = reported[name] as never
    event.usage = readUsage(this.#usage)
  }

  split(event: StreamEvent): readonly StreamEvent[] | undefined {
    return splitBeginning(event as MessagesEvent)
  }

  learn(event: StreamEvent): void {
    const only = onlyText(event as MessagesEvent)
    if (only !== undefined) this.#learn(event.payload, only)
  }

  #learn(
    payload: string,
    { path, text }: { readonly path: readonly string[] | TextPlace['path']; readonly text: string },
  ): void {
    if (text !== '') this.#templates.learn(payload, { channel: 'content', choice: 0, field: TEXT, path, text })
  }

  isForeign(): boolean {
    return false
  }

  walk(event: StreamEvent): EventTexts {
    const texts = this.#walker.walk(event as MessagesEvent)
    const own = event as MessagesEvent
    const only = texts.fixed === undefined && !own.repeatsBeginning ? onlyText(own) : undefined
    // Only text leaves in pieces: the other kinds leave with their block.
    if (only?.kind === 'text_delta') this.#learn(event.payload, only)
    return texts
  }

  walkInSteps(event: StreamEvent): Steps<EventTexts> {
    return this.#walker.walkInSteps(event as MessagesEvent)
  }

  get uninspected(): ReadonlyMap<string, number> {
    return this.#walker.uninspected
  }

  markClean(_field: Field): void {}

  hasDerived(): boolean {
    return false
  }

  originOf({ channel, choice, path }: TextPlace): ViewOrigin {
    const names = path.filter((step) => typeof step === 'string')
    return {
      channel,
      role: 'assistant',
      choice,
      path: names.map(stepName).join('.'),
      member: names.at(-1),
      within: names.slice(-4, -1).reverse(),
    }
  }

  formOf(part: string): ToolForm {
    if (part.endsWith('.name')) return 'name'
    if (part.endsWith('.thinking')) return 'sealed'
    if (part.endsWith('.signature')) return 'seal'
    return part.endsWith('.input') ? 'json' : 'text'
  }

  pathOf(_choice: number, part: string): string {
    return part.replace(/^content\.(\d+)/, 'content[$1]')
  }

  unitsOf(): number {
    return 1
  }

  divide(item: Item): Item[] {
    return [item]
  }

  canMove(_item: Item, { still }: Segment): boolean {
    return !still
  }

  cutFront(item: Item, length: number): { front: Item; rest: Item } {
    const [segment] = item.segments as readonly [Segment]
    const front: Item = { ...item, segments: [{ ...segment, text: segment.text.slice(0, length) }], extent: 'part' }
    const left = { ...segment, start: segment.start + length, text: segment.text.slice(length) }
    return { front, rest: { ...item, segments: [left], extent: 'rest' } }
  }

  /** A delta without text is left out; no block is, since clients count them. */
  edits(item: Item): Edit[] | undefined {
    const edits: Edit[] = item.changes === undefined ? [] : toEdits(item.changes)
    let isEmpty = (item.event as MessagesEvent).type === 'content_block_delta'
    let isEdited = false
    for (const { view, path, start, text, still } of item.segments) {
      const touched = view.touches(start, start + text.length)
      const out = touched ? view.output(start, text) : text
      if (out !== '') isEmpty = false
      if (!touched && (item.extent === 'event' || still)) continue
      isEdited = true
      edits.push({ kind: 'replace', path, json: JSON.stringify(out) })
    }
    for (const { path, text, changed, call } of item.tools) {
      const out = changed && path.at(-1) === 'thinking' && this.#walker.signed.has(call) ? '' : text
      if (out !== '') isEmpty = false
      if (!changed) continue
      isEdited = true
      edits.push({ kind: 'replace', path, json: JSON.stringify(out) })
    }
    if (isEmpty && isEdited && onlyText(item.event as MessagesEvent) !== undefined) return undefined
    return edits
  }

  frame(payload: string): string {
    return frame(payload)
  }

  isFramed(read: Buffer): boolean {
    return isFramed(read)
  }

  keep(payload: string, event: StreamEvent, finishes: boolean): string {
    return this.#ending.keep(payload, event as MessagesEvent, finishes)
  }

  before(speaking: readonly number[]): string {
    return speaking.length === 0 ? '' : this.#ending.letGo()
  }

  get finishSent(): ReadonlySet<number> {
    return this.#ending.finishSent
  }

  lastFrames(_unfinished: readonly number[], service: object | undefined): string {
    return this.#ending.lastFrames(service)
  }

  cutFrames(_unfinished: readonly number[], service: object | undefined, usage: Usage | undefined): string {
    return this.#ending.cutFrames(service, usage)
  }

  blockFrames(_unfinished: readonly number[], service: object): string {
    return this.#ending.blockFrames(service, readUsage(this.#usage))
  }
}
