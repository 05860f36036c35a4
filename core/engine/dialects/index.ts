import { chatCompletions } from './chat-completions/dialect.ts'
import { completions } from './completions/dialect.ts'
import type { Dialect } from './dialect.ts'
import { embeddings } from './embeddings/dialect.ts'
import { countTokens, messages } from './messages/dialect.ts'
import { moderations } from './moderations/dialect.ts'
import { responses } from './responses/dialect.ts'

/** Every API shape that the gateway serves. */
export const DIALECTS: readonly Dialect[] = [
  chatCompletions,
  completions,
  embeddings,
  moderations,
  messages,
  countTokens,
  responses,
]
