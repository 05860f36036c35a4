/** Completions of the built-in `demo` model: it answers each prompt as it would in a chat. */
import { isObject } from '../json/fields.ts'
import type { JsonObject } from '../json/strict.ts'
import { type DemoStamp, demoReply, demoTokens } from './demo.ts'

/** Default of `max_tokens` in the API. */
const STANDARD_TOKENS = 16
const MAX_ANSWERS = 2048

interface Answer {
  readonly text: string
  readonly finish: string
}

/** Answers a request body with a `text_completion`. Honours `model`, `n`, `max_tokens` and `echo`. */
export function demoCompletion(body: Readonly<JsonObject>, stamp: DemoStamp = {}): JsonObject {
  const { head, answers, usage } = plan(body, stamp)
  const choices = answers.map(({ text, finish }, index) => ({ index, text, logprobs: null, finish_reason: finish }))
  return { ...head, choices, usage }
}

/** The same answer as a stream. Yields the payload of each `data:` line, `[DONE]` last. */
export function* demoCompletionStream(
  body: Readonly<JsonObject>,
  stamp: DemoStamp = {},
): Generator<string, void, undefined> {
  const { head, answers, usage } = plan(body, stamp)
  const wantsUsage = isObject(body.stream_options) && body.stream_options.include_usage === true
  const chunk = (index: number, text: string, reason: string | null) =>
    JSON.stringify({ ...head, choices: [{ index, text, logprobs: null, finish_reason: reason }] })
  for (const [index, { text, finish }] of answers.entries()) {
    for (const token of demoTokens(text)) yield chunk(index, token, null)
    yield chunk(index, '', finish)
  }
  if (wantsUsage) yield JSON.stringify({ ...head, choices: [], usage })
  yield '[DONE]'
}

function plan(body: Readonly<JsonObject>, { id = 'cmpl-demo', ...stamp }: DemoStamp) {
  const { prompt, n, model, echo } = body
  const most = body.max_tokens ?? STANDARD_TOKENS
  const copies = typeof n === 'number' && n > 0 ? n : 1
  const answers: Answer[] = []
  const usage = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 }
  let head = {}
  for (const text of promptsOf(prompt)) {
    const reply = demoReply(
      { model: model ?? 'demo', max_tokens: most, messages: [{ role: 'user', content: text }] },
      stamp,
    )
    const [choice] = reply.choices as [{ message: { content: string }; finish_reason: string }]
    const said = most === 0 ? '' : choice.message.content
    const own = { text: echo === true ? text + said : said, finish: most === 0 ? 'length' : choice.finish_reason }
    for (let i = 0; i < copies && answers.length < MAX_ANSWERS; i++) answers.push(own)
    usage.prompt_tokens += demoTokens(text).length
    usage.completion_tokens += demoTokens(said).length * copies
    head = { id, object: 'text_completion', created: reply.created, model: reply.model }
  }
  usage.total_tokens = usage.prompt_tokens + usage.completion_tokens
  return { head, answers, usage }
}

/** The demo model does not decode tokens. */
function promptsOf(prompt: unknown): string[] {
  const list: unknown[] = Array.isArray(prompt) && typeof prompt[0] !== 'number' ? prompt : [prompt]
  return list.map((one) => (typeof one === 'string' ? one : ''))
}
