/** Texts of a response that clients show as one: the first half in one item or part, the second in another. */
import type { JsonObject } from './places-in.ts'
import { ALL, type Growing, ITEM_ID, message, type Place, tell } from './places-out-responses.ts'
import { halves } from './places-out-shown.ts'

/** Two items, the first half of a text in one and the second in the other. */
const inTwo = (first: Growing, second: Growing): Place => ({
  events: (parts) => halves(parts).flatMap((some, at) => tell(at === 0 ? first : second, some, ALL, '', at)),
  output: (_text, parts) =>
    halves(parts).map((some, at) => ({
      id: `${ITEM_ID}${at}`,
      ...(at === 0 ? first : second).item(some.join('')),
      status: 'completed',
    })),
})
/** Likewise, two parts of one message. */
const inOne = (first: Growing, second: Growing): Place => {
  const partOf = ({ part }: Growing, text: string): JsonObject => part?.of(text) ?? {}
  const both = (a: string, b: string): JsonObject => message(partOf(first, a), partOf(second, b))
  return {
    events: (parts) => {
      const [a, b] = halves(parts)
      const item = (told: string) => (told === '' ? message() : message(partOf(first, told)))
      return [
        ...tell({ ...first, item }, a).slice(0, -1),
        ...tell({ ...second, at: { content_index: 1 }, item: (told) => both(a.join(''), told) }, b).slice(1),
      ]
    },
    output: (_text, parts) => {
      const [a, b] = halves(parts)
      return [{ id: `${ITEM_ID}0`, ...both(a.join(''), b.join('')), status: 'completed' }]
    },
  }
}

// biome-ignore format: a table reads best with one entry in a line.
export const inTwoParts = (TEXT: Growing, REFUSAL: Growing, SUMMARY: Growing, REASONING: Growing): Readonly<Record<string, Place>> => ({
  'refusal-behind-text': inOne(TEXT, REFUSAL),
  'refusal-before-text': inOne(REFUSAL, TEXT),
  'refusal-items-behind-text': inTwo(TEXT, REFUSAL),
  'refusal-items-before-text': inTwo(REFUSAL, TEXT),
  'text-two-items': inTwo(TEXT, TEXT),
  'text-two-parts': inOne(TEXT, TEXT),
  'text-two-items-only-last': { events: () => [], output: (text, parts) => inTwo(TEXT, TEXT).output?.(text, parts) ?? [], isStreamOnly: true },
  'summary-two-items': inTwo(SUMMARY, SUMMARY),
  'reasoning-two-items': inTwo(REASONING, REASONING),
  'text-bare-deltas': { events: (parts) => parts.map((delta) => ({ type: 'response.output_text.delta', item_id: `${ITEM_ID}0`, output_index: 0, content_index: 0, delta })), isStreamOnly: true },
  'text-items': { events: (parts) => parts.flatMap((piece, at) => tell(TEXT, [piece], ALL, '', at)), isStreamOnly: true },
  'text-items-beside': { events: (parts) => [['Then'], parts, ['then']].flatMap((one, at) => tell(TEXT, one, ALL, '', at)), isStreamOnly: true },
})
