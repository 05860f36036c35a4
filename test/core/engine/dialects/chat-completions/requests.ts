/** Chat-completions requests in short, and what the dialect makes of them. */
import assert from 'node:assert/strict'
import { GatewayError } from '../../../../../core/engine/contract/errors.ts'
import { readRequest } from '../../../../../core/engine/dialects/chat-completions/request.ts'
import { requestFields } from '../../../../../core/engine/dialects/chat-completions/request-fields.ts'
import { pathToString } from '../../../../../core/engine/json/strict.ts'

export const read = (body: object) => readRequest(Buffer.from(JSON.stringify(body)))
export const base = { model: 'm', messages: [{ role: 'user', content: 'hi' }] }
export const request = (more: object): object => ({ ...base, ...more })
export const say = (...messages: object[]): object => ({ model: 'm', messages })

/** Every field as `channel role path place text`. */
export function fields(body: object): string[] {
  return requestFields(read(body)).fields.map(({ channel, role, path, inner, place, text }) => {
    const where = pathToString(inner === undefined ? path : [...inner.path, ...path])
    return `${channel} ${role ?? '-'} ${where} ${place} ${text}`
  })
}

/** Refused with this code, at this place. */
export function refused(body: object | string, code: string, param?: string): void {
  assert.throws(
    () => readRequest(Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))),
    (error) => {
      assert.ok(error instanceof GatewayError)
      assert.equal(error.code, code)
      if (param !== undefined) assert.equal(error.param, param)
      return true
    },
  )
}
