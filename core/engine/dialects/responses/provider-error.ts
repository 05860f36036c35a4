import { isObject } from '../../json/fields.ts'
import { parseJson } from '../../json/read.ts'
import type { ProviderError } from '../dialect.ts'
import { providerError } from '../provider-error.ts'

/** The error in a body, in an event named `error`, or in a failed response. */
export function readError(text: string): ProviderError | undefined {
  try {
    const tree = parseJson(text)
    if (!isObject(tree)) return undefined
    if (isObject(tree.response)) return providerError(JSON.stringify({ error: tree.response.error }))
    if (!isObject(tree.error) && typeof tree.message === 'string') {
      const { message, code, param } = tree
      return providerError(JSON.stringify({ error: { message, code, param } }))
    }
  } catch {
    return undefined
  }
  return providerError(text)
}
