import type { Item, Segment } from './stream.ts'

export const endOf = (segment: Segment): number => segment.start + segment.text.length

/** Whether the event may be sent unchanged. */
export function isUntouched(item: Item): boolean {
  if (item.extent !== 'event' || item.changes !== undefined || item.derived) return false
  for (const { changed } of item.tools) if (changed) return false
  for (const segment of item.segments) if (segment.view.touches(segment.start, endOf(segment))) return false
  return true
}

/** Whether all text of an event is safe. */
export function isReady({ segments, tools }: Item): boolean {
  for (const segment of segments) if (endOf(segment) > segment.view.released) return false
  for (const { released } of tools) if (!released) return false
  return true
}
