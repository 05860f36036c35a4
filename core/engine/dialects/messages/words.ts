import { isSealed } from '../seals.ts'
import { isCount, isId, oneOf, type Shape } from '../shapes.ts'
import { quiet, shaped, type Walk } from '../walk.ts'

/** Words of the API, by the member that they stand in. Any other word is inspected. */

/** Types of blocks and of what they hold. */
const isType = oneOf(
  `message text image document search_result tool_use tool_result thinking redacted_thinking server_tool_use
  mcp_tool_use mcp_tool_result web_search_tool_result web_search_result web_search_tool_result_error
  web_fetch_tool_result web_fetch_result web_fetch_tool_result_error web_fetch_tool_error code_execution_tool_result
  code_execution_result code_execution_output encrypted_code_execution_result code_execution_tool_result_error
  bash_code_execution_tool_result bash_code_execution_result bash_code_execution_output
  bash_code_execution_tool_result_error text_editor_code_execution_tool_result text_editor_code_execution_view_result
  text_editor_code_execution_create_result text_editor_code_execution_str_replace_result
  text_editor_code_execution_tool_result_error tool_search_tool_result tool_search_tool_search_result
  tool_search_tool_result_error tool_reference mcp_tool_listing advisor_tool_result advisor_result
  advisor_redacted_result advisor_tool_result_error compaction container_upload tool_addition tool_removal fallback
  browser_state base64 url file content ephemeral char_location page_location content_block_location
  web_search_result_location search_result_location refusal json_schema tokens enabled disabled adaptive between_tools
  text_delta input_json_delta thinking_delta signature_delta citations_delta compaction_delta
  auto any tool none custom mcp_toolset input_tokens tool_uses all thinking_turns direct approximate`,
)
/** Tools and edits that the API provides, with the date of their version. */
const isVersioned: Shape = (value) =>
  typeof value === 'string' && /^[a-z]{2,16}(?:_[a-z0-9]{1,12}){0,5}_20[2-4]\d[01]\d[0-3]\d$/.test(value)

export const type: Walk = shaped((value) => isType(value) || isVersioned(value))
export const stopReason: Walk = shaped(
  oneOf('end_turn max_tokens stop_sequence tool_use pause_turn refusal model_context_window_exceeded compaction'),
)
export const mediaType: Walk = shaped(
  oneOf('image/jpeg image/png image/gif image/webp application/pdf text/plain text/html text/markdown'),
)
export const tier: Walk = shaped(oneOf('auto standard_only standard priority batch fast'))
export const lifetime: Walk = shaped(oneOf('5m 1h'))
export const display: Walk = shaped(oneOf('summarized omitted'))
export const blockId: Walk = shaped(isId)

export const isErrorType = oneOf(
  `error invalid_request_error authentication_error billing_error permission_error not_found_error request_too_large
  rate_limit_error timeout_error api_error overloaded_error`,
)

/** What only the provider can read: a signature, or encrypted text. */
export const isEncrypted: Shape = (value) => value === '' || isSealed(value)

export const encrypted: Walk = quiet(shaped(isEncrypted, 'media'))

const isUsageWord = oneOf('standard priority batch fast not_available global us eu message compaction advisor_message')
export const isUsageValue: Shape = (value) => value === null || isCount(value) || isUsageWord(value)
