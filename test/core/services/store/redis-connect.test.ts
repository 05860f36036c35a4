import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { createClient } from '@redis/client'
import { parseConfig } from '../../../../core/gateway/config/load.ts'
import { runCli } from '../../../helpers/cli.ts'
import { freePort } from '../../../helpers/ports.ts'
import { until } from '../../../helpers/until.ts'
import { closing, kind } from './faults.ts'
import { assertOnce, exchange, openRedis } from './redis-helpers.ts'
import { RedisServer, redisPort } from './redis-server.ts'

const closed = closing()

/** An authority, and certificates of it for server and client; PEM files in `folder`. */
function certificates(folder: string): void {
  const openssl = (...args: string[]): void => void execFileSync('openssl', args, { cwd: folder, stdio: 'ignore' })
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
  openssl('req', '-x509', ...key, '-keyout', 'ca.key', '-out', 'ca.pem', '-subj', '/CN=test authority')
  for (const name of ['server', 'client']) {
    const san = ['-addext', 'subjectAltName=IP:127.0.0.1', '-CA', 'ca.pem', '-CAkey', 'ca.key']
    openssl('req', '-x509', ...key, ...san, '-keyout', `${name}.key`, '-out', `${name}.pem`, '-subj', `/CN=${name}`)
  }
}

describe('redis store: TLS', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gw-tls-'))
  const file = (name: string): string => join(folder, name)
  const servers: RedisServer[] = []
  const ports: number[] = []
  before(async () => {
    certificates(folder)
    const files = ['--tls-cert-file', file('server.pem'), '--tls-key-file', file('server.key')]
    for (const ask of ['no', 'yes']) {
      const port = await freePort()
      const authority = ['--tls-ca-cert-file', file('ca.pem'), '--tls-auth-clients', ask]
      servers.push(await RedisServer.start('--tls-port', `${port}`, ...files, ...authority))
      ports.push(port)
    }
  })
  after(async () => {
    await Promise.all(servers.map((server) => server.stop()))
    rmSync(folder, { recursive: true, force: true })
  })

  it('trusts an authority of its own', async () => {
    const store = closed(await openRedis(`rediss://127.0.0.1:${ports[0]}/0?ca=${file('ca.pem')}`, { instance: 'n1' }))
    for (let i = 0; i < 5; i++) await exchange(store, i)
    await assertOnce(store, 'n1', 5)
  })

  it('refuses a server that it cannot trust', async () => {
    const opening = openRedis(`rediss://127.0.0.1:${ports[0]}/0`)
    await assert.rejects(opening, /Redis at 127\.0\.0\.1:\d+ cannot be reached: .*(certificate|self.signed)/i)
  })

  it('shows a certificate to a server that asks for one', async () => {
    const url = `rediss://127.0.0.1:${ports[1]}/0?ca=${file('ca.pem')}`
    await assert.rejects(openRedis(url), kind('unavailable'))
    const store = closed(await openRedis(`${url}&cert=${file('client.pem')}&key=${file('client.key')}`))
    await store.set('k', 1)
    assert.equal(await store.get('k'), 1)
  })

  it('refuses a certificate without its key, or with another', async () => {
    const url = `rediss://127.0.0.1:${ports[1]}/0?ca=${file('ca.pem')}&cert=${file('client.pem')}`
    await assert.rejects(openRedis(url), /`cert` and `key` of a Redis url go together/)
    await assert.rejects(
      openRedis(`${url}&key=${file('server.key')}`),
      /server\.key .*cannot be used for TLS: .*mismatch/,
    )
  })

  it('finds its files from the folder of the config file, and from the working directory for SERVICE_STORE', async () => {
    const query = '?ca=ca.pem&cert=./client.pem&key=client.key'
    const text = JSON.stringify({
      upstreams: { demo: { kind: 'demo' } },
      keys: [{ id: 'a', key: '12345678' }],
      secret: 'x'.repeat(40),
      store: `rediss://127.0.0.1:${ports[1]}/0${query}`,
    })
    const config = file('gateway.yaml')
    const store = closed(await openRedis(parseConfig(text, config, {}).store))
    assert.equal(await store.get('nothing'), undefined)
    writeFileSync(config, text)
    const elsewhere = await runCli(['check', config], {}, tmpdir())
    assert.match(elsewhere.stdout, /: ok\n/, elsewhere.stderr)
    const variable = { SERVICE_STORE: `rediss://127.0.0.1:${ports[1]}/0${query}` }
    assert.equal((await runCli(['check', config], variable, folder)).code, 0)
    const { code, stderr } = await runCli(['check', config], variable, tmpdir())
    assert.equal(code, 3)
    assert.ok(stderr.includes(`SERVICE_STORE: ca=${join(tmpdir(), 'ca.pem')} of the Redis url cannot be read`), stderr)
  })

  it('works with a cluster', async () => {
    const port = await redisPort()
    const files = ['--tls-cert-file', file('server.pem'), '--tls-key-file', file('server.key')]
    const tls = ['--tls-port', `${port}`, '--tls-ca-cert-file', file('ca.pem'), '--tls-auth-clients', 'no']
    const cluster = ['--cluster-enabled', 'yes', '--tls-cluster', 'yes', '--cluster-announce-ip', '127.0.0.1']
    const server = await RedisServer.start(...tls, ...files, ...cluster)
    servers.push(server)
    server.cli('CLUSTER', 'ADDSLOTSRANGE', '0', '16383')
    await until(() => server.cli('CLUSTER', 'INFO').includes('cluster_state:ok'))
    const url = `rediss://127.0.0.1:${port}?cluster=true&ca=${file('ca.pem')}`
    const store = closed(await openRedis(url, { instance: 'n1' }))
    for (let i = 0; i < 5; i++) await exchange(store, i)
    await assertOnce(store, 'n1', 5)
  })

  it('names what is wrong with the url, and never the password', async () => {
    const fails = async (url: string, message: RegExp) =>
      assert.rejects(openRedis(url), (error: Error) => message.test(error.message) && !error.message.includes('hush'))
    await fails('rediss://u:hush@127.0.0.1:1/0?ca=/no/such/file', /ca=\/no\/such\/file .*there is no such file/)
    await fails(
      `rediss://u:hush@127.0.0.1:1/0?ca=${fileURLToPath(import.meta.url)}`,
      /connect\.test\.ts .*not a PEM file/,
    )
    await fails('redis://u:hush@127.0.0.1:1/zero', /the number of a database/)
    await fails('redis://u:hush%zz@127.0.0.1:1/0', /percent-encoded/)
    await fails('redis://u:hush@127.0.0.1:1/0?cluster=yes', /true or false/)
    await fails('redis://u:hush@127.0.0.1:1/0?ca=x', /need TLS: rediss/)
    await fails('redis://u:hush@127.0.0.1:1/0?tls=1', /knows cluster, ca, cert and key, not tls/)
  })
})

describe('redis store: users', () => {
  let server: RedisServer
  before(async () => {
    const user = ['--user', 'gateway', 'on', '>p@ss:word/', '~*', '&*', '+@all']
    server = await RedisServer.start(...user, '--user', 'default', 'off')
  })
  after(() => server.stop())

  const RIGHTS = '+eval +evalsha +script|load +info +ping +subscribe +publish +time +@read +@write'

  it('says which rights are missing, also within a script', async (t) => {
    const control = createClient({
      url: `redis://gateway:${encodeURIComponent('p@ss:word/')}@127.0.0.1:${server.port}/0`,
    })
    await control.connect()
    t.after(() => control.destroy())
    const rights = (...more: string[]) =>
      control.sendCommand(['ACL', 'SETUSER', 'poor', 'reset', 'on', '>poor', '~*', '&*', ...more])
    for (const missing of ['+time', '+publish', '+evalsha']) {
      await rights(...RIGHTS.split(' ').filter((right) => right !== missing))
      const open = async () => {
        const store = closed(await openRedis(`redis://poor:poor@127.0.0.1:${server.port}/0`))
        await store.set('k', 1, { notify: true })
      }
      await assert.rejects(open(), (error: Error) => {
        assert.match(error.message, /refuses access \(NOPERM\)\..* the user needs \+eval \+evalsha/)
        assert.ok(error.message.includes(RIGHTS), error.message)
        return true
      })
    }
  })

  it('logs in with name and password of the url', async () => {
    const url = `redis://gateway:${encodeURIComponent('p@ss:word/')}@127.0.0.1:${server.port}/0`
    const store = closed(await openRedis(url, { instance: 'n1' }))
    await exchange(store, 0)
    await assertOnce(store, 'n1', 1)
  })

  it('says that the password is wrong without showing it', async () => {
    const opening = openRedis(`redis://gateway:not-this-one@127.0.0.1:${server.port}/0`)
    await assert.rejects(opening, (error: Error) => {
      assert.match(error.message, /password/i)
      assert.doesNotMatch(error.message, /not-this-one/)
      return true
    })
  })
})
