import type { StreamEvent } from '../../dialects/chat-completions/event.ts'
import type { Change } from '../../json/fields.ts'
import type { Path } from '../../json/strict.ts'
import type { StreamView } from '../../text/stream-view.ts'

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
  /** Indexes of the choices it speaks of. */
  readonly choices: readonly number[]
  readonly finishes: boolean
  /** It has members that may have to go with a text. */
  readonly derived: boolean
  /** `event` as it came; `rest` of it, when some of its text has left; `part` of it, with one text and nothing else. */
  readonly extent: 'event' | 'rest' | 'part'
}
