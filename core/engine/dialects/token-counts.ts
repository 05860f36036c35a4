import type { Json, Usage } from '../contract/plugin.ts'
import { isObject } from '../json/fields.ts'

/** An upper bound, so that sums of two counts times any price stay exact integers. */
const MOST_TOKENS = 1_000_000_000

export const isCount = (value: Json | undefined): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MOST_TOKENS

/** The counts of caches that OpenAI's APIs report in the details of the prompt's tokens. */
export function cacheCounts(details: Json | undefined): Pick<Usage, 'cached' | 'cacheWrite'> {
  if (!isObject(details)) return {}
  const { cached_tokens: cached, cache_write_tokens: cacheWrite } = details
  return { ...(isCount(cached) && { cached }), ...(isCount(cacheWrite) && { cacheWrite }) }
}
