import type { Json } from '../../contract/plugin.ts'
import { isObject } from '../../json/fields.ts'
import type { Edit } from '../../json/splice.ts'
import type { JsonObject, Path } from '../../json/strict.ts'
import { isLogprob } from '../shapes.ts'
import { type Spelled, type TokenRuns, UNFIT } from '../token-runs.ts'
import { bytesOfTokens, spellingOf } from '../token-spelling.ts'
import type { ResponsesEvent } from './event.ts'

/**
 * Edits of token probabilities. They repeat the text: a rewrite removes them, and so do tokens that spell something else.
 * Alternative tokens were not inspected, so they are always removed. The list itself stays, because clients expect it.
 */
export function probabilityEdits(value: Json | undefined, path: Path, text: string, isRewritten: boolean): Edit[] {
  if (value === undefined || value === null || (Array.isArray(value) && value.length === 0)) return []
  const fits = !isRewritten && Array.isArray(value) && spellingOf(value) === text && value.every(isToken)
  return fits ? alternativeEdits(value, path) : [noTokens(path)]
}

export const noTokens = (path: Path): Edit => ({ kind: 'replace', path, json: '[]' })

const alternativeEdits = (tokens: readonly Json[], path: Path): Edit[] =>
  tokens.flatMap((token, i): Edit[] => {
    const { top_logprobs: top } = token as { top_logprobs?: Json }
    if (top === undefined || (Array.isArray(top) && top.length === 0)) return []
    return [{ kind: 'replace', path: [...path, i, 'top_logprobs'], json: '[]' }]
  })

/** Notes the token probabilities of a delta. @param of its text */
export function noteTokens(event: ResponsesEvent, tokens: TokenRuns, of: string): void {
  const { tree } = event
  const { logprobs } = tree
  const run = tokens.note(of, !isEmpty(logprobs), tree, spelledIn)
  if (run === undefined) return
  event.tokens = { of, run }
  const path = ['logprobs']
  event.edits.push(...(run === UNFIT ? [noTokens(path)] : alternativeEdits(logprobs as readonly Json[], path)))
}

/** The text of a delta, and what its token probabilities spell. */
const spelledIn = ({ delta = null, logprobs = null }: JsonObject): Spelled[] => [
  {
    text: delta === null ? '' : typeof delta === 'string' ? delta : undefined,
    bytes:
      logprobs === null || (Array.isArray(logprobs) && logprobs.every(isToken)) ? bytesOfTokens(logprobs) : undefined,
  },
]

const MEMBERS = new Set(['token', 'logprob', 'bytes', 'top_logprobs'])

const isToken = (token: Json): boolean =>
  isObject(token) &&
  Object.keys(token).every((name) => MEMBERS.has(name)) &&
  (token.logprob === undefined || isLogprob(token.logprob))

/** Whether a member has no information. */
export const isEmpty = (value: Json | undefined): boolean =>
  value === undefined || value === null || (Array.isArray(value) && value.length === 0)
