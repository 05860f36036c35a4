import type { Json, Prompt, RequestMessage } from '../../contract/plugin.ts'
import { isObject } from '../../json/fields.ts'
import type { JsonObject } from '../../json/strict.ts'
import { objects, PromptReader, stringOf } from '../prompt-reader.ts'
import { isCall, typeOf } from './items.ts'

const texts = (value: Json | undefined): string[] =>
  typeof value === 'string' ? [value] : objects(value).flatMap(({ text, refusal }) => [text, refusal].filter(isString))
const isString = (value: Json | undefined): value is string => typeof value === 'string'

/** The messages of a request body, in their order. Instructions come first, as a system message. */
export function messagesOf({ instructions, input }: Readonly<JsonObject>): RequestMessage[] {
  const messages: RequestMessage[] = []
  if (typeof instructions === 'string' && instructions !== '') {
    messages.push({ role: 'system', texts: [instructions], callArguments: [] })
  }
  if (typeof input === 'string') messages.push({ role: 'user', texts: [input], callArguments: [] })
  for (const item of objects(input)) {
    const type = typeOf(item)
    if (type === 'message') messages.push({ role: String(item.role), texts: texts(item.content), callArguments: [] })
    else if (isCall(type)) {
      const parts = [item.arguments, item.input, item.action, item.operation].filter((value) => value !== undefined)
      const callArguments = parts.map((value) => (typeof value === 'string' ? value : JSON.stringify(value)))
      messages.push({ role: 'assistant', texts: [], callArguments })
    } else if (type?.endsWith('_output') === true) {
      const { output } = item
      const said = typeof output === 'string' || Array.isArray(output) ? texts(output) : []
      messages.push({ role: 'tool', texts: said, callArguments: [] })
    }
  }
  return messages
}

/** Members that no model reads, or that other code reads. */
const NOT_READ = new Set(
  (
    'model input instructions stream stream_options tools tool_choice metadata user safety_identifier prompt_cache_key ' +
    'prompt_cache_retention prompt_cache_options previous_response_id conversation store background include ' +
    'max_output_tokens max_tool_calls top_logprobs reasoning truncation context_management moderation service_tier ' +
    'temperature top_p parallel_tool_calls client_metadata service'
  ).split(' '),
)
const LABELS = new Set('type id role status phase call_id annotations logprobs'.split(' '))

/** Collects everything that a model reads in a request body. */
export function promptOf(body: Readonly<JsonObject>): Prompt {
  const prompt = new PromptReader()
  for (const text of [body.instructions, body.input]) {
    if (typeof text !== 'string') continue
    prompt.messages++
    prompt.texts.push(text)
  }
  for (const item of objects(body.input)) addItem(prompt, item)
  prompt.addTools(body.tools)
  prompt.addOthers(body, NOT_READ)
  return prompt
}

function addItem(prompt: PromptReader, item: JsonObject): void {
  prompt.messages++
  if (isCall(typeOf(item))) prompt.tools++
  for (const name in item) {
    const value = item[name]
    if (LABELS.has(name) || name === 'encrypted_content') continue
    if ((name === 'content' || name === 'output' || name === 'summary') && Array.isArray(value)) {
      for (const part of value) addPart(prompt, part)
    } else prompt.add(value)
  }
}

function addPart(prompt: PromptReader, part: Json): void {
  if (!isObject(part)) return prompt.add(part)
  const { media } = prompt
  for (const name in part) {
    const value = part[name]
    if (LABELS.has(name)) continue
    if (name === 'image_url') media.push({ kind: 'image', data: stringOf(value), detail: stringOf(part.detail) })
    else if (name === 'file_data' || name === 'file_url') media.push({ kind: 'file', data: stringOf(value) })
    else if (name === 'file_id') media.push({ kind: part.type === 'input_image' ? 'image' : 'file' })
    else if (name === 'input_audio' && isObject(value)) {
      media.push({ kind: 'audio', data: stringOf(value.data), format: stringOf(value.format) })
    } else if (name !== 'detail') prompt.add(value)
  }
}
