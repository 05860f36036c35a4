import type { IncomingMessage } from 'node:http'
import { chatCompletions } from './chat-completions/dialect.ts'
import { completions } from './completions/dialect.ts'
import type { Dialect } from './dialect.ts'
import { embeddings } from './embeddings/dialect.ts'
import { countTokens, messages } from './messages/dialect.ts'
import { moderations } from './moderations/dialect.ts'
import { compact, inputTokens, responses } from './responses/dialect.ts'
import { storedResponses } from './responses/stored-dialects.ts'

/** Every API shape that the gateway serves: requests with a prompt. */
export const DIALECTS: readonly Dialect[] = [
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

/** Requests for what providers keep, by its id; parts of the shapes above. */
export const STORED: readonly Dialect[] = storedResponses

/** The form of errors of paths that have no dialect: clients of Anthropic's API read only its own. */
export const dialectOf = ({ headers, url = '' }: IncomingMessage): Dialect | undefined =>
  headers['anthropic-version'] !== undefined && ANTHROPIC.test(url) ? messages : undefined
const ANTHROPIC = /^\/v1\/(?:messages|models)(?:[/?]|$)/
