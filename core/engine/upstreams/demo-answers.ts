import { DIALECTS } from '../dialects/index.ts'
import type { JsonObject } from '../json/strict.ts'
import { demoReply, demoStream } from './demo.ts'
import { demoCompletion, demoCompletionStream } from './demo-completions.ts'

/** By the path below `base_url`. */
export const ANSWERS: Readonly<
  Record<string, { reply(body: JsonObject): JsonObject; stream(body: JsonObject): Iterable<string> } | undefined>
> = {
  '/chat/completions': { reply: demoReply, stream: demoStream },
  '/completions': { reply: demoCompletion, stream: demoCompletionStream },
}

/** The shapes that it answers. */
export const DEMO_SHAPES: readonly string[] = [
  ...new Set(DIALECTS.filter(({ upstreamPath }) => ANSWERS[upstreamPath] !== undefined).map(({ name }) => name)),
]
