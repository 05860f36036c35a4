import type { Json } from '../contract/plugin.ts'
import type { Edit } from '../json/splice.ts'
import type { Path } from '../json/strict.ts'
import { endOfSpelling, spells } from './token-runs.ts'

/** The tokens of a list that spell a text: from the first, to behind the last. */
export interface Stretch {
  readonly from: number
  readonly to: number
}

/**
 * The tokens that spell a text. Before them may be tokens of reasoning, behind them an end token; neither was inspected.
 *
 * @param tokens the bytes of each
 * @returns undefined if no tokens spell it
 */
export function stretchOf(tokens: readonly Buffer[], text: string): Stretch | undefined {
  const bytes = Buffer.concat(tokens)
  if (spells(bytes, text)) return { from: 0, to: tokens.length }
  if (text === '') return { from: 0, to: 0 }
  const spelled = bytes.toString('utf8')
  for (const start of new Set([0, spelled.lastIndexOf(text)])) {
    const end = start < 0 ? -1 : endOfSpelling(spelled, text, start)
    if (end < 0) continue
    const from = tokensIn(tokens, Buffer.byteLength(spelled.slice(0, start)))
    const to = tokensIn(tokens, Buffer.byteLength(spelled.slice(0, end)))
    // Bytes of no character count differently in a string.
    if (from < to && spells(Buffer.concat(tokens.slice(from, to)), text)) return { from, to }
  }
  return undefined
}

/** The number of tokens with that many bytes, or the next smaller one. */
function tokensIn(tokens: readonly Buffer[], bytes: number): number {
  let count = 0
  for (let left = bytes; count < tokens.length; count++) {
    left -= (tokens[count] as Buffer).length
    if (left < 0) break
  }
  return count
}

/** Edits that remove the other tokens of a list, or what stands beside them in another list. */
export function trimEdits(list: readonly Json[], path: Path, { from, to }: Stretch): Edit[] {
  if (from === to) return list.length === 0 ? [] : [{ kind: 'replace', path, json: '[]' }]
  const edits: Edit[] = []
  for (let i = 0; i < list.length; i++) if (i < from || i >= to) edits.push({ kind: 'remove', path: [...path, i] })
  return edits
}
