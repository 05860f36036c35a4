import { idsOf } from '../ids.ts'
import { isId as isCommonId, oneOf, type Shape } from '../shapes.ts'
import { shaped, type Walk } from '../walk.ts'

/** Types of items, parts, actions, tools and formats. */
const isKind: Shape = oneOf(
  `response message reasoning function_call function_call_output custom_tool_call custom_tool_call_output compaction
  web_search_call file_search_call code_interpreter_call computer_call computer_call_output image_generation_call
  local_shell_call local_shell_call_output shell_call shell_call_output apply_patch_call apply_patch_call_output
  mcp_call mcp_list_tools mcp_approval_request mcp_approval_response tool_search_call tool_search_output
  additional_tools configuration_update program program_output item_reference compaction_trigger
  input_text output_text refusal input_image input_file input_audio summary_text reasoning_text text
  url_citation file_citation container_file_citation file_path logs image exit timeout
  search open_page find_in_page url type click double_click scroll keypress move drag wait screenshot
  computer_screenshot exec create_file update_file delete_file
  function custom namespace mcp web_search web_search_preview file_search code_interpreter image_generation
  local_shell shell apply_patch computer computer_use_preview tool_search grammar allowed_tools auto
  json_object json_schema container_auto container_reference local approximate response.compaction
  response.input_tokens response.deleted list`,
)
const isStatus: Shape = oneOf(
  'in_progress completed incomplete failed queued cancelled searching interpreting generating calling',
)
const isPhase: Shape = oneOf('commentary final_answer')
export const isReason: Shape = oneOf('max_output_tokens content_filter max_messages steered')
const isMode: Shape = oneOf('auto disabled concise detailed default current_turn all_turns in_memory 24h')

const isOwn = idsOf(
  'ci|fs|ig|sh|sho|cu|cuo|mcp|mcpl|mcpr|cntr|cfile|ctc|ctco|fco|lsh|apc|apco|prog|po|at|cmp|vs|conv|pmpt|ts|tso|ls|file|sc',
)

/** An id of a response, an item, a file or a container. */
export const isId: Shape = (value) => isCommonId(value) || (typeof value === 'string' && isOwn(value))

export const id: Walk = shaped(isId)
export const kind: Walk = shaped(isKind)
export const status: Walk = shaped(isStatus)
export const phase: Walk = shaped(isPhase)
export const mode: Walk = shaped(isMode)
