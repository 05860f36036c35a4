/** What an API shape has to say of a streamed reply, event by event. */
import type { Channel, Usage } from '../contract/plugin.ts'
import type { Change, Field, FieldList } from '../json/fields.ts'
import type { Path } from '../json/strict.ts'
import type { StreamView } from '../text/stream-view.ts'
import type { ViewOrigin } from '../text/views.ts'

/** What the exchange asks of the stream. */
export interface StreamWants {
  /** Answers that the client asked for. */
  readonly choices: number
  /** The client gets the usage. */
  readonly includeUsage: boolean
  /** Only the gateway asked for usage: it is taken out of every event. */
  readonly stripsUsage: boolean
  /** Answers carry the member `service`. */
  readonly governs: boolean
}

/** One event of a stream, as far as the relay has to know it. */
export interface StreamEvent {
  payload: string
  /** The provider tells that it failed. */
  readonly failed: boolean
  readonly usage: Usage | undefined
  /** It ends an answer. */
  readonly finishes: boolean
  /** Indexes of the answers it speaks of, of those it ends, and of those whose text goes on in it. */
  readonly choiceIndexes: readonly number[]
  readonly finished: readonly number[]
  readonly speaking: readonly number[]
  /** Only the gateway speaks under the name `service`. */
  dropService(): void
}

/** Where a text grows. */
export interface TextPlace {
  readonly channel: Channel
  readonly choice: number
  /** Name of the field within the answer; equal names grow the same text. */
  readonly field: string
  readonly path: Path
  /** It leaves with the rest of its event, never in a part. */
  readonly still?: boolean
}

/** A piece of text that grows a field of one answer. */
export interface TextPiece extends TextPlace {
  readonly text: string
}

/** The place of the text of events that differ in their text alone. */
export interface KnownPlace extends TextPlace {
  /** Its answer, as a list. */
  readonly speaking: readonly number[]
}

/** A fragment of a tool call; the call is inspected as a whole when the stream ends. */
export interface ToolPiece {
  readonly choice: number
  /** `tool_calls.0`, `function_call` */
  readonly call: string
  /** `name`, `arguments`, `input`, or the way to another member. */
  readonly part: string
  readonly path: Path
  readonly text: string
}

/** What one event says: growing texts, tool fragments, and texts that are complete by themselves. */
export interface EventTexts {
  readonly pieces: readonly TextPiece[]
  readonly tools: readonly ToolPiece[]
  readonly fixed: FieldList | undefined
  /** Fields of `choice` that grew so far and turned out to repeat: what they have is all there is. */
  readonly settled: readonly { readonly choice: number; readonly field: string }[]
}

/** A piece of text of one event, and where it lies in its field. */
export interface Segment {
  readonly view: StreamView
  readonly path: Path
  /** It leaves with the rest of its event, never in a part. */
  readonly still: boolean
  /** Raw position in the field. */
  start: number
  text: string
}

/** A fragment of a tool call, whose call is inspected as a whole. */
export interface ToolSegment {
  readonly choice: number
  readonly path: Path
  /** What stands for the fragment; equals what came unless the call was rewritten. */
  text: string
  changed: boolean
}

/** One event that waits until all its text is safe, or what is left of it. */
export interface Item {
  readonly event: StreamEvent
  payload: string
  readonly segments: readonly Segment[]
  readonly tools: readonly ToolSegment[]
  /** Texts of the event that do not grow and that a plugin rewrote. */
  changes: Change[] | undefined
  /** Indexes of the answers it speaks of. */
  readonly choices: readonly number[]
  readonly finishes: boolean
  /** It has members that may have to go with a text. */
  readonly derived: boolean
  /** `event` as it came; `rest` of it, when some of its text has left; `part` of it, with one text and nothing else. */
  readonly extent: 'event' | 'rest' | 'part'
}

/** What a part of a tool call is made of. */
export type ToolForm = 'name' | 'json' | 'text'

/** One streamed reply. It keeps what spans events; nothing is made for each of them beyond what they hold. */
export interface StreamDialect {
  /** The data that ends the whole stream. */
  isDone(data: string): boolean
  /** The data without what only the gateway asked for, where that is cheap to see. */
  own(data: string): string
  /** The text of data that differs from an earlier event in its text alone; its place is `known`. Nothing is parsed. */
  match(data: string): string | undefined
  readonly known: KnownPlace
  /** The event of such data. */
  eventOf(data: string): StreamEvent
  /** Parses the data of one event; undefined when it is none. */
  read(data: string, isError: boolean): StreamEvent | undefined
  /** Remembers the spelling of an event that nobody inspects. */
  learn(event: StreamEvent): void

  /** True when the event speaks of an answer that was not asked for. */
  isForeign(event: StreamEvent): boolean
  /** Tells which texts grew. */
  walk(event: StreamEvent): EventTexts
  /** Kind of content that cannot be inspected, and how often. */
  readonly uninspected: ReadonlyMap<string, number>
  /** A complete text that no plugin rewrote; it need not be offered again. */
  markClean(field: Field): void
  /** The event has what may go with its text, such as token probabilities. */
  hasDerived(event: StreamEvent): boolean
  originOf(place: TextPlace): ViewOrigin
  /** The form of a part of a tool call, and where it stands. */
  formOf(part: string): ToolForm
  pathOf(choice: number, part: string): string

  /** Into how many parts, which need not wait for each other, an event may be cut; and those parts. */
  unitsOf(item: Item): number
  divide(item: Item): Item[]
  /** A text may leave in an event of its own. */
  canMove(item: Item, segment: Segment): boolean
  /** Takes the safe front of an item's only text; the item keeps the rest. */
  cutFront(item: Item, length: number): { front: Item; rest: Item }
  /** The event as it may leave, with every copy of a rewritten text; undefined when nothing is left of it. */
  render(item: Item, rewritten: ReadonlySet<number>): string | undefined

  /** One event as bytes of the stream. */
  frame(payload: string): string
  /** An event leaves: the frames that may go now. The last ones wait, since `service` rides on them. */
  keep(payload: string, event: StreamEvent, finishes: boolean): string
  /** Frames that waited, when one of these answers goes on behind its finish. */
  before(speaking: readonly number[]): string
  /** Answers whose finish has left. */
  readonly told: ReadonlySet<number>
  /** The last frames of a whole stream. `service` is left out where the gateway is transparent. */
  lastFrames(unfinished: readonly number[], service: object | undefined): string
  /** The last frames of a stream that the gateway ends as a model does that has used up its tokens. */
  cutFrames(unfinished: readonly number[], service: object | undefined, usage: Usage | undefined): string
  /** The last frames of a stream that a policy ends, told as a reason to finish. */
  blockFrames(unfinished: readonly number[], service: object): string
}
