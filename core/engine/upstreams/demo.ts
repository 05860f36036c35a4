/**
 * The built-in `demo` model answers without a provider, so that a first start needs no account. Its functions are pure:
 * the same request always gets the same reply.
 */
import { isObject } from '../json/fields.ts'
import type { JsonObject } from '../json/strict.ts'

/** Longest echo of the user's message, characters. */
const MAX_ECHO = 4096
const MAX_CHOICES = 128
/** Also the minimum cost of a message, so that an empty conversation is not free. */
const TOKENS_PER_MESSAGE = 4

const INTRODUCTION = 'This is the demo model built into governed-gateway; no provider was called.'

/** The parts of a reply that would differ from call to call. */
export interface DemoStamp {
  /** Default `chatcmpl-demo`. */
  id?: string
  /** Seconds since 1970, default 1767225600 (1 January 2026). */
  created?: number
}

type Finish = 'stop' | 'length'

interface Plan {
  readonly head: { id: string; created: number; model: string }
  /** The text of every choice, token by token. */
  readonly tokens: readonly string[]
  readonly finish: Finish
  readonly choices: number
  readonly usage: { prompt_tokens: number; completion_tokens: number; total_tokens: number }
}

/**
 * Answers a request body with a `chat.completion`. Honours `model`, `n`, `max_completion_tokens` and `max_tokens`.
 *
 * Usage is a simple count, not a tokenizer's: see `demoTokens`. The prompt costs four tokens for each message plus the
 * tokens of its texts; the completion costs its tokens times `n`.
 */
export function demoReply(body: Readonly<JsonObject>, stamp: DemoStamp = {}): JsonObject {
  const { head, tokens, finish, choices, usage } = plan(body, stamp)
  const content = tokens.join('')
  return {
    id: head.id,
    object: 'chat.completion',
    created: head.created,
    model: head.model,
    choices: Array.from({ length: choices }, (_, index) => ({
      index,
      message: { role: 'assistant', content, refusal: null },
      logprobs: null,
      finish_reason: finish,
    })),
    usage,
  }
}

/**
 * The same answer as a stream: yields the payload of each `data:` line, `[DONE]` last. Choices take turns token by
 * token. Sends a usage chunk if `stream_options.include_usage` is set.
 */
export function* demoStream(body: Readonly<JsonObject>, stamp: DemoStamp = {}): Generator<string, void, undefined> {
  const { head, tokens, finish, choices, usage } = plan(body, stamp)
  const wantsUsage = isObject(body.stream_options) && body.stream_options.include_usage === true
  const chunk = (parts: readonly JsonObject[], counted: Plan['usage'] | null = null): string =>
    JSON.stringify({
      id: head.id,
      object: 'chat.completion.chunk',
      created: head.created,
      model: head.model,
      choices: parts,
      ...(wantsUsage && { usage: counted }),
    })
  const part = (index: number, delta: JsonObject, reason: Finish | null = null): JsonObject => ({
    index,
    delta,
    logprobs: null,
    finish_reason: reason,
  })
  for (let i = 0; i < choices; i += 1) yield chunk([part(i, { role: 'assistant', content: '', refusal: null })])
  for (const token of tokens) for (let i = 0; i < choices; i += 1) yield chunk([part(i, { content: token })])
  for (let i = 0; i < choices; i += 1) yield chunk([part(i, {}, finish)])
  if (wantsUsage) yield chunk([], usage)
  yield '[DONE]'
}

/**
 * Splits a text into the demo model's tokens: up to eight letters of a word with the space before it. Joined, they give
 * the text again.
 */
export const demoTokens = (text: string): string[] => text.match(/\s*\S{1,8}|\s+/gu) ?? []

function plan(body: Readonly<JsonObject>, stamp: DemoStamp): Plan {
  const messages = Array.isArray(body.messages) ? body.messages.filter(isObject) : []
  const limit = outputLimit(body)
  const all = demoTokens(answer(messages))
  const tokens = all.slice(0, limit)
  const choices = Math.min(positive(body.n) ?? 1, MAX_CHOICES)
  const prompt = messages.reduce((sum, message) => sum + TOKENS_PER_MESSAGE + demoTokens(textOf(message)).length, 0)
  const completion = tokens.length * choices
  return {
    head: {
      id: stamp.id ?? 'chatcmpl-demo',
      created: stamp.created ?? 1767225600,
      model: typeof body.model === 'string' ? body.model : 'demo',
    },
    tokens,
    finish: tokens.length < all.length ? 'length' : 'stop',
    choices,
    usage: { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion },
  }
}

/** The larger of the two fields, as everywhere in the gateway. */
function outputLimit(body: Readonly<JsonObject>): number | undefined {
  const limits = [positive(body.max_completion_tokens), positive(body.max_tokens)].filter((n) => n !== undefined)
  return limits.length > 0 ? Math.max(...limits) : undefined
}

function answer(messages: readonly JsonObject[]): string {
  const last = messages.findLast((message) => message.role === 'user')
  if (!last) return `${INTRODUCTION} There was no user message to echo.`
  const text = textOf(last)
  if (text === '') return `${INTRODUCTION} Your message held no text.`
  return `${INTRODUCTION} You said: ${shorten(text)}`
}

function shorten(text: string): string {
  if (text.length <= MAX_ECHO) return text
  // Never splits a surrogate pair.
  const end = /[\uD800-\uDBFF]/.test(text[MAX_ECHO - 1] ?? '') ? MAX_ECHO - 1 : MAX_ECHO
  return `${text.slice(0, end)}… (${text.length - end} more characters)`
}

/** The text of a message; parts of other types are skipped. */
function textOf(message: JsonObject): string {
  if (typeof message.content === 'string') return message.content
  if (!Array.isArray(message.content)) return ''
  const texts = message.content.filter(isObject).map((part) => (typeof part.text === 'string' ? part.text : ''))
  return texts.filter((text) => text !== '').join('\n')
}

const positive = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isInteger(value) && value > 0 ? value : undefined
