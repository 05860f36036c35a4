import type { Elements } from '../../json/elements.ts'
import { FieldList, isObject } from '../../json/fields.ts'
import type { JsonObject } from '../../json/strict.ts'
import type { Steps } from '../../util/steps.ts'
import { isGrade, isTier, oneOf } from '../shapes.ts'
import {
  all,
  count,
  each,
  eachMember,
  inSequence,
  isContent,
  type Known,
  members,
  model,
  numeric,
  objectOf,
  shaped,
  type Walk,
} from '../walk.ts'
import { item, part } from './items.ts'
import { isNamed } from './references.ts'
import { id, mode } from './shapes.ts'
import { textOptions, toolChoice, tools } from './tools.ts'

/** The only code that knows where text lives in a request: every text, key and long number of the body. */
export function requestFields(text: string, tree: JsonObject, elements?: Elements): FieldList {
  const list = FieldList.ofRequest(text)
  list.isRequest = true
  list.elements = elements
  members(list, [], tree, TOP_LEVEL)
  return list
}

/** Like `requestFields`, for a large request. */
export function requestFieldsInSteps(text: string, tree: JsonObject, elements?: Elements): Steps<FieldList> {
  const list = FieldList.ofRequest(text)
  list.isRequest = true
  list.elements = elements
  return list.inSteps(() => members(list, [], tree, TOP_LEVEL))
}

const grade = shaped(isGrade)
/** What `include` may name. */
export const isInclude = oneOf(
  `reasoning.encrypted_content message.output_text.logprobs file_search_call.results web_search_call.results
  web_search_call.action.sources code_interpreter_call.outputs message.input_image.image_url
  computer_call_output.output.image_url`,
)
const include = shaped(isInclude)

const variable: Walk = (list, path, value) => {
  list.as('user', () => {
    if (isObject(value)) part(list, path, value, 'content')
    else list.addAll('content', path, value)
  })
}

const variables: Walk = (list, path, value) => {
  if (!isObject(value)) return list.addAll('content', path, value)
  eachMember(list, path, value, (name, below, inner) => {
    list.add('other', below, name, undefined, 'key')
    variable(list, below, inner)
  })
}

const inputItem: Walk = (list, path, value) => {
  // A picture that the item only names by its id.
  if (isObject(value) && value.type === 'image_generation_call' && isNamed(value)) list.skip('image_url')
  inSequence(list, () => item(list, path, value), isContent)
}

const TOP_LEVEL: Known = {
  model,
  input: (list, path, value) => {
    if (Array.isArray(value)) each(list, path, value, inputItem)
    else inSequence(list, () => list.addAll('content', path, value, 'user'), isContent)
  },
  instructions: (list, path, value) => {
    inSequence(list, () => list.addAll('content', path, value, 'system'), isContent)
  },
  tools,
  tool_choice: toolChoice,
  text: textOptions(grade),
  metadata: all('metadata'),
  client_metadata: all('metadata'),
  user: all('user'),
  safety_identifier: all('user'),
  prompt_cache_key: all('user'),
  prompt: (list, path, value) => {
    if (!isObject(value)) return list.addAll('other', path, value)
    list.skip('prompt_template')
    members(list, path, value, { id, version: numeric, variables })
  },
  previous_response_id: id,
  conversation: (list, path, value) => {
    if (isObject(value)) members(list, path, value, { id })
    else id(list, path, value)
  },
  include: (list, path, value) => {
    if (value !== null) each(list, path, value, include)
  },
  reasoning: objectOf({ effort: grade, summary: mode, generate_summary: mode, context: mode }),
  stream_options: objectOf({ include_obfuscation: numeric }),
  truncation: mode,
  service_tier: shaped(isTier),
  prompt_cache_retention: mode,
  stream: numeric,
  store: numeric,
  background: numeric,
  parallel_tool_calls: numeric,
  max_output_tokens: count,
  max_tool_calls: numeric,
  top_logprobs: numeric,
  temperature: numeric,
  top_p: numeric,
}
