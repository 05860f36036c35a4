import { createHmac, type KeyObject } from 'node:crypto'
import type { Exchange, Rejection, RequestMessage } from 'governed-gateway'
import { isJsonObject, isPlainName } from 'governed-gateway/kit'

const HEADER = 'X-Service-Session-Id'
/** Without `@`, so that no mail address gets into the audit trail as a session id. */
const EXPLICIT = /^[A-Za-z0-9._:-]{1,128}$/

/**
 * The client's own id, from header or body.
 *
 * @returns undefined if there is none; a rejection if it is invalid
 */
export function explicitId(x: Exchange): string | Rejection | undefined {
  const header = x.request.headers['x-service-session-id']
  if (header !== undefined) return EXPLICIT.test(header) ? header : invalid(`The header ${HEADER}`, HEADER)
  const { metadata } = x.request.json
  const id = isJsonObject(metadata) ? metadata.session_id : undefined
  if (id === undefined || id === null) {
    // Not a name that the client chose for the gateway, so another form is no mistake.
    const { conversation } = x.request
    return conversation !== undefined && EXPLICIT.test(conversation) ? conversation : undefined
  }
  const param = 'metadata.session_id'
  return typeof id === 'string' && EXPLICIT.test(id) ? id : invalid(`\`${param}\``, param)
}

/** The id in the store and in events: hashed if it could be a card number, a key or the like. */
export const shownId = (secret: KeyObject, keyId: string, id: string): string =>
  isPlainName(id) ? id : hashed(secret, `id:${keyId.length}:${keyId}${id}`)

const hashed = (secret: KeyObject, text: string): string =>
  `sess_${createHmac('sha256', secret).update(text).digest('hex').slice(0, 32)}`

const invalid = (what: string, param: string): Rejection => ({
  error: 'GW_INVALID_PARAMETER',
  message: `${what} must have 1 to 128 characters, each a letter, a digit or one of . _ : -`,
  param,
})

/**
 * Derives a session id from the beginning of a conversation, which stays the same in every turn. Includes the key
 * id, so that keys never share a session.
 */
export function derivedId(secret: KeyObject, keyId: string, messages: readonly RequestMessage[]): string {
  const { system, user } = opening(messages)
  return hashed(secret, `${keyId.length}:${system.length}:${keyId}${system}${user}`)
}

/** System and developer text before the first user message, and the text of that message. */
function opening(messages: readonly RequestMessage[]): { system: string; user: string } {
  let system = ''
  for (const { role, texts } of messages) {
    if (role === 'user') return { system, user: texts.join('\n') }
    if (role === 'system' || role === 'developer') system += `${texts.join('\n')}\n`
  }
  return { system, user: '' }
}

export const usersIn = (messages: readonly RequestMessage[]): number =>
  messages.filter(({ role }) => role === 'user').length

/** Zero-based turn of a conversation that the client sends in full each time, by its messages of the user. */
export const turnAfter = (users: number): number => Math.max(0, users - 1)
