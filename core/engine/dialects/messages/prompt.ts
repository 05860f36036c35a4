import type { Json, Prompt, RequestMessage } from '../../contract/plugin.ts'
import { isObject } from '../../json/fields.ts'
import { parseJson } from '../../json/read.ts'
import type { JsonObject } from '../../json/strict.ts'
import { objects, PromptReader, stringOf } from '../prompt-reader.ts'

const textsOf = (content: Json | undefined): string[] =>
  typeof content === 'string'
    ? [content]
    : objects(content).flatMap(({ text, content: inner }) => (typeof text === 'string' ? [text] : textsOf(inner)))

/** The messages of a request, in their order; the system prompt is the first one. */
export const messagesOf = (body: Readonly<JsonObject>): RequestMessage[] => [
  ...systemOf(body),
  ...objects(body.messages).map(messageOf),
]

export function systemOf({ system }: Readonly<JsonObject>): RequestMessage[] {
  const texts = textsOf(system)
  return texts.length === 0 ? [] : [{ role: 'system', texts, callArguments: [] }]
}

/** A message that only answers tool calls continues the turn that made them. */
export function messageOf({ role, content }: JsonObject): RequestMessage {
  const blocks = objects(content)
  const answers = blocks.length > 0 && blocks.every(({ type }) => type === 'tool_result')
  return {
    role: answers ? 'tool' : String(role),
    texts: textsOf(content),
    callArguments: blocks.flatMap(({ type, input }) =>
      type === 'tool_use' && input !== undefined ? [JSON.stringify(input)] : [],
    ),
  }
}

/** Agents write the id of their session into the id of the user, as JSON or at its end. */
export function conversationOf({ metadata }: Readonly<JsonObject>): string | undefined {
  const id = isObject(metadata) ? metadata.user_id : undefined
  if (typeof id !== 'string' || id.length > MAX_USER_ID) return undefined
  if (!id.startsWith('{')) return /_session_([0-9a-f-]{36})$/.exec(id)?.[1]
  try {
    const { session_id: session } = parseJson(id) as JsonObject
    return typeof session === 'string' && session !== '' ? session : undefined
  } catch {
    return undefined
  }
}
const MAX_USER_ID = 4096

/** Members that no model reads, or that other code reads. */
const NOT_READ = new Set(
  `model messages system max_tokens stream tools tool_choice metadata stop_sequences temperature top_p top_k thinking
  output_config context_management container mcp_servers service_tier speed inference_geo cache_control diagnostics
  service`.split(/\s+/),
)
const NOT_READ_IN_BLOCK = new Set(
  `type cache_control id tool_use_id is_error signature data encrypted_content citations file_id caller`.split(/\s+/),
)

/** Collects everything that a model reads in a request body. */
export function promptOf(body: Readonly<JsonObject>): Prompt {
  const prompt = new PromptReader()
  addContent(prompt, body.system)
  for (const { content } of objects(body.messages)) {
    prompt.messages++
    addContent(prompt, content)
  }
  prompt.addTools(body.tools)
  const { output_config: config } = body
  if (isObject(config)) prompt.add(config.format)
  prompt.addOthers(body, NOT_READ)
  return prompt
}

function addContent(prompt: PromptReader, content: Json | undefined): void {
  if (typeof content === 'string') prompt.texts.push(content)
  else for (const block of objects(content)) addBlock(prompt, block)
}

function addBlock(prompt: PromptReader, block: JsonObject): void {
  const { type, source } = block
  if (type === 'tool_use') prompt.tools++
  for (const name in block) {
    if (NOT_READ_IN_BLOCK.has(name)) continue
    const value = block[name]
    if (name === 'source' && isObject(source)) addSource(prompt, type, source)
    else if (name === 'content') addContent(prompt, value)
    else prompt.add(value)
  }
}

function addSource(prompt: PromptReader, type: Json | undefined, source: JsonObject): void {
  if (source.type === 'text') return prompt.add(source.data)
  if (source.type === 'content') return addContent(prompt, source.content)
  const kind = type === 'image' ? 'image' : 'file'
  prompt.media.push({ kind, data: stringOf(source.data) ?? stringOf(source.url) })
}
