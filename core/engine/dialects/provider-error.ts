import { CATALOGUE } from '../contract/errors.ts'
import type { Json } from '../contract/plugin.ts'
import { isObject } from '../json/fields.ts'
import { parseJson } from '../json/read.ts'
import { mayBeSecret } from '../util/outside.ts'
import type { ProviderError } from './dialect.ts'

/** Such as `context_length_exceeded` or `404`, and `messages[0].content`; no sentences, numbers or keys. */
const NAME = /^[A-Za-z0-9]{1,40}(?:[_.-][A-Za-z0-9]{1,40}){0,8}$/
const PARAM = /^[A-Za-z_]\w{0,40}(?:\[\d{1,5}\]|\.[A-Za-z_]\w{0,40}){0,8}$/

/** Codes of the gateway that providers use, too. */
const SHARED = new Set(
  `invalid_json invalid_parameter validation_error bad_request invalid_api_key permission_denied
  unknown_url model_not_found method_not_allowed request_timeout request_too_large unsupported_media_type
  rate_limit_exceeded headers_too_large internal_error upstream_error`.split(/\s+/),
)
const OWN: ReadonlySet<unknown> = new Set([
  CATALOGUE.GW_POLICY_BLOCK.type,
  ...Object.values(CATALOGUE).flatMap(({ code }) => (SHARED.has(code) ? [] : [code])),
])

/** Whether a type or code of an error speaks of what the gateway did: the provider's error goes on without it. */
export const isOwnName = (name: Json | undefined): boolean => OWN.has(name)

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
    typeof value === 'string' && shape.test(value) && !mayBeSecret(value) && !isOwnName(value) ? value : null
  return { message: message.slice(0, READ), type: name(type) ?? undefined, code: name(code), param: name(param, PARAM) }
}
