import { isGatewayError } from '../../contract/errors.ts'
import type { Json } from '../../contract/plugin.ts'
import { isObject, type Parsed } from '../../json/fields.ts'
import { parseStrictInSteps } from '../../json/in-steps.ts'
import type { Beginnings } from '../../json/outlined.ts'
import type { JsonDocument, JsonObject } from '../../json/strict.ts'
import type { Steps } from '../../util/steps.ts'
import { invalid, modelOf, objectBody, optionalBoolean, positiveInteger } from '../checks.ts'
import { knownOf, outlineOf, type Reading, readBody, readBodyInSteps } from '../known.ts'
import { refuseLookalikes } from '../lookalikes.ts'

/** What the core reads of a request body; all other members are forwarded unchanged. */
export interface ChatRequest {
  readonly document: JsonDocument
  /** The body; of an outlined document with 0 for each known element. */
  readonly outline: JsonObject
  readonly model: string
  readonly stream: boolean
  readonly choices: number
  readonly maxOutputTokens: number | undefined
  /** The client requested the usage chunk of a stream. */
  readonly includeUsage: boolean
  /** Tool call arguments that were already parsed. */
  readonly parsed?: Parsed
}

/**
 * Reads and checks a chat-completions request (POST /v1/chat/completions). Accepts unknown members, roles and part
 * types; refuses shapes that no server accepts.
 *
 * @throws GatewayError GW_INVALID_JSON, GW_INVALID_PARAMETER
 */
export const readRequest = (body: Buffer, beginnings?: Beginnings): ChatRequest => readBody(body, READING, beginnings)

const ARRAYS = new Set(['messages', 'tools'])
const ROLES: ReadonlySet<unknown> = new Set(['system', 'developer', 'user', 'assistant', 'tool', 'function'])

/** Roles that are no text of the caller are noted: sessions ask for them alone. */
function noteOf(member: string, { role }: JsonObject): string | undefined {
  if (member !== 'messages') return ''
  return ROLES.has(role) ? (role as string) : undefined
}

const READING: Reading<ChatRequest> = { arrays: ARRAYS, check, noteOf }

/** Like `readRequest`, for a large body with at most `maxValues` JSON values. */
export function* readRequestInSteps(body: Buffer, maxValues: number, beginnings?: Beginnings): Steps<ChatRequest> {
  const { request, values } = yield* readBodyInSteps(body, maxValues, READING, beginnings)
  yield
  return { ...request, parsed: yield* argumentsIn(request.outline.messages as Json[], maxValues - values) }
}

/** Parses the tool call arguments of all messages. */
function* argumentsIn(messages: readonly Json[], maxValues: number): Steps<Parsed> {
  const parsed = new Map<string, Json | undefined>()
  let left = maxValues
  let looked = 0
  for (const message of messages) {
    for (const text of argumentsOf(message)) {
      if (parsed.has(text)) continue
      const document = yield* strictOrNone(text, left)
      parsed.set(text, document?.tree)
      left -= document?.values ?? 0
      looked += text.length
      if (looked < ARGUMENTS_OF_STEP) continue
      yield
      looked = 0
    }
  }
  return parsed
}

const ARGUMENTS_OF_STEP = 32 * 1024

function* argumentsOf(message: Json): Generator<string> {
  if (!isObject(message)) return
  const { tool_calls: calls, function_call: call } = message
  for (const one of [...(Array.isArray(calls) ? calls : []), { function: call as Json }]) {
    const called = isObject(one) ? one.function : undefined
    if (isObject(called) && typeof called.arguments === 'string' && called.arguments !== '') yield called.arguments
  }
}

function* strictOrNone(
  text: string,
  maxValues: number,
): Steps<{ readonly tree: Json; readonly values: number } | undefined> {
  try {
    return yield* parseStrictInSteps(text, maxValues)
  } catch (cause) {
    if (isGatewayError(cause) && cause.code === 'GW_INVALID_JSON') return undefined
    throw cause
  }
}

function check(document: JsonDocument): ChatRequest {
  const tree = objectBody(outlineOf(document), REQUEST_KEYS)
  const { messages } = tree
  const model = modelOf(tree)
  if (!Array.isArray(messages) || messages.length === 0)
    throw invalid('messages', 'must be an array of at least one message')
  for (let i = knownOf(document, 'messages'); i < messages.length; i++) checkMessage(messages[i], i)
  checkTools(tree.tools, knownOf(document, 'tools'))
  checkFunctions(tree.functions)
  const stream = optionalBoolean(tree, 'stream') ?? false
  const options = tree.stream_options
  if (options !== undefined && options !== null && !isObject(options))
    throw invalid('stream_options', 'must be an object')
  if (isObject(options)) refuseLookalikes(options, STREAM_OPTION_KEYS, 'stream_options')
  return {
    document,
    outline: tree,
    model,
    stream,
    choices: positiveInteger(tree, 'n', 128) ?? 1,
    maxOutputTokens: largest(positiveInteger(tree, 'max_completion_tokens'), positiveInteger(tree, 'max_tokens')),
    includeUsage: isObject(options) && options.include_usage === true,
  }
}

function checkMessage(message: Json | undefined, index: number): void {
  const path = `messages[${index}]`
  if (!isObject(message)) throw invalid(path, 'must be an object')
  refuseLookalikes(message, MESSAGE_KEYS, path)
  if (typeof message.role !== 'string') throw invalid(`${path}.role`, 'must be a string')
  const { content } = message
  if (Array.isArray(content)) {
    for (let i = 0; i < content.length; i++) {
      const part = content[i]
      if (!isObject(part)) throw invalid(`${path}.content[${i}]`, 'must be an object')
      refuseLookalikes(part, PART_KEYS, `${path}.content[${i}]`)
    }
  } else if (content !== undefined && content !== null && typeof content !== 'string') {
    throw invalid(`${path}.content`, 'must be a string, an array of parts, or null')
  }
  checkToolCalls(message.tool_calls, path)
  if (isObject(message.function_call)) refuseLookalikes(message.function_call, FUNCTION_KEYS, `${path}.function_call`)
}

function checkToolCalls(calls: Json | undefined, path: string): void {
  if (calls === undefined || calls === null) return
  if (!Array.isArray(calls)) throw invalid(`${path}.tool_calls`, 'must be an array')
  for (let i = 0; i < calls.length; i++) {
    const call = calls[i]
    const at = `${path}.tool_calls[${i}]`
    if (!isObject(call)) throw invalid(at, 'must be an object')
    refuseLookalikes(call, TOOL_KEYS, at)
    if (isObject(call.function)) refuseLookalikes(call.function, FUNCTION_KEYS, `${at}.function`)
    if (isObject(call.custom)) refuseLookalikes(call.custom, FUNCTION_KEYS, `${at}.custom`)
  }
}

function checkTools(tools: Json | undefined, known: number): void {
  if (tools === undefined || tools === null) return
  if (!Array.isArray(tools)) throw invalid('tools', 'must be an array')
  for (let i = known; i < tools.length; i++) {
    const tool = tools[i]
    if (!isObject(tool)) throw invalid(`tools[${i}]`, 'must be an object')
    refuseLookalikes(tool, TOOL_KEYS, `tools[${i}]`)
    if (isObject(tool.function)) refuseLookalikes(tool.function, FUNCTION_KEYS, `tools[${i}].function`)
    if (isObject(tool.custom)) refuseLookalikes(tool.custom, FUNCTION_KEYS, `tools[${i}].custom`)
  }
}

function checkFunctions(functions: Json | undefined): void {
  if (!Array.isArray(functions)) return
  for (let i = 0; i < functions.length; i++) {
    const one = functions[i]
    if (isObject(one)) refuseLookalikes(one, FUNCTION_KEYS, `functions[${i}]`)
  }
}

const largest = (a: number | undefined, b: number | undefined): number | undefined =>
  a === undefined ? b : b === undefined ? a : Math.max(a, b)

const REQUEST_KEYS = new Set(
  (
    'model messages stream stream_options n max_completion_tokens max_tokens tools tool_choice functions function_call ' +
    'response_format prediction metadata user store modalities audio web_search_options stop temperature top_p seed ' +
    'logprobs top_logprobs logit_bias frequency_penalty presence_penalty parallel_tool_calls reasoning_effort ' +
    'verbosity service_tier safety_identifier prompt_cache_key prompt_cache_options prompt_cache_retention moderation ' +
    'data_sources'
  ).split(' '),
)
const STREAM_OPTION_KEYS = new Set(['include_usage', 'include_obfuscation'])
const MESSAGE_KEYS = new Set(
  'role content name refusal tool_calls tool_call_id function_call audio reasoning_content reasoning'.split(' '),
)
const PART_KEYS = new Set('type text image_url input_audio file refusal'.split(' '))
const TOOL_KEYS = new Set('id type function custom'.split(' '))
const FUNCTION_KEYS = new Set('name description parameters arguments strict input'.split(' '))
