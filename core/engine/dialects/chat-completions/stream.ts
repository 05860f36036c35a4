import type { Json, Usage } from '../../contract/plugin.ts'
import { type Field, isObject } from '../../json/fields.ts'
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
import { Templates } from '../templates.ts'
import { TokenRuns } from '../token-runs.ts'
import { CHAT, type ChoiceForm } from './choice-form.ts'
import { hasDerived } from './derived.ts'
import { EarlyMessages } from './early.ts'
import { StreamEnding, withoutNullUsage } from './ending.ts'
import { ChatEvent, hasForeignChoice, indexOf, readErrorEvent, readEvent } from './event.ts'
import type { ChatEventTexts } from './event-texts.ts'
import { EventWalker } from './event-walker.ts'
import { CALLED } from './known-members.ts'
import { canMove, cutFront, divide, unitsOf } from './parts.ts'
import { editsOf } from './render.ts'
import { COMMENT, FRAME_LENGTH, frame, isFramed } from './wire.ts'

const PART_OF_CALL = /^(?:message\.)?(?:tool_calls\.\d+|function_call)\.([a-z]+)$/

/** One streamed reply. Accepts only events that it created itself. */
export class ChatStream implements StreamDialect {
  readonly isOrdered = false
  readonly keepAlive = COMMENT
  readonly #choices: number
  readonly #stripsUsage: boolean
  readonly #templates = new Templates(FRAME_LENGTH)
  readonly #walker: EventWalker
  readonly #tokens = new TokenRuns()
  readonly #messages = new EarlyMessages()
  readonly #ending: StreamEnding
  readonly #form: ChoiceForm

  constructor(wants: StreamWants, form = CHAT) {
    this.#form = form
    this.#walker = new EventWalker(form)
    this.#choices = wants.choices
    this.#stripsUsage = wants.stripsUsage
    this.#ending = new StreamEnding(wants, form)
  }

  isDone(data: string): boolean {
    return data === '[DONE]'
  }

  own(data: string): string {
    return this.#stripsUsage ? withoutNullUsage(data) : data
  }

  match(data: string): string | undefined {
    return this.#templates.match(data)
  }

  get known(): KnownPlace {
    return this.#templates.matched as KnownPlace
  }

  eventOf(data: string): ChatEvent {
    return new ChatEvent(data)
  }

  read(data: string, isError: boolean, tree?: Json): ChatEvent | undefined {
    return isError ? readErrorEvent(data) : readEvent(data, tree)
  }

  learn(event: StreamEvent): void {
    // A member `usage` that only the gateway requested must be removed from each event.
    if (this.#stripsUsage && (event as ChatEvent).tree.usage !== undefined) return
    const piece = this.#form.onlyText(event as ChatEvent)
    if (piece !== undefined) this.#templates.learn(event.payload, piece)
  }

  isForeign(event: StreamEvent): boolean {
    return hasForeignChoice(event as ChatEvent, this.#choices)
  }

  split(event: StreamEvent): undefined {
    this.#messages.settle(event as ChatEvent)
  }

  walk(event: StreamEvent): EventTexts {
    return this.#learnt(event, this.#walker.walk(event as ChatEvent))
  }

  *walkInSteps(event: StreamEvent): Steps<EventTexts> {
    return this.#learnt(event, yield* this.#walker.walkInSteps(event as ChatEvent))
  }

  #learnt(event: StreamEvent, texts: ChatEventTexts): EventTexts {
    this.#noteTokens(event as ChatEvent)
    if (texts.departs) this.#templates.forget()
    const still = texts.pieces.filter((piece) => piece.still === true)
    if (still.length > 0)
      (event as ChatEvent).grown = still.map(({ path }) => (path.length === 1 ? String(path[0]) : ''))
    // A piece that is a part is also shown by itself, which a template does not tell.
    const isPlain = texts.pieces.length === 1 && texts.pieces[0]?.part === undefined
    if (texts.fixed === undefined && isPlain && still.length === 0) this.learn(event)
    return texts
  }

  /** A text without its tokens is seen only in events that are read. */
  #noteTokens(event: ChatEvent): void {
    const { choices } = event
    let runs: Map<number, number> | undefined
    for (let i = 0; i < choices.length; i++) {
      const choice = choices[i]
      if (!isObject(choice)) continue
      const hasTokens = (choice.logprobs ?? null) !== null
      const run = this.#tokens.note(indexOf(choice, i), hasTokens, choice, this.#form.spelled)
      if (run === undefined) continue
      runs ??= new Map()
      runs.set(i, run)
    }
    if (runs === undefined) return
    event.tokenRuns = runs
    this.#templates.forget()
  }

  get uninspected(): ReadonlyMap<string, number> {
    return this.#walker.uninspected
  }

  markClean(field: Field): void {
    this.#walker.markClean(field)
  }

  hasDerived(event: StreamEvent): boolean {
    return hasDerived((event as ChatEvent).choices, 'delta')
  }

  originOf(place: TextPlace): ViewOrigin {
    return originOfPiece(place)
  }

  formOf(part: string): ToolForm {
    const [, member = ''] = PART_OF_CALL.exec(part) ?? []
    return CALLED.get(member) ?? 'value'
  }

  /** Names from the provider may contain a value, so the path hides them. */
  pathOf(choice: number, part: string): string {
    const steps = part.split('.').map((step) => (/^\d+$/.test(step) ? step : stepName(step)))
    return `choices[${choice}].${steps.join('.')}`
  }

  unitsOf(item: Item): number {
    return unitsOf(item)
  }

  divide(item: Item): Item[] {
    return divide(item)
  }

  canMove(item: Item, segment: Segment): boolean {
    return canMove(item, segment)
  }

  cutFront(item: Item, length: number): { front: Item; rest: Item } {
    return cutFront(item, length)
  }

  edits(item: Item, rewritten: ReadonlySet<number>): Edit[] | undefined {
    return editsOf(item, rewritten, this.#form, this.#tokens)
  }

  frame(payload: string): string {
    return frame(payload)
  }

  isFramed(read: Buffer): boolean {
    return isFramed(read)
  }

  keep(payload: string, event: StreamEvent, finishes: boolean): string {
    return this.#ending.keep(payload, event as ChatEvent, finishes)
  }

  before(speaking: readonly number[]): string {
    return this.#ending.before(speaking)
  }

  get finishSent(): ReadonlySet<number> {
    return this.#ending.finishSent
  }

  lastFrames(unfinished: readonly number[], service: object | undefined): string {
    return this.#ending.lastFrames(unfinished, service)
  }

  cutFrames(unfinished: readonly number[], service: object | undefined, usage: Usage | undefined): string {
    return this.#ending.cutFrames(unfinished, service, usage)
  }

  blockFrames(unfinished: readonly number[], service: object): string {
    return this.#ending.blockFrames(unfinished, service)
  }
}
