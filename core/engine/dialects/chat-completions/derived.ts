import type { Json } from '../../contract/plugin.ts'
import { isObject } from '../../json/fields.ts'
import type { Edit } from '../../json/splice.ts'
import type { JsonObject } from '../../json/strict.ts'
import type { Spelled } from '../token-runs.ts'
import { bytesOfEach, bytesOfTokens } from '../token-spelling.ts'
import { stretchOf, trimEdits } from '../token-stretch.ts'
import { indexOf, isEmpty } from './event.ts'

/** Members that no longer fit a choice's text. */
export interface Stale {
  readonly probabilities: boolean
  readonly citations: boolean
}

/**
 * Edits of members that repeat or point into the text of a choice. Token probabilities and ids repeat the text, so a
 * rewrite removes them. Alternative tokens were not inspected, so they are always removed. Citations count the text's
 * characters.
 *
 * @param choices the `choices` of a reply or event
 */
export function derivedEdits(
  choices: readonly Json[],
  body: 'message' | 'delta',
  staleOf: (position: number, choice: number) => Stale,
): Edit[] {
  const edits: Edit[] = []
  for (let i = 0; i < choices.length; i++) {
    const choice = choices[i]
    if (isObject(choice)) addDerivedEdits(edits, choice, i, body, staleOf(i, indexOf(choice, i)))
  }
  return edits
}

/** Those of one choice, by its position in the list. */
export function addDerivedEdits(
  edits: Edit[],
  choice: JsonObject,
  position: number,
  body: 'message' | 'delta',
  stale: Stale,
): void {
  if (stale.probabilities) edits.push(...tokenIdEdits(choice, position))
  const { logprobs } = choice
  if (logprobs !== undefined && logprobs !== null) {
    const path = ['choices', position, 'logprobs']
    if (stale.probabilities) edits.push({ kind: 'replace', path, json: 'null' })
    else if (isObject(logprobs)) alternatives(logprobs, path, edits)
  }
  const inner = choice[body]
  if (stale.citations && isObject(inner) && Array.isArray(inner.annotations) && inner.annotations.length > 0)
    edits.push({ kind: 'replace', path: ['choices', position, body, 'annotations'], json: '[]' })
}

/** Removes the ids of the tokens of a choice, as vLLM lists them: anybody with the tokeniser reads the text from them. */
export function tokenIdEdits({ token_ids }: JsonObject, position: number): Edit[] {
  return (token_ids ?? null) === null
    ? []
    : [{ kind: 'replace', path: ['choices', position, 'token_ids'], json: 'null' }]
}

/** Whether a choice has members that depend on its text: token probabilities and ids, citations. */
export function hasDerived(choices: readonly Json[], body: 'message' | 'delta'): boolean {
  return choices.some((choice) => {
    if (!isObject(choice)) return false
    const inner = choice[body]
    if ((choice.logprobs ?? null) !== null || (choice.token_ids ?? null) !== null) return true
    return isObject(inner) && (inner.annotations ?? null) !== null
  })
}

/**
 * Edits that leave the token probabilities of a message that spell its texts: other tokens, and other lists of them, are text that was not
 * inspected.
 * Undefined if none spell them.
 */
export function otherTokenEdits({ message = null, logprobs = null }: JsonObject, position: number): Edit[] | undefined {
  if (!isObject(logprobs)) return []
  const edits: Edit[] = []
  for (const name in logprobs) {
    if (LISTS.some((list) => list === name) || logprobs[name] === null) continue
    edits.push({ kind: 'replace', path: ['choices', position, 'logprobs', name], json: 'null' })
  }
  for (const list of LISTS) {
    const said = isObject(message) ? message[list] : undefined
    const tokens = logprobs[list] ?? null
    const bytes = bytesOfEach(tokens)
    const stretch = bytes && stretchOf(bytes, typeof said === 'string' ? said : '')
    if (stretch === undefined) return undefined
    if (!Array.isArray(tokens)) continue
    for (const edit of trimEdits(tokens, ['choices', position, 'logprobs', list], stretch)) edits.push(edit)
  }
  return edits
}

/** The texts of a choice in a stream, and what its token probabilities spell of each. */
export function spelledIn({ delta = null, logprobs = null }: JsonObject): Spelled[] {
  return LISTS.map((list) => {
    const said = isObject(delta) ? (delta[list] ?? null) : delta
    const text = isEmpty(said) ? '' : typeof said === 'string' && isObject(delta) ? said : undefined
    return { text, bytes: isObject(logprobs) ? bytesOfTokens(logprobs[list]) : NO_BYTES }
  })
}

const NO_BYTES = Buffer.alloc(0)

const LISTS = ['content', 'refusal'] as const

function alternatives(logprobs: { [key: string]: Json }, path: (string | number)[], edits: Edit[]): void {
  for (const list of ['content', 'refusal']) {
    const tokens = logprobs[list]
    if (!Array.isArray(tokens)) continue
    for (let i = 0; i < tokens.length; i++) {
      const token = tokens[i]
      if (isObject(token) && Array.isArray(token.top_logprobs) && token.top_logprobs.length > 0) {
        edits.push({ kind: 'replace', path: [...path, list, i, 'top_logprobs'], json: '[]' })
      }
    }
  }
}
