import type { Answer } from '../../contract/plugin.ts'
import type { OwnReply } from '../dialect.ts'
import { DONE, frame } from './wire.ts'

const USAGE = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 }

/** Answers every choice with the same text, in the form that the client requested; usage is zero. */
export function completionAnswer(completion: OwnReply): Answer {
  const { id, model, stream } = completion
  const head = { id: `chatcmpl-${id}`, created: Math.floor(Date.now() / 1000), model }
  const body = stream ? streamed(completion, head) : JSON.stringify(buffered(completion, head))
  return { answer: { contentType: stream ? 'text/event-stream' : 'application/json', body: Buffer.from(body) } }
}

const choicesOf = ({ choices }: OwnReply, of: (index: number) => object): object[] =>
  Array.from({ length: choices }, (_, index) => of(index))

const buffered = (completion: OwnReply, head: object): object => ({
  ...head,
  object: 'chat.completion',
  choices: choicesOf(completion, (index) => ({
    index,
    message: { role: 'assistant', content: completion.content, refusal: null },
    logprobs: null,
    finish_reason: 'stop',
  })),
  usage: USAGE,
})

function streamed(completion: OwnReply, head: object): string {
  const envelope = { ...head, object: 'chat.completion.chunk' }
  const chunk = (delta: object, finish: string | null) => ({
    ...envelope,
    choices: choicesOf(completion, (index) => ({ index, delta, logprobs: null, finish_reason: finish })),
  })
  const events: object[] = [chunk({ role: 'assistant', content: completion.content }, null), chunk({}, 'stop')]
  if (completion.includeUsage) events.push({ ...envelope, choices: [], usage: USAGE })
  return `${events.map((event) => frame(JSON.stringify(event))).join('')}${DONE}`
}
