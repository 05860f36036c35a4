import assert from 'node:assert/strict'
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { createClient } from '@redis/client'
import { main } from '../../../../core/gateway/cli/cli.ts'
import { loadConfig } from '../../../../core/gateway/config/load.ts'
import type { Report } from '../../../../core/gateway/doctor/report.ts'
import { startGateway } from '../../../../core/gateway/gateway.ts'
import { createLogger } from '../../../../core/services/logger.ts'
import { json, startProvider } from '../../../../core/testing/provider.ts'
import { respond, startReceiver } from '../../../../core/testing/receiver.ts'
import { temporaryFolder } from '../../../helpers/folder.ts'
import { RedisServer } from '../../services/store/redis-server.ts'

/** A port that no test listens on, even beside others. */
const NOBODY = 1

const ADMIN = 'sk-admin-secret-0123456789'
const KEY = 'sk-upstream-secret-0123456789'

async function doctor(config: object | string, ...args: string[]) {
  const folder = temporaryFolder()
  const file = join(folder, 'gateway.yaml')
  writeFileSync(file, typeof config === 'string' ? config : JSON.stringify(config))
  return doctorOf(file, ...args)
}

async function doctorOf(file: string, ...args: string[]) {
  let text = ''
  const io = {
    stdout: { write: (part: string) => (text += part) },
    stderr: { write: (part: string) => (text += part) },
  }
  const code = await main(['doctor', file, ...args], io)
  return { code, text }
}

const base = (url: string) => ({
  listen: { port: 0 },
  store: 'file:./data',
  upstreams: { model: { url, key: KEY } },
  keys: [{ id: 'user', key: 'sk-user-secret-0123456789' }],
})

describe('doctor', () => {
  it('finds a healthy deployment healthy, and shows no secret', async (t) => {
    const provider = await startProvider()
    const receiver = await startReceiver()
    t.after(() => Promise.all([provider.close(), receiver.close()]))
    provider.reply(json({ object: 'list', data: [] }))
    const { host } = new URL(receiver.url)
    const options = { endpoint: `http://${host}`, headers: { authorization: 'Bearer otel-secret' } }
    const config = { ...base(provider.url), egress: { allow: [host] }, plugins: [{ use: 'otel', options }] }
    const { code, text } = await doctor(config, '--json')
    const { ok, findings } = JSON.parse(text) as Report
    assert.deepEqual([code, ok], [0, true], text)
    const areas = new Set(findings.map(({ area }) => area))
    for (const area of ['versions', 'config', 'listen', 'store', 'upstreams', 'receivers', 'clock', 'limits']) {
      assert.ok(areas.has(area as never), area)
    }
    assert.equal(provider.requests.at(-1)?.url, '/v1/models')
    assert.doesNotMatch(text, /secret/)
  })

  it('tells what to do about a refused key, a receiver out of reach and a store in memory', async (t) => {
    const provider = await startReceiver()
    t.after(() => provider.close())
    provider.reply(respond(401))
    const plugins = [{ use: 'otel', options: { endpoint: 'http://127.0.0.1:9' } }]
    const { code, text } = await doctor({ ...base(provider.url), store: 'memory', plugins })
    assert.equal(code, 1)
    assert.match(text, /FAIL {2}model .* answered 401 .*\n.*check `key`/)
    assert.match(text, /FAIL {2}otel .*127\.0\.0\.1:9.*\n.*egress\.allow/)
    assert.match(text, /WARN {2}store .* in memory/)
    assert.match(text, /2 failures, \d warnings?/)
    assert.doesNotMatch(text, new RegExp(KEY))
  })

  it('says that a provider took too long', async (t) => {
    const provider = await startProvider()
    t.after(() => provider.close())
    t.mock.method(AbortSignal, 'timeout', () => AbortSignal.abort(new DOMException('', 'TimeoutError')))
    const { text } = await doctor(base(provider.url))
    assert.match(text, /does not answer \(no answer within 5 s\)/)
  })

  it('asks Redis, changes nothing there, and tells what is wrong without the password', async (t) => {
    const server = await RedisServer.start('--requirepass', 'redis-secret')
    const provider = await startProvider()
    t.after(() => provider.close())
    const store = (password: string, port = server.port) => ({
      ...base(provider.url),
      secret: 's'.repeat(40),
      store: `redis://:${password}@127.0.0.1:${port}/0`,
    })
    const client = createClient({ url: store('redis-secret').store })
    t.after(async () => {
      client.destroy()
      await server.stop()
    })
    await client.connect()
    const before = await client.sendCommand(['KEYS', '*'])
    const healthy = await doctor(store('redis-secret'))
    assert.match(healthy.text, new RegExp(`OK +store +Redis at 127\\.0\\.0\\.1:${server.port}, \\d+ ms`, 'i'))
    assert.equal(healthy.code, 0, healthy.text)
    assert.deepEqual(await client.sendCommand(['KEYS', '*']), before)
    const refused = await doctor(store('wrong-secret'))
    const away = await doctor(store('redis-secret', NOBODY))
    for (const [{ code, text }, why] of [
      [refused, 'refuses access \\(WRONGPASS\\)'],
      [away, 'cannot be reached: connect ECONNREFUSED 127.0.0.1:\\d+'],
    ] as const) {
      assert.equal(code, 1)
      assert.match(text, new RegExp(`FAIL {2}store +Redis at 127\\.0\\.0\\.1:\\d+ ${why}\n +Check .*password`))
    }
    assert.doesNotMatch(healthy.text + refused.text + away.text, /secret/)
    assert.match((await doctor(store('wrong-secret'), '--offline')).text, /Redis, not asked/)
  })

  it('looks at receivers that were PUT at run time, beside the gateway, and shows no secret', async (t) => {
    const provider = await startProvider()
    t.after(() => provider.close())
    const redis = await RedisServer.start()
    t.after(() => redis.stop())
    const shared = { store: `redis://127.0.0.1:${redis.port}/0`, secret: 's'.repeat(40) }
    for (const own of [{}, shared]) {
      const folder = temporaryFolder()
      const file = join(folder, 'gateway.yaml')
      const given = { enabled: true, url: 'http://127.0.0.1:7/given' }
      const config = {
        ...{ ...base(provider.url), ...own, egress: { allow: ['127.0.0.1:7', '127.0.0.1:8', '127.0.0.1:9'] } },
        keys: [{ id: 'admin', key: ADMIN, admin: true }],
        plugins: [{ use: 'siem', options: given }, { use: 'alerting' }],
      }
      writeFileSync(file, JSON.stringify(config))
      const logger = createLogger({ level: 'silent' })
      const gateway = await startGateway({ config: loadConfig(file), logger })
      const put = async (name: string, settings: object): Promise<void> => {
        const headers = { authorization: `Bearer ${ADMIN}`, 'content-type': 'application/json' }
        const url = `${gateway.url}/api/settings/${name}`
        const reply = await fetch(url, { method: 'PUT', headers, body: JSON.stringify(settings) })
        assert.equal(reply.status, 200, await reply.text())
      }
      try {
        await put('siem', { url: 'http://127.0.0.1:8/put?token=hidden-in-url', auth_token: 'hidden-token' })
        await put('alerting', { webhook_url: 'http://127.0.0.1:9/hidden-path' })
        const { code, text } = await doctorOf(file)
        assert.equal(code, 1)
        assert.match(text, /FAIL {2}siem +127\.0\.0\.1:8 cannot be reached/)
        assert.match(text, /FAIL {2}alerting +127\.0\.0\.1:9 cannot be reached/)
        assert.doesNotMatch(text, /hidden|127\.0\.0\.1:7/)
        if (own === shared) {
          writeFileSync(file, JSON.stringify({ ...config, secret: 'x'.repeat(40) }))
          assert.match((await doctorOf(file)).text, /FAIL {2}alerting +the stored webhook_url cannot be read/)
        }
      } finally {
        await gateway.close()
      }
    }
  })

  it('reports problems of the config as failures', async () => {
    const { code, text } = await doctor({ ...base('https://api.example.com/v1'), workers: 'many' }, '--offline')
    assert.equal(code, 1)
    assert.match(text, /FAIL {2}workers/)
  })

  it('names the file that has a problem, and one that is missing', async () => {
    const { code, text } = await doctor('upstreams: { demo: { kind: demo } }\nplugins:\n  - { use: sime }\n')
    assert.equal(code, 1)
    assert.match(
      text,
      /FAIL {2}plugins\[0\]\.use {2}.*Did you mean "siem"\?\n +In .*gateway\.yaml, line 3\.\n\n1 failure, 0 warnings/s,
    )
    let told = ''
    const io = { stdout: { write: (part: string) => (told += part) }, stderr: { write: () => true } }
    assert.equal(await main(['doctor', '/nowhere/gateway.yaml'], io), 1)
    assert.match(told, /FAIL {2}file .*\/nowhere\/gateway\.yaml cannot be read: there is no such file\n/)
    const broken = join(temporaryFolder(), 'gateway.yaml')
    writeFileSync(broken, 'keys: [1\nplugins: []')
    told = ''
    assert.equal(await main(['doctor', broken], io), 1)
    assert.match(told, /FAIL {2}file +YAML: the \] that ends .*\n +In .*gateway\.yaml, line 2\./)
  })

  it('tells of a log file that cannot be written, and of a syslog server out of reach', async (t) => {
    const provider = await startProvider()
    t.after(() => provider.close())
    const options = { enabled: true, destination: 'syslog', url: 'tls://127.0.0.1' }
    const siem = { egress: { allow: ['127.0.0.1:6514'] }, plugins: [{ use: 'siem', options }] }
    const { code, text } = await doctor({ ...base(provider.url), ...siem, log: { file: '/nowhere/gateway.log' } })
    assert.equal(code, 1)
    assert.match(text, /FAIL {2}log\.file .*\/nowhere\/gateway\.log cannot be written \(ENOENT\)/)
    assert.match(text, /FAIL {2}siem .*127\.0\.0\.1:6514 cannot be reached/)
    assert.match((await doctor({ ...base(provider.url), log: { file: 'gateway.log' } })).text, /OK +log\.file/i)
    const inFile = await doctor({ ...base(provider.url), store: 'file:gateway.yaml' })
    assert.match(inFile.text, /FAIL {2}store .* is a file, not a folder\.\n +Name a folder: `store: file:FOLDER`/)
  })

  it('tells of a file that a plugin cannot write, and leaves nothing', async () => {
    const folder = temporaryFolder()
    const file = join(folder, 'gateway.yaml')
    const asked = (path: string) => {
      const plugins = [{ use: 'audit-file', options: { path } }]
      writeFileSync(file, JSON.stringify({ ...base('http://127.0.0.1:1/v1'), plugins }))
      return doctorOf(file, '--offline')
    }
    for (const [path, told] of [
      [
        'gateway.yaml/trail/audit.jsonl',
        /\S+\/gateway\.yaml is a file, not a folder\n +Let the user of the gateway write/,
      ],
      ['.', /\/\S+ is a folder\n +Name a file\./],
      ['/proc/no-such/audit.jsonl', /\/proc\/no-such\/audit\.jsonl cannot be used: .*\(\w+\)\n +Check the path/],
    ] as const) {
      const { code, text } = await asked(path)
      assert.equal(code, 1, text)
      assert.match(text, new RegExp(`FAIL {2}plugins\\[0\\]\\.options\\.path +${told.source}`))
    }
    const fine = await asked('trail/audit.jsonl')
    assert.match(fine.text, /ok +plugins\[0\]\.options\.path +\S+\/trail\/audit\.jsonl\n/)
    assert.equal(fine.code, 0, fine.text)
    assert.deepEqual(readdirSync(folder), ['gateway.yaml'])
  })

  it('asks nobody with --offline', async (t) => {
    const provider = await startProvider()
    t.after(() => provider.close())
    const { code } = await doctor(base(provider.url), '--offline')
    assert.equal(code, 0)
    assert.equal(provider.requests.length, 0)
  })
})
