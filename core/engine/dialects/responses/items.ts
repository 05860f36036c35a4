import type { Channel, Json } from '../../contract/plugin.ts'
import { type FieldList, isObject } from '../../json/fields.ts'
import type { JsonObject, Path } from '../../json/strict.ts'
import { imageUrl, mediaUrl } from '../images.ts'
import { isSealed } from '../seals.ts'
import { isFormat, isGrade, isMediaPiece } from '../shapes.ts'
import {
  all,
  contentOf,
  each,
  type Known,
  media,
  members,
  numeric,
  objectOf,
  quiet,
  roleName,
  shaped,
  unseen,
  type Walk,
} from '../walk.ts'
import { id, kind, phase, status } from './shapes.ts'
import { listedTools, textOptions, tools } from './tools.ts'

/** The only code that knows where text lives in an item, be it of a request or of a reply. */

/** An item or part whose type is not known; every text of it is inspected. */
const KNOWN_PARTS = new Set(
  'input_text output_text refusal input_image input_file input_audio summary_text reasoning_text text'.split(' '),
)

const grade = shaped(isGrade)

/** The id of a file that the gateway cannot see. */
const fileId: Walk = (list, path, value) => {
  if (value !== null) unseen(list, 'file', () => id(list, path, value))
}

const image: Walk = (list, path, value) => {
  if (value !== null) imageUrl(list, path, value, list.role)
}

const fileData: Walk = (list, path, value) => {
  if (value === null) return
  unseen(list, 'file', () => mediaUrl(list, path, value))
}

const fileUrl: Walk = (list, path, value) => {
  if (value === null) return
  unseen(list, 'file', () => list.addAll('media_url', path, value))
}

const sound = objectOf({ data: media, format: shaped(isFormat) })
const audio: Walk = (list, path, value) => {
  if (value === null) return
  unseen(list, 'input_audio', () => sound(list, path, value))
}

/** Text that only the provider can open. In a request it may be anything that the client put there. */
const sealedText: Walk = (list, path, value) => {
  if (value === null) return
  unseen(list, 'encrypted_content', () => {
    if (!isSealed(value)) list.addAll('other', path, value)
    else list.pass(path, value as string, 'media')
  })
}

export const annotation = objectOf(
  {
    type: kind,
    index: numeric,
    start_index: numeric,
    end_index: numeric,
    file_id: quiet(id),
    container_id: id,
    url: all('annotation'),
    title: all('annotation'),
    filename: all('annotation'),
  },
  'annotation',
)

/** Token probabilities of a message; replies, events and requests decide whether they stay. */
const logprobs: Walk = () => {}

const partOf = (channel: Channel): Known => ({
  type: kind,
  text: all(channel),
  refusal: all('refusal'),
  annotations: (list, path, value) => each(list, path, value, annotation),
  logprobs: channel === 'content' ? logprobs : all('other'),
  detail: grade,
  image_url: image,
  file_id: fileId,
  filename: all('file_name'),
  file_data: fileData,
  file_url: fileUrl,
  input_audio: audio,
})

const PARTS = new Map<Channel, Known>()
function partsOf(channel: Channel): Known {
  let known = PARTS.get(channel)
  if (known === undefined) {
    known = partOf(channel)
    PARTS.set(channel, known)
  }
  return known
}

/** One part of a content, a summary or an output. */
export function part(list: FieldList, path: Path, value: Json, channel: Channel): void {
  if (!isObject(value)) return list.addAll(channel, path, value)
  const { type } = value
  const known = partsOf(type === 'reasoning_text' || type === 'summary_text' ? 'reasoning' : channel)
  const walk = () => members(list, path, value, known)
  if (typeof type === 'string' && !KNOWN_PARTS.has(type)) unseen(list, 'unknown_part', walk)
  else walk()
}

const parts =
  (channel: Channel): Walk =>
  (list, path, value) => {
    if (value !== null) contentOf(list, path, value, channel, undefined, part)
  }

/** JSON text, such as the arguments of a call. */
const jsonText: Walk = (list, path, value) => {
  if (typeof value === 'string') list.addJsonText('tool_arguments', path, value)
  else list.addAll('tool_arguments', path, value)
}

/** A list, or null. */
const listOf =
  (walk: Walk): Walk =>
  (list, path, value) => {
    if (value !== null) each(list, path, value, walk)
  }

const call = all('tool_arguments')
const result = all('tool_result')
const name = all('tool_name')

/** Members of every item. */
const ITEM: Known = { type: kind, id, call_id: id, status, role: roleName, phase }

const CALL: Known = { ...ITEM, name, namespace: name, arguments: jsonText, input: call, approval_request_id: id }
const MESSAGE: Known = { ...ITEM, content: parts('content') }
const REASONING: Known = {
  ...ITEM,
  summary: parts('reasoning'),
  content: parts('reasoning'),
  encrypted_content: sealedText,
}
const OUTPUT: Known = { ...ITEM, output: parts('tool_result') }

const action = objectOf(
  {
    type: kind,
    command: call,
    commands: call,
    x: numeric,
    y: numeric,
    scroll_x: numeric,
    scroll_y: numeric,
    timeout_ms: numeric,
    max_output_length: numeric,
  },
  'tool_arguments',
)
const ACTION: Known = { ...ITEM, action, actions: listOf(action) }

const fileResult = objectOf(
  { file_id: quiet(id), filename: all('file_name'), score: numeric, text: result, attributes: result },
  'tool_result',
)

const logs: Walk = (list, path, value) => {
  if (!isObject(value)) return list.addAll('tool_result', path, value)
  const walk = () => members(list, path, value, { type: kind, logs: result, url: (l, p, v) => mediaUrl(l, p, v) })
  if (value.type === 'image') unseen(list, 'image_url', walk)
  else walk()
}

const screenshot = objectOf({ type: kind, image_url: image, file_id: fileId }, 'tool_result')

const picture: Walk = (list, path, value) => {
  if (value === null) return
  unseen(list, 'image_url', () => {
    if (!isMediaPiece(value)) list.addAll('tool_result', path, value)
    else list.pass(path, value as string, 'media')
  })
}

const outcome = objectOf({ type: kind, exit_code: numeric }, 'tool_result')
const shellOutput = objectOf({ stdout: result, stderr: result, outcome }, 'tool_result')

const MCP: Known = { ...CALL, server_label: name, output: result, error: result, reason: call, approve: numeric }

const ITEMS: Readonly<Record<string, Known>> = {
  message: MESSAGE,
  reasoning: REASONING,
  compaction: { ...ITEM, encrypted_content: sealedText },
  function_call: CALL,
  custom_tool_call: CALL,
  function_call_output: OUTPUT,
  custom_tool_call_output: OUTPUT,
  web_search_call: { ...ACTION, action: (list, path, value) => list.addAll('tool_arguments', path, value) },
  file_search_call: { ...ITEM, queries: call, results: listOf(fileResult) },
  code_interpreter_call: { ...ITEM, code: call, container_id: id, outputs: listOf(logs) },
  computer_call: { ...ACTION, pending_safety_checks: call },
  computer_call_output: { ...ITEM, output: screenshot, acknowledged_safety_checks: result },
  image_generation_call: { ...ITEM, result: picture, revised_prompt: call, error: result },
  local_shell_call: ACTION,
  local_shell_call_output: OUTPUT,
  shell_call: { ...ACTION, environment: call },
  shell_call_output: { ...ITEM, max_output_length: numeric, output: listOf(shellOutput) },
  apply_patch_call: { ...ITEM, operation: action },
  apply_patch_call_output: OUTPUT,
  mcp_call: MCP,
  mcp_list_tools: { ...ITEM, server_label: name, tools: listedTools, error: result },
  mcp_approval_request: MCP,
  mcp_approval_response: MCP,
  tool_search_call: { ...ITEM, arguments: call, execution: call },
  tool_search_output: { ...ITEM, tools, execution: call },
  additional_tools: { ...ITEM, tools },
  configuration_update: { ...ITEM, text: textOptions(grade) },
  program: { ...ITEM, code: call, fingerprint: call },
  program_output: { ...ITEM, result },
  item_reference: ITEM,
  compaction_trigger: ITEM,
}

/** Items with text to run, such as code: held until they are complete. */
const CALLS = new Set(
  `function_call custom_tool_call mcp_call mcp_approval_request shell_call local_shell_call apply_patch_call computer_call
  tool_search_call`.split(/\s+/),
)
export const isCall = (type: string | undefined): boolean => type !== undefined && CALLS.has(type)

/** The type of an item; those without one are messages or references. */
export const typeOf = ({ type, role }: JsonObject): string | undefined => {
  if (typeof type === 'string') return type
  return role === undefined || role === null ? 'item_reference' : 'message'
}

const roleOf = (type: string | undefined, item: JsonObject): string =>
  typeof item.role === 'string'
    ? item.role
    : type?.endsWith('_output') === true || type === 'mcp_approval_response'
      ? 'tool'
      : 'assistant'

/** Adds the texts of one item. */
export function item(list: FieldList, path: Path, value: Json): void {
  if (!isObject(value)) return list.addAll('other', path, value)
  const type = typeOf(value)
  const known = type !== undefined && Object.hasOwn(ITEMS, type) ? ITEMS[type] : undefined
  const role = roleOf(type, value)
  list.as(role, () => {
    if (known !== undefined) return members(list, path, value, known, role)
    unseen(list, 'unknown_item', () => list.addAll('other', path, value))
  })
}
