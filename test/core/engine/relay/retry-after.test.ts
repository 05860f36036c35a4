import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { describe, it } from 'node:test'
import {
  CATALOGUE,
  type ErrorCode,
  GatewayError,
  type GatewayErrorOptions,
} from '../../../../core/engine/contract/errors.ts'
import { Responder } from '../../../../core/engine/relay/responder.ts'
import { RecordedResponse } from '../../../helpers/core.ts'

function answer(send: (out: Responder) => void): RecordedResponse {
  const response = new RecordedResponse()
  const req = Object.assign(new EventEmitter(), { complete: true, headers: {} })
  send(new Responder(req as unknown as IncomingMessage, response as unknown as ServerResponse, 'req_1'))
  return response
}
const waitOf = (code: ErrorCode, options: GatewayErrorOptions = {}) =>
  answer((out) => out.error(new GatewayError(code, 'No.', options))).headers['retry-after']

describe('Retry-After', () => {
  it('comes with every 429 and 503 of the catalogue, and with no other error', () => {
    const seen = new Set<number>()
    for (const [code, { status }] of Object.entries(CATALOGUE)) {
      seen.add(status)
      assert.equal(waitOf(code as ErrorCode), status === 429 || status === 503 ? '1' : undefined, code)
    }
    assert.ok(seen.has(429) && seen.has(503) && seen.has(502))
  })

  it('is what the error says, in whole seconds', () => {
    assert.equal(waitOf('GW_RATE_LIMITED', { retryAfter: 6.2 }), '7')
    assert.equal(waitOf('GW_AUDIT_UNAVAILABLE', { headers: { 'Retry-After': '9' } }), undefined)
    assert.equal(waitOf('GW_BUSY', { headers: { 'retry-after': '9' } }), '9')
  })

  it('comes with no refusal that lasts, and what a provider says stays as it is', () => {
    assert.equal(waitOf('GW_POLICY_BLOCK', { status: 429, retryable: false }), undefined)
    assert.equal(waitOf('GW_POLICY_BLOCK', { status: 429 }), '1')
    assert.equal(waitOf('GW_UPSTREAM_ERROR', { status: 429 }), undefined)
  })

  it('comes with a 503 that is no error, such as of a health check', () => {
    assert.equal(answer((out) => out.json(503, '{}')).headers['retry-after'], '1')
    assert.equal(answer((out) => out.json(200, '{}')).headers['retry-after'], undefined)
  })
})
