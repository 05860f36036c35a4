import { derivedEdits, probabilitiesFit } from '../dialects/chat-completions/derived.ts'
import type { StreamEvent } from '../dialects/chat-completions/event.ts'
import { type Change, toEdits } from '../json/fields.ts'
import { type Edit, splice } from '../json/splice.ts'
import type { Path } from '../json/strict.ts'
import type { StreamView } from '../text/window.ts'
import { saysMore } from './stream-parts.ts'

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

export const endOf = (segment: Segment): number => segment.start + segment.text.length

/** True when the event may leave as it came. */
export function isUntouched(item: Item): boolean {
  if (item.extent !== 'event' || item.changes !== undefined || item.derived) return false
  for (const { changed } of item.tools) if (changed) return false
  for (const segment of item.segments) if (segment.view.touches(segment.start, endOf(segment))) return false
  return true
}

/** The event as it may leave; the very payload that came unless something in it changed. */
export function render(item: Item, rewritten: ReadonlySet<number>): string | undefined {
  const edits: Edit[] = item.changes === undefined ? [] : toEdits(item.changes)
  const touchedAt = new Set<number>()
  let gone = item.segments.length > 0 && item.tools.length === 0 && !item.finishes
  for (const segment of item.segments) {
    const touched = segment.view.touches(segment.start, endOf(segment))
    const text = touched ? segment.view.output(segment.start, segment.text) : segment.text
    if (text !== '') gone = false
    if (!touched && (item.extent === 'event' || segment.still)) continue
    // A citation that is rewritten itself points where it did.
    if (segment.path[0] === 'choices' && segment.view.channel !== 'annotation') touchedAt.add(segment.path[1] as number)
    edits.push({ kind: 'replace', path: segment.path, json: JSON.stringify(text) })
  }
  for (const tool of item.tools) {
    if (!tool.changed) continue
    touchedAt.add(tool.path[1] as number)
    edits.push({ kind: 'replace', path: tool.path, json: JSON.stringify(tool.text) })
  }
  if (gone && touchedAt.size > 0 && (item.extent === 'part' || !saysMore(item, false))) return undefined
  if (item.extent !== 'part') edits.push(...derivedOf(item, touchedAt, rewritten))
  return splice(item.payload, edits)
}

const derivedOf = (item: Item, touchedAt: ReadonlySet<number>, rewritten: ReadonlySet<number>): Edit[] =>
  derivedEdits(item.event.choices, 'delta', (position, choice) => ({
    probabilities: touchedAt.has(position) || !probabilitiesFit(item.event.choices[position], 'delta'),
    citations: touchedAt.has(position) || rewritten.has(choice),
  }))
