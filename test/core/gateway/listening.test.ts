import assert from 'node:assert/strict'
import { chmodSync, existsSync, statSync, writeFileSync } from 'node:fs'
import { request as plain } from 'node:http'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { chat, chunks, hang, stream } from '../../../core/testing/provider.ts'
import { type Authority, authority, certificate } from '../../helpers/certificate.ts'
import { temporaryFolder } from '../../helpers/folder.ts'
import { ADMIN_KEY, asking, bearer, setup, type TestGateway, USER_KEY } from '../../helpers/gateway.ts'
import { askOver as ask } from '../../helpers/tls-client.ts'
import { until } from '../../helpers/until.ts'
import { pemFiles } from '../../helpers/upstream.ts'

const ca = authority()
const own = certificate({ issuer: ca })

async function secured(t: TestContext, tls: object = {}, keys?: readonly object[]) {
  const folder = temporaryFolder()
  const files = pemFiles(folder, { ca: ca.cert, cert: own.cert, key: own.key })
  const listen = { tls: { cert_file: files.cert, key_file: files.key, ...tls } }
  const parts = await setup(t, { plugins: [{ use: 'sessions' }], config: { listen, ...(keys && { keys }) } })
  const at = { host: '127.0.0.1', port: parts.gateway.port, ca: ca.cert }
  return { ...parts, folder, files, at }
}

/** As a client shows it. */
const showing = ({ cert, key }: Authority) => ({ cert, key })

const told = ({ log }: TestGateway) =>
  log.flatMap(({ event }) => {
    const { type } = (event ?? {}) as { type?: string }
    return type?.startsWith('tls.') === true ? [type] : []
  })

describe('listen.tls', () => {
  it('serves https, buffered and streamed, and no plain http', async (t) => {
    const { gateway, provider, at } = await secured(t)
    assert.match(gateway.url, /^https:/)
    provider.reply(chat('buffered'), stream(chunks('one two')))
    assert.match((await ask(at)).text, /buffered/)
    assert.match((await ask({ ...at, body: asking('Hello', { stream: true }) })).text, /"service".*\[DONE\]/s)
    await assert.rejects(new Promise((_, reject) => plain({ host: at.host, port: at.port }).on('error', reject).end()))
    await assert.rejects(ask({ ...at, ca: authority('other').cert }), { code: /CERT|ISSUER|SIGNATURE/ })
    const { length } = provider.requests
    assert.equal(length, 2)
  })

  it('a client that leaves ends the exchange with the provider', async (t) => {
    const { provider, at } = await secured(t)
    provider.reply(hang())
    const leave = new AbortController()
    const reply = ask({ ...at, signal: leave.signal })
    reply.catch(() => {})
    const seen = await provider.next()
    leave.abort()
    assert.equal(await seen.closed, 'aborted')
    await assert.rejects(reply)
  })

  it('has a least version', async (t) => {
    const { at } = await secured(t, { min_version: 'TLSv1.3' })
    await assert.rejects(ask({ ...at, maxVersion: 'TLSv1.2' }))
    assert.equal((await ask(at)).status, 200)
  })

  it('takes renewed certificates for new connections; running replies go on; bad ones are told and not used', async (t) => {
    const { gateway, provider, files, at } = await secured(t)
    const rest = Promise.withResolvers<void>()
    const [first, ...more] = chunks('one two three')
    provider.reply(stream([first!, chunks('x'.repeat(200))[1]!, rest.promise, ...more]))
    let began = false
    const running = ask({
      ...at,
      body: asking('Hello', { stream: true }),
      onData: () => {
        began = true
      },
    })
    await until(() => began)
    const before = (await ask(at)).serial
    const next = certificate({ issuer: ca })
    writeFileSync(files.cert, next.cert)
    assert.equal((await ask(at)).serial, before)
    assert.deepEqual(told(gateway), ['tls.reload_failed'])
    writeFileSync(files.key, next.key)
    const { serial } = await ask(at)
    assert.notEqual(serial, before)
    assert.deepEqual(told(gateway), ['tls.reload_failed', 'tls.reloaded'])
    rest.resolve()
    const done = await running
    assert.equal(done.serial, before)
    assert.match(done.text, /\[DONE\]/)
    assert.doesNotMatch(JSON.stringify(gateway.log), /BEGIN|authority|loopback/)
  })
})

describe('certificates of clients', () => {
  const app = certificate({ name: 'app', issuer: ca, dns: ['app.internal'] })
  const other = certificate({ name: 'other', issuer: ca })
  const foreign = certificate({ name: 'app', issuer: authority('foreign'), dns: ['app.internal'] })
  const keys = [
    { id: 'app', client_certificate: { subject: 'CN=app' } },
    { id: 'named', client_certificate: { san: 'DNS:named.internal' } },
    { id: 'gone', client_certificate: { subject: 'CN=gone' }, disabled: true },
    { id: 'user', key: USER_KEY },
    { id: 'admin', key: ADMIN_KEY, admin: true },
  ]
  const keyOf = ({ log }: TestGateway) =>
    log.flatMap(({ event }) => {
      const { type, key_id } = (event ?? {}) as { type?: string; key_id?: string }
      return type === 'request.completed' ? [key_id] : []
    })

  it('optional: one that names a key is that key; without one, a key is needed', async (t) => {
    const folder = temporaryFolder()
    const { ca: ca_file } = pemFiles(folder, { ca: ca.cert })
    const { gateway, at } = await secured(t, { ca_file, client_certificates: 'optional' }, keys)
    const bare = { ...at, headers: {} }
    assert.equal((await ask({ ...bare, ...showing(app) })).status, 200)
    const named = certificate({ name: 'x', issuer: ca, dns: ['a.internal', 'named.internal'] })
    assert.equal((await ask({ ...bare, ...showing(named), body: asking('Hello', { stream: true }) })).status, 200)
    // A key in the headers comes first.
    assert.equal((await ask({ ...at, ...showing(app) })).status, 200)
    assert.deepEqual(keyOf(gateway), ['app', 'named', 'user'])
    const gone = certificate({ name: 'gone', issuer: ca })
    for (const client of [{}, showing(other), showing(foreign), showing(gone)])
      assert.equal((await ask({ ...bare, ...client })).status, 401)
    assert.equal((await ask({ ...bare, ...showing(app), headers: bearer('sk-wrong-key') })).status, 401)
    assert.doesNotMatch(JSON.stringify(gateway.log), /CN=|named\.internal|BEGIN/)
  })

  it('required: nobody gets in without a valid one', async (t) => {
    const folder = temporaryFolder()
    const { ca: ca_file } = pemFiles(folder, { ca: ca.cert })
    const { at } = await secured(t, { ca_file, client_certificates: 'required' }, keys)
    const old = certificate({ name: 'app', issuer: ca, days: [-9, -2] })
    for (const client of [{}, showing(foreign), showing(old)]) await assert.rejects(ask({ ...at, ...client }))
    assert.equal((await ask({ ...at, ...showing(other) })).status, 200)
    assert.equal((await ask({ ...at, headers: {}, ...showing(app) })).status, 200)
  })
})

describe('listen.socket', () => {
  const on = (t: TestContext, path: string, more: object = {}) =>
    setup(t, { config: { listen: { socket: { path, ...more } } } })

  it('serves on a unix socket with its mode, and removes it at the end', async (t) => {
    const path = join(temporaryFolder(), 'gw.sock')
    const parts = await on(t, path)
    assert.equal(statSync(path).mode & 0o777, 0o660)
    parts.provider.reply(chat('buffered'), stream(chunks('one two')))
    assert.match((await ask({ socketPath: path })).text, /buffered/)
    assert.match((await ask({ socketPath: path, body: asking('Hello', { stream: true }) })).text, /\[DONE\]/)
    assert.equal((await ask({ socketPath: path, headers: {} })).status, 401)
    await parts.gateway.close()
    assert.equal(existsSync(path), false)
  })

  it('takes the place of a socket that was left over, and of no other file', async (t) => {
    const path = join(temporaryFolder(), 'gw.sock')
    const { spawnSync } = process.getBuiltinModule('node:child_process')
    const code = 'require("net").createServer().listen(process.argv[1], () => process.kill(process.pid, "SIGKILL"))'
    spawnSync(process.execPath, ['-e', code, path])
    assert.ok(existsSync(path))
    await on(t, path, { mode: '0600' })
    assert.equal(statSync(path).mode & 0o777, 0o600)
    assert.equal((await ask({ socketPath: path })).status, 200)
    // The gateway above listens.
    await assert.rejects(on(t, path), { code: 'GW_CONFIG', message: /another process listens on .*gw\.sock/ })
    assert.equal((await ask({ socketPath: path })).status, 200)
    const file = join(temporaryFolder(), 'file')
    writeFileSync(file, 'precious')
    await assert.rejects(on(t, file), { code: 'GW_CONFIG', message: /exists and is not a socket/ })
    assert.ok(existsSync(file))
    await assert.rejects(on(t, join(file, 'x')), { code: 'GW_CONFIG', message: /listen\.socket\.path/ })
  })
})

it('a socket of somebody else is not removed because it cannot be asked', async (t) => {
  const path = join(temporaryFolder(), 'busy.sock')
  const server = createServer()
  t.after(() => server.close())
  await new Promise<void>((resolve) => server.listen(path, resolve))
  chmodSync(path, 0o600)
  await assert.rejects(setup(t, { config: { listen: { socket: { path } } } }), { code: 'GW_CONFIG' })
  assert.ok(existsSync(path))
})
