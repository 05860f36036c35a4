import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { startPlugin } from '../../../core/testing/index.ts'
import consolePage from '../../../plugins/console/index.ts'
import { RedisServer } from '../../core/services/store/redis-server.ts'
import { selfSigned } from '../../helpers/certificate.ts'

async function start(t: TestContext, config: Readonly<Record<string, unknown>> = {}) {
  const rig = await startPlugin(consolePage, { with: ['flags', 'keys'], config })
  t.after(() => rig.close())
  const call = (method: string, path: string, headers: Record<string, string>, body?: object) =>
    fetch(`${rig.url}${path}`, {
      ...{ method, headers: { 'content-type': 'application/json', ...headers } },
      ...(body && { body: JSON.stringify(body) }),
    })
  const signIn = (key: string) => call('POST', '/console/session', { authorization: `Bearer ${key}` }, {})
  return { rig, call, signIn }
}

const cookieOf = (reply: Response): string => reply.headers.getSetCookie()[0]?.split(';')[0] ?? ''

describe('sessions of the console', () => {
  it('stand for the admin key of whoever signed in, and end when they sign out', async (t) => {
    const { rig, call, signIn } = await start(t)
    const reply = await signIn(rig.adminKey)
    const [set = ''] = reply.headers.getSetCookie()
    assert.match(set, /; Path=\/; Max-Age=28800; HttpOnly; SameSite=Strict$/)
    assert.equal(set.includes(rig.adminKey), false)
    const headers = { cookie: cookieOf(reply), 'x-console': '1' }
    assert.equal((await call('GET', '/api/keys', headers)).status, 200)
    assert.equal((await call('POST', '/api/keys', headers, { id: 'app' })).status, 201)
    assert.equal((await call('POST', '/console/session', headers, {})).status, 400, 'a session opens no other')
    const out = await call('DELETE', '/console/session', headers)
    assert.match(out.headers.getSetCookie()[0] ?? '', /^gateway_console=; .*Max-Age=0/)
    assert.equal((await call('GET', '/api/keys', headers)).status, 401)
  })

  it('need a header that other sites cannot send', async (t) => {
    const { rig, call, signIn } = await start(t)
    const cookie = cookieOf(await signIn(rig.adminKey))
    for (const headers of [
      { cookie },
      { cookie, 'x-console': '2' },
      { cookie, 'x-console': '1', 'sec-fetch-site': 'cross-site' },
      { cookie, 'x-console': '1', 'sec-fetch-site': 'same-site' },
      { cookie: `${cookie}x`, 'x-console': '1' },
      { cookie: `x${cookie}`, 'x-console': '1' },
      { cookie: `${cookie}; ${cookie}`, 'x-console': '1' },
      { cookie: `gateway_console=${'a'.repeat(43)}; ${cookie}`, 'x-console': '1' },
    ]) {
      const reply = await call('GET', '/api/keys', headers as unknown as Record<string, string>)
      assert.equal(reply.status, 401, JSON.stringify(headers))
    }
    const good = { cookie: `a=b; ${cookie}`, 'x-console': '1', 'sec-fetch-site': 'same-origin' }
    assert.equal((await call('GET', '/api/keys', good)).status, 200)
  })

  it('are only for admins, and end with their key', async (t) => {
    const { rig, call, signIn } = await start(t)
    assert.equal((await signIn(rig.apiKey)).status, 403)
    assert.equal((await signIn('wrong')).status, 401)
    const made = await rig.admin('POST', '/api/keys', { id: 'kim', admin: true })
    const headers = { cookie: cookieOf(await signIn(String(made.body.key))), 'x-console': '1' }
    assert.equal((await call('GET', '/console/overview', headers)).status, 200)
    await rig.admin('DELETE', '/api/keys/kim')
    assert.equal((await call('GET', '/console/overview', headers)).status, 401)
  })

  it('end at once when the key is rotated, disabled, demoted, or the time is over', async (t) => {
    t.mock.timers.enable({ apis: ['Date'], now: Date.parse('2027-01-01T00:00:00Z') })
    const { rig, call, signIn } = await start(t)
    const overview = async (cookie: string) =>
      (await call('GET', '/console/overview', { cookie, 'x-console': '1' })).status
    const session = async (id: string) => {
      const { key } = (await rig.admin('POST', '/api/keys', { id, admin: true })).body
      const cookie = cookieOf(await signIn(String(key)))
      assert.equal(await overview(cookie), 200)
      return cookie
    }
    const [rotated, disabled, demoted, late] = [
      await session('a'),
      await session('b'),
      await session('c'),
      await session('d'),
    ]
    await rig.admin('POST', '/api/keys/a/rotate', { overlap_seconds: 0 })
    assert.equal(await overview(rotated), 401)
    await rig.admin('PATCH', '/api/keys/b', { disabled: true })
    assert.equal(await overview(disabled), 401)
    await rig.admin('PATCH', '/api/keys/c', { admin: false })
    assert.equal(await overview(demoted), 403)
    t.mock.timers.setTime(Date.now() + 8 * 3_600_000 + 1)
    assert.equal(await overview(late), 401)
  })

  it('are told apart from a store that is away, which is no error of the gateway', async (t) => {
    const redis = await RedisServer.start()
    t.after(() => redis.stop())
    const { rig, call, signIn } = await start(t, { store: `redis://127.0.0.1:${redis.port}/0`, secret: 's'.repeat(40) })
    const headers = { cookie: cookieOf(await signIn(rig.adminKey)), 'x-console': '1' }
    assert.equal((await call('GET', '/console/overview', headers)).status, 200)
    await redis.kill()
    const reply = await call('GET', '/console/overview', headers)
    const { error } = (await reply.json()) as { error: { code: string; message: string } }
    assert.deepEqual([reply.status, error.code], [503, 'store_unavailable'])
    assert.match(error.message, /sessions of the console did not answer/)
    assert.ok(Number(reply.headers.get('retry-after')) > 0)
    assert.equal((await call('GET', '/api/audit', { authorization: `Bearer ${rig.adminKey}` })).status, 503)
  })

  it('are new with each sign-in, and never one that the browser brought', async (t) => {
    const { rig, call, signIn } = await start(t)
    const planted = `gateway_console=${'a'.repeat(43)}`
    const headers = { authorization: `Bearer ${rig.adminKey}`, cookie: planted, 'x-console': '1' }
    const first = cookieOf(await call('POST', '/console/session', headers, {}))
    assert.notEqual(first, planted)
    assert.notEqual(first, cookieOf(await signIn(rig.adminKey)))
    assert.equal((await call('GET', '/api/keys', { cookie: planted, 'x-console': '1' })).status, 401)
  })

  it('take nothing that a form of another site can send', async (t) => {
    const { rig, call, signIn } = await start(t)
    const cookie = cookieOf(await signIn(rig.adminKey))
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']) {
      const headers = { cookie, 'content-type': type, origin: 'https://evil.example' }
      assert.equal((await call('POST', '/api/keys', headers, { id: 'evil' })).status, 401, type)
      assert.equal(
        (await call('POST', '/api/keys', { ...headers, 'x-console': '1' }, { id: 'evil' })).status,
        415,
        type,
      )
    }
    const asking = await call('OPTIONS', '/api/keys', {
      ...{ origin: 'https://evil.example', 'access-control-request-method': 'POST' },
      'access-control-request-headers': 'x-console',
    })
    assert.ok(asking.status >= 400)
    const allowed = [...asking.headers.keys()].filter((name) => name.startsWith('access-control'))
    assert.deepEqual(allowed, [])
  })

  it('are Secure behind a proxy with HTTPS', async (t) => {
    const { rig, call, signIn } = await start(t)
    const https = { 'x-forwarded-proto': 'https' }
    const reply = await call('POST', '/console/session', { authorization: `Bearer ${rig.adminKey}`, ...https }, {})
    assert.match(
      reply.headers.getSetCookie()[0] ?? '',
      /^__Host-gateway_console=.*; Path=\/;.*; SameSite=Strict; Secure$/,
    )
    const page = { 'x-console': '1', ...https }
    assert.equal((await call('GET', '/api/keys', { ...page, cookie: cookieOf(reply) })).status, 200)
    // A page without HTTPS, or another host of the domain, could have set this one.
    const plain = cookieOf(await signIn(rig.adminKey))
    assert.equal((await call('GET', '/api/keys', { ...page, cookie: plain })).status, 401)
    assert.equal((await call('GET', '/api/keys', { 'x-console': '1', cookie: plain })).status, 200)
    const out = await call('DELETE', '/console/session', { ...page, cookie: cookieOf(reply) })
    assert.match(out.headers.getSetCookie()[0] ?? '', /^__Host-gateway_console=; .*Max-Age=0; .*Secure$/)
  })

  it('are Secure where the gateway has TLS', async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'gw-console-'))
    t.after(() => rmSync(folder, { recursive: true, force: true }))
    const { key, cert } = selfSigned()
    writeFileSync(join(folder, 'key.pem'), key)
    writeFileSync(join(folder, 'cert.pem'), cert)
    const tls = { cert_file: join(folder, 'cert.pem'), key_file: join(folder, 'key.pem') }
    const rig = await startPlugin(consolePage, { config: { listen: { port: 0, tls } } })
    t.after(() => rig.close())
    const { port } = new URL(rig.url)
    const headers = { authorization: `Bearer ${rig.adminKey}`, 'content-type': 'application/json' }
    const asked = request({ host: '127.0.0.1', port, path: '/console/session', method: 'POST', headers, ca: cert })
    const [reply] = (await once(asked.end('{}'), 'response')) as [IncomingMessage]
    reply.resume()
    assert.match(reply.headers['set-cookie']?.[0] ?? '', /^__Host-.*; Secure$/)
  })
})

describe('the page', () => {
  it('has a strict policy, is small, and asks no other site', async (t) => {
    const { rig } = await start(t)
    const html = await fetch(`${rig.url}/console`)
    const policy = html.headers.get('content-security-policy') ?? ''
    assert.match(policy, /^default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self';/)
    assert.equal(/unsafe|\*|https?:/.test(policy), false)
    const seen = new Set<string>()
    let bytes = 0
    const load = async (path: string): Promise<void> => {
      if (seen.has(path)) return
      seen.add(path)
      const reply = await fetch(`${rig.url}${path}`)
      assert.equal(reply.status, 200, path)
      assert.equal(reply.headers.get('x-content-type-options'), 'nosniff')
      const text = await reply.text()
      bytes += text.length
      assert.equal(/https?:\/\/(?!www\.w3\.org\/2000\/svg)/.test(text), false, path)
      for (const [, name] of text.matchAll(/(?:from|href=|src=) ?['"](?:\.|\/console)\/([\w.]+)['"]/g))
        await load(`/console/${name}`)
    }
    await load('/console')
    for (const name of 'live traffic audit budgets keys settings playground system'.split(' '))
      await load(`/console/${name}.js`)
    assert.ok(bytes < 150 * 1024, `${bytes} bytes`)
    assert.ok(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8').includes('plugins/console/page'))
  })

  it('shows decisions without any text of requests', async (t) => {
    const { rig } = await start(t)
    await rig.admin('GET', '/console/live')
    await rig.send('My secret words')
    const { decisions } = (await rig.admin('GET', '/console/live')).body as { decisions: Record<string, unknown>[] }
    assert.equal(decisions.length, 1)
    assert.deepEqual([decisions[0]?.key_id, decisions[0]?.action, decisions[0]?.status], ['tester', 'allow', 200])
    assert.equal(JSON.stringify(decisions).includes('secret words'), false)
  })

  it('sends only the decisions that came since the last look', async (t) => {
    const { rig } = await start(t)
    type Live = { decisions: { id: string }[]; cursor?: string }
    const look = async (since?: string) =>
      (await rig.admin('GET', since === undefined ? '/console/live' : `/console/live?since=${since}`)).body as Live
    assert.deepEqual(await look(), { decisions: [] })
    for (let i = 0; i < 30; i++) await rig.send('Hello')
    const first = await look()
    assert.equal(first.decisions.length, 30)
    assert.deepEqual(await look(first.cursor), { decisions: [], cursor: first.cursor })
    for (let i = 0; i < 25; i++) await rig.send('Hello')
    const second = await look(first.cursor)
    const ids = new Set([...first.decisions, ...second.decisions].map(({ id }) => id))
    assert.deepEqual([second.decisions.length, ids.size], [25, 55])
    assert.equal((await look('no-such-event')).decisions.length, 55)
  })
})
