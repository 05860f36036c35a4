import type { GatewayError } from '../../contract/errors.ts'
import type { HeldText, Json, TextView } from '../../contract/plugin.ts'
import { isReady, isUntouched } from '../../dialects/items.ts'
import { NumbersAsText } from '../../dialects/numbers-as-text.ts'
import type {
  EventTexts,
  Item,
  KnownPlace,
  Segment,
  StreamDialect,
  StreamEvent,
  TextPlace,
  ToolPiece,
} from '../../dialects/stream.ts'
import { splice, spliceInSteps } from '../../json/splice.ts'
import { Continuation, ContinuedStream } from '../../text/continued-view.ts'
import { MAX_SHOWN, StreamView } from '../../text/stream-view.ts'
import { invalid } from '../../upstreams/provider-error.ts'
import { LazyMap, LazySet } from '../../util/lazy.ts'
import { Pace, type Steps } from '../../util/steps.ts'
import type { ReplyContext } from '../context.ts'
import { HeldItems } from './held-items.ts'
import { OrderedItems } from './ordered-items.ts'
import { MAX_TOOL_TEXT, ToolCalls } from './tool-calls.ts'
import { UnseenMedia } from './unseen-media.ts'
import { WholeTexts } from './whole-texts.ts'

/** A shorter safe part waits for the rest of its event, so that the event can stay unchanged. */
const SPLIT_AT = 256

/** Texts and calls of one stream, because each read visits all of them. Allows 32 each for 128 choices. */
const MAX_TEXTS = 4096
const TOO_MANY = 'The reply has more texts at once than can be inspected.'
/** Total characters of the events that one stream may hold. */
const MAX_HELD = 32 * 1024 * 1024
const HELD_TOO_MUCH = 'The reply has more text that waits than can be held.'

const NONE: readonly never[] = []

/** Characters of events to send before other exchanges run; each event and each edit counts some besides. */
const STEP = 256 * 1024
const PER_EVENT = 64
const PER_EDIT = 1024
/** Edits of one event that need no pause. */
const MANY_EDITS = 256

/** `speaking` lists the choices with content; empty for an event that only opens an answer, such as a role alone. */
export type Emit = (payload: string, event: StreamEvent, finishes: boolean, speaking: readonly number[]) => void

/**
 * Holds the events of one stream until their text is safe. Events stay in order within each choice and channel. Texts
 * do not wait for each other, but the finish of a choice waits for all of its texts.
 */
export class StreamInspector implements HeldText {
  readonly #context: ReplyContext
  readonly #notify: (inspector: StreamInspector) => void
  readonly #onSettled = (): void => this.#notify(this)
  readonly #stream: StreamDialect
  readonly #views = new Map<string, StreamView>()
  /** Calls that are held: those of a choice together, or each by its name in an ordered stream. */
  readonly #tools = new LazyMap<number | string, ToolCalls>()
  /** Calls that ended before the stream. */
  #ended: ToolCalls[] = []
  readonly #thinking = new Continuation()
  /** Events of the current read. */
  readonly #items: Item[] = []
  readonly #held: HeldItems
  /** Calls were released since events last left. */
  #callsLeft = false
  readonly #isReleased = (choice: number): boolean => this.#tools.get(choice)?.released === true
  /** In an ordered stream: all events except those that float. */
  readonly #ordered: OrderedItems | undefined
  /** Choices with rewritten text. */
  readonly #rewritten = new LazySet<number>()
  #grown = new Set<StreamView>()
  /** Views that will not grow any more. */
  readonly #closing = new LazySet<StreamView>()
  /** Texts that were let go, and may continue. */
  readonly #left = new LazyMap<string, StreamView>()
  readonly #numbers = new NumbersAsText()
  readonly #whole: WholeTexts
  readonly #unseen: UnseenMedia
  readonly #pace = new Pace(STEP)
  #nextId = 0
  readonly #newId = (): number => this.#nextId++
  /** Why the reply can no longer be inspected. */
  overflow: string | undefined = undefined
  /** Characters of tool calls over all choices; an empty fragment counts as one. */
  #toolText = 0
  /** Held tool calls grew since plugins last saw them. */
  heldGrew = false

  /** @param onSettled called when an external verdict settles */
  constructor(context: ReplyContext, stream: StreamDialect, onSettled: (inspector: StreamInspector) => void) {
    this.#context = context
    this.#stream = stream
    this.#notify = onSettled
    this.#whole = new WholeTexts(context.x.inspection, context.x.dialect)
    this.#unseen = new UnseenMedia(stream, (kinds) => context.cannotInspect(kinds))
    this.#ordered = stream.isOrdered ? new OrderedItems() : undefined
    this.#held = new HeldItems(!stream.isOrdered)
  }

  /** Whether more text waits for a verdict than its plugin may hold: pause the provider. */
  get stalled(): boolean {
    for (const view of this.#views.values()) if (view.stalled) return true
    return false
  }

  get waiting(): boolean {
    for (const view of this.#views.values()) if (view.waiting) return true
    return false
  }

  /** Characters of tool calls not yet shown in a view. */
  get characters(): number {
    let sum = 0
    for (const calls of this.#tools.all.values()) if (!calls.offered) sum += calls.length
    return sum
  }

  /** The text counted by `characters`. */
  text(): string {
    const held = [...this.#tools.all.values()].filter(({ offered }) => !offered)
    return held.map(({ text }) => text).join('\n')
  }

  /** Why an event is not looked at. */
  refusal(event: StreamEvent): GatewayError | undefined {
    if (event.failed || !this.#stream.isForeign(event)) return undefined
    return invalid('sent a choice that was not asked for')
  }

  read(data: string, isError: boolean, tree?: Json): StreamEvent | undefined {
    return this.#stream.read(data, isError, this.#numbers.read(data, tree))
  }

  push(event: StreamEvent): void {
    for (const one of this.#stream.split?.(event) ?? [event]) this.#hold(one, this.#stream.walk(one))
  }

  /** Like `push`, for a large event that repeats no member. */
  *pushInSteps(event: StreamEvent): Steps<void> {
    for (const one of this.#stream.split?.(event) ?? [event]) {
      const texts = yield* this.#stream.walkInSteps(one)
      yield
      this.#hold(one, texts)
    }
  }

  #hold(event: StreamEvent, texts: EventTexts): void {
    this.#unseen.event(texts.pieces)
    const item: Item = {
      event,
      payload: event.payload,
      segments: this.#segments(texts),
      tools:
        texts.tools.length === 0 ? NONE : texts.tools.map((piece) => this.#toolCalls(piece).add(piece, this.#numbers)),
      changes: undefined,
      choices: event.choiceIndexes,
      finishes: event.finishes,
      begins: texts.begins === true,
      derived: this.#stream.hasDerived(event),
      extent: 'event',
    }
    for (const { choice, field } of texts.settled) this.#close(`${choice}\0${field}`)
    if (texts.ended !== undefined) for (const call of texts.ended) this.#end(call)
    if (texts.tools.length > 0) this.heldGrew = true
    if (texts.fixed !== undefined) this.#whole.add(item, texts.fixed)
    for (const { text } of item.tools) this.#toolText += text.length || 1
    if (this.#toolText > MAX_TOOL_TEXT) this.overflow = 'The tool calls of the reply are too long to be inspected.'
    this.#add(item)
  }

  #add(item: Item): void {
    if (this.#ordered === undefined) this.#items.push(item)
    else if (item.event.floats === true) this.#ordered.float(item)
    else this.#ordered.push(item)
  }

  /** Like `push`, for an event of known spelling with nothing but text. */
  pushText(event: StreamEvent, text: string, place: KnownPlace): void {
    if (this.#unseen.waits) this.#unseen.event([{ ...place, text }])
    const segments = [this.#segment(place, text)]
    const base = {
      event,
      payload: event.payload,
      tools: NONE,
      changes: undefined,
      finishes: false,
      derived: false,
    } as const
    this.#add({ ...base, segments, choices: place.speaking, extent: 'event' })
  }

  #segments({ pieces }: EventTexts): Segment[] {
    const segments: Segment[] = []
    for (const piece of pieces) {
      segments.push(this.#segment(piece, piece.text))
      if (this.overflow !== undefined) break
    }
    return segments
  }

  #segment(place: TextPlace, text: string): Segment {
    const key = `${place.choice}\0${place.field}`
    let view = this.#views.get(key)
    if (view === undefined) {
      const origin = this.#stream.originOf(place)
      const [id, { inspection }] = [this.#nextId++, this.#context.x]
      const left = this.#left.get(key)?.last ?? this.#numbers.before(place.path) + (place.behind ?? '')
      if (left === '') view = new StreamView(inspection, id, origin, this.#onSettled)
      else view = new ContinuedStream(inspection, id, origin, this.#onSettled, left)
      this.#views.set(key, view)
      if (this.#views.size > MAX_TEXTS) this.overflow = TOO_MANY
    }
    const { path, still = false, line, part, run } = place
    if (part !== undefined && part !== view.part) {
      if (view.length > 0) view.beginPart(run)
      view.part = part
    }
    const segment = { view, path, still, line, start: view.length, text }
    view.append(text)
    this.#grown.add(view)
    return segment
  }

  /** Marks a text as complete. */
  #close(key: string): void {
    const view = this.#views.get(key)
    if (view === undefined) return
    this.#views.delete(key)
    this.#views.set(`${key}\0${view.id}`, view)
    this.#left.set(key, view)
    this.#closing.add(view)
  }

  #toolCalls({ choice, call }: ToolPiece): ToolCalls {
    const key = this.#stream.isOrdered ? call : choice
    let calls = this.#tools.get(key)
    if (calls === undefined || calls.released) {
      calls = new ToolCalls(this.#context.x.dialect, this.#stream, choice)
      this.#tools.set(key, calls)
      if (this.#tools.all.size > MAX_TEXTS) this.overflow = TOO_MANY
    }
    return calls
  }

  /** The call is complete: inspected with this read. */
  #end(call: string): void {
    const calls = this.#tools.get(call)
    if (calls === undefined) return
    this.#tools.delete(call)
    this.#ended.push(calls)
  }

  /** Whether new text remains to be offered; there was too much for one turn of the event loop. */
  get behind(): boolean {
    return this.#grown.size > 0
  }

  /**
   * The views that grew since the last call; `end` makes all of them final. Offers much text piece by piece: call again
   * while `after` is true.
   */
  *offer(end: boolean): Steps<TextView[]> {
    const offered: TextView[] = []
    let room = MAX_SHOWN
    for (const view of this.#views.values()) {
      const { behind } = view
      const rests = behind > MAX_SHOWN
      if (room <= 0 && behind > 0 && this.#grown.has(view)) continue
      const ends = !rests && !view.final && (end || this.#closing.delete(view))
      if (!ends && !this.#grown.has(view)) continue
      if (ends) view.final = true
      view.prepare()
      room -= behind
      if (!rests) this.#grown.delete(view)
      if (view.text !== '') offered.push(view)
    }
    this.heldGrew = false
    yield* this.#whole.offer(offered, this.#newId)
    for (const calls of this.#ended) if (!calls.offered) yield* this.#offerCalls(calls, offered)
    if (!end || this.behind) return offered
    for (const calls of this.#tools.all.values()) {
      if (!calls.released) yield* this.#offerCalls(calls, offered)
    }
    return offered
  }

  #offerCalls(calls: ToolCalls, offered: TextView[]): Steps<void> {
    return calls.offer(offered, this.#context.x.inspection, this.#newId, this.#thinking, this.#unseen)
  }

  /**
   * Applies what the plugins reported. Returns false if a tool call cannot be rewritten without changing its meaning.
   */
  *settle(end: boolean): Steps<boolean> {
    for (const view of this.#views.values()) {
      view.settle()
      if (view.rewritten.length > 0 && view.channel !== 'annotation') this.#rewritten.add(view.choice)
    }
    yield* this.#whole.settle((field) => this.#stream.markClean(field))
    for (const calls of this.#ended) if (!(yield* calls.settle())) return false
    if (end || this.#ended.length > 0) this.#callsLeft = true
    this.#ended = []
    for (const calls of this.#tools.all.values()) {
      if (end && !calls.released && !(yield* calls.settle())) return false
    }
    return true
  }

  /** Counts findings in text that will never be sent. */
  tally(): void {
    for (const view of this.#views.values()) view.tally()
    this.#whole.tally()
    for (const calls of this.#ended) calls.tally()
    for (const calls of this.#tools.all.values()) calls.tally()
  }

  /** Emits every event, or part of one, whose text is safe. */
  *emit(emit: Emit): Steps<void> {
    const [held, ordered] = [this.#held, this.#ordered]
    if (this.#callsLeft) for (const item of held.takeFragments(this.#isReleased)) yield* this.#send(item, emit)
    if (!held.isEmpty) yield* this.#emitHeld(held, emit)
    this.#callsLeft = false
    if (ordered !== undefined) yield* this.#emitInOrder(ordered, emit)
    else for (const item of this.#items.splice(0)) yield* this.#leave(item, emit)
    const orderedLength = ordered?.held ?? 0
    if (held.characters + orderedLength > MAX_HELD) this.overflow = HELD_TOO_MUCH
    if (held.isEmpty && orderedLength === 0) for (const view of this.#views.values()) view.forget(view.released)
  }

  *#emitHeld(held: HeldItems, emit: Emit): Steps<void> {
    held.look(this.#callsLeft)
    for (let one = held.next(); one !== undefined; one = held.next()) {
      const { item, missing } = one
      if (missing > 0 || !held.isNext(item, one)) one.item = yield* this.#withoutSafeFront(item, emit)
      else {
        held.take(one)
        yield* this.#send(item, emit)
      }
    }
  }

  *#emitInOrder(items: OrderedItems, emit: Emit): Steps<void> {
    yield* this.#emitFloating(items, false, emit)
    for (let item = items.first; item !== undefined; item = items.first) {
      if (!isReady(item)) {
        items.first = yield* this.#withoutSafeFront(item, emit)
        break
      }
      items.shift()
      yield* this.#send(item, emit)
      if (items.floats) yield* this.#emitFloating(items, false, emit)
    }
    yield* this.#emitFloating(items, true, emit)
  }

  *#emitFloating(items: OrderedItems, any: boolean, emit: Emit): Steps<void> {
    for (let item = items.takeFloating(any); item !== undefined; item = items.takeFloating(any))
      yield* this.#leave(item, emit)
  }

  *#leave(item: Item, emit: Emit): Steps<void> {
    if (isReady(item) && this.#held.isNext(item)) return yield* this.#send(item, emit)
    if (this.#stream.unitsOf(item) > 1) for (const part of this.#stream.divide(item)) yield* this.#leave(part, emit)
    else if (this.#held.isFragment(item)) this.#held.addFragment(item.choices[0] as number, item)
    else this.#held.add(yield* this.#withoutSafeFront(item, emit))
  }

  *#withoutSafeFront(item: Item, emit: Emit): Steps<Item> {
    const [segment] = item.segments
    if (segment === undefined || item.segments.length > 1 || !this.#stream.canMove(item, segment)) return item
    const safe = segment.view.released - segment.start
    const rewritten = safe > 0 && segment.view.touches(segment.start, segment.view.released)
    if (safe < SPLIT_AT && !rewritten) return item
    const { front, rest } = this.#stream.cutFront(item, safe)
    yield* this.#send(front, emit)
    return rest
  }

  *#send(item: Item, emit: Emit): Steps<void> {
    let { payload } = item
    let cost = payload.length + PER_EVENT
    if (!isUntouched(item)) {
      const edits = this.#stream.edits(item, this.#rewritten.all)
      if (edits === undefined) return
      const isPart = item.extent !== 'event'
      payload =
        edits.length > MANY_EDITS ? yield* spliceInSteps(payload, edits, isPart) : splice(payload, edits, isPart)
      cost += edits.length * PER_EDIT
    }
    const { event, segments, tools } = item
    const speaks =
      tools.length > 0 || segments.some(({ still }) => !still) || (segments.length > 0 && event.speaking.length > 0)
    emit(payload, event, item.finishes, speaks ? item.choices : NONE)
    if (this.#pace.spent(cost)) yield
  }
}
