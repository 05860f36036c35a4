/** Where callers present their API key. */
import { GatewayError } from '../contract/errors.ts'

/** OpenAI's clients send the key as a bearer token, Anthropic's also as `x-api-key`, and Azure's as `api-key`. */
export interface CredentialHeaders {
  readonly authorization?: string | undefined
  readonly 'x-api-key'?: string | string[] | undefined
  readonly 'api-key'?: string | string[] | undefined
}

/** Each may occur once in a request: other parsers may choose another one. */
export const KEY_HEADERS = ['authorization', 'x-api-key', 'api-key'] as const

/**
 * The one API key of a request; undefined if it has none.
 *
 * @throws GatewayError GW_BAD_REQUEST if its headers name different keys: which one counts would be a guess
 */
export function credentialOf(headers: CredentialHeaders): string | undefined {
  const { authorization } = headers
  let credential = authorization === undefined ? undefined : bearer(authorization)
  for (const name of ['x-api-key', 'api-key'] as const) {
    const value = headers[name]
    if (typeof value !== 'string' || value === '') continue
    const isOther = credential === undefined ? isForeign(authorization) : credential !== value
    if (isOther) throw new GatewayError('GW_BAD_REQUEST', 'The request has more than one API key. Send one.')
    credential = value
  }
  return credential
}

/** Fewer characters of a key tell nothing of it. */
const LEAST_OF_KEY = 8

/** Whether a text, of 8 or more characters, stands where a caller's own key may stand. */
export const isOfCredential = (headers: CredentialHeaders, text: string): boolean =>
  text.length >= LEAST_OF_KEY && KEY_HEADERS.some((name) => String(headers[name] ?? '').includes(text))

/** The credential of `Bearer <credential>` (RFC 6750; the scheme is case-insensitive), or undefined. */
function bearer(header: string): string | undefined {
  if (header.length < 8 || header.slice(0, 6).toLowerCase() !== 'bearer') return undefined
  if (header[6] !== ' ' && header[6] !== '\t') return undefined
  const credential = header.slice(7).trim()
  return credential === '' ? undefined : credential
}

/** Whether `Authorization` says something that is no bearer token. SDKs without a key send `Bearer` alone. */
const isForeign = (authorization: string | undefined): boolean =>
  authorization !== undefined && !/^(?:bearer)?[\t ]*$/i.test(authorization)
