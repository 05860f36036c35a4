import type { Adapter } from './adapter.ts'
import { countTokens, messages } from './messages-adapters.ts'
import { chatCompletions, completions, embeddings, moderations } from './openai-adapters.ts'
import { compact, inputTokens, responses } from './responses-adapter.ts'

/** One for each API shape. A rule test compares their paths with those that the gateway serves. */
export const ADAPTERS: readonly Adapter[] = [
  chatCompletions,
  completions,
  embeddings,
  moderations,
  messages,
  countTokens,
  responses,
  inputTokens,
  compact,
]
