import type { Json } from '../../contract/plugin.ts'
import { isObject } from '../../json/fields.ts'
import type { JsonObject } from '../../json/strict.ts'
import type { Reference } from '../dialect.ts'
import { typeOf } from './items.ts'

const NO_CONVERSATIONS =
  'Conversations cannot be made through this gateway. Name an earlier response with previous_response_id, or send its turns.'

/** Ids of content that the provider has, and that the model will read. */
export function referencesOf(tree: JsonObject): Reference[] {
  const references: Reference[] = []
  const add = (value: Json | undefined, param: string, why?: string) => {
    if (value === undefined || value === null) return
    // Not a string, so not an id of any key.
    references.push({ id: typeof value === 'string' ? value : '', param, ...(why !== undefined && { why }) })
  }
  add(tree.previous_response_id, 'previous_response_id')
  const { conversation, input, prompt_cache_options: options } = tree
  // No key has one, whatever its id.
  if (conversation !== undefined && conversation !== null) add('', 'conversation', NO_CONVERSATIONS)
  if (isObject(options)) add(options.comparison_response_id, 'prompt_cache_options.comparison_response_id')
  if (Array.isArray(input)) {
    // Others were refused before.
    const items = input.filter(isObject)
    const asked = new Set(items.flatMap(({ type, id }) => (type === 'mcp_approval_request' ? [id] : [])))
    items.forEach((item, i) => {
      if (isNamed(item)) add(item.id ?? '', `input[${i}].id`)
      const { type, approval_request_id: request } = item
      if (type === 'mcp_approval_response' && !asked.has(request)) add(request, `input[${i}].approval_request_id`)
    })
  }
  return references
}

/** Whether an item only names one that the provider has: it has an id, and not the content of its type. */
export function isNamed(item: JsonObject): boolean {
  const type = typeOf(item) ?? ''
  if (type === 'item_reference') return true
  const { id } = item
  if (id === undefined || id === null || id === '') return false
  const members = Object.hasOwn(CONTENT, type) ? CONTENT[type] : Object.keys(item).filter((name) => !COMMON.has(name))
  return !members?.some((name) => hasContent(name, item[name]))
}

function hasContent(name: string, value: Json | undefined): boolean {
  if (value === undefined || value === null) return false
  if (MAY_BE_EMPTY.has(name)) return true
  if (isObject(value)) return Object.keys(value).length > 0
  return Array.isArray(value) ? value.length > 0 : value !== ''
}

/**
 * Where items have what the provider would otherwise look up by their id. Summaries, names and revised prompts are not
 * enough.
 */
const CONTENT: Readonly<Record<string, readonly string[]>> = {
  message: ['content'],
  reasoning: ['encrypted_content', 'content'],
  compaction: ['encrypted_content'],
  compaction_trigger: [],
  function_call: ['arguments'],
  function_call_output: ['output'],
  custom_tool_call: ['input'],
  custom_tool_call_output: ['output'],
  web_search_call: ['action'],
  file_search_call: ['queries', 'results'],
  code_interpreter_call: ['code', 'outputs'],
  computer_call: ['action', 'actions'],
  computer_call_output: ['output'],
  image_generation_call: ['result'],
  local_shell_call: ['action'],
  local_shell_call_output: ['output'],
  shell_call: ['action'],
  shell_call_output: ['output'],
  apply_patch_call: ['operation'],
  apply_patch_call_output: ['output'],
  mcp_call: ['arguments'],
  mcp_list_tools: ['tools', 'error'],
  mcp_approval_request: ['arguments'],
  mcp_approval_response: ['approve'],
  tool_search_call: ['arguments'],
  tool_search_output: ['tools'],
  additional_tools: ['tools'],
  configuration_update: ['text'],
  program: ['code'],
  program_output: ['result'],
}

/** Members that say nothing: those of every item. */
const COMMON: ReadonlySet<string> = new Set(['type', 'id', 'call_id', 'status', 'role', 'phase'])

/** Tools are called without arguments, and commands print nothing. */
const MAY_BE_EMPTY: ReadonlySet<string> = new Set(['arguments', 'input', 'output'])

/** Encrypted reasoning and compactions of items. */
export const sealsOf = (items: Json | undefined): string[] =>
  Array.isArray(items)
    ? items.flatMap((item) =>
        isObject(item) && SEALED.has(typeOf(item)) && typeof item.encrypted_content === 'string'
          ? [item.encrypted_content]
          : [],
      )
    : []

const SEALED: ReadonlySet<string | undefined> = new Set(['reasoning', 'compaction'])
