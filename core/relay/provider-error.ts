import { isObject } from '../json/fields.ts'

/** What a provider said of its failure. */
export interface ProviderError {
  readonly message: string
  readonly type: string | undefined
  readonly code: string | null
  readonly param: string | null
}

/** What a provider says in an error body, in words that may be shown; undefined when it is none. */
export function providerError(text: string): ProviderError | undefined {
  let tree: unknown
  try {
    tree = JSON.parse(text)
  } catch {
    return undefined
  }
  const error = isObject(tree as never) ? (tree as { error?: unknown }).error : undefined
  if (typeof error === 'string') return { message: error, type: undefined, code: null, param: null }
  if (!isObject(error as never)) return undefined
  const { message, type, code, param } = error as { message?: unknown; type?: unknown; code?: unknown; param?: unknown }
  if (typeof message !== 'string' || message === '') return undefined
  const short = (value: unknown): string | null => (typeof value === 'string' && value.length <= 128 ? value : null)
  return { message: message.slice(0, 4096), type: short(type) ?? undefined, code: short(code), param: short(param) }
}
