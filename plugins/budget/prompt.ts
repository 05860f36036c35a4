import type { Prompt, PromptMedia } from 'governed-gateway'
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

/** Estimates the tokens of a prompt, including everything that a model reads. */
export function promptTokens(
  { texts, messages, names, tools, media }: Prompt,
  count: Count,
  known?: KnownTexts,
): number | Promise<number> {
  let fixed = PER_REPLY + messages * PER_MESSAGE + names * PER_NAME + tools * PER_TOOL
  for (const one of media) fixed += mediaTokens(one)
  const tokens = countAll(count, texts, known && { known })
  return typeof tokens === 'number' ? tokens + fixed : tokens.then((counted) => counted + fixed)
}

function mediaTokens({ kind, data, format, detail }: PromptMedia): number {
  if (kind === 'image') return imageTokens(data, detail)
  return kind === 'audio' ? audioTokens(data, format) : fileTokens(data)
}
