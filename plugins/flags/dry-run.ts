import type { Answer, Exchange, Json } from 'governed-gateway'
import { isJsonObject } from 'governed-gateway/kit'

/** A completion that tells what would have happened; it passes the same checks as a reply of the model. */
export function dryRunAnswer(x: Exchange): Answer {
  x.reply.extend('dry_run', true)
  const text = tell(x)
  const body = x.request.stream ? streamed(x, text) : JSON.stringify(buffered(x, text))
  const contentType = x.request.stream ? 'text/event-stream' : 'application/json'
  return { answer: { contentType, body: Buffer.from(body) } }
}

function tell(x: Exchange): string {
  const found = x.findings.map(({ type, count, action }) => `${count} × ${type} (${action})`)
  const parts = [
    'Dry run: no model was called.',
    `The request would go to the model ${x.request.model}, classified ${x.label}, in mode ${x.mode}.`,
    found.length === 0 ? 'Nothing was found in it.' : `Found in it: ${found.join(', ')}.`,
  ]
  return parts.join(' ')
}

const USAGE = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 }

const head = (x: Exchange, object: string) => ({
  id: `chatcmpl-${x.id}`,
  object,
  created: Math.floor(Date.now() / 1000),
  model: x.request.model,
})

const choices = (x: Exchange, of: (index: number) => object): object[] =>
  Array.from({ length: x.request.choices }, (_, index) => of(index))

const buffered = (x: Exchange, content: string): object => ({
  ...head(x, 'chat.completion'),
  choices: choices(x, (index) => ({
    index,
    message: { role: 'assistant', content, refusal: null },
    logprobs: null,
    finish_reason: 'stop',
  })),
  usage: USAGE,
})

function streamed(x: Exchange, content: string): string {
  const envelope = head(x, 'chat.completion.chunk')
  const chunk = (delta: object, finish: string | null) => ({
    ...envelope,
    choices: choices(x, (index) => ({ index, delta, logprobs: null, finish_reason: finish })),
  })
  const events: object[] = [chunk({ role: 'assistant', content }, null), chunk({}, 'stop')]
  if (asksForUsage(x.request.json.stream_options)) events.push({ ...envelope, choices: [], usage: USAGE })
  return [...events.map((event) => JSON.stringify(event)), '[DONE]'].map((data) => `data: ${data}\n\n`).join('')
}

const asksForUsage = (options: Json | undefined): boolean => isJsonObject(options) && options.include_usage === true
