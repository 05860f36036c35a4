import type { Prompt, PromptMedia, PromptPart, PromptSums } from 'governed-gateway'
import { audioTokens, fileTokens, imageTokens } from './media.ts'
import type { KnownTexts } from './token-memo.ts'
import { type Count, countAll } from './tokens.ts'

/**
 * Tokens besides the text: each message costs 3 and its role, a name 1, the start of the reply 3 (OpenAI's cookbook,
 * "How to count tokens with tiktoken"). A tool or call costs its JSON text, and 8 for what the provider adds.
 */
const PER_MESSAGE = 4
const PER_NAME = 1
const PER_REPLY = 3
const PER_TOOL = 8

/** What is remembered of parts that came before. */
const TOKENS = 'budget tokens'
const MOST = 'budget most tokens'

/** Estimates the tokens of a prompt, including everything that a model reads. */
export function promptTokens(prompt: Prompt, count: Count, known?: KnownTexts): number | Promise<number> {
  const { parts } = prompt
  if (parts !== undefined) return tokensOfParts(parts, count, known)
  const fixed = PER_REPLY + besidesTexts(prompt)
  const tokens = countAll(count, prompt.texts, known && { known })
  return typeof tokens === 'number' ? tokens + fixed : tokens.then((counted) => counted + fixed)
}

/** The most tokens that a prompt can have, without counting: each is at least one byte of a text. */
export function mostPromptTokens(prompt: Prompt): number {
  const { parts = [{ before: undefined, fresh: prompt, sums: undefined }] } = prompt
  let tokens = PER_REPLY
  for (const { before, fresh, sums } of parts) {
    const earlier = before === undefined ? 0 : (before.sums.get(MOST) ?? mostOf(before.prompt))
    const sum = earlier + mostOf(fresh)
    sums?.set(MOST, sum)
    tokens += sum
  }
  return tokens
}

function mostOf(prompt: Prompt): number {
  let tokens = besidesTexts(prompt)
  for (const text of prompt.texts) tokens += Buffer.byteLength(text)
  return tokens
}

/** Counts what is new, and remembers the sums of parts that were counted exactly. */
function tokensOfParts(parts: readonly PromptPart[], count: Count, known?: KnownTexts): number | Promise<number> {
  let fixed = PER_REPLY
  const texts: string[] = []
  const sums: PartSum[] = []
  for (const { before, fresh, sums: kept } of parts) {
    const knownSum = before?.sums.get(TOKENS)
    let sum = (knownSum ?? 0) + besidesTexts(fresh)
    if (before !== undefined && knownSum === undefined) {
      sum += besidesTexts(before.prompt)
      texts.push(...before.prompt.texts)
    }
    texts.push(...fresh.texts)
    fixed += sum
    sums.push({ kept, sum, end: texts.length })
  }
  const counts = new Map<number, number>()
  const tokens = countAll(count, texts, { ...(known && { known }), counted: (i, exact) => void counts.set(i, exact) })
  const total = (counted: number) => {
    keepSums(sums, counts)
    return counted + fixed
  }
  return typeof tokens === 'number' ? total(tokens) : tokens.then(total)
}

interface PartSum {
  readonly kept: PromptSums | undefined
  /** Besides the counted texts. */
  readonly sum: number
  /** Index after its last text. */
  readonly end: number
}

function keepSums(sums: readonly PartSum[], counts: ReadonlyMap<number, number>): void {
  let i = 0
  for (const { kept, sum, end } of sums) {
    let all = sum
    for (; i < end; i++) all += counts.get(i) ?? Number.NaN
    if (!Number.isNaN(all)) kept?.set(TOKENS, all)
  }
}

function besidesTexts({ messages, names, tools, media }: Prompt): number {
  let tokens = messages * PER_MESSAGE + names * PER_NAME + tools * PER_TOOL
  for (const one of media) tokens += mediaTokens(one)
  return tokens
}

function mediaTokens({ kind, data, format, detail }: PromptMedia): number {
  if (kind === 'image') return imageTokens(data, detail)
  return kind === 'audio' ? audioTokens(data, format) : fileTokens(data)
}
