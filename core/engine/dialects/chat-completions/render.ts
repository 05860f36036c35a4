import { toEdits } from '../../json/edits.ts'
import type { Edit } from '../../json/splice.ts'
import { endOf } from '../items.ts'
import type { Item } from '../stream.ts'
import { type TokenRuns, UNFIT } from '../token-runs.ts'
import type { ChoiceForm } from './choice-form.ts'
import type { ChatEvent } from './event.ts'
import { saysMore } from './parts.ts'

/** What changes in the event to send; undefined if nothing is left of it. */
export function editsOf(
  item: Item,
  rewritten: ReadonlySet<number>,
  form: ChoiceForm,
  tokens: TokenRuns,
): Edit[] | undefined {
  const edits: Edit[] = item.changes === undefined ? [] : toEdits(item.changes)
  const touchedAt = new Set<number>()
  let gone = item.segments.length > 0 && item.tools.length === 0 && !item.finishes
  for (const { field } of item.changes ?? []) {
    const isSaid = field.channel === 'content' || field.channel === 'refusal'
    if (isSaid && field.path[0] === 'choices') touchedAt.add(field.path[1] as number)
  }
  for (const segment of item.segments) {
    const touched = segment.view.touches(segment.start, endOf(segment))
    const text = touched ? segment.view.output(segment.start, segment.text) : segment.text
    if (text !== '') gone = false
    if (!touched && (item.extent === 'event' || segment.still)) continue
    // Rewriting a citation does not move its position.
    if (segment.path[0] === 'choices' && segment.view.channel !== 'annotation') touchedAt.add(segment.path[1] as number)
    edits.push({ kind: 'replace', path: segment.path, json: JSON.stringify(text) })
  }
  for (const tool of item.tools) {
    if (!tool.changed) continue
    touchedAt.add(tool.path[1] as number)
    edits.push({ kind: 'replace', path: tool.path, json: JSON.stringify(tool.text) })
  }
  if (item.extent !== 'event' || gone) for (const choice of item.choices) tokens.miss(choice)
  if (gone && touchedAt.size > 0 && (item.extent === 'part' || !saysMore(item, false))) return undefined
  if (item.extent !== 'part') edits.push(...derivedOf(item, touchedAt, rewritten, form, tokens))
  return edits
}

function derivedOf(
  { event, extent }: Item,
  touchedAt: ReadonlySet<number>,
  rewritten: ReadonlySet<number>,
  form: ChoiceForm,
  tokens: TokenRuns,
): Edit[] {
  const { choices, tokenRuns } = event as ChatEvent
  return form.derivedEdits(choices, (position, choice) => {
    const run = extent === 'event' ? tokenRuns?.get(position) : UNFIT
    const isTouched = touchedAt.has(position)
    if (isTouched) tokens.miss(choice)
    return {
      probabilities: isTouched || (run !== undefined && !tokens.leaves(choice, run)),
      citations: isTouched || rewritten.has(choice),
    }
  })
}
