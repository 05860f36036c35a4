import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { promisify } from 'node:util'
import { Agent, request } from 'undici'
import { parse } from 'yaml'
import { configSchema } from '../../core/engine/config/schema.ts'
import { checkAgainst } from '../../core/engine/config/validate.ts'
import { chunks } from '../../core/testing/provider/wire.ts'
import { startProvider, stream } from '../../core/testing/provider.ts'
import { startReceiver } from '../../core/testing/receiver.ts'
import { asking, bearer } from '../helpers/gateway.ts'
import { freePorts } from '../helpers/ports.ts'
import { startNginx } from './nginx.ts'
import { Reader } from './reader.ts'

const run = promisify(execFile)

/** Of a part of a config. */
const schemaProblems = (text: string) =>
  checkAgainst(configSchema, { upstreams: { demo: { kind: 'demo' } }, ...parse(text) }).problems

it('docs/production.md does what it says, block by block', async (t) => {
  const provider = await startProvider()
  const siem = await startReceiver()
  t.after(async () => void (await Promise.all([provider.close(), siem.close()])))
  const reader = await Reader.open(t, 'docs/production.md')
  const { root, aside, env } = reader.copy
  const config = join(aside, 'etc/gateway.yaml')
  reader.stand('/etc/governed-gateway', join(aside, 'etc'))
  reader.stand('/var/lib/governed-gateway', join(aside, 'lib'))
  reader.stand('/opt/governed-gateway', root)
  reader.stand('https://api.openai.com/v1', provider.url)
  reader.stand('https://siem.example.com/ingest', siem.url)
  reader.stand('sk-…', 'sk-test-provider-key-1')

  await reader.read('Install', 2)
  const keys = [...reader.printed.matchAll(/(gw_\S+)[\s\S]*?"sha256:(\w+)"/g)].map(([, key = '', hash = '']) => ({
    key,
    hash,
  }))
  const [user, admin] = keys as [(typeof keys)[0], (typeof keys)[0]]
  reader.stand('HASH_OF_APP', user.hash)
  reader.stand('HASH_OF_OPS', admin.hash)
  reader.stand('ADMIN_KEY=OPS_KEY', `ADMIN_KEY=${admin.key}`)
  await reader.read('Install', 2)
  appendFileSync(config, `egress: { allow: ["${new URL(siem.url).host}"] }\n`)
  await reader.read('Install')
  const url = reader.meant('http://127.0.0.1:8787')
  const ask = (key: string, at = url, more: object = {}) =>
    request(`${at}/v1/chat/completions`, {
      method: 'POST',
      headers: { ...bearer(key), 'content-type': 'application/json' },
      body: JSON.stringify(asking('Hello')),
      ...more,
    })

  await t.test('systemd takes the unit, and what it runs is there', async () => {
    reader.others.set('ini', async (unit) => {
      const file = join(aside, 'governed-gateway.service')
      writeFileSync(file, unit)
      await run('systemd-analyze', ['verify', '--man=no', file]).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOENT') throw error
      })
      const [, command = ''] = /^ExecStart=(.+)$/m.exec(unit) ?? []
      const [node = '', ...args] = command.replace('start --config', 'check').split(' ')
      const variables = readFileSync(join(aside, 'etc/environment'), 'utf8').trim().split('\n')
      const secrets = Object.fromEntries(variables.map((line) => line.split('=')))
      await run(node, args, { env: { ...env, ...secrets } })
      // pre_stop_seconds, drain_seconds, and the time that workers have beyond them.
      assert.ok(Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1]) > 5 + 25 + 30)
    })
    await reader.read('systemd')
  })

  await t.test('the container has what it copies, and asks a route that answers', async () => {
    reader.others.set('dockerfile', (text) => {
      const copied = [...text.matchAll(/^COPY (.+) \S+$/gm)].flatMap(([, names = '']) => names.split(' '))
      assert.ok(copied.length > 3)
      for (const name of copied) assert.ok(existsSync(join(root, name)), name)
    })
    reader.others.set('yaml', async (text) => {
      const { gateway } = parse(text).services
      assert.deepEqual([gateway.read_only, gateway.user, gateway.stop_grace_period], [true, 'node', '75s'])
      const [, , ...args] = gateway.healthcheck.test as string[]
      await run(process.execPath, args)
      await assert.rejects(
        run(
          process.execPath,
          args.map((arg) => arg.replace('/live', '/none')),
        ),
      )
    })
    await reader.read('Container')
  })

  await t.test('nginx hands a stream on as it comes, and the client by its address', async (t) => {
    const [port] = await freePorts(1)
    const served = Promise.withResolvers<void>()
    reader.others.set('nginx', async (text) => {
      const nginx = await startNginx(join(aside, 'nginx'), text, `127.0.0.1:${port}`)
      t.after(() => nginx.stop())
      const dispatcher = new Agent({ localAddress: '127.0.0.2', connect: { ca: nginx.certificate.cert } })
      t.after(() => dispatcher.close())
      const gate = Promise.withResolvers<void>()
      const said = chunks('A sentence that is longer than what is held back for rules. '.repeat(4))
      provider.reply(stream([...said.slice(0, 30), gate.promise, ...said.slice(30)]))
      const at = `https://127.0.0.1:${port}`
      const reply = await ask(user.key, at, {
        dispatcher,
        body: JSON.stringify(asking('Hello', { stream: true })),
        headers: { ...bearer(user.key), 'content-type': 'application/json', 'x-forwarded-for': '203.0.113.9' },
      })
      let all = ''
      for await (const part of reply.body.setEncoding('utf8')) {
        all += part
        // The provider goes on only when the client has text of the reply.
        if (all.includes('sentence')) gate.resolve()
      }
      assert.match(all, /\[DONE\]\n\n$/)
      const denied = await request(`${at}/api/audit`, { dispatcher, headers: bearer(admin.key) })
      assert.equal(denied.statusCode, 403)
      await denied.body.dump()
      served.resolve()
    })
    await reader.read('nginx')
    await served.promise
    await reader.main.prints(/"source_ip":"127\.0\.0\.2"/)
    assert.doesNotMatch(reader.main.errors, /203\.0\.113\.9/)
  })

  await t.test('a mirror is configured as the schema has it', async () => {
    reader.others.set('yaml', (text) => assert.deepEqual(schemaProblems(text), []))
    await reader.read('Try another model with real requests')
  })

  await t.test('https is configured as the schema has it', async () => {
    reader.others.set('yaml', (text) => assert.deepEqual(schemaProblems(text), []))
    await reader.read('TLS without nginx')
  })

  await t.test('a key of a user, and one of a provider in the file, change without a restart', async () => {
    const text = readFileSync(config, 'utf8')
    const second = { key: 'gw_second-key-of-the-app', id: 'app-2' }
    const both = text.replace('keys:\n', `keys:\n  - { id: ${second.id}, key: ${second.key} }\n`)
    const reloaded = async (content: string): Promise<void> => {
      const before = reader.main.errors.length
      writeFileSync(config, content)
      await reader.main.prints(/"msg":"config reloaded"/, before)
    }
    await reloaded(both)
    for (const key of [user.key, second.key]) assert.equal((await ask(key)).statusCode, 200)
    await reloaded(both.replace(/^.*id: app,.*\n/m, '').replace(/"\$\{OPENAI_API_KEY\}"/, 'sk-test-provider-key-2'))
    assert.equal((await ask(user.key)).statusCode, 401)
    assert.equal((await ask(second.key)).statusCode, 200)
    assert.deepEqual(
      new Set(provider.requests.map(({ headers }) => headers.authorization)),
      new Set(['Bearer sk-test-provider-key-1', 'Bearer sk-test-provider-key-2']),
    )
    await reloaded(text)
  })

  await t.test('the token of a receiver changes, and the secret of the deployment', async () => {
    await reader.read('Tokens of receivers')
    assert.equal((await siem.next()).headers.authorization, 'Bearer new-token')
    assert.equal((await ask(user.key)).statusCode, 200)
    // The page has the reader stop the gateway, which writes an anchor.
    await reader.stop()
    await reader.read('The secret of the deployment', 2)
    await reader.main.prints(/"msg":"stored secrets cannot be read/)
    const asked = await ask(user.key)
    assert.equal(asked.statusCode, 200, await asked.body.text())
    await reader.stop()
    await reader.read('The secret of the deployment')
    assert.equal(reader.printed.match(/ok: the trail is whole/g)?.length, 2)
    const anchors = [...reader.printed.matchAll(/anchors: ([1-9])\d* good/g)]
    assert.equal(anchors.length, 2, 'both parts have anchors')
  })

  await t.test('the route over three upstreams passes the check', async () => {
    reader.others.set('yaml', async (text) => {
      const file = join(aside, 'upstreams.yaml')
      writeFileSync(file, `${text}\nstore: memory\nplugins: [{ use: sessions }]\n`)
      const names = [...text.matchAll(/\$\{(\w+)\}/g)].map(([, name = '']) => name)
      const secrets = Object.fromEntries(names.map((name) => [name, `sk-${name}`]))
      await run(process.execPath, ['core/bin.js', 'check', file], { cwd: root, env: { ...env, ...secrets } })
    })
    await reader.read('Upstreams that fail')
  })
  reader.finish()
})
