import { derivedEdits, probabilitiesFit } from '../../dialects/chat-completions/derived.ts'
import { toEdits } from '../../json/fields.ts'
import { type Edit, splice } from '../../json/splice.ts'
import type { Item, Segment } from './item.ts'
import { saysMore } from './parts.ts'

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
