import type { Json, Usage } from '../../contract/plugin.ts'
import { isObject } from '../../json/fields.ts'

/** An upper bound, so that sums of two counts times any price stay exact integers. */
const MOST_TOKENS = 1_000_000_000

const isCount = (value: Json | undefined): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MOST_TOKENS

/** Token counts of a `usage` member; undefined if invalid. Output tokens include those of the reasoning. */
export function readUsage(value: Json | undefined): Usage | undefined {
  if (!isObject(value)) return undefined
  const { input_tokens: prompt, output_tokens: completion, input_tokens_details: details } = value
  if (!isCount(prompt) || !isCount(completion) || prompt + completion === 0) return undefined
  const cached = isObject(details) ? details.cached_tokens : undefined
  return { prompt, completion, estimated: false, ...(isCount(cached) ? { cached } : {}) }
}
