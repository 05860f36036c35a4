import { DIALECTS } from '../dialects/index.ts'
import type { JsonObject } from '../json/strict.ts'
import { demoReply, demoStream } from './demo.ts'
import { demoCompletion, demoCompletionStream } from './demo-completions.ts'
import { demoMessage, demoMessageStream, demoMessageTokens } from './demo-messages.ts'
import { demoResponse, demoResponseStream, demoResponseTokens } from './demo-responses.ts'

interface DemoAnswers {
  reply(body: JsonObject): JsonObject
  /** The payload of each event. Missing for what has no stream. */
  stream?(body: JsonObject): Iterable<string>
  /** Events are named by their `type`. */
  readonly namesEvents?: boolean
}

/** By the path below `base_url`. */
export const ANSWERS: Readonly<Record<string, DemoAnswers | undefined>> = {
  '/chat/completions': { reply: demoReply, stream: demoStream },
  '/completions': { reply: demoCompletion, stream: demoCompletionStream },
  '/messages': { reply: demoMessage, stream: demoMessageStream, namesEvents: true },
  '/messages/count_tokens': { reply: demoMessageTokens },
  '/responses/input_tokens': { reply: demoResponseTokens },
  '/responses': { reply: demoResponse, stream: demoResponseStream, namesEvents: true },
}

/** The shapes that it answers. */
export const DEMO_SHAPES: readonly string[] = [
  ...new Set(DIALECTS.filter(({ upstreamPath }) => ANSWERS[upstreamPath] !== undefined).map(({ name }) => name)),
]
