import type { Json, Prompt, PromptMedia } from '../../contract/plugin.ts'
import { isObject } from '../../json/fields.ts'
import type { JsonObject } from '../../json/strict.ts'
import { objects } from './messages.ts'

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
    for (const message of objects(body.messages)) this.#message(message)
    for (const tool of [...objects(body.tools), ...objects(body.functions)]) {
      this.texts.push(JSON.stringify(tool))
      this.tools++
    }
    // Vendor fields, such as documents, and response_format and prediction.
    this.#others(body, NOT_READ)
  }

  /** Assumes that the model reads unknown members, until usage shows otherwise. */
  #others(members: Readonly<JsonObject>, known: ReadonlySet<string>): void {
    for (const name in members) {
      if (known.has(name)) continue
      const value = members[name]
      if (typeof value === 'string' && isData(value)) this.media.push({ kind: 'file', data: value })
      else this.#text(value)
    }
  }

  /** A text, or any value in its place. */
  #text(value: Json | undefined): void {
    if (typeof value === 'string') this.texts.push(value)
    else if (typeof value === 'object' && value !== null) this.#json(value)
  }

  #json(value: object): void {
    const text = JSON.stringify(value, (_name, inner: Json) => {
      if (typeof inner !== 'string' || !isData(inner)) return inner
      this.media.push({ kind: 'file', data: inner })
      return ''
    })
    this.texts.push(text)
  }

  #message(message: JsonObject): void {
    this.messages++
    this.#others(message, MESSAGE)
    const { content, name, refusal, tool_calls: calls, function_call: call } = message
    if (typeof content === 'string') this.texts.push(content)
    else for (const part of objects(content)) this.#part(part)
    if (typeof name === 'string') {
      this.texts.push(name)
      this.names++
    }
    for (const text of [refusal, message.reasoning_content, message.reasoning]) {
      if (typeof text === 'string') this.texts.push(text)
    }
    for (const one of [...objects(calls), ...(isObject(call) ? [{ function: call }] : [])]) {
      const called = one.function ?? (one as JsonObject).custom
      if (isObject(called)) for (const text of [called.name, called.arguments, called.input]) this.#text(text)
      this.tools++
    }
    for (const image of objects(message.images)) this.media.push({ kind: 'image', data: urlOf(image.image_url) })
    if (isObject(message.audio)) this.media.push({ kind: 'audio' })
  }

  #part(part: JsonObject): void {
    const { text, refusal, image_url: image, input_audio: audio, file } = part
    this.#others(part, PART)
    this.#text(text)
    this.#text(refusal)
    if (image !== undefined) {
      this.media.push({ kind: 'image', data: urlOf(image), detail: isObject(image) ? textOf(image.detail) : undefined })
    }
    if (isObject(audio)) this.media.push({ kind: 'audio', data: textOf(audio.data), format: textOf(audio.format) })
    if (isObject(file)) this.media.push({ kind: 'file', data: textOf(file.file_data) })
  }
}

const textOf = (value: Json | undefined): string | undefined => (typeof value === 'string' ? value : undefined)
const urlOf = (image: Json | undefined): string | undefined => textOf(isObject(image) ? image.url : image)

/** Base64 data, bare or in a `data:` URL: no model reads it as text. */
const isData = (text: string): boolean =>
  text.length > 1024 && /^(data:[^,]{0,200};base64,)?[\w+/=-]{512}/.test(text) && !/\s/.test(text)
