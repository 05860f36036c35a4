import type { Json, Prompt } from '../../contract/plugin.ts'
import { isObject } from '../../json/fields.ts'
import type { JsonObject } from '../../json/strict.ts'
import { objects, PromptReader, stringOf } from '../prompt-reader.ts'

/** Body members that no model reads, or that other code reads. */
const NOT_READ = new Set(
  (
    'model messages stream stream_options n max_completion_tokens max_tokens metadata user store modalities audio stop ' +
    'temperature top_p top_k min_p seed logprobs top_logprobs logit_bias frequency_penalty presence_penalty ' +
    'parallel_tool_calls reasoning_effort verbosity service_tier safety_identifier prompt_cache_key ' +
    'prompt_cache_options prompt_cache_retention moderation tool_choice function_call web_search_options service ' +
    'tools functions'
  ).split(' '),
)
/** The same for a message and for a part. */
const MESSAGE = new Set(
  (
    'role content name refusal reasoning_content reasoning tool_calls function_call audio images ' +
    'tool_call_id id type status annotations cache_control'
  ).split(' '),
)
const PART = new Set('type text refusal image_url input_audio file id status annotations cache_control'.split(' '))

/** Collects everything that a model reads in a request body. */
export function promptOf(body: Readonly<JsonObject>): Prompt {
  const prompt = new PromptReader()
  for (const message of objects(body.messages)) addMessage(prompt, message)
  prompt.addTools(body.tools)
  prompt.addTools(body.functions)
  // Vendor fields, such as documents, and response_format and prediction.
  prompt.addOthers(body, NOT_READ)
  return prompt
}

function addMessage(prompt: PromptReader, message: JsonObject): void {
  prompt.messages++
  prompt.addOthers(message, MESSAGE)
  const { content, name, refusal, tool_calls: calls, function_call: call } = message
  if (typeof content === 'string') prompt.texts.push(content)
  else for (const part of objects(content)) addPart(prompt, part)
  if (typeof name === 'string') {
    prompt.texts.push(name)
    prompt.names++
  }
  for (const text of [refusal, message.reasoning_content, message.reasoning]) {
    if (typeof text === 'string') prompt.texts.push(text)
  }
  for (const one of [...objects(calls), ...(isObject(call) ? [{ function: call }] : [])]) {
    const called = one.function ?? (one as JsonObject).custom
    if (isObject(called)) for (const text of [called.name, called.arguments, called.input]) prompt.add(text)
    prompt.tools++
  }
  for (const image of objects(message.images)) prompt.media.push({ kind: 'image', data: urlOf(image.image_url) })
  if (isObject(message.audio)) prompt.media.push({ kind: 'audio' })
}

function addPart(prompt: PromptReader, part: JsonObject): void {
  const { text, refusal, image_url: image, input_audio: audio, file } = part
  prompt.addOthers(part, PART)
  prompt.add(text)
  prompt.add(refusal)
  if (image !== undefined) {
    const detail = isObject(image) ? stringOf(image.detail) : undefined
    prompt.media.push({ kind: 'image', data: urlOf(image), detail })
  }
  if (isObject(audio)) prompt.media.push({ kind: 'audio', data: stringOf(audio.data), format: stringOf(audio.format) })
  if (isObject(file)) prompt.media.push({ kind: 'file', data: stringOf(file.file_data) })
}

const urlOf = (image: Json | undefined): string | undefined => stringOf(isObject(image) ? image.url : image)
