import { isGatewayError } from '../../contract/errors.ts'
import type { Json } from '../../contract/plugin.ts'
import { MOST_AT_ONCE } from '../../dialects/reply-json.ts'
import { parseStrictInSteps } from '../../json/in-steps.ts'
import { isBeyond } from '../../json/strict.ts'
import { invalid } from '../../upstreams/provider-error.ts'
import type { Steps } from '../../util/steps.ts'

/** Larger events are read in steps, so that other exchanges can run in between; characters. */
export const LARGE = 128 * 1024
/** With names; token probabilities of a long answer have almost as many. */
const MAX_VALUES = 1_600_000

/** The data of an event that came and was not read yet. */
export interface UnreadEvent {
  readonly payload: string
  readonly isError: boolean
}

/**
 * Parses the data of a large event; undefined if it is no strict JSON, but not too long to be parsed at once.
 *
 * @throws GatewayError GW_UPSTREAM_INVALID if it is beyond a bound
 */
export function* largeTree(data: string): Steps<Json | undefined> {
  try {
    return (yield* parseStrictInSteps(data, MAX_VALUES)).tree
  } catch (cause) {
    if (isGatewayError(cause) && cause.code === 'GW_TOO_MANY_VALUES')
      throw invalid('sent an event with more values, or members of one object, than one event may have')
    if (isBeyond(cause)) throw invalid('sent an event that nests too deep, or has too long a number')
    if (data.length > MOST_AT_ONCE) throw invalid('sent a large event that is not JSON, or repeats a member')
    return undefined
  }
}
