import type { Elements } from '../../json/elements.ts'
import { type Field, FieldList, isObject } from '../../json/fields.ts'
import { OutlinedDocument } from '../../json/outlined.ts'
import type { JsonDocument, JsonObject } from '../../json/strict.ts'
import type { Steps } from '../../util/steps.ts'
import { isGrade } from '../shapes.ts'
import {
  all,
  count,
  each,
  id,
  inSequence,
  isContent,
  type Known,
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
import { cacheControl, contentIn } from './blocks.ts'
import { display, tier, type } from './words.ts'

/** The only code that knows where text lives in a request: every text, key and long number of the body. */
export function requestFields(document: JsonDocument, elements?: Elements): FieldList {
  const list = FieldList.ofRequest(document)
  list.elements = elements
  members(list, [], treeOf(document, elements), TOP_LEVEL)
  return list
}

/** Like `requestFields`, for a large request. */
export function requestFieldsInSteps(document: JsonDocument, elements?: Elements): Steps<FieldList> {
  const list = FieldList.ofRequest(document)
  list.elements = elements
  return list.inSteps(() => members(list, [], treeOf(document, elements), TOP_LEVEL))
}

const treeOf = (document: JsonDocument, elements?: Elements): JsonObject =>
  elements !== undefined && document instanceof OutlinedDocument
    ? elements.treeOf(document)
    : (document.tree as JsonObject)

const withRole = (list: FieldList, role: string | undefined, walk: () => void): void =>
  list.as(role, () => inSequence(list, walk, isRead))

/** The title of a document stands before its context and its text. */
const isRead = (field: Field): boolean =>
  isContent(field) || (field.channel === 'file_name' && field.path.at(-1) === 'title')

const message: Walk = (list, path, value) => {
  const { role } = value as JsonObject
  withRole(list, role as string, () => members(list, path, value as JsonObject, MESSAGE))
}

const content = contentIn('content')
const MESSAGE: Known = { role: roleName, content }

/** Some clients write JSON into the member: its texts are inspected one by one, so that it stays JSON. */
const userId: Walk = (list, path, value) => {
  if (typeof value === 'string' && value.startsWith('{')) list.addJsonText('user', path, value)
  else list.addAll('user', path, value)
}

const DEFINITION: Known = {
  type,
  name: all('tool_name'),
  description: all('tool_definition'),
  input_schema: all('tool_definition'),
  input_examples: all('tool_definition'),
  strict: numeric,
  defer_loading: numeric,
  eager_input_streaming: numeric,
  max_uses: numeric,
  max_characters: count,
  cache_control: cacheControl,
}
const tool: Walk = objectOf(DEFINITION, 'tool_definition')

const format: Walk = objectOf({ type, schema: all('response_schema') }, 'response_schema')
const grade = shaped(isGrade)

/** The id of a container holds files of earlier requests. */
const container: Walk = (list, path, value) => {
  if (value === null) return
  unseen(list, 'container', () => {
    if (isObject(value)) members(list, path, value, { id })
    else id(list, path, value)
  })
}

const TOP_LEVEL: Known = {
  model,
  system: (list, path, value) => withRole(list, 'system', () => content(list, path, value)),
  messages: (list, path, value) => each(list, path, value, message),
  tools: (list, path, value) => (value === null ? undefined : each(list, path, value, tool)),
  tool_choice: objectOf({ type, name: all('tool_name'), disable_parallel_tool_use: numeric }, 'tool_name'),
  metadata: objectOf({ user_id: userId }, 'metadata'),
  thinking: objectOf({ type, budget_tokens: count, display }),
  output_config: objectOf({
    effort: grade,
    format,
    task_budget: objectOf({ type, total: count, remaining: count }),
  }),
  output_format: format,
  cache_control: cacheControl,
  container,
  mcp_servers: remote('mcp_server', 'other'),
  stream: numeric,
  max_tokens: count,
  temperature: numeric,
  top_p: numeric,
  top_k: numeric,
  service_tier: tier,
  speed: tier,
}
