/** Token probabilities of completions: they spell the text of their choice once more. */
import type { Json } from '../../contract/plugin.ts'
import { isObject } from '../../json/fields.ts'
import type { Edit } from '../../json/splice.ts'
import type { JsonObject } from '../../json/strict.ts'
import { isCount } from '../shapes.ts'
import { shaped } from '../walk.ts'

/** Never a text of its own in a list of texts: what does not spell the text of its choice leaves by `probabilitiesEdits`. */
export const derived = shaped(() => true)

/** The token probabilities of a choice spell its very text. Any others would be words that nobody inspected. */
export function probabilitiesFit(choice: Json | undefined): boolean {
  if (!isObject(choice) || (choice.logprobs ?? null) === null) return true
  return spelledBy(choice) === (typeof choice.text === 'string' ? choice.text : '')
}

/** All that the token probabilities of a choice spell; undefined where they have another form, and may say anything. */
export function spelledBy({ logprobs }: JsonObject): string | undefined {
  if (!isObject(logprobs)) return undefined
  for (const name in logprobs) if (!hasForm(name, logprobs[name] as Json)) return undefined
  const { tokens } = logprobs
  return Array.isArray(tokens) ? Buffer.concat((tokens as string[]).map(bytesOf)).toString('utf8') : ''
}

function hasForm(name: string, value: Json): boolean {
  if (value === null) return true
  if (!Array.isArray(value)) return false
  if (name === 'tokens') return value.every((token) => typeof token === 'string')
  if (name === 'token_logprobs') return value.every((one) => one === null || typeof one === 'number')
  if (name === 'text_offset') return value.every((one) => typeof one === 'number' && isCount(one))
  // Always left out: what else a model might have said.
  return name === 'top_logprobs'
}

/** A part of a character is told by its bytes. */
const bytesOf = (token: string): Buffer =>
  BYTES.test(token) ? Buffer.from(token.replace(/bytes:|\\x/g, ''), 'hex') : Buffer.from(token)
const BYTES = /^bytes:(?:\\x[0-9a-f]{2})+$/

/**
 * Leaves out the probabilities of texts that were rewritten, and alternatives that nobody inspected.
 *
 * @param isStale tells so by the position of a choice
 */
export function probabilitiesEdits(choices: readonly Json[], isStale: (position: number) => boolean): Edit[] {
  const edits: Edit[] = []
  choices.forEach((choice, position) => {
    if (!isObject(choice) || (choice.logprobs ?? null) === null) return
    const path = ['choices', position, 'logprobs']
    const { logprobs } = choice
    if (!isObject(logprobs) || isStale(position)) edits.push({ kind: 'replace', path, json: 'null' })
    else if ((logprobs.top_logprobs ?? null) !== null)
      edits.push({ kind: 'replace', path: [...path, 'top_logprobs'], json: 'null' })
  })
  return edits
}
