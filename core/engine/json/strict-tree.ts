import { isGatewayError } from '../contract/errors.ts'
import type { Json } from '../contract/plugin.ts'
import type { Pace, Steps } from '../util/steps.ts'
import { parseStrictInSteps } from './in-steps.ts'
import { parseStrictText } from './strict.ts'

/** The value of a JSON text; undefined if it is not strict JSON. */
export function strictTree(text: string): Json | undefined {
  try {
    return parseStrictText(text).tree
  } catch {
    return undefined
  }
}

/** Like `strictTree`, for a long text. */
export function* strictTreeInSteps(text: string, pace: Pace): Steps<Json | undefined> {
  try {
    const steps = parseStrictInSteps(text)
    for (;;) {
      const { done, value } = steps.next()
      if (done === true) return value.tree
      pace.end()
      yield
    }
  } catch (cause) {
    if (isGatewayError(cause) && cause.code === 'GW_INVALID_JSON') return undefined
    throw cause
  }
}
