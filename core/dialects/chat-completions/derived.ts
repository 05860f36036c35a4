import { isObject } from '../../json/fields.ts'
import type { Edit } from '../../json/splice.ts'
import type { Json } from '../../plugin.ts'

/**
 * Members that repeat or point into the text of a choice. Token probabilities spell the text once more, so they leave
 * with a rewritten text, and alternatives that nobody inspected always leave; citations count its characters.
 *
 * @param choices the `choices` of a reply or event
 * @param rewritten indexes in `choices` (positions, not `index`) whose text changes
 */
export function derivedEdits(
  choices: readonly Json[],
  body: 'message' | 'delta',
  rewritten: (position: number) => boolean,
): Edit[] {
  const edits: Edit[] = []
  for (let i = 0; i < choices.length; i++) {
    const choice = choices[i]
    if (!isObject(choice)) continue
    if (rewritten(i)) {
      if (isObject(choice.logprobs)) edits.push({ kind: 'replace', path: ['choices', i, 'logprobs'], json: 'null' })
      const inner = choice[body]
      if (isObject(inner) && Array.isArray(inner.annotations) && inner.annotations.length > 0) {
        edits.push({ kind: 'replace', path: ['choices', i, body, 'annotations'], json: '[]' })
      }
    } else if (isObject(choice.logprobs)) alternatives(choice.logprobs, ['choices', i, 'logprobs'], edits)
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
