import { toEdits } from '../../json/edits.ts'
import type { Edit } from '../../json/splice.ts'
import { endOf } from '../items.ts'
import type { Item, Segment } from '../stream.ts'
import { type TokenRuns, UNFIT } from '../token-runs.ts'
import type { Grown, ResponsesEvent } from './event.ts'
import { noTokens } from './probabilities.ts'

/** Remembers where an event's text begins in its view, before the text is cut. */
export function noteCut({ event, extent }: Item, segment: Segment): void {
  if (extent === 'event') (event as ResponsesEvent).viewStart = segment.start
}

/** What changes in the event to send, in every copy of a rewritten text; undefined if nothing is left of it. */
export function editsOf(item: Item, tokens: TokenRuns): Edit[] | undefined {
  const event = item.event as ResponsesEvent
  const { changes, segments, tools, extent } = item
  for (const { field, text } of changes ?? []) event.whole.get(field)?.replace(text, field.text.length)
  if (event.cites?.isRewritten === true) return undefined
  const edits: Edit[] = changes === undefined ? [...event.edits] : [...toEdits(changes), ...event.edits]
  let isTouched = extent !== 'event'
  let isEmpty = segments.length > 0
  segments.forEach((segment, i) => {
    const touched = segment.view.touches(segment.start, endOf(segment))
    const text = touched ? segment.view.output(segment.start, segment.text) : segment.text
    note(event, segments.length === 1 ? undefined : i, item, segment, touched ? text : undefined)
    if (text !== '' || segment.still) isEmpty = false
    if (touched) isTouched = true
    if (touched || extent !== 'event') edits.push({ kind: 'replace', path: segment.path, json: JSON.stringify(text) })
  })
  for (const tool of tools) {
    if (!tool.changed) continue
    const streamed = event.whole.get(tool.path)
    streamed?.replace(tool.text, streamed.raw.length)
    edits.push({ kind: 'replace', path: tool.path, json: JSON.stringify(tool.text) })
    isTouched = true
  }
  if (event.tokens !== undefined) {
    const { of, run } = event.tokens
    if (isTouched) tokens.miss(of)
    else if (run !== UNFIT && !tokens.leaves(of, run)) edits.push(noTokens(['logprobs']))
  }
  if (isTouched && isEmpty && tools.length === 0) return undefined
  for (const { path, place, streamed, length } of event.repeats) {
    if (!streamed.isRewritten) continue
    const text = streamed.textUpTo(length)
    edits.push(
      place === 'key' ? { kind: 'rename', path, name: text } : { kind: 'replace', path, json: JSON.stringify(text) },
    )
  }
  for (const { path, part, streamed } of event.parts) {
    if (streamed.isRewritten) edits.push(...emptied(part, path))
  }
  if (isTouched) edits.push(...cutEdits(event, extent))
  return edits
}

/** Token probabilities and citations that no longer fit their text. */
const emptied = (part: object, path: readonly (string | number)[]): Edit[] =>
  ['logprobs', 'annotations'].flatMap((name): Edit[] =>
    Object.hasOwn(part, name) ? [{ kind: 'replace', path: [...path, name], json: '[]' }] : [],
  )

/** Padding hides the length of the text as it was. The pieces of an event get the number of the one before. */
function cutEdits({ tree }: ResponsesEvent, extent: Item['extent']): Edit[] {
  const edits: Edit[] = []
  if (tree.obfuscation !== undefined) edits.push({ kind: 'remove', path: ['obfuscation'] })
  if (Array.isArray(tree.logprobs) && tree.logprobs.length > 0 && tree.delta !== undefined) {
    edits.push({ kind: 'replace', path: ['logprobs'], json: '[]' })
  }
  const number = tree.sequence_number
  if (extent === 'part' && typeof number === 'number' && number > 0) {
    edits.push({ kind: 'replace', path: ['sequence_number'], json: String(number - 1) })
  }
  return edits
}

/** Notes what leaves of a growing text. */
function note(
  event: ResponsesEvent,
  index: number | undefined,
  { extent }: Item,
  segment: Segment,
  text: string | undefined,
): void {
  const grown: Grown | undefined = event.grown[index ?? 0]
  if (grown === undefined) return
  const start = extent === 'event' ? segment.start : (event.viewStart ?? segment.start)
  const from = grown.at + segment.start - start
  const to = from + segment.text.length
  grown.streamed.sent = to
  if (text !== undefined) grown.streamed.rewrite(from, to, text)
}
