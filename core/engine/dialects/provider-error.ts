import type { Json } from '../contract/plugin.ts'
import { isObject } from '../json/fields.ts'
import { parseJson } from '../json/read.ts'
import { mayBeSecret } from '../util/outside.ts'
import type { ProviderError } from './dialect.ts'

/** Such as `context_length_exceeded` or `404`, and `messages[0].content`; no sentences, numbers or keys. */
const NAME = /^[A-Za-z0-9]{1,40}(?:[_.-][A-Za-z0-9]{1,40}){0,8}$/
const PARAM = /^[A-Za-z_]\w{0,40}(?:\[\d{1,5}\]|\.[A-Za-z_]\w{0,40}){0,8}$/

/** Characters of a message that are read; fewer are shown. */
const READ = 64 * 1024

/** The error in a provider's body, in words that are safe to show; undefined if there is none. */
export function providerError(text: string): ProviderError | undefined {
  let tree: Json
  try {
    tree = parseJson(text)
  } catch {
    return undefined
  }
  const error = isObject(tree) ? tree.error : undefined
  if (typeof error === 'string') return { message: error.slice(0, READ), type: undefined, code: null, param: null }
  if (!isObject(error)) return undefined
  const { message, type, code, param } = error
  if (typeof message !== 'string' || message === '') return undefined
  const name = (value: Json | undefined, shape = NAME): string | null =>
    typeof value === 'string' && shape.test(value) && !mayBeSecret(value) ? value : null
  return { message: message.slice(0, READ), type: name(type) ?? undefined, code: name(code), param: name(param, PARAM) }
}
