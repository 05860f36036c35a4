import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { describe, it } from 'node:test'
import { AuthFailures } from '../../../../core/engine/access/auth-failures.ts'
import { GatewayError } from '../../../../core/engine/contract/errors.ts'

type Told = Record<string, unknown>

function rig() {
  const told: Told[] = []
  let ip: string | undefined = '10.0.0.1'
  const emitter = { emit: (_: string, payload: Told) => void told.push(payload) }
  const failures = new AuthFailures(
    () => emitter as never,
    () => ip,
  )
  return {
    note(code: 'GW_MISSING_KEY' | 'GW_INVALID_KEY' | 'GW_ADMIN_REQUIRED', from: string | undefined, keyId?: string) {
      ip = from
      failures.note({} as IncomingMessage, new GatewayError(code, 'No.'), keyId)
    },
    told() {
      failures.flush()
      return told.splice(0)
    },
  }
}

describe('refused keys', () => {
  it('are told once for each source, code and known key, with a count', () => {
    const { note, told } = rig()
    for (let i = 0; i < 3; i++) note('GW_ADMIN_REQUIRED', '10.0.0.1', 'app')
    note('GW_ADMIN_REQUIRED', '10.0.0.1', 'other')
    note('GW_INVALID_KEY', undefined)
    const refused = { source_ip: '10.0.0.1', code: 'GW_ADMIN_REQUIRED', reason: 'admin_required' }
    assert.deepEqual(told(), [
      { ...refused, key_id: 'app', count: 3 },
      { ...refused, key_id: 'other', count: 1 },
      { source_ip: 'unknown', code: 'GW_INVALID_KEY', reason: 'invalid_key', count: 1 },
    ])
    assert.deepEqual(told(), [])
  })

  it('of too many sources and keys are told together', () => {
    const { note, told } = rig()
    for (let i = 0; i < 1000; i++) note('GW_ADMIN_REQUIRED', `10.0.${i >> 8}.${i & 255}`, `key-${i}`)
    for (let i = 0; i < 500; i++) note('GW_ADMIN_REQUIRED', '10.9.9.9', `more-${i}`)
    for (let i = 0; i < 500; i++) note('GW_MISSING_KEY', `10.8.0.${i}`)
    const all = told()
    assert.equal(all.length, 1002)
    assert.deepEqual(all.slice(1000), [
      { source_ip: 'others', code: 'GW_ADMIN_REQUIRED', reason: 'admin_required', count: 500 },
      { source_ip: 'others', code: 'GW_MISSING_KEY', reason: 'missing_key', count: 500 },
    ])
  })
})
