import type { Json } from 'governed-gateway'
import { isJsonObject } from 'governed-gateway/kit'
import { audioTokens, fileTokens, imageTokens } from './media.ts'
import { type Count, countAll } from './tokens.ts'

type Members = Readonly<Record<string, Json>>

/**
 * Beside its text: each message costs 3 and its role, a name 1, the beginning of the reply 3 (OpenAI's cookbook, "How
 * to count tokens with tiktoken"). A tool or call costs what its JSON text does and 8 for what the provider puts around.
 */
const PER_MESSAGE = 4
const PER_NAME = 1
const PER_REPLY = 3
const PER_TOOL = 8

/** Members of a body that no model reads. */
const NOT_READ = new Set(
  (
    'model messages stream stream_options n max_completion_tokens max_tokens metadata user store modalities audio stop ' +
    'temperature top_p top_k min_p seed logprobs top_logprobs logit_bias frequency_penalty presence_penalty ' +
    'parallel_tool_calls reasoning_effort verbosity service_tier safety_identifier prompt_cache_key ' +
    'prompt_cache_options prompt_cache_retention moderation tool_choice function_call web_search_options service ' +
    'tools functions'
  ).split(' '),
)

/** Tokens that a prompt will cost, before a provider has counted them. Whatever a model reads is in it. */
export function promptTokens(body: Members, count: Count): number | Promise<number> {
  const texts: string[] = []
  let fixed = PER_REPLY
  for (const message of list(body.messages)) fixed += messageTokens(message, texts)
  for (const tool of [...list(body.tools), ...list(body.functions)]) {
    texts.push(JSON.stringify(tool))
    fixed += PER_TOOL
  }
  // Fields of vendors, such as documents, and response_format and prediction.
  for (const name in body) {
    const value = body[name]
    if (NOT_READ.has(name) || typeof value !== 'object' || value === null) continue
    texts.push(JSON.stringify(value))
  }
  const tokens = countAll(count, texts)
  return typeof tokens === 'number' ? tokens + fixed : tokens.then((counted) => counted + fixed)
}

const list = (value: Json | undefined): Members[] => (Array.isArray(value) ? value.filter(isJsonObject) : [])

function messageTokens(message: Members, texts: string[]): number {
  let fixed = PER_MESSAGE
  const { content, name, refusal, tool_calls: calls, function_call: call } = message
  if (typeof content === 'string') texts.push(content)
  else for (const part of list(content)) fixed += partTokens(part, texts)
  if (typeof name === 'string') {
    texts.push(name)
    fixed += PER_NAME
  }
  for (const text of [refusal, message.reasoning_content, message.reasoning]) {
    if (typeof text === 'string') texts.push(text)
  }
  for (const one of [...list(calls), ...(isJsonObject(call) ? [{ function: call }] : [])]) {
    const called = one.function ?? one.custom
    if (isJsonObject(called)) {
      for (const text of [called.name, called.arguments, called.input]) if (typeof text === 'string') texts.push(text)
    }
    fixed += PER_TOOL
  }
  if (isJsonObject(message.audio)) fixed += audioTokens(undefined, undefined)
  return fixed
}

function partTokens(part: Members, texts: string[]): number {
  const { text, refusal, image_url: image, input_audio: audio, file } = part
  if (typeof text === 'string') texts.push(text)
  if (typeof refusal === 'string') texts.push(refusal)
  if (isJsonObject(image)) return imageTokens(image.url, image.detail)
  if (image !== undefined) return imageTokens(image, undefined)
  if (isJsonObject(audio)) return audioTokens(audio.data, audio.format)
  if (isJsonObject(file)) return fileTokens(file.file_data)
  return 0
}
