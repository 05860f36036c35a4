import type { GatewayError } from '../../contract/errors.ts'
import type { Json, Outcome, TextView, Verdict } from '../../contract/plugin.ts'
import type { StreamDialect, StreamEvent } from '../../dialects/stream.ts'
import { FieldView } from '../../text/field-view.ts'
import { disconnected, invalid, isInvalid } from '../../upstreams/provider-error.ts'
import type { Source } from '../../upstreams/source.ts'
import type { Steps } from '../../util/steps.ts'
import type { ReplyContext } from '../context.ts'
import { asGatewayError } from '../endings.ts'
import { completeStream, failStream, relayFailure, type StreamTail, stopStream, truncateStream } from './close.ts'
import { StreamInspector } from './inspector.ts'
import { LARGE, largeTree, type UnreadEvent } from './large-event.ts'
import { StreamNotes } from './notes.ts'
import { endsEvent, SseReader } from './sse.ts'
import { UNREDACTABLE } from './tool-calls.ts'
import { StreamWriter } from './writer.ts'

/** Relays one event stream: sends each event unchanged as soon as its text is safe. */
export class StreamReply {
  readonly #context: ReplyContext
  readonly #source: Source
  readonly #headers: Readonly<Record<string, string>>
  readonly #outcome: Outcome
  readonly #reader: SseReader
  readonly #inspector: StreamInspector | undefined
  readonly #stream: StreamDialect
  readonly #writer: StreamWriter
  readonly #notes: StreamNotes
  #sawDone = false
  #sourceEnded = false
  #endRead = false
  #failed: GatewayError | undefined = undefined
  /** Text, a tool call or a finish may leave. Until then the status stays open. */
  #sawText = false
  /** Plugins are processing the last read; further reads queue up. */
  #asking = false
  #completing = false
  /** An external verdict settled while a read was processed. */
  #isLate = false
  #paused = false
  readonly #queue: Buffer[] = []
  /** A large event of the current read, and those after it. */
  #unread: UnreadEvent[] = []
  /** The last read ended with a whole event. */
  #atBorder = true

  constructor(
    context: ReplyContext,
    source: Source,
    headers: Readonly<Record<string, string>>,
    maxEvent: number,
    outcome: Outcome,
  ) {
    this.#context = context
    this.#source = source
    this.#headers = headers
    this.#outcome = outcome
    const onComment = context.governs ? undefined : (text: string) => this.#passComment(text)
    this.#reader = new SseReader(maxEvent, (data, isError) => this.#onPayload(data, isError), onComment)
    const { request } = context.x
    const { choices, wantsUsage, includeUsage } = request
    const stripsUsage = wantsUsage && !includeUsage
    const wants = { choices, includeUsage, stripsUsage, governs: context.governs }
    this.#stream = context.x.dialect.openStream({ ...wants, asked: request })
    this.#writer = new StreamWriter(context, this.#stream, headers, () => this.#steer())
    this.#inspector = context.inspects
      ? new StreamInspector(context, this.#stream, (inspector) => this.#safely(() => this.#onVerdict(inspector)))
      : undefined
    context.x.reply.held = this.#inspector
    this.#notes = new StreamNotes(context)
    context.interrupt = { interrupt: (error) => failStream(this.#tail, error) }
  }

  onData(chunk: Buffer): void {
    if (this.#context.over || this.#sawDone) return
    if (this.#asking) return void this.#queue.push(chunk)
    this.#context.x.reply.keep(chunk)
    this.#reader.feed(chunk)
    if (this.#reader.overflowed) this.#failed ??= invalid('sent an event, or comments, larger than max_response_bytes')
    const whole = this.#atBorder
    this.#atBorder = endsEvent(chunk)
    if (this.#unread.length > 0) return this.#readLater(false)
    this.#advance(this.#sawDone, whole && this.#atBorder ? chunk : undefined)
  }

  onEnd(): void {
    this.#sourceEnded = true
    if (!this.#context.over && !this.#asking) this.#readEnd()
  }

  /** The provider failed mid-answer: held text stays held, and the end never looks like success. */
  onError(error: GatewayError): void {
    if (this.#sawDone) return
    this.#failed ??= error
    if (!this.#context.over && !this.#asking) failStream(this.#tail, error)
  }

  #readEnd(): void {
    if (this.#endRead || this.#sawDone) return
    this.#endRead = true
    this.#reader.end()
    if (this.#unread.length > 0) this.#readLater(true)
    else this.#advance(true)
  }

  #onPayload(payload: string, isError: boolean): void {
    if (payload.length > LARGE || this.#unread.length > 0) this.#unread.push({ payload, isError })
    else this.#read(payload, isError)
  }

  #read(payload: string, isError: boolean): void {
    const data = this.#unknown(payload)
    const event = data === undefined ? undefined : this.#eventOf(data, isError)
    if (event === undefined || this.#inspector === undefined) return
    try {
      this.#inspector.push(event)
    } catch (cause) {
      this.#onOdd(cause)
    }
  }

  #readLater(end: boolean): void {
    this.#inTurns(this.#readInSteps(), () => {
      if (this.#inspector === undefined) this.#released(end || this.#sawDone)
      else this.#advance(end || this.#sawDone)
    })
  }

  *#readInSteps(): Steps<void> {
    for (const { payload, isError } of this.#unread) {
      if (payload.length <= LARGE || isError) this.#read(payload, isError)
      else yield* this.#readLarge(payload)
    }
    this.#unread = []
  }

  *#readLarge(payload: string): Steps<void> {
    const data = this.#unknown(payload)
    if (data === undefined) return
    try {
      const tree = yield* largeTree(data)
      const event = this.#eventOf(data, false, tree)
      if (event === undefined || this.#inspector === undefined) return
      if (tree === undefined) this.#inspector.push(event)
      else yield* this.#inspector.pushInSteps(event)
    } catch (cause) {
      this.#onOdd(cause)
    }
    yield
  }

  /** The data of an event to read; undefined at the end, or if it differs from an earlier event only in its text. */
  #unknown(payload: string): string | undefined {
    if (this.#sawDone || this.#failed !== undefined) return undefined
    this.#sawDone = this.#stream.isDone(payload)
    if (this.#sawDone) return undefined
    const data = this.#stream.own(payload)
    const text = this.#stream.match(data)
    if (text === undefined) return data
    this.#passText(data, text)
    return undefined
  }

  /** An event to inspect. Without plugins it leaves. */
  #eventOf(data: string, isError: boolean, tree?: Json): StreamEvent | undefined {
    const event = (this.#inspector ?? this.#stream).read(data, isError, tree)
    if (event === undefined) this.#onNoEvent(data)
    else this.#failed ??= this.#inspector?.refusal(event) ?? this.#notes.note(event)
    if (event === undefined || this.#failed !== undefined) return undefined
    if (this.#inspector !== undefined) return event
    this.#stream.learn(event)
    this.#pass(event.payload, event, event.finishes, event.speaking)
    return undefined
  }

  /** Not a JSON object. Some providers send events without data as keep-alives, which break clients. */
  #onNoEvent(data: string): void {
    if (data.trim() === '') return
    this.#failed ??= this.#endRead ? disconnected() : invalid('sent an event that is not a JSON object')
  }

  #onOdd(cause: unknown): void {
    this.#failed ??= isInvalid(cause) ? cause : invalid('sent an event that cannot be inspected', cause)
  }

  /** An event that differs from an earlier one only in its text. */
  #passText(data: string, text: string): void {
    const { known } = this.#stream
    const { speaking } = known
    this.#notes.noteText(speaking)
    if (this.#inspector === undefined) {
      this.#writer.frames.addPlain(this.#stream.before(speaking), data, known.frameLength)
    } else this.#inspector.pushText(this.#stream.eventOf(data), text, known)
  }

  #pass(payload: string, event: StreamEvent, finishes: boolean, speaking: readonly number[]): void {
    this.#writer.frames.add(this.#stream.before(speaking) + this.#stream.keep(payload, event, finishes))
  }

  /** Only without plugins, because comments are not inspected. */
  #passComment(text: string): void {
    if (!this.#sawDone && this.#failed === undefined) this.#writer.frames.add(`: ${text}\n\n`)
  }

  /** Shows new text to the plugins, then releases what is safe; nothing of a read with an invalid event. */
  #advance(end: boolean, read?: Buffer): void {
    const inspector = this.#inspector
    if (inspector === undefined) return this.#afterRead(end, read)
    if (this.#failed !== undefined && isInvalid(this.#failed)) return failStream(this.#tail, this.#failed)
    const { overflow } = inspector
    if (overflow !== undefined) return stopStream(this.#tail, { reason: overflow })
    // Only a whole answer is final; held text of a cut or failed stream is dropped.
    this.#ask(inspector, end, end && this.#failed === undefined && (this.#sawDone || this.#notes.choices.areWhole))
  }

  #ask(inspector: StreamInspector, end: boolean, final: boolean): void {
    const { heldGrew } = inspector
    this.#inTurns(inspector.offer(final), (views) => {
      if (views.length === 0 && !heldGrew) return this.#judged(inspector, end, final)
      this.#asking = true
      const { x } = this.#context
      const answered = (error: unknown) => this.#safely(() => this.#answered(inspector, views, error, end, final))
      x.chain.hooks.onChunk.callAsync(views, x, answered)
      if (this.#asking) this.#steer()
    })
  }

  /** Takes the first step at once and each other in a turn of its own; what the provider sends meanwhile waits. */
  #inTurns<T>(steps: Steps<T>, then: (made: T) => void): void {
    const { done, value } = steps.next()
    if (done === true) return then(value)
    this.#asking = true
    this.#steer()
    void this.#context.x.nextTurn().then(() => this.#safely(() => this.#inTurns(steps, then)))
  }

  /** Runs a callback of a promise or timer, where nothing else catches errors. */
  #safely(step: () => void): void {
    if (this.#context.over) return
    try {
      step()
    } catch (error) {
      failStream(this.#tail, asGatewayError(this.#context.x, error))
    }
  }

  #answered(
    inspector: StreamInspector,
    views: readonly TextView[],
    error: unknown,
    end: boolean,
    final: boolean,
  ): void {
    if (error !== undefined && error !== null) return failStream(this.#tail, asGatewayError(this.#context.x, error))
    const waits = views.flatMap((view) => (view instanceof FieldView ? (view.waits ?? []) : []))
    if (waits.length === 0) return this.#judged(inspector, end, final)
    void Promise.all(waits).then(() => this.#safely(() => this.#judged(inspector, end, final)))
  }

  #judged(inspector: StreamInspector, end: boolean, final: boolean): void {
    if (inspector.behind) return this.#askAgain(inspector, end, final)
    this.#release(inspector, final, end)
  }

  /** Processes the rest of much text in the next turn of the event loop; no event leaves before. */
  #askAgain(inspector: StreamInspector, end: boolean, final: boolean): void {
    const next = () => this.#safely(() => this.#ask(inspector, end, final))
    this.#asking = true
    this.#settle(inspector, false, () => void this.#context.x.nextTurn().then(next))
  }

  /** An external verdict settled between two reads, or while one is processed. */
  #onVerdict(inspector: StreamInspector): void {
    if (this.#asking) this.#isLate = true
    else this.#release(inspector, false, this.#completing)
  }

  /** Sends what is safe, and continues with what came meanwhile. */
  #release(inspector: StreamInspector, final: boolean, end: boolean): void {
    this.#isLate = false
    this.#settle(inspector, final, () => this.#inTurns(this.#emit(inspector), () => this.#released(end)))
  }

  #released(end: boolean): void {
    if (this.#isLate) return this.#release(this.#inspector as StreamInspector, false, end)
    this.#asking = false
    this.#afterRead(end)
    this.#catchUp()
  }

  /** Stops the exchange if plugins, or text that cannot be rewritten, require it. */
  #settle(inspector: StreamInspector, final: boolean, then: () => void): void {
    this.#safely(() => {
      const { stop } = this.#context
      if (stop !== undefined) return this.#stop(inspector, stop)
      this.#inTurns(inspector.settle(final), (fits) => {
        const { stop = fits ? undefined : UNREDACTABLE } = this.#context
        if (stop === undefined) then()
        else this.#stop(inspector, stop)
      })
    })
  }

  #stop(inspector: StreamInspector, stop: Verdict | GatewayError): void {
    inspector.tally()
    stopStream(this.#tail, stop)
  }

  *#emit(inspector: StreamInspector): Steps<void> {
    const steps = inspector.emit((payload, event, finishes, speaking) => {
      this.#sawText ||= finishes || speaking.length > 0
      this.#pass(payload, event, finishes, speaking)
    })
    while (steps.next().done !== true) {
      // Ids leave after their record.
      if (this.#notes.issuing === undefined) {
        if (this.#maySend) yield* this.#writer.flushLong()
        this.#write()
      }
      yield
    }
  }

  #afterRead(end: boolean, read?: Buffer): void {
    const recorded = this.#notes.issuing?.record()
    if (recorded !== undefined) return this.#recordFirst(recorded, end)
    if (this.#maySend && this.#writer.frames.isLong)
      return this.#inTurns(this.#writer.flushLong(), () => this.#released(end))
    this.#write(read)
    if (this.#failed !== undefined) return this.#relayFailure(this.#failed)
    if (this.#context.x.reply.truncated && !this.#notes.choices.areWhole)
      return truncateStream(this.#tail, this.#outcome)
    if (!end) return
    this.#completing = true
    if (this.#inspector?.waiting !== true) this.#complete()
  }

  /** Ids are recorded before they leave. */
  #recordFirst(recorded: Promise<unknown>, end: boolean): void {
    this.#asking = true
    this.#steer()
    recorded.then(
      () => this.#safely(() => this.#released(end)),
      (error) => this.#safely(() => failStream(this.#tail, error)),
    )
  }

  /** Continues with reads that queued up while plugins worked. */
  #catchUp(): void {
    while (!this.#asking && !this.#context.over && this.#queue.length > 0) this.onData(this.#queue.shift() as Buffer)
    if (this.#asking || this.#context.over) return
    if (this.#failed !== undefined) return this.#relayFailure(this.#failed)
    if (this.#sourceEnded) this.#readEnd()
    this.#steer()
  }

  /** Applies backpressure: a slow client pauses the provider instead of filling memory. */
  #steer(): void {
    if (this.#context.over) return
    const pause = this.#asking || this.#writer.isSlow || this.#inspector?.stalled === true
    if (pause === this.#paused) return
    this.#paused = pause
    if (pause) this.#source.pause()
    else this.#source.resume()
  }

  /** The status stays open until there is text. */
  get #maySend(): boolean {
    return this.#sawText || this.#inspector === undefined || this.#context.out.committed
  }

  /** @param read the bytes of the current read, sent unchanged if nothing in them changed */
  #write(read?: Buffer): void {
    if (!this.#maySend || !this.#writer.flush(read)) return
    this.#context.complete = !this.#context.governs && this.#notes.choices.areWhole
    if (this.#writer.isSlow) this.#steer()
  }

  #complete(): void {
    if (!this.#sawDone && !this.#notes.choices.areWhole) return failStream(this.#tail, disconnected())
    // Reads and drops anything after the end, so that the connection can be reused.
    if (this.#paused) this.#source.resume()
    completeStream(this.#tail, this.#outcome)
  }

  #relayFailure(error: GatewayError): void {
    const { reported } = this.#notes
    if (reported === undefined || this.#inspector === undefined) return failStream(this.#tail, error)
    this.#asking = true
    relayFailure(this.#tail, reported)
  }

  get #tail(): StreamTail {
    const [context, source, headers, stream] = [this.#context, this.#source, this.#headers, this.#stream]
    const { open, finished } = this.#notes.choices
    const unfinished = [...open, ...finished].filter((choice) => !stream.finishSent.has(choice))
    const takeReady = () => this.#writer.frames.takeText()
    return { context, source, headers, stream, unfinished, takeReady }
  }
}
