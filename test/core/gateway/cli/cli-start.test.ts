import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readdirSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { request } from 'undici'
import { runCli, startCli } from '../../../helpers/cli.ts'
import { filesFor } from '../../../helpers/folder.ts'

const { folder, file } = filesFor()

const PLAIN = 'listen: { port: 0 }\nstore: memory\nupstreams: { demo: { kind: demo } }\n'

describe('cli: start', () => {
  it('prints where it listens, what runs and the keys of a first start, once; SIGTERM ends it with 0', async () => {
    const path = file('first.yaml', PLAIN.replace('memory', 'file:./data'))
    const first = await startCli(['--config', path])
    const greeting = first.greeting()
    assert.match(greeting, /^governed-gateway \d+\.\d+\.\d+ listens on http:\/\/127\.0\.0\.1:\d+\n {2}config {3}/)
    assert.match(greeting, /\n {2}plugins {2}none/)
    const keys = [...greeting.matchAll(/^ {2}(\S+) +(gw_\S+)( {2}\(admin\))?$/gm)]
    assert.deepEqual(
      keys.map(([, id, , admin]) => [id, admin !== undefined]),
      [
        ['default', false],
        ['admin', true],
      ],
    )
    const curl = greeting.slice(greeting.indexOf('curl -N '))
    assert.ok(curl.startsWith(`curl -N ${first.url}/v1/chat/completions`) && curl.includes(keys[0]![2]!))
    assert.deepEqual(JSON.parse(/-d '(.*)'/.exec(curl)![1]!), {
      model: 'demo',
      stream: true,
      messages: [{ role: 'user', content: 'Hello!' }],
    })
    const { statusCode, body } = await request(`${first.url}/health/live`)
    assert.deepEqual([statusCode, await body.json()], [200, { status: 'ok' }])
    first.kill('SIGTERM')
    assert.deepEqual(await first.ended, { code: 0, signal: null })
    assert.deepEqual(
      readdirSync(join(folder, 'data')).filter((name) => name === 'keys.json'),
      ['keys.json'],
    )

    const second = await startCli(['--config', path])
    assert.doesNotMatch(second.greeting(), /gw_/)
    second.kill('SIGINT')
    assert.deepEqual(await second.ended, { code: 0, signal: null })
  })

  it('reloads on SIGHUP and when the file changes; a bad file keeps the last good one', async () => {
    const path = file('reload.yaml', PLAIN)
    const gateway = await startCli(['--config', path])
    gateway.kill('SIGUSR1')
    gateway.kill('SIGHUP')
    assert.equal((await gateway.logged('config reloaded')).why, 'SIGHUP')
    writeFileSync(path, `${PLAIN}log: { level: loud }\n`)
    const { err } = await gateway.logged('config not reloaded: the last good one stays in force')
    const { type, code, message } = err as Record<string, string>
    assert.deepEqual(err, { type, code, message }, 'no stack')
    assert.match(String(message), /reload\.yaml:4: log\.level: must be one of/)
    assert.equal(
      (await request(`${gateway.url}/health/live`).then(({ body }) => body.json() as Promise<{ status: string }>))
        .status,
      'ok',
    )
    gateway.kill('SIGTERM')
    assert.equal((await gateway.ended).code, 0)
    assert.doesNotMatch(gateway.others(), /Debugger/, 'SIGUSR1 opens it unless the gateway listens to the signal')
  })

  it('exits 3 for a bad config, with every problem, and 1 when it cannot listen', async () => {
    const bad = await runCli([
      'start',
      '--config',
      file('bad.yaml', `${PLAIN}plugins: [{ use: ./none.ts }]\nlog: { levl: x }\n`),
    ])
    assert.deepEqual([bad.code, bad.stdout], [3, ''])
    assert.match(bad.stderr, /bad\.yaml has 2 problems:\n.*none\.ts: there is no file|bad\.yaml:5: log\.levl/)

    const blocker: Server = createServer().listen(0, '127.0.0.1')
    await once(blocker, 'listening')
    const { port } = blocker.address() as AddressInfo
    const taken = await runCli(['start', '--config', file('taken.yaml', PLAIN)], { SERVICE_PORT: String(port) })
    blocker.close()
    assert.equal(taken.code, 1, taken.stderr)
    assert.match(taken.stderr, /Cannot listen on 127\.0\.0\.1:\d+ \(EADDRINUSE\)/)
    assert.doesNotMatch(taken.stderr, /\n {4}at |too many connections/)

    const unknown = await runCli(['start', '--config', file('unknown.yaml', PLAIN)], {
      SERVICE_HOST: 'no-such.invalid',
    })
    assert.equal(unknown.code, 1, unknown.stderr)
    assert.match(unknown.stderr, /Cannot listen on no-such\.invalid:\d+ \(E\w+\)\. The name .* listen\.host/)
  })

  it('ends at once on a second signal, with 128 + its number', async () => {
    // A plugin whose stop never ends stands for an exchange that does not.
    file(
      'slow.mjs',
      `export default { name: 'slow', schema: { type: 'object' }, create: () => ({ drain: () => new Promise(() => {}) }) }`,
    )
    const path = file('second.yaml', `${PLAIN}plugins: [{ use: ./slow.mjs }]\n`)
    for (const [signal, code] of [
      ['SIGTERM', 143],
      ['SIGINT', 130],
    ] as const) {
      const gateway = await startCli(['--config', path])
      gateway.kill(signal)
      await gateway.logged('closing: running exchanges may end; a second signal ends at once')
      gateway.kill(signal)
      assert.deepEqual(await gateway.ended, { code, signal: null })
    }
  })
})
