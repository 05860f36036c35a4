import type { FieldList } from '../../json/fields.ts'
import type { JsonObject, Path } from '../../json/strict.ts'
import { isCount, isGrade, isTier } from '../shapes.ts'
import {
  all,
  count,
  each,
  eachMember,
  type Known,
  model,
  numeric,
  objectOf,
  shaped,
  time,
  uncounted,
  usageOf,
} from '../walk.ts'
import { item } from './items.ts'
import { id, isReason, kind, mode, status } from './shapes.ts'
import { textOptions, toolChoice, tools } from './tools.ts'

const grade = shaped(isGrade)

const usage = usageOf(isCount)

/** Members of a response besides its output. */
const RESPONSE: Known = {
  id,
  object: kind,
  created_at: time,
  completed_at: time,
  status,
  background: numeric,
  model,
  error: objectOf({ code: all('error'), message: all('error') }),
  incomplete_details: objectOf({ reason: shaped(isReason) }),
  usage,
  instructions: (list, path, value) => {
    if (Array.isArray(value)) each(list, path, value, item)
    else list.addAll('content', path, value, 'system')
  },
  tools,
  tool_choice: toolChoice,
  text: textOptions(grade),
  metadata: all('metadata'),
  client_metadata: all('metadata'),
  user: all('user'),
  safety_identifier: all('user'),
  prompt_cache_key: all('user'),
  prompt_cache_retention: mode,
  previous_response_id: id,
  conversation: objectOf({ id }),
  reasoning: objectOf({ effort: grade, summary: mode, generate_summary: mode, context: mode }),
  truncation: mode,
  service_tier: shaped(isTier),
  store: numeric,
  parallel_tool_calls: numeric,
  max_output_tokens: count,
  max_tool_calls: numeric,
  top_logprobs: numeric,
  temperature: numeric,
  top_p: numeric,
  presence_penalty: numeric,
  frequency_penalty: numeric,
  // Of a list of items.
  first_id: id,
  last_id: id,
  has_more: numeric,
}

/** Adds the texts of a response, except those of its items, and of a repeat of them. */
export function envelope(
  list: FieldList,
  path: Path,
  response: JsonObject,
  items: 'output' | 'data' = 'output',
  repeat?: 'output_text',
): void {
  eachMember(list, path, response, (key, below, value) => {
    if (key === items || key === repeat || value === null) return
    const walk = Object.hasOwn(RESPONSE, key) ? RESPONSE[key] : undefined
    if (walk?.exempts?.(value) === true) {
      if (typeof value === 'string') list.pass(below, value, walk.over)
      return
    }
    // What repeats the request was counted there.
    if (walk !== undefined) return uncounted(list, () => walk(list, below, value))
    list.add('other', below, key, undefined, 'key')
    list.addAll('other', below, value)
  })
}
