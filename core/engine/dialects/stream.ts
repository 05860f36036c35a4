/** The interface of an API shape to one streamed reply. */
import type { Channel, Json, Usage } from '../contract/plugin.ts'
import type { Change } from '../json/edits.ts'
import type { Field, FieldList } from '../json/fields.ts'
import type { Edit } from '../json/splice.ts'
import type { JsonObject, Path } from '../json/strict.ts'
import type { StreamView } from '../text/stream-view.ts'
import type { ViewOrigin } from '../text/views.ts'
import type { Steps } from '../util/steps.ts'

/** The request that a reply answers; parsed on first use. */
export interface Asked {
  /** As the client sent it. */
  readonly tree: Readonly<JsonObject>
  /** As the provider got it, except for its model and usage options. */
  readonly json: Readonly<JsonObject>
}

/** What the exchange requires of the stream. */
export interface StreamWants {
  /** Number of answers that the client requested. */
  readonly choices: number
  /** The client gets the usage. */
  readonly includeUsage: boolean
  /** Only the gateway requested usage: remove it from every event. */
  readonly stripsUsage: boolean
  /** Answers carry the member `service`. */
  readonly governs: boolean
  /** For shapes whose replies repeat the request. */
  readonly asked: Asked
}

/** The relay's view of one event. */
export interface StreamEvent {
  payload: string
  /** The provider reports its failure. */
  readonly failed: boolean
  readonly usage: Usage | undefined
  /** It finishes an answer. */
  readonly finishes: boolean
  /** Indexes of its answers, of those it finishes, and of those with more text. */
  readonly choiceIndexes: readonly number[]
  readonly finished: readonly number[]
  readonly speaking: readonly number[]
  /** In an ordered stream: it waits only for its own text, and other events do not wait for it. */
  readonly floats?: boolean
  /** Ids under which the provider keeps the reply and its parts. */
  readonly ids?: readonly string[] | undefined
  /** Texts in it that only the provider can open, and that clients send again. */
  readonly seals?: readonly string[] | undefined
  /** Drops the provider's `service`: that name is reserved for the gateway. */
  dropService(): void
}

/** Location of a growing text. */
export interface TextPlace {
  readonly channel: Channel
  readonly choice: number
  /** Name of the field within the answer; equal names extend the same text. */
  readonly field: string
  readonly path: Path
  /** Sent with the rest of its event, never in a part. */
  readonly still?: boolean
  /** Names the part of the text that it extends, in a text of several parts; undefined: the one before. */
  readonly part?: string | undefined
  /** Names parts one after the other that clients may also show as one text, without what is before and after them. */
  readonly run?: string | undefined
  /** What stood before it, and left: it seemed whole. */
  readonly behind?: string
  /** Names texts whose events leave in the order in which they came; undefined: this text alone. */
  readonly line?: string
}

/** A piece of text that extends a field of one answer. */
export interface TextPiece extends TextPlace {
  readonly text: string
}

/** The text's location in events that differ only in their text. */
export interface KnownPlace extends TextPlace {
  /** Its answer, as a list. */
  readonly speaking: readonly number[]
  /** What a frame of such an event adds to the length of its data. */
  readonly frameLength: number
}

/**
 * A fragment of a tool call, or of another text that only leaves as a whole. It is inspected when the call ends: with
 * the stream, or earlier if the shape says so.
 */
export interface ToolPiece {
  readonly choice: number
  /** `tool_calls.0`, `function_call` */
  readonly call: string
  /** `name`, `arguments`, `input`, or the path to another member. */
  readonly part: string
  readonly path: Path
  readonly text: string
  /** What stood before the first of them, and left. */
  readonly behind?: string
}

/** The content of one event: growing texts, tool fragments, and complete texts. */
export interface EventTexts {
  readonly pieces: readonly TextPiece[]
  readonly tools: readonly ToolPiece[]
  readonly fixed: FieldList | undefined
  /** Fields of `choice` that seemed to grow but only repeat: their text is complete. */
  readonly settled: readonly { readonly choice: number; readonly field: string }[]
  /** Names of calls that are complete; only in ordered streams. */
  readonly ended?: readonly string[]
  /** A member that was no text that grows says something else. */
  readonly begins?: boolean
}

/** A piece of an event's text, and its position in the field. */
export interface Segment {
  readonly view: StreamView
  readonly path: Path
  /** Sent with the rest of its event, never in a part. */
  readonly still: boolean
  /** See `TextPlace`. */
  readonly line?: string | undefined
  /** Raw position in the field. */
  start: number
  text: string
}

/** A fragment of a tool call; the call is inspected as a whole. */
export interface ToolSegment {
  readonly choice: number
  readonly call: string
  /** The call was inspected. */
  released: boolean
  readonly path: Path
  /** The fragment to send; the original unless the call was rewritten. */
  text: string
  changed: boolean
}

/** An event, or what remains of it, that waits until all its text is safe. */
export interface Item {
  readonly event: StreamEvent
  payload: string
  readonly segments: readonly Segment[]
  readonly tools: readonly ToolSegment[]
  /** Rewrites of the event's complete texts. */
  changes: Change[] | undefined
  /** Indexes of its answers. */
  readonly choices: readonly number[]
  readonly finishes: boolean
  /** It says something else in the place of a word or a text that was whole until now. */
  readonly begins?: boolean
  /** It has members that may have to be removed with a text. */
  readonly derived: boolean
  /** `event`: unchanged; `rest`: some of its text was sent; `part`: one text and nothing else. */
  readonly extent: 'event' | 'rest' | 'part'
}

/**
 * Form of one part of a tool call. `name`, `value`: each fragment may also be all of it. `sealed`: reasoning whose signature
 * covers its text, so that nothing is restored in it. `seal`: that signature, which is text unless all of it looks like one.
 */
export type ToolForm = 'name' | 'value' | 'json' | 'text' | 'sealed' | 'seal'

/** One streamed reply. Keeps the state that spans events; allocates nothing else per event. */
export interface StreamDialect {
  /**
   * Events leave strictly in the order in which they came, and each tool call once it ended. In other streams texts do
   * not wait for each other, and the calls of an answer end with the stream.
   */
  readonly isOrdered: boolean
  /** Shows clients that the stream is alive. */
  readonly keepAlive: string
  /** Whether the data ends the whole stream. */
  isDone(data: string): boolean
  /** Removes what only the gateway requested from the data, if that is cheap. */
  own(data: string): string
  /** The text of data that differs from an earlier event only in its text, without parsing; its location is `known`. */
  match(data: string): string | undefined
  readonly known: KnownPlace
  /** The event of such data. */
  eventOf(data: string): StreamEvent
  /**
   * Parses the data of one event; undefined if it is not an event.
   *
   * @param tree the data, if it is parsed
   */
  read(data: string, isError: boolean, tree?: Json): StreamEvent | undefined
  /**
   * The events to inspect and send in place of one with a text that clients read differently; undefined: the event
   * itself.
   */
  split?(event: StreamEvent): readonly StreamEvent[] | undefined
  /** Remembers the spelling of an event that needs no inspection. */
  learn(event: StreamEvent): void

  /** Whether the event has an answer that was not requested. */
  isForeign(event: StreamEvent): boolean
  /** Returns the texts of an event. */
  walk(event: StreamEvent): EventTexts
  /** Like `walk`, for a large event that repeats no member. */
  walkInSteps(event: StreamEvent): Steps<EventTexts>
  /** Kind and count of content that cannot be inspected. */
  readonly uninspected: ReadonlyMap<string, number>
  /** Marks a complete text as not rewritten; it need not be offered again. */
  markClean(field: Field): void
  /** Whether the event has members that depend on its text, such as token probabilities. */
  hasDerived(event: StreamEvent): boolean
  originOf(place: TextPlace): ViewOrigin
  /** The form of a part of a tool call, and its location. */
  formOf(part: string): ToolForm
  pathOf(choice: number, part: string): string

  /** The number of parts of an event that need not wait for each other; and those parts. */
  unitsOf(item: Item): number
  divide(item: Item): Item[]
  /** Whether a text may be sent in its own event. */
  canMove(item: Item, segment: Segment): boolean
  /** Takes the safe start of an item's only text; the item keeps the rest. */
  cutFront(item: Item, length: number): { front: Item; rest: Item }
  /** The edits of `payload` with which to send the event, in every copy of a text; undefined if nothing is left of it. */
  edits(item: Item, rewritten: ReadonlySet<number>): Edit[] | undefined

  /** The last frames of a stream that fails, or that a policy ends. Default: the error of the dialect. */
  errorFrames?(body: object, isBlock: boolean): string
  /** Frames one event for the stream. */
  frame(payload: string): string
  /**
   * Whether events of `known` places, whose frames have the length of these bytes, were framed like that. Only ASCII, so
   * that byte length equals text length.
   */
  isFramed(read: Buffer): boolean
  /** Keeps the last frames, which carry `service`, and returns the frames that may be sent now. */
  keep(payload: string, event: StreamEvent, finishes: boolean): string
  /** Kept frames, if one of these answers has more text after its finish. */
  before(speaking: readonly number[]): string
  /** Answers whose finish was sent. */
  readonly finishSent: ReadonlySet<number>
  /** The last frames of a complete stream. `service` is omitted if the gateway is transparent. */
  lastFrames(unfinished: readonly number[], service: object | undefined): string
  /** The last frames of a stream that the gateway ends like a model at its token limit. */
  cutFrames(unfinished: readonly number[], service: object | undefined, usage: Usage | undefined): string
  /** The last frames of a stream that a policy ends, signalled as a finish reason. */
  blockFrames(unfinished: readonly number[], service: object): string
}
