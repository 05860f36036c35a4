import type { Json } from '../../contract/plugin.ts'
import { isObject } from '../../json/fields.ts'
import { invalid, modelOf, objectBody, optionalBoolean, positiveInteger } from '../checks.ts'
import { refuseLookalikes } from '../lookalikes.ts'

/** What the core reads of a request; all other members are forwarded unchanged. */
export interface ResponsesRequest {
  readonly model: string
  readonly stream: boolean
  readonly maxOutputTokens: number | undefined
}

/**
 * Checks a request (POST /v1/responses). Accepts unknown members, item and part types; refuses shapes that no server
 * accepts.
 *
 * @throws GatewayError GW_INVALID_JSON, GW_INVALID_PARAMETER
 */
export function check(body: Json): ResponsesRequest {
  const tree = objectBody(body, REQUEST_KEYS)
  const { input } = tree
  const model = modelOf(tree)
  if (Array.isArray(input)) for (let i = 0; i < input.length; i++) checkItem(input[i], `input[${i}]`)
  else if (input !== undefined && input !== null && typeof input !== 'string') {
    throw invalid('input', 'must be a string or an array of items')
  }
  const { instructions } = tree
  if (instructions !== undefined && instructions !== null && typeof instructions !== 'string') {
    throw invalid('instructions', 'must be a string')
  }
  if (optionalBoolean(tree, 'background') === true) {
    throw invalid(
      'background',
      'is not supported: its use is only known when its result is asked for, so no budget can bound it',
    )
  }
  for (const name of ['text', 'reasoning', 'prompt', 'stream_options', 'metadata']) {
    const value = tree[name]
    if (value !== undefined && value !== null && !isObject(value)) throw invalid(name, 'must be an object')
  }
  return {
    model,
    stream: optionalBoolean(tree, 'stream') ?? false,
    maxOutputTokens: positiveInteger(tree, 'max_output_tokens'),
  }
}

function checkItem(item: Json | undefined, path: string): void {
  if (!isObject(item)) throw invalid(path, 'must be an object')
  refuseLookalikes(item, ITEM_KEYS, path)
  for (const name of ['content', 'output', 'summary']) {
    const value = item[name]
    if (!Array.isArray(value)) continue
    for (let i = 0; i < value.length; i++) {
      const part = value[i]
      if (isObject(part)) refuseLookalikes(part, PART_KEYS, `${path}.${name}[${i}]`)
    }
  }
}

const REQUEST_KEYS = new Set(
  (
    'model input instructions stream stream_options tools tool_choice text metadata user safety_identifier ' +
    'prompt_cache_key prompt_cache_retention prompt_cache_options prompt previous_response_id conversation store ' +
    'background include max_output_tokens max_tool_calls top_logprobs reasoning truncation context_management ' +
    'moderation service_tier temperature top_p parallel_tool_calls client_metadata'
  ).split(' '),
)
const ITEM_KEYS = new Set(
  (
    'type id role content name namespace arguments input output call_id summary encrypted_content action actions ' +
    'queries results code outputs tools text operation error reason status phase result'
  ).split(' '),
)
const PART_KEYS = new Set(
  'type text refusal image_url file_id filename file_data file_url input_audio annotations logprobs detail'.split(' '),
)
