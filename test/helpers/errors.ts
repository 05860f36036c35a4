/** What every error of the gateway looks like on the wire. */
import assert from 'node:assert/strict'
import { CATALOGUE } from '../../core/engine/contract/errors.ts'
import { bundledSpecs } from '../../core/engine/host/loader.ts'
import type { Reply } from './http.ts'
import { assertValid } from './schemas.ts'
import type { RawReply } from './socket.ts'

export interface WireError {
  message: string
  type: string
  code: string | null
  param: string | null
  request_id: string
  reason?: string
  classification?: string
}

/** Of the catalogue by its name, or of a bundled plugin by the code itself. */
async function expectedOf(code: string): Promise<{ status: number; type: string; code: string }> {
  if (Object.hasOwn(CATALOGUE, code)) return CATALOGUE[code as keyof typeof CATALOGUE]
  for (const { errors = {} } of await bundledSpecs()) {
    const { status, type = 'invalid_request_error' } = errors[code] ?? {}
    if (status !== undefined) return { status, type, code }
  }
  throw new Error(`${code} is in no catalogue`)
}

/** Asserts that a reply is the error `code` of the catalogue, whole and well-formed, and returns its `error` member. */
export async function assertError(reply: Reply | RawReply, code: string): Promise<WireError> {
  const text = 'body' in reply ? reply.body : await reply.text()
  const expected = await expectedOf(code)
  assert.equal(reply.status, expected.status, `${code} expected, got ${reply.status}: ${text.slice(0, 300)}`)
  assert.match(String(reply.headers['content-type']), /^application\/json/)
  const body = JSON.parse(text) as { error: WireError }
  assertValid('error-body', body)
  const { error } = body
  assert.equal(error.type, expected.type)
  assert.equal(error.code, expected.code)
  assert.match(error.message, /[A-Za-z]{2,} \S/, 'the message is not a sentence')
  assert.equal(error.request_id, reply.headers['x-request-id'])
  assert.ok(error.request_id)
  return error
}
