import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { after, before, describe, it, type TestContext } from 'node:test'
import { exportSPKI, generateKeyPair } from 'jose'
import { startPlugin } from '../../../core/testing/index.ts'
import { principalOf } from '../../../plugins/oidc/claims.ts'
import oidc from '../../../plugins/oidc/index.ts'
import { AUDIENCE, Issuer, type Pair } from './issuer.ts'

let pairs: Pair[]
let issuer: Issuer
before(async () => {
  pairs = [await generateKeyPair('ES256'), await generateKeyPair('ES256')]
  issuer = new Issuer()
  await issuer.start()
})
after(() => issuer.close())

async function start(t: TestContext, more: object = {}) {
  issuer.down = false
  await issuer.publish('one', pairs[0]!)
  const options = { issuers: [{ issuer: issuer.url, audience: [AUDIENCE], ...more }] }
  const rig = await startPlugin(oidc, { options, egress: { allow: [issuer.host] } })
  t.after(() => rig.close())
  const ask = (token: string, request: Record<string, unknown> = {}) =>
    rig.send(request, { headers: { authorization: `Bearer ${token}` } })
  return { rig, ask }
}

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

describe('tokens of an issuer', () => {
  it('name the caller, and say what it may do', async (t) => {
    const claims = { team_claim: 'org.team', models_claim: 'models', admin: { claim: 'roles', value: 'gw-admin' } }
    const { rig, ask } = await start(t, { ...claims, label_claim: 'label', max_classification: 'RESTRICTED' })
    const token = await issuer.token('one', pairs[0]!, {
      org: { team: 'blue' },
      models: 'gpt-* other',
      label: 'INTERNAL',
    })
    const reply = await ask(token)
    assert.equal(reply.outcome, 'completed')
    assert.equal(reply.events.at(-1)?.key_id, 'oidc:kim')
    assert.equal((await ask(token, { model: 'secret' })).error?.code, 'model_not_allowed')
    const settings = (key: string) =>
      fetch(`${rig.url}/api/inspection`, { headers: { authorization: `Bearer ${key}` } })
    assert.equal((await settings(token)).status, 403)
    assert.equal((await settings(await issuer.token('one', pairs[0]!, { roles: ['x', 'gw-admin'] }))).status, 200)
    // Without the claim no model is allowed, and odd ids are hashed.
    const odd = await ask(await issuer.token('one', pairs[0]!, { sub: 'a b\n', roles: 'x' }))
    assert.equal(odd.error?.code, 'model_not_allowed')
    assert.match(String(odd.events.at(-1)?.key_id), /^oidc:[\w-]{43}$/)
  })

  it('name one team, as a text, a list of one, or the first entry of the config that fits', async (t) => {
    const teamsOf = async (more: object, claims: readonly unknown[]) => {
      const { rig } = await start(t, { team_claim: 'groups', ...more })
      const asked = claims.map(async (groups) => {
        const token = await issuer.token('one', pairs[0]!, { groups })
        const reply = await fetch(`${rig.url}/v1/models`, { headers: { authorization: `Bearer ${token}` } })
        const { error } = (await reply.json()) as { error?: { message: string } }
        return error?.message ?? 'fine'
      })
      return Promise.all(asked)
    }
    assert.deepEqual(await teamsOf({}, ['blue', ['blue'], ['/eng/søk 日本'], [], undefined, ['a', 'a']]), [
      ...Array(6).fill('fine'),
    ])
    const [several, long, kind] = await teamsOf({}, [['b', 'a'], 'x'.repeat(65), { a: 1 }])
    assert.match(String(several), /its claim 'groups' has 2 values; 'teams' must say which/)
    assert.match(String(long), /its claim 'groups' is no name of a team/)
    assert.match(String(kind), /neither a text nor a list/)

    const teams = [
      { value: '/eng/platform', team: 'platform' },
      { value: 'Zo\u0308e', team: 'umlaut' },
    ]
    const options = { id_claim: 'sub', id_prefix: 'oidc', models: ['*'], team_claim: 'groups' }
    const team = (groups: unknown, more: object[] = []) => {
      const found = principalOf({ sub: 'kim', groups }, { ...options, teams: [...teams, ...more] } as never)
      return typeof found === 'string' ? found : found.team
    }
    assert.equal(team(['Zo\u0308e', '/eng/platform']), 'platform')
    assert.equal(team('Zo\u0308e'.normalize('NFC')), 'umlaut')
    assert.equal(team(['/eng']), "its claim 'groups' has none of the values that 'teams' lists")
    assert.equal(team(undefined), "its claim 'groups' has none of the values that 'teams' lists")
    const others = [{ team: 'others' }]
    assert.deepEqual(
      [team(['/eng'], others), team(undefined, others), team('/eng/platform', others)],
      [...['others', 'others', 'platform']],
    )
    await assert.rejects(start(t, { teams: others }), /needs team_claim/)
  })

  it('make an admin by the whole text of a claim, one of a list, or one scope', () => {
    const isAdmin = (claim: string, value: unknown) => {
      const options = { id_claim: 'sub', id_prefix: 'oidc', models: ['*'], admin: { claim, value: 'admin' } }
      const found = principalOf({ sub: 'kim', [claim]: value }, options as never)
      assert.ok(typeof found === 'object')
      return found.admin
    }
    for (const value of ['admin', ['user', 'admin']]) assert.equal(isAdmin('name', value), true)
    for (const value of ['Mallory, not an admin', 'admin bob', 'a\tadmin', ' admin', ['admin bob'], 7, undefined])
      assert.equal(isAdmin('name', value), false, String(value))
    for (const claim of ['scope', 'scp']) assert.equal(isAdmin(claim, 'openid admin'), true)
    assert.equal(isAdmin('telescope', 'openid admin'), false)
  })

  it('are refused if anything is wrong', async (t) => {
    const { ask } = await start(t)
    const [good, other] = pairs as [Pair, Pair]
    const now = Math.floor(Date.now() / 1000)
    const valid = await issuer.token('one', good)
    const [head = '', body = '', signature = ''] = valid.split('.')
    const pem = await exportSPKI(good.publicKey)
    const hs = `${part({ alg: 'HS256', kid: 'one' })}.${body}`
    const wrong: Record<string, string> = {
      audience: await issuer.token('one', good, { aud: 'another' }),
      issuer: await issuer.token('one', good, { iss: 'https://evil.example' }),
      expired: await issuer.token('one', good, { exp: now - 31 }),
      'without exp': await issuer.token('one', good, { exp: undefined }),
      'not yet valid': await issuer.token('one', good, { nbf: now + 600 }),
      'without a subject': await issuer.token('one', good, { sub: undefined }),
      'signed by another': await issuer.token('one', other),
      none: `${part({ alg: 'none' })}.${body}.`,
      'none with a signature': `${part({ alg: 'none', kid: 'one' })}.${body}.${signature}`,
      'signed with the public key': `${hs}.${createHmac('sha256', pem).update(hs).digest('base64url')}`,
      'with another body': `${head}.${part({ iss: issuer.url, aud: AUDIENCE, sub: 'root', exp: now + 600 })}.${signature}`,
      'cut off': valid.slice(0, -4),
      'no token': 'eyJ.a.b',
    }
    for (const [why, token] of Object.entries(wrong)) {
      const { status, error } = await ask(token)
      assert.deepEqual([why, status, error?.code], [why, 401, 'invalid_api_key'])
    }
    assert.equal((await ask(valid)).status, 200)
  })

  it('follow the keys of the issuer: a new one at once, an old one until it is gone', async (t) => {
    t.mock.timers.enable({ apis: ['setInterval'] })
    const clock = { now: 0 }
    const { ask } = await start(t)
    const [first, second] = await Promise.all(pairs.map((pair, i) => issuer.token(i === 0 ? 'one' : 'two', pair)))
    assert.equal((await ask(first!)).status, 200)
    const real = performance.now.bind(performance)
    t.mock.method(performance, 'now', () => real() + clock.now)
    clock.now = 60_000
    await issuer.publish('two', pairs[1]!)
    assert.equal((await ask(first!)).status, 200, 'known')
    assert.equal((await ask(second!)).status, 200, 'read at once')
    assert.equal((await ask(first!)).status, 401, 'gone with its key')
    const asked = issuer.asked.length
    await ask(await issuer.token('three', pairs[0]!))
    assert.equal(issuer.asked.length, asked, 'unknown keys do not flood the issuer')
  })

  it('get 503 while the keys were never read', async (t) => {
    issuer.down = true
    const options = { issuers: [{ issuer: issuer.url, audience: [AUDIENCE] }] }
    const rig = await startPlugin(oidc, { options, egress: { allow: [issuer.host] } })
    t.after(() => rig.close())
    const token = await issuer.token('one', pairs[0]!)
    const { status, error } = await rig.send('Hello', { headers: { authorization: `Bearer ${token}` } })
    assert.deepEqual([status, error?.code], [503, 'identity_unavailable'])
    assert.equal((await rig.send('Hello')).status, 200, 'keys of the config need no issuer')
  })
})
