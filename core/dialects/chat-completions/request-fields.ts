import { FieldList, isObject } from '../../json/fields.ts'
import type { JsonObject, Path } from '../../json/strict.ts'
import type { Channel, Json } from '../../plugin.ts'
import { images, imageUrl, mediaUrl } from './images.ts'
import type { ChatRequest } from './request.ts'
import { isFormat, isGrade, isModality, isNumeric, isRetention, isTier, isToolChoice, isVoice } from './shapes.ts'
import {
  all,
  calledFunction,
  contentOf,
  count,
  each,
  id,
  kind,
  media,
  members,
  model,
  numeric,
  roleName,
  shaped,
  type Walk,
} from './walk.ts'

/** The only code that knows where text lives in a request: every text, key and long number of the body. */
export function requestFields(request: ChatRequest): FieldList {
  const list = new FieldList(request.document.text)
  members(list, [], request.tree, TOP_LEVEL)
  return list
}

const voice = shaped(isVoice)
const format = shaped(isFormat)
const modality = shaped(isModality)
const isBias = (bias: Json): boolean => isNumeric(bias) && Math.abs(Number(bias)) <= 100

const TOP_LEVEL: Readonly<Record<string, Walk>> = {
  model,
  messages: (list, path, value) => {
    for (let i = 0; i < (value as Json[]).length; i++)
      message(list, [...path, i], (value as JsonObject[])[i] as JsonObject)
  },
  tools: (list, path, value) => each(list, path, value, toolDefinition),
  functions: (list, path, value) => each(list, path, value, (l, p, v) => functionDefinition(l, p, v)),
  tool_choice: (list, path, value) => {
    if (!isToolChoice(value)) list.addAll('tool_name', path, value)
  },
  function_call: (list, path, value) => {
    if (!isToolChoice(value)) list.addAll('tool_name', path, value)
  },
  response_format: responseFormat,
  prediction: (list, path, value) => {
    if (isObject(value))
      members(list, path, value, { type: kind, content: (l, p, v) => content(l, p, v, 'prediction', undefined) })
    else list.addAll('prediction', path, value)
  },
  metadata: all('metadata'),
  user: all('user'),
  safety_identifier: all('user'),
  logit_bias: (list, path, value) => {
    const plain = isObject(value) && Object.entries(value).every(([key, bias]) => /^\d{1,6}$/.test(key) && isBias(bias))
    if (!plain) list.addAll('other', path, value)
  },
  stream_options: (list, path, value) => {
    if (isObject(value)) members(list, path, value, { include_usage: numeric, include_obfuscation: numeric })
  },
  audio: (list, path, value) => {
    if (isObject(value)) members(list, path, value, { voice, format })
    else list.addAll('other', path, value)
  },
  modalities: (list, path, value) => each(list, path, value, modality),
  stream: numeric,
  n: numeric,
  max_completion_tokens: count,
  max_tokens: count,
  temperature: numeric,
  top_p: numeric,
  seed: numeric,
  logprobs: numeric,
  top_logprobs: numeric,
  frequency_penalty: numeric,
  presence_penalty: numeric,
  parallel_tool_calls: numeric,
  store: numeric,
  reasoning_effort: shaped(isGrade),
  verbosity: shaped(isGrade),
  service_tier: shaped(isTier),
  prompt_cache_retention: shaped(isRetention),
}

function message(list: FieldList, path: Path, value: JsonObject): void {
  const role = value.role as string
  const channel: Channel = role === 'tool' || role === 'function' ? 'tool_result' : 'content'
  list.role = role
  members(
    list,
    path,
    value,
    {
      role: roleName,
      tool_call_id: id,
      content: (l, p, v) => content(l, p, v, channel, role),
      name: (l, p, v) => l.addAll('user', p, v, role),
      refusal: (l, p, v) => l.addAll('refusal', p, v, role),
      reasoning_content: (l, p, v) => l.addAll('reasoning', p, v, role),
      reasoning: (l, p, v) => l.addAll('reasoning', p, v, role),
      tool_calls: (l, p, v) => each(l, p, v, (inner, at, call) => toolCall(inner, at, call, role)),
      function_call: (l, p, v) => calledFunction(l, p, v, role),
      images: (l, p, v) => images(l, p, v, role),
      audio: (l, p, v) => {
        if (isObject(v)) members(l, p, v, { id }, role)
        else l.addAll('other', p, v, role)
        if (v !== null) l.skip('audio')
      },
    },
    role,
  )
  list.role = undefined
}

const content = (list: FieldList, path: Path, value: Json, channel: Channel, role: string | undefined): void =>
  contentOf(list, path, value, channel, role, part)

function part(list: FieldList, path: Path, value: Json, channel: Channel, role: string | undefined): void {
  if (!isObject(value)) return list.addAll(channel, path, value, role)
  const url: Walk = (l, p, v) => mediaUrl(l, p, v, role)
  const known: Record<string, Walk> = {
    type: kind,
    text: (l, p, v) => l.addAll(channel, p, v, role),
    refusal: (l, p, v) => l.addAll('refusal', p, v, role),
    image_url: (l, p, v) => imageUrl(l, p, v, role),
    input_audio: (l, p, v) => {
      l.skip('input_audio')
      if (isObject(v)) members(l, p, v, { data: media, format }, role)
      else l.addAll('other', p, v, role)
    },
    file: (l, p, v) => {
      l.skip('file')
      if (!isObject(v)) return l.addAll('other', p, v, role)
      members(l, p, v, { filename: (a, b, c) => a.addAll('file_name', b, c, role), file_data: url, file_id: id }, role)
    },
  }
  const { type } = value
  if (typeof type === 'string' && !KNOWN_PARTS.has(type)) list.skip('unknown_part')
  members(list, path, value, known, role)
}

const KNOWN_PARTS = new Set(['text', 'refusal', 'image_url', 'input_audio', 'file'])

function toolCall(list: FieldList, path: Path, value: Json, role: string): void {
  if (!isObject(value)) return list.addAll('tool_arguments', path, value, role)
  members(
    list,
    path,
    value,
    {
      id,
      type: kind,
      function: (l, p, v) => calledFunction(l, p, v, role),
      custom: (l, p, v) => calledFunction(l, p, v, role),
    },
    role,
  )
}

function toolDefinition(list: FieldList, path: Path, value: Json): void {
  if (!isObject(value)) return list.addAll('tool_definition', path, value)
  members(list, path, value, { type: kind, function: functionDefinition, custom: functionDefinition })
}

function functionDefinition(list: FieldList, path: Path, value: Json): void {
  if (!isObject(value)) return list.addAll('tool_definition', path, value)
  const named = { name: (l: FieldList, p: Path, v: Json) => l.addAll('tool_name', p, v), strict: numeric }
  members(list, path, value, {
    ...named,
    description: all('tool_definition'),
    parameters: all('tool_definition'),
    format: all('tool_definition'),
  })
}

function responseFormat(list: FieldList, path: Path, value: Json): void {
  if (!isObject(value)) return list.addAll('response_schema', path, value)
  members(list, path, value, { type: kind, json_schema: all('response_schema') })
}
