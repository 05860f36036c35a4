import type { Channel, Json } from '../../contract/plugin.ts'
import type { Elements } from '../../json/elements.ts'
import { type Field, FieldList, isObject } from '../../json/fields.ts'
import { OutlinedDocument } from '../../json/outlined.ts'
import type { JsonDocument, JsonObject, Path } from '../../json/strict.ts'
import type { Steps } from '../../util/steps.ts'
import { images, imageUrl, mediaUrl } from '../images.ts'
import { isFormat, isGrade, isModality, isNumeric, isRetention, isTier, isToolChoice, isVoice } from '../shapes.ts'
import {
  all,
  calledFunction,
  contentOf,
  count,
  each,
  id,
  inSequence,
  isContent,
  type Known,
  kind,
  media,
  members,
  model,
  numeric,
  objectOf,
  remote,
  roleName,
  shaped,
  unseen,
  type Walk,
} from '../walk.ts'
import type { ChatRequest } from './request.ts'

/** The only code that knows where text lives in a request: every text, key and long number of the body. */
export function requestFields(request: ChatRequest, elements?: Elements): FieldList {
  const list = listOf(request, elements)
  walkRequest(list, request)
  return list
}

/** Like `requestFields`, for a large request. */
export function requestFieldsInSteps(request: ChatRequest, elements?: Elements): Steps<FieldList> {
  const list = listOf(request, elements)
  return list.inSteps(() => walkRequest(list, request))
}

function listOf({ document, parsed }: ChatRequest, elements: Elements | undefined): FieldList {
  const list = FieldList.ofRequest(document, parsed)
  list.elements = elements
  return list
}

const walkRequest = (list: FieldList, { document }: ChatRequest): void =>
  members(list, [], treeOf(list, document), TOP_LEVEL)

const treeOf = ({ elements }: FieldList, document: JsonDocument): JsonObject =>
  elements !== undefined && document instanceof OutlinedDocument
    ? elements.treeOf(document)
    : (document.tree as JsonObject)

const voice = shaped(isVoice)
const format = shaped(isFormat)
const modality = shaped(isModality)
const isBias = (bias: Json): boolean => isNumeric(bias) && Math.abs(Number(bias)) <= 100

const TOP_LEVEL: Known = {
  model,
  messages: (list, path, value) => each(list, path, value, message),
  tools: (list, path, value) => each(list, path, value, toolDefinition),
  functions: (list, path, value) => each(list, path, value, functionDefinition),
  tool_choice: (list, path, value) => {
    if (!isToolChoice(value)) list.addAll('tool_name', path, value)
  },
  function_call: (list, path, value) => {
    if (!isToolChoice(value)) list.addAll('tool_name', path, value)
  },
  response_format: objectOf({ type: kind, json_schema: all('response_schema') }, 'response_schema'),
  prediction: (list, path, value) => {
    if (isObject(value)) members(list, path, value, PREDICTION)
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
  audio: objectOf({ voice, format }),
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
  // Azure: search services and databases.
  data_sources: remote('data_source', 'other'),
}

const SAID: ReadonlySet<unknown> = new Set(['content', 'reasoning_content', 'reasoning', 'refusal'])

/** A text of what a message says. */
const isOfContent = (field: Field): boolean => SAID.has(field.path[2]) && isContent(field)

function message(list: FieldList, path: Path, value: Json): void {
  const { role } = value as JsonObject
  const known = role === 'tool' || role === 'function' ? RESULT : MESSAGE
  list.as(role as string, () => inSequence(list, () => members(list, path, value as JsonObject, known), isOfContent))
}

const image: Walk = (list, path, value) => imageUrl(list, path, value)

/** Creates walks of a part whose text belongs to `channel`. The role is that of the message. */
const partOf = (channel: Channel) => {
  const known = {
    type: kind,
    text: all(channel),
    refusal: all('refusal'),
    image_url: image,
    input_audio: inputAudio,
    file,
  }
  return (list: FieldList, path: Path, value: Json): void => {
    if (!isObject(value)) return list.addAll(channel, path, value)
    const { type } = value
    const walk = () => members(list, path, value, known)
    if (typeof type === 'string' && !KNOWN_PARTS.has(type)) unseen(list, 'unknown_part', walk)
    else walk()
  }
}

const KNOWN_PARTS = new Set(['text', 'refusal', 'image_url', 'input_audio', 'file'])

function inputAudio(list: FieldList, path: Path, value: Json): void {
  unseen(list, 'input_audio', () => sound(list, path, value))
}

function file(list: FieldList, path: Path, value: Json): void {
  unseen(list, 'file', () => storedFile(list, path, value))
}

const sound = objectOf({ data: media, format })
const storedFile = objectOf({ filename: all('file_name'), file_data: (l, p, v) => mediaUrl(l, p, v), file_id: id })

const contentIn = (channel: Channel): Walk => {
  const part = partOf(channel)
  return (list, path, value) => contentOf(list, path, value, channel, undefined, part)
}

const calls: Walk = (list, path, value) => calledFunction(list, path, value, undefined)
const toolCall = objectOf({ id, type: kind, function: calls, custom: calls }, 'tool_arguments')

const messageOf = (channel: Channel): Known => ({
  role: roleName,
  tool_call_id: id,
  content: contentIn(channel),
  name: all('user'),
  refusal: all('refusal'),
  reasoning_content: all('reasoning'),
  reasoning: all('reasoning'),
  tool_calls: (list, path, value) => each(list, path, value, toolCall),
  function_call: calls,
  images: (list, path, value) => images(list, path, value),
  audio: (list, path, value) => {
    if (value !== null) unseen(list, 'audio', () => spoken(list, path, value))
  },
})

const spoken = objectOf({ id })
const MESSAGE = messageOf('content')
const RESULT = messageOf('tool_result')
const PREDICTION: Known = { type: kind, content: contentIn('prediction') }

const definition = all('tool_definition')
const functionDefinition = objectOf(
  { name: all('tool_name'), strict: numeric, description: definition, parameters: definition, format: definition },
  'tool_definition',
)
const toolDefinition = objectOf(
  { type: kind, function: functionDefinition, custom: functionDefinition },
  'tool_definition',
)
