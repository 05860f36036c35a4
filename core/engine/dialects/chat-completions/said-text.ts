import type { Channel } from '../../contract/plugin.ts'
import type { SaidPart } from '../said-turns.ts'

/** The fields of an event that some clients show as one text, one behind the other; `text` is its name. */
export const SAID: ReadonlyMap<string, { readonly part: SaidPart; readonly text: string; readonly refusal: string }> =
  new Map(
    ['', 'message.'].flatMap((scope) =>
      (['content', 'refusal'] as const).map((part) => [
        scope + part,
        { part, text: `${scope}content`, refusal: `${scope}refusal` },
      ]),
    ),
  )

/** The field of a member below `field`. Text and refusal of a part are the text of its list. */
export function memberOf(field: string, member: string, channel: Channel): string {
  if (member === 'text' && channel !== 'other' && channel !== 'annotation') return field
  const refusal = member === 'refusal' ? SAID.get(field)?.refusal : undefined
  return refusal ?? `${field}.${member}`
}
