import type { Json } from '../contract/plugin.ts'
import type { Edit } from '../json/splice.ts'
import type { Path } from '../json/strict.ts'
import { endOfSpelling, spells } from './token-runs.ts'

/** The tokens of a list that spell a text: from the first, to behind the last. */
export interface Stretch {
  readonly from: number
  readonly to: number
}

/** Tokens behind a text of a reply that also has tokens before it. More would cost a comparison each. */
const MOST_BEHIND = 8

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
  return atStart(tokens, bytes, text) ?? nearEnd(tokens, bytes, Buffer.from(text))
}

function atStart(tokens: readonly Buffer[], bytes: Buffer, text: string): Stretch | undefined {
  const spelled = bytes.toString('utf8')
  const end = endOfSpelling(spelled, text, 0)
  const to = end < 0 ? undefined : tokensIn(tokens, Buffer.byteLength(spelled.slice(0, end)))
  // Bytes of no character count differently in a string.
  return to !== undefined && spells(Buffer.concat(tokens.slice(0, to)), text) ? { from: 0, to } : undefined
}

function nearEnd(tokens: readonly Buffer[], bytes: Buffer, text: Buffer): Stretch | undefined {
  let end = bytes.length
  for (let to = tokens.length; to > 0 && to >= tokens.length - MOST_BEHIND; to--) {
    const start = end - text.length
    const from = start < 0 || !bytes.subarray(start, end).equals(text) ? undefined : tokensIn(tokens, start)
    if (from !== undefined) return { from, to }
    end -= (tokens[to - 1] as Buffer).length
  }
  return undefined
}

/** The number of tokens with exactly that many bytes. */
function tokensIn(tokens: readonly Buffer[], bytes: number): number | undefined {
  let count = 0
  let left = bytes
  while (left > 0 && count < tokens.length) left -= (tokens[count++] as Buffer).length
  return left === 0 ? count : undefined
}

/** Edits that remove the other tokens of a list, or what stands beside them in another list. */
export function trimEdits(list: readonly Json[], path: Path, { from, to }: Stretch): Edit[] {
  if (from === to) return list.length === 0 ? [] : [{ kind: 'replace', path, json: '[]' }]
  const edits: Edit[] = []
  for (let i = 0; i < list.length; i++) if (i < from || i >= to) edits.push({ kind: 'remove', path: [...path, i] })
  return edits
}
