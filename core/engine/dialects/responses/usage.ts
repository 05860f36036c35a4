import type { Json, Usage } from '../../contract/plugin.ts'
import { isObject } from '../../json/fields.ts'
import { cacheCounts, isCount } from '../token-counts.ts'

/** Token counts of a `usage` member; undefined if invalid. Output tokens include those of the reasoning. */
export function readUsage(value: Json | undefined): Usage | undefined {
  if (!isObject(value)) return undefined
  const { input_tokens: prompt, output_tokens: completion, input_tokens_details: details } = value
  if (!isCount(prompt) || !isCount(completion) || prompt + completion === 0) return undefined
  return { prompt, completion, estimated: false, ...cacheCounts(details) }
}
