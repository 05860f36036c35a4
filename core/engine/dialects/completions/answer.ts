import type { Answer } from '../../contract/plugin.ts'
import { DONE, frame } from '../chat-completions/wire.ts'
import type { OwnReply } from '../dialect.ts'

const USAGE = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 }

/** An answer of the gateway: the same text in every choice, buffered or streamed as requested, with no tokens used. */
export function completionAnswer({ id, model, choices, content, stream, includeUsage }: OwnReply): Answer {
  const head = { id: `cmpl-${id}`, object: 'text_completion', created: Math.floor(Date.now() / 1000), model }
  const all = (text: string, finish_reason: string | null) =>
    Array.from({ length: choices }, (_, index) => ({ index, text, logprobs: null, finish_reason }))
  if (!stream) {
    const body = Buffer.from(JSON.stringify({ ...head, choices: all(content, 'stop'), usage: USAGE }))
    return { answer: { contentType: 'application/json', body } }
  }
  const events: object[] = [
    { ...head, choices: all(content, null) },
    { ...head, choices: all('', 'stop') },
  ]
  if (includeUsage) events.push({ ...head, choices: [], usage: USAGE })
  const body = `${events.map((event) => frame(JSON.stringify(event))).join('')}${DONE}`
  return { answer: { contentType: 'text/event-stream', body: Buffer.from(body) } }
}
