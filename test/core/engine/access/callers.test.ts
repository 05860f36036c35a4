import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Callers } from '../../../../core/engine/access/callers.ts'
import { GatewayError } from '../../../../core/engine/contract/errors.ts'
import type { Principal, PrincipalSource } from '../../../../core/engine/contract/principal.ts'
import { parseConfig } from '../../../../core/gateway/config/load.ts'

const KEYS = parseConfig(
  'upstreams: { demo: { kind: demo } }\nkeys: [{ id: app, key: app-key-0001 }]\n',
  'g.yaml',
  {},
).keys
const kim: Principal = { keyId: 'kim', admin: false, models: ['*'], flags: {}, flagsAllow: [] }
const callers = (...sources: PrincipalSource[]) =>
  new Callers(
    KEYS,
    sources.map((source) => ({ plugin: 'test', source })),
  )
const bearer = (key: string) => ({ authorization: `Bearer ${key}` })
const INVALID = { code: 'GW_INVALID_KEY' }

describe('callers of plugins', () => {
  it('are asked in order, after the configured keys, and at once if they know', () => {
    const asked: string[] = []
    const none: PrincipalSource = { identify: (credential) => void asked.push(credential) }
    const all = callers(none, { identify: () => kim })
    assert.equal((all.authenticate(bearer('app-key-0001')) as Principal).keyId, 'app')
    assert.deepEqual(asked, [])
    const found = all.authenticate(bearer('kim-0001'))
    assert.deepEqual(found, { ...kim, source: 'test' })
    assert.equal(found, all.authenticate(bearer('kim-0001')), 'the same frozen object')
    assert.ok(Object.isFrozen(found))
    assert.deepEqual(asked, ['kim-0001', 'kim-0001'])
    assert.throws(() => callers(none).authenticate(bearer('kim-0001')), INVALID)
  })

  it('with a certificate are refused where a page of another site sends it', () => {
    const subject = 'CN=app'
    const keys = [{ ...KEYS[0]!, id: 'machine', client_certificate: { subject } }]
    const all = new Callers(keys)
    const from = (site?: string) => all.authenticate({ 'sec-fetch-site': site } as object, 'POST', certificate)
    const certificate = { subject, subjectAltName: undefined }
    for (const site of ['cross-site', 'same-site']) assert.throws(() => from(site), INVALID)
    for (const site of [undefined, 'same-origin', 'none']) assert.equal((from(site) as Principal).keyId, 'machine')
  })

  it('may need time, or fail', async () => {
    const slow = callers({ identify: async () => undefined }, { identify: async () => kim })
    assert.equal((await slow.authenticate(bearer('x'))).keyId, 'kim')
    const nobody = callers({ identify: async () => undefined })
    await assert.rejects(async () => nobody.authenticate(bearer('x')), INVALID)
    const down = callers({
      identify() {
        throw new GatewayError('GW_STORE_UNAVAILABLE', 'down')
      },
    })
    assert.throws(() => down.authenticate(bearer('x')), { code: 'GW_STORE_UNAVAILABLE' })
  })

  it('never have the id of a configured key, nor members of another type', () => {
    const as = (more: object) => callers({ identify: () => ({ ...kim, ...more }) as Principal })
    assert.throws(() => as({ keyId: 'app' }).authenticate(bearer('x')), INVALID)
    for (const more of [
      { admin: 1 },
      { keyId: 'a b' },
      { models: '*' },
      { flags: null },
      { flags: { mode: {} } },
      { team: '' },
    ]) {
      assert.throws(() => as(more).authenticate(bearer('x')), { code: 'GW_PLUGIN_CONTRACT' }, JSON.stringify(more))
    }
    for (const wrong of [null, true, 'kim']) {
      const all = callers({ identify: () => wrong as never })
      assert.throws(() => all.authenticate(bearer('x')), { code: 'GW_PLUGIN_CONTRACT' })
    }
  })

  it('may have sessions, which stand for a credential and nothing more', async () => {
    const session: PrincipalSource = { credentialOf: ({ headers }) => headers.cookie as string | undefined }
    const all = callers(session)
    assert.equal((await all.authenticate({ cookie: 'app-key-0001' } as never)).keyId, 'app')
    await assert.rejects(async () => all.authenticate({ cookie: 'other' } as never), INVALID)
    await assert.rejects(async () => all.authenticate({}), { code: 'GW_MISSING_KEY' })
    // A key in the headers is the one that counts.
    assert.throws(() => all.authenticate({ ...bearer('other'), cookie: 'app-key-0001' } as never), INVALID)
    assert.throws(() => callers().authenticate({}), { code: 'GW_MISSING_KEY' })
  })
})
