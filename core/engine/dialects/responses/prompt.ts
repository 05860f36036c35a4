import type { Json, Prompt, PromptMedia, RequestMessage } from '../../contract/plugin.ts'
import { isObject } from '../../json/fields.ts'
import type { JsonObject } from '../../json/strict.ts'
import { isCall, typeOf } from './items.ts'

const objects = (value: Json | undefined): JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : [])
const stringOf = (value: Json | undefined): string | undefined => (typeof value === 'string' ? value : undefined)
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
      const told = [item.arguments, item.input, item.action, item.operation].filter((value) => value !== undefined)
      const callArguments = told.map((value) => (typeof value === 'string' ? value : JSON.stringify(value)))
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
  const reader = new Reader()
  reader.body(body)
  return reader
}

class Reader implements Prompt {
  readonly texts: string[] = []
  readonly media: PromptMedia[] = []
  messages = 0
  names = 0
  tools = 0

  body(body: Readonly<JsonObject>): void {
    const { instructions, input } = body
    if (typeof instructions === 'string') this.#message(instructions)
    if (typeof input === 'string') this.#message(input)
    for (const item of objects(input)) this.#item(item)
    for (const tool of objects(body.tools)) {
      this.texts.push(JSON.stringify(tool))
      this.tools++
    }
    for (const name in body) if (!NOT_READ.has(name)) this.#any(body[name])
  }

  #message(text: string): void {
    this.messages++
    this.texts.push(text)
  }

  #item(item: JsonObject): void {
    this.messages++
    if (isCall(typeOf(item))) this.tools++
    for (const name in item) {
      const value = item[name]
      if (LABELS.has(name) || name === 'encrypted_content') continue
      if ((name === 'content' || name === 'output' || name === 'summary') && Array.isArray(value)) {
        for (const part of value) this.#part(part)
      } else this.#any(value)
    }
  }

  #part(part: Json): void {
    if (!isObject(part)) return this.#any(part)
    for (const name in part) {
      const value = part[name]
      if (LABELS.has(name)) continue
      if (name === 'image_url') this.media.push({ kind: 'image', data: stringOf(value), detail: stringOf(part.detail) })
      else if (name === 'file_data' || name === 'file_url') this.media.push({ kind: 'file', data: stringOf(value) })
      else if (name === 'file_id') this.media.push({ kind: part.type === 'input_image' ? 'image' : 'file' })
      else if (name === 'input_audio' && isObject(value)) {
        this.media.push({ kind: 'audio', data: stringOf(value.data), format: stringOf(value.format) })
      } else if (name !== 'detail') this.#any(value)
    }
  }

  /** A text, or any value in its place. */
  #any(value: Json | undefined): void {
    if (typeof value === 'string') this.texts.push(value)
    else if (typeof value === 'object' && value !== null) this.texts.push(JSON.stringify(value))
  }
}
