import { chatCompletions } from './chat-completions/dialect.ts'
import type { Dialect } from './dialect.ts'
import { embeddings } from './embeddings/dialect.ts'

/** Every API shape that the gateway serves. */
export const DIALECTS: readonly Dialect[] = [chatCompletions, embeddings]
