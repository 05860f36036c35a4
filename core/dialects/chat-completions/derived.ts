import { isObject } from '../../json/fields.ts'
import type { Edit } from '../../json/splice.ts'
import type { Json } from '../../plugin.ts'
import { indexOf } from './event.ts'

/** What no longer fits the text of a choice. */
export interface Stale {
  readonly probabilities: boolean
  readonly citations: boolean
}

/**
 * Members that repeat or point into the text of a choice. Token probabilities spell the text once more, so they leave
 * with a rewritten text, and alternatives that nobody inspected always leave; citations count its characters.
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
    if (!isObject(choice)) continue
    const stale = staleOf(i, indexOf(choice, i))
    const { logprobs } = choice
    if (logprobs !== undefined && logprobs !== null) {
      if (stale.probabilities) edits.push({ kind: 'replace', path: ['choices', i, 'logprobs'], json: 'null' })
      else if (isObject(logprobs)) alternatives(logprobs, ['choices', i, 'logprobs'], edits)
    }
    const inner = choice[body]
    if (stale.citations && isObject(inner) && Array.isArray(inner.annotations) && inner.annotations.length > 0) {
      edits.push({ kind: 'replace', path: ['choices', i, body, 'annotations'], json: '[]' })
    }
  }
  return edits
}

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
