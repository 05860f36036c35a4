import type { Json } from '../../contract/plugin.ts'
import { isObject } from '../../json/fields.ts'
import type { Edit } from '../../json/splice.ts'
import type { Path } from '../../json/strict.ts'
import { isLogprob } from '../shapes.ts'
import { spellingOf } from '../token-spelling.ts'

/**
 * Edits of token probabilities. They repeat the text: a rewrite removes them, and so do tokens that spell something else.
 * Alternative tokens were not inspected, so they are always removed. The list itself stays, because clients expect it.
 */
export function probabilityEdits(value: Json | undefined, path: Path, text: string, isRewritten: boolean): Edit[] {
  if (value === undefined || value === null || (Array.isArray(value) && value.length === 0)) return []
  if (isRewritten || !Array.isArray(value) || spellingOf(value) !== text || !value.every(isToken)) {
    return [{ kind: 'replace', path, json: '[]' }]
  }
  return value.flatMap((token, i): Edit[] => {
    const { top_logprobs: top } = token as { top_logprobs?: Json }
    if (top === undefined || (Array.isArray(top) && top.length === 0)) return []
    return [{ kind: 'replace', path: [...path, i, 'top_logprobs'], json: '[]' }]
  })
}

const MEMBERS = new Set(['token', 'logprob', 'bytes', 'top_logprobs'])

const isToken = (token: Json): boolean =>
  isObject(token) &&
  Object.keys(token).every((name) => MEMBERS.has(name)) &&
  (token.logprob === undefined || isLogprob(token.logprob))

/** Whether a member tells nothing. */
export const isEmpty = (value: Json | undefined): boolean =>
  value === undefined || value === null || (Array.isArray(value) && value.length === 0)
