/** What somebody would try against tokens and the keys of their issuers. */
import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { after, before, describe, it, type TestContext } from 'node:test'
import { CompactSign, generateKeyPair, type JWK } from 'jose'
import { startPlugin } from '../../../core/testing/index.ts'
import oidc from '../../../plugins/oidc/index.ts'
import { until } from '../../helpers/until.ts'
import { AUDIENCE, Issuer, type Pair } from './issuer.ts'

let pairs: [Pair, Pair]
let issuers: [Issuer, Issuer]
before(async () => {
  pairs = [await generateKeyPair('ES256'), await generateKeyPair('ES256')]
  issuers = [new Issuer(), new Issuer()]
  for (const issuer of issuers) await issuer.start()
})
after(() => {
  for (const issuer of issuers) issuer.close()
})

async function start(t: TestContext, more: object = {}, published: readonly JWK[] = []) {
  for (const [i, issuer] of issuers.entries()) {
    issuer.answer = undefined
    await issuer.publish('one', pairs[i]!)
    issuer.published = [...issuer.published, ...published]
  }
  const options = {
    issuers: issuers.map(({ url }, i) => ({ issuer: url, audience: [AUDIENCE], id_prefix: `i${i}`, ...more })),
  }
  const rig = await startPlugin(oidc, { options, egress: { allow: issuers.map(({ host }) => host) } })
  t.after(() => rig.close())
  const ask = async (token: string) => {
    const { status, error, events } = await rig.send('Hello', { headers: { authorization: `Bearer ${token}` } })
    return [status, error?.code ?? events.at(-1)?.key_id]
  }
  return { rig, ask }
}

const REFUSED = [401, 'invalid_api_key']
const UNAVAILABLE = [503, 'identity_unavailable']

describe('a stranger with a token', () => {
  it('cannot speak for the callers of another issuer, whatever the subject is', async (t) => {
    const { ask } = await start(t, { team_claim: 'team' })
    const [first, second] = issuers
    assert.deepEqual(await ask(await first.token('one', pairs[0])), [200, 'i0:kim'])
    assert.deepEqual(await ask(await second.token('one', pairs[1])), [200, 'i1:kim'])
    assert.deepEqual(await ask(await first.token('one', pairs[1])), REFUSED)
    assert.deepEqual(await ask(await second.token('one', pairs[0], { iss: first.url.toUpperCase() })), REFUSED)
    for (const sub of ['kim:i1', 'кim', 'kim\u200b', '__proto__', 'a'.repeat(5000)]) {
      const [status, id] = await ask(await first.token('one', pairs[0], { sub }))
      assert.equal(status, 200)
      assert.match(String(id), sub === '__proto__' ? /^i0:__proto__$/ : /^i0:[\w-]{43}$/)
    }
    for (const claims of [
      { sub: '' },
      { sub: 7 },
      { sub: ['kim'] },
      { team: 'a\nb' },
      { team: 'blue\u202e' },
      { team: ['blue', 'red'] },
      { team: ['blue', 7] },
      { team: { name: 'blue' } },
      { team: '' },
    ])
      assert.deepEqual([claims, await ask(await first.token('one', pairs[0], claims))], [claims, REFUSED])
    // A team that nobody gave limits is a team without limits.
    assert.equal((await ask(await first.token('one', pairs[0], { team: 'nobody knows' })))[0], 200)
  })

  it('gets some seconds for clocks that differ, and no more', async (t) => {
    const { ask } = await start(t, { clock_skew_seconds: 30 })
    const now = Math.floor(Date.now() / 1000)
    const [issuer] = issuers
    assert.equal((await ask(await issuer.token('one', pairs[0], { exp: now - 5, nbf: now + 5 })))[0], 200)
    for (const claims of [{ exp: now - 60 }, { nbf: now + 600 }, { exp: 'never' }, { exp: null }, { nbf: 'now' }])
      assert.deepEqual(await ask(await issuer.token('one', pairs[0], claims)), REFUSED)
    const endless = `{"iss":"${issuer.url}","aud":"${AUDIENCE}","sub":"kim","exp":1e999}`
    const signed = new CompactSign(Buffer.from(endless)).setProtectedHeader({ alg: 'ES256', kid: 'one' })
    assert.deepEqual(await ask(await signed.sign(pairs[0].privateKey)), REFUSED)
  })

  it('cannot make the gateway ask the issuer again and again', async (t) => {
    const { ask } = await start(t)
    const [issuer] = issuers
    assert.equal((await ask(await issuer.token('one', pairs[0])))[0], 200)
    const before = issuer.asked.length
    const tokens = Array.from({ length: 30 }, (_, i) => issuer.token(`invented-${i}`, pairs[0]))
    for (const reply of await Promise.all(tokens.map(async (token) => ask(await token))))
      assert.deepEqual(reply, REFUSED)
    assert.ok(issuer.asked.length - before <= 2, `${issuer.asked.length - before} requests`)
  })
})

describe('an issuer whose keys', () => {
  it('hang, are too many, or no JSON leaves the known ones valid, and other callers alone', async (t) => {
    t.mock.timers.enable({ apis: ['setInterval'] })
    const { rig, ask } = await start(t, { keys_refresh_seconds: 10 })
    const [issuer] = issuers
    const good = await issuer.token('one', pairs[0])
    const other = await issuer.token('one', pairs[0], { sub: 'pat' })
    assert.equal((await ask(good))[0], 200)
    for (const answer of [`{"keys":[${'{},'.repeat(600_000)}{}]}`, '<html>', '{"keys":7}', undefined]) {
      let isAsked = false
      issuer.answer = (res) => {
        if (answer !== undefined) res.end(answer)
        isAsked = true
      }
      await until(() => {
        t.mock.timers.tick(10_000)
        return isAsked
      })
      assert.deepEqual(await ask(good), [200, 'i0:kim'])
      assert.deepEqual(await ask(other), [200, 'i0:pat'])
      assert.equal((await rig.send('Hello')).status, 200)
    }
  })

  it('cannot be used makes tokens of these keys invalid, and no others', async (t) => {
    const point = { kty: 'EC', crv: 'P-256', x: 'AAAA', y: 'AAAA', alg: 'ES256', use: 'sig', kid: 'broken' }
    const { ask } = await start(t, {}, [point, { kty: 'oct', k: 'AAAA', kid: 'shared' }])
    const [issuer] = issuers
    for (const kid of ['broken', 'shared']) assert.deepEqual(await ask(await issuer.token(kid, pairs[0])), REFUSED)
    assert.equal((await ask(await issuer.token('one', pairs[0])))[0], 200)
  })

  for (const [kind, change] of [
    ['is an RSA key of 1,024 bits', {}],
    ['has a number where RSA keys have text', { n: 7 }],
    ['is no base64url', { n: '!' }],
  ] as const)
    it(`${kind} makes tokens that name it invalid, signed or not`, async (t) => {
      const short = generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey.export({ format: 'jwk' })
      const { ask } = await start(t, {}, [{ ...short, ...change, kid: 'short', alg: 'RS256', use: 'sig' } as never])
      const [issuer] = issuers
      const [, body] = (await issuer.token('short', pairs[0])).split('.')
      const head = Buffer.from('{"alg":"RS256","kid":"short"}').toString('base64url')
      assert.deepEqual(await ask(`${head}.${body}.AAAA`), REFUSED)
    })

  it('were not read for more than an hour is believed no longer, not even for tokens seen before', async (t) => {
    t.mock.timers.enable({ apis: ['setInterval'] })
    const { ask } = await start(t, { keys_refresh_seconds: 60 })
    const [issuer] = issuers
    const token = await issuer.token('one', pairs[0], { exp: Math.floor(Date.now() / 1000) + 86_400 })
    assert.equal((await ask(token))[0], 200)
    for (const each of issuers) each.answer = (res) => void res.writeHead(500).end()
    const real = performance.now.bind(performance)
    let passed = 3_600_000
    t.mock.method(performance, 'now', () => real() + passed)
    assert.equal((await ask(token))[0], 200)
    passed += 61_000
    assert.deepEqual(await ask(token), UNAVAILABLE)
  })

  it('come over plain HTTP from outside is refused at the start', async () => {
    const issuer = { issuer: 'https://login.example.com', audience: ['x'] }
    for (const one of [
      { ...issuer, issuer: 'http://login.example.com' },
      { ...issuer, jwks_url: 'http://login.example.com/jwks' },
    ]) {
      const options = { issuers: [one] }
      await assert.rejects(async () => (await startPlugin(oidc, { options })).close(), /must use https/)
    }
  })
})
