import type { Json } from '../../contract/plugin.ts'
import { type Field, FieldList, isObject } from '../../json/fields.ts'
import type { JsonObject, Path } from '../../json/strict.ts'
import type { Steps } from '../../util/steps.ts'
import { isGrade, isTier, oneOf } from '../shapes.ts'
import { all, count, each, members, model, numeric, shaped, type Walk } from '../walk.ts'
import { item, part } from './items.ts'
import { id, mode } from './shapes.ts'
import { textOptions, toolChoice, tools } from './tools.ts'

/** The only code that knows where text lives in a request: every text, key and long number of the body. */
export function requestFields(text: string, tree: JsonObject): FieldList {
  const list = new FieldList(text)
  members(list, [], tree, TOP_LEVEL)
  return list
}

/** Fields to collect before other exchanges run. */
const FIELDS_OF_STEP = 4096

/** Like `requestFields`, for a large request. Pauses between items, between tools, and inside free-form values. */
export function* requestFieldsInSteps(text: string, tree: JsonObject): Steps<FieldList> {
  const list = new FieldList(text)
  for (const key in tree) {
    const value = tree[key] as Json
    if (key === 'input' && Array.isArray(value)) {
      let last = list.fields.length
      for (let i = 0; i < value.length; i++) {
        inputItem(list, [key, i], value[i] as Json)
        if (list.fields.length - last < FIELDS_OF_STEP) continue
        yield
        last = list.fields.length
      }
    } else if (Object.hasOwn(TOP_LEVEL, key)) members(list, [], { [key]: value }, TOP_LEVEL)
    else {
      list.add('other', [key], key, undefined, 'key')
      yield* list.addAllInSteps('other', [key], value)
    }
    yield
  }
  return list
}

const grade = shaped(isGrade)
const include = shaped(
  oneOf(
    `reasoning.encrypted_content message.output_text.logprobs file_search_call.results web_search_call.results
    web_search_call.action.sources code_interpreter_call.outputs message.input_image.image_url
    computer_call_output.output.image_url`,
  ),
)

const variable: Walk = (list, path, value) => {
  list.role = 'user'
  if (isObject(value)) part(list, path, value, 'content')
  else list.addAll('content', path, value)
  list.role = undefined
}

const variables: Walk = (list, path, value) => {
  if (!isObject(value)) return list.addAll('content', path, value)
  for (const name in value) {
    list.add('other', [...path, name], name, undefined, 'key')
    variable(list, [...path, name], value[name] as Json)
  }
}

const object =
  (known: Readonly<Record<string, Walk>>): Walk =>
  (list, path, value) => {
    if (isObject(value)) members(list, path, value, known)
    else list.addAll('other', path, value)
  }

/** A text of the content of a message or of a tool's result. */
const isContent = ({ place, channel }: Field): boolean =>
  place === 'value' && (channel === 'content' || channel === 'tool_result')

function inputItem(list: FieldList, path: Path, value: Json): void {
  const from = list.fields.length
  item(list, path, value)
  for (let at = from; at < list.fields.length; at++) if (isContent(list.fields[at] as Field)) list.sequence.push(at)
}

const TOP_LEVEL: Readonly<Record<string, Walk>> = {
  model,
  input: (list, path, value) => {
    if (Array.isArray(value)) each(list, path, value, inputItem)
    else list.addAll('content', path, value, 'user')
  },
  instructions: (list, path, value) => {
    list.addAll('content', path, value, 'system')
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
  reasoning: object({ effort: grade, summary: mode, generate_summary: mode, context: mode }),
  stream_options: object({ include_obfuscation: numeric }),
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
