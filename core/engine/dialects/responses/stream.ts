import type { Json, Usage } from '../../contract/plugin.ts'
import type { Field } from '../../json/fields.ts'
import type { Edit } from '../../json/splice.ts'
import type { ViewOrigin } from '../../text/views.ts'
import type { Steps } from '../../util/steps.ts'
import { originOfPiece, stepName } from '../place.ts'
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
import { TokenRuns } from '../token-runs.ts'
import { growsInCall, kindOf } from './delta-kinds.ts'
import { EarlyTexts } from './early.ts'
import { StreamEnding } from './ending.ts'
import { ResponsesEvent, readEvent } from './event.ts'
import { EventWalker, type ResponsesTexts } from './event-walker.ts'
import { editsOf, noteCut } from './render.ts'
import { DeltaTemplate } from './templates.ts'
import { frame } from './wire.ts'

/** One streamed response. Accepts only events that it created itself. */
export class ResponsesStream implements StreamDialect {
  readonly isOrdered = true
  readonly #early = new EarlyTexts()
  readonly #tokens = new TokenRuns()
  readonly #walker: EventWalker
  readonly #template = new DeltaTemplate()
  readonly #ending: StreamEnding
  #finished = false
  /** Where the last match continues. */
  #at = 0
  readonly finishSent: ReadonlySet<number> = new Set()

  constructor(wants: StreamWants) {
    this.#walker = new EventWalker(wants.asked, this.#tokens)
    this.#ending = new StreamEnding(wants)
  }

  get keepAlive(): string {
    return this.#ending.keepAlive
  }

  /** Some servers add the end marker of other APIs. */
  isDone(data: string): boolean {
    if (data !== '[DONE]' || !this.#finished) return false
    this.#ending.noteDone()
    return true
  }

  own(data: string): string {
    return data
  }

  match(data: string): string | undefined {
    const text = this.#template.match(data)
    if (text !== undefined) this.#at = this.#template.matched.streamed?.append(text) ?? 0
    return text
  }

  get known(): KnownPlace {
    return this.#template.matched
  }

  eventOf(data: string): ResponsesEvent {
    const event = new ResponsesEvent(data)
    event.isKnown = true
    const { streamed, path } = this.#template.matched
    if (streamed !== undefined) event.grown = [{ path, streamed, at: this.#at, length: streamed.raw.length - this.#at }]
    return event
  }

  read(data: string, isError: boolean, tree?: Json): ResponsesEvent | undefined {
    const event = readEvent(data, isError, tree)
    if (event?.finishes === true) this.#finished = true
    return event
  }

  split(event: StreamEvent): readonly StreamEvent[] | undefined {
    const events = this.#early.split(event as ResponsesEvent)
    if (this.#early.waits) this.#template.forget()
    return events
  }

  learn(event: StreamEvent): void {
    const { tree, payload, type } = event as ResponsesEvent
    const known = kindOf(type)
    if (known?.end !== 'delta' || known.kind.isCall || typeof tree.delta !== 'string') return
    const [field, channel] = [known.kind.field(tree), known.kind.channel]
    this.#template.learn(payload, type, { channel, choice: 0, field, path: ['delta'], text: tree.delta }, undefined)
  }

  isForeign(): boolean {
    return false
  }

  walk(event: StreamEvent): EventTexts {
    const own = event as ResponsesEvent
    return this.#learnt(own, this.#walker.walk(own))
  }

  *walkInSteps(event: StreamEvent): Steps<EventTexts> {
    const own = event as ResponsesEvent
    return this.#learnt(own, yield* this.#walker.walkInSteps(own))
  }

  #learnt(own: ResponsesEvent, texts: ResponsesTexts): EventTexts {
    const [piece] = texts.pieces
    const [grown] = own.grown
    // After another text, the one of the template may not continue unseen.
    if (own.grown.some(({ streamed }) => streamed !== this.#template.streamed)) this.#template.forget()
    // A text without its tokens is seen only in events that are read.
    if (own.tokens !== undefined) this.#template.forget()
    if (
      texts.isPlain &&
      own.tokens === undefined &&
      piece !== undefined &&
      grown !== undefined &&
      piece.still !== true &&
      piece.path.length === 1
    ) {
      this.#template.learn(own.payload, own.type, piece, grown.streamed)
    } else if (own.type === 'response.output_item.added' || own.type.endsWith('.done')) this.#template.forget()
    return texts
  }

  get uninspected(): ReadonlyMap<string, number> {
    return this.#walker.uninspected
  }

  markClean(_field: Field): void {}

  hasDerived(event: StreamEvent): boolean {
    const { repeats, parts, edits, cites, tokens } = event as ResponsesEvent
    return tokens !== undefined || repeats.length > 0 || parts.length > 0 || edits.length > 0 || cites !== undefined
  }

  originOf(place: TextPlace): ViewOrigin {
    return { ...originOfPiece(place), role: 'assistant' }
  }

  formOf(part: string): ToolForm {
    const name = part.replace(/#\d+$/, '')
    if (/^\d+\.(?:name|namespace|server_label)$/.test(name)) return 'name'
    if (/^\d+\.arguments$/.test(name)) return 'json'
    // What grows comes in fragments; any other member that is repeated may be complete each time.
    return growsInCall(name.slice(name.indexOf('.') + 1)) ? 'text' : 'value'
  }

  /** Names from the provider may contain a value, so the path hides them. */
  pathOf(_choice: number, part: string): string {
    const [output, ...steps] = part.replace(/#\d+$/, '').split('.')
    return `output[${output}]${steps.map((step) => (/^\d+$/.test(step) ? `[${step}]` : `.${stepName(step)}`)).join('')}`
  }

  unitsOf(): number {
    return 1
  }

  divide(item: Item): Item[] {
    return [item]
  }

  canMove(item: Item, segment: Segment): boolean {
    return segment.still !== true && item.segments.length === 1 && item.changes === undefined
  }

  cutFront(item: Item, length: number): { front: Item; rest: Item } {
    const [segment] = item.segments as readonly [Segment]
    noteCut(item, segment)
    const front: Item = { ...item, segments: [{ ...segment, text: segment.text.slice(0, length) }], extent: 'part' }
    const rest = { ...segment, start: segment.start + length, text: segment.text.slice(length) }
    return { front, rest: { ...item, segments: [rest], extent: 'rest' } }
  }

  edits(item: Item): Edit[] | undefined {
    return editsOf(item, this.#tokens)
  }

  frame(payload: string): string {
    return frame(payload)
  }

  isFramed(_read: Buffer): boolean {
    return false
  }

  keep(payload: string, event: StreamEvent, finishes: boolean): string {
    return this.#ending.keep(payload, event as ResponsesEvent, finishes)
  }

  before(): string {
    return ''
  }

  lastFrames(_unfinished: readonly number[], service: object | undefined): string {
    return this.#ending.lastFrames(service)
  }

  cutFrames(_unfinished: readonly number[], service: object | undefined, usage: Usage | undefined): string {
    return this.#ending.cutFrames('max_output_tokens', service, usage)
  }

  blockFrames(_unfinished: readonly number[], service: object): string {
    return this.#ending.cutFrames('content_filter', service, undefined)
  }

  errorFrames(body: object, isBlock: boolean): string {
    return this.#ending.errorFrames(body as never, isBlock)
  }
}
