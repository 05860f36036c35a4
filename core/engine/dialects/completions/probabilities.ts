/** Token probabilities of completions. They repeat the text of their choice. */
import type { Json } from '../../contract/plugin.ts'
import { isObject } from '../../json/fields.ts'
import type { Edit } from '../../json/splice.ts'
import type { JsonObject } from '../../json/strict.ts'
import { tokenIdEdits } from '../chat-completions/derived.ts'
import { isCount, isLogprob } from '../shapes.ts'
import type { Spelled } from '../token-runs.ts'
import { stretchOf, trimEdits } from '../token-stretch.ts'
import { shaped } from '../walk.ts'

/** Adds no field: `probabilitiesEdits` removes all probabilities that do not match the inspected text. */
export const derived = shaped(() => true)

/** Edits that leave the tokens that spell the text of a choice. Other tokens are text that was not inspected. Undefined if none spell it. */
export function otherTokenEdits(choice: JsonObject, position: number): Edit[] | undefined {
  const { text, logprobs = null } = choice
  if (logprobs === null) return []
  const bytes = bytesIn(choice)
  const stretch = bytes && stretchOf(bytes, typeof text === 'string' ? text : '')
  if (stretch === undefined) return undefined
  return Object.entries(logprobs).flatMap(([name, list]) =>
    // Alternatives are removed as a whole.
    Array.isArray(list) && name !== 'top_logprobs'
      ? trimEdits(list, ['choices', position, 'logprobs', name], stretch)
      : [],
  )
}

/** The text of a choice in a stream, and what its tokens spell. */
export const spelledIn = (choice: JsonObject): Spelled[] => {
  const { text = null, logprobs = null } = choice
  const said = text === null ? '' : typeof text === 'string' ? text : undefined
  const bytes = logprobs === null ? [] : bytesIn(choice)
  return [{ text: said, bytes: bytes && Buffer.concat(bytes) }]
}

/** The bytes of each token; undefined if the probabilities do not have the form of the API. */
function bytesIn({ logprobs }: JsonObject): Buffer[] | undefined {
  if (!isObject(logprobs)) return undefined
  for (const name in logprobs) if (!hasForm(name, logprobs[name] as Json)) return undefined
  const { tokens } = logprobs
  return Array.isArray(tokens) ? (tokens as string[]).map(bytesOf) : []
}

function hasForm(name: string, value: Json): boolean {
  const isElement = ELEMENTS.get(name)
  return isElement !== undefined && (value === null || (Array.isArray(value) && value.every(isElement)))
}

const ELEMENTS: ReadonlyMap<string, (one: Json) => boolean> = new Map([
  ['tokens', (one: Json) => typeof one === 'string'],
  ['token_logprobs', isLogprob],
  ['text_offset', (one: Json) => typeof one === 'number' && isCount(one)],
  // `probabilitiesEdits` always removes the alternatives.
  ['top_logprobs', () => true],
])

/** The API spells part of a character as its bytes. */
const bytesOf = (token: string): Buffer =>
  BYTES.test(token) ? Buffer.from(token.replace(/bytes:|\\x/g, ''), 'hex') : Buffer.from(token)
const BYTES = /^bytes:(?:\\x[0-9a-f]{2})+$/

/**
 * Removes probabilities and ids of the tokens of rewritten texts, and all alternatives, which plugins do not inspect.
 *
 * @param isStale whether the probabilities of the choice at a position must be removed
 */
export function probabilitiesEdits(choices: readonly Json[], isStale: (position: number) => boolean): Edit[] {
  const edits: Edit[] = []
  choices.forEach((choice, position) => {
    if (!isObject(choice)) return
    const stale = isStale(position)
    if (stale) edits.push(...tokenIdEdits(choice, position))
    if ((choice.logprobs ?? null) === null) return
    const path = ['choices', position, 'logprobs']
    const { logprobs } = choice
    if (!isObject(logprobs) || stale) edits.push({ kind: 'replace', path, json: 'null' })
    else if ((logprobs.top_logprobs ?? null) !== null)
      edits.push({ kind: 'replace', path: [...path, 'top_logprobs'], json: 'null' })
  })
  return edits
}
