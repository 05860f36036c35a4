import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { describe, it } from 'node:test'
import { createKey, Keyring, mayUse } from '../../../../core/engine/access/keyring.ts'
import { isGatewayError } from '../../../../core/engine/contract/errors.ts'
import { parseConfig } from '../../../../core/gateway/config/load.ts'

const keysOf = (yaml: string) => parseConfig(`upstreams: { demo: { kind: demo } }\nkeys:\n${yaml}`, 'g.yaml', {}).keys

const KEYS = keysOf(`
  - { id: app, key: app-key-0001, team: blue, models: ["gpt-*", llama3], max_classification: INTERNAL }
  - { id: ops, hash: "sha256:${hash('sha256', 'ops-key-0001', 'hex').toUpperCase()}", admin: true, flags: { dry_run: true, budget: 5 } }
  - { id: old, key: old-key-0001, expires: 2026-12-31 }
`)
const keyring = new Keyring(KEYS, () => Date.parse('2026-06-01T00:00:00Z'))

const isInvalid = (error: unknown): boolean => isGatewayError(error) && error.code === 'GW_INVALID_KEY'

describe('auth', () => {
  it('knows keys by clear text and by hash, and what they may do', () => {
    assert.deepEqual(keyring.authenticate({ authorization: 'Bearer app-key-0001' }), {
      keyId: 'app',
      admin: false,
      team: 'blue',
      models: ['gpt-*', 'llama3'],
      maxClassification: 'INTERNAL',
      flagsAllow: [],
      flags: {},
    })
    const ops = keyring.authenticate({ authorization: 'Bearer ops-key-0001' })
    assert.equal(ops.admin, true)
    assert.deepEqual(ops.flags, { dry_run: 'true', budget: 5 })
    assert.ok(Object.isFrozen(ops))
  })

  it('takes a key in any of three headers, and the same one in several', () => {
    const key = 'app-key-0001'
    const authorization = `Bearer ${key}`
    for (const headers of [
      { 'x-api-key': key },
      { 'api-key': key },
      { 'x-api-key': key, 'api-key': key },
      { authorization, 'x-api-key': key },
      { authorization, 'x-api-key': key, 'api-key': key },
      { authorization: '', 'x-api-key': key },
      { authorization: 'Bearer', 'api-key': key },
      { authorization, 'x-api-key': '', 'api-key': '' },
    ]) {
      assert.equal(keyring.authenticate(headers).keyId, 'app', JSON.stringify(headers))
    }
  })

  it('does not guess between two keys, even if one is valid', () => {
    const key = 'app-key-0001'
    for (const headers of [
      { authorization: `Bearer ${key}`, 'x-api-key': 'ops-key-0001' },
      { authorization: 'Bearer other', 'x-api-key': key },
      { authorization: `Bearer ${key}`, 'api-key': `${key} ` },
      { authorization: 'Basic YTpi', 'x-api-key': key },
      { authorization: key, 'api-key': key },
      { 'x-api-key': key, 'api-key': 'ops-key-0001' },
      { authorization: `Bearer ${key}`, 'x-api-key': key, 'api-key': 'x' },
    ]) {
      assert.throws(
        () => keyring.authenticate(headers),
        (error) => isGatewayError(error) && error.code === 'GW_BAD_REQUEST' && !error.message.includes(key),
        JSON.stringify(headers),
      )
    }
  })

  it('lets a key live through the last second of its last day', () => {
    let now = Date.parse('2026-12-31T23:59:59.999Z')
    const ring = new Keyring(KEYS, () => now)
    assert.equal(ring.authenticate({ authorization: 'Bearer old-key-0001' }).keyId, 'old')
    now += 1
    assert.throws(() => ring.authenticate({ authorization: 'Bearer old-key-0001' }), isInvalid)
  })

  it('takes no key at all when there are none', () => {
    assert.throws(() => new Keyring([]).authenticate({ authorization: 'Bearer x' }), isInvalid)
  })

  it('matches models against the globs of the key', () => {
    const app = keyring.authenticate({ authorization: 'Bearer app-key-0001' })
    assert.deepEqual(
      ['gpt-5', 'llama3', 'llama3:70b', 'GPT-5'].map((model) => mayUse(app, model)),
      [true, true, false, false],
    )
  })

  it('makes keys that work', () => {
    const { key, hash: made } = createKey()
    assert.match(key, /^gw_[A-Za-z0-9_-]{43}$/)
    const ring = new Keyring(keysOf(`  - { id: new, hash: "${made}" }`))
    assert.equal(ring.authenticate({ authorization: `Bearer ${key}` }).keyId, 'new')
    assert.notEqual(createKey().key, key)
  })
})
