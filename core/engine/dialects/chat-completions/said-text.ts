import type { Channel, Json } from '../../contract/plugin.ts'
import { isObject } from '../../json/fields.ts'
import type { JsonObject } from '../../json/strict.ts'
import type { SaidPart } from '../said-turns.ts'

/** The fields of an event that some clients show as one text, one after the other; `text` is its name. */
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

/** Whether content and refusal of one message take turns more than once, as clients show them. */
export function takesTurns({ content = null, refusal = null }: JsonObject): boolean {
  if (!Array.isArray(content) && !isObject(content)) return false
  const said = [...partsOf(content, 'content'), ...partsOf(refusal, 'refusal')]
  return said.filter((part, i) => i > 0 && part !== said[i - 1]).length > 1
}

function* partsOf(value: Json, part: SaidPart): Generator<SaidPart> {
  if (typeof value === 'number' || (typeof value === 'string' && value !== '')) yield part
  else if (Array.isArray(value)) for (const inner of value) yield* partsOf(inner, part)
  else if (isObject(value)) {
    for (const key in value)
      if (key === 'text' || key === 'refusal') yield* partsOf(value[key] as Json, key === 'text' ? part : key)
  }
}
