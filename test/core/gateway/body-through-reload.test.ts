import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { definePlugin, type PluginSpec } from '../../../core/engine/contract/plugin.ts'
import { loadConfig } from '../../../core/gateway/config/load.ts'
import { startGateway } from '../../../core/gateway/gateway.ts'
import { createLogger } from '../../../core/services/logger.ts'
import { NO_OPTIONS } from '../../helpers/core.ts'
import { bearer, USER_KEY } from '../../helpers/gateway.ts'
import { until } from '../../helpers/until.ts'

interface Arriving {
  /** Reads another config. */
  reload(plugins: object[]): Promise<void>
  /** Sends the body and returns the answer. */
  finish(): Promise<string>
}

/** A request with a key, known to the gateway, which waits for its body. */
async function arriving(
  t: TestContext,
  specs: readonly PluginSpec[],
  plugins: object[],
  path: string,
  body: string,
): Promise<Arriving> {
  const folder = mkdtempSync(join(tmpdir(), 'gg-body-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'gateway.yaml')
  const write = (plugins: object[]) =>
    writeFileSync(
      file,
      JSON.stringify({
        listen: { port: 0 },
        store: 'memory',
        secret: 'a secret for tests, 32 characters or more',
        upstreams: { demo: { kind: 'demo' } },
        keys: [{ id: 'user', key: USER_KEY }],
        plugins,
      }),
    )
  write(plugins)
  const gateway = await startGateway({
    config: loadConfig(file),
    configFile: file,
    logger: createLogger({ level: 'silent', destination: { write: () => {} } }),
    specs: new Map(specs.map((one) => [one.name, one])),
  })
  t.after(() => gateway.close())

  const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1').setEncoding('latin1')
  t.after(() => socket.destroy())
  const head = [
    `POST ${path} HTTP/1.1`,
    'host: gateway',
    `authorization: ${bearer(USER_KEY).authorization}`,
    'content-type: application/json',
    `content-length: ${body.length}`,
    'expect: 100-continue',
    'connection: close',
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n`)
  const [first] = (await once(socket, 'data')) as [string]
  assert.match(first, /^HTTP\/1\.1 100 /)
  return {
    async reload(plugins) {
      write(plugins)
      await gateway.reload()
    },
    async finish() {
      let reply = ''
      socket.on('data', (text: string) => {
        reply += text
      })
      socket.write(body)
      await once(socket, 'close')
      return reply
    },
  }
}

it('a request whose body arrives during a reload is served by the new plugins, not by stopped ones', async (t) => {
  const seen: string[] = []
  const witness = definePlugin({
    name: 'witness',
    schema: NO_OPTIONS,
    create: () => ({
      apply: (hooks) => hooks.preRequest.tap('witness', () => void seen.push('asked')),
      stop: () => void seen.push('stopped'),
    }),
  }) as unknown as PluginSpec
  const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'Hello' }] })
  const request = await arriving(t, [witness], [{ use: 'witness' }], '/v1/chat/completions', body)
  await request.reload([])
  await until(() => seen.includes('stopped'))
  assert.match(await request.finish(), /^HTTP\/1\.1 200 /)
  assert.deepEqual(seen, ['stopped'])
})

describe('a route of a plugin whose body arrives during a reload', () => {
  const stopped: string[] = []
  /** A plugin that answers with its option. */
  const named = definePlugin({
    name: 'named',
    schema: {
      type: 'object',
      properties: { name: { type: 'string' }, auth: { type: 'string', default: 'user' } },
      additionalProperties: false,
    },
    create: ({ name, auth }: { name: string; auth: 'user' | 'admin' }) => ({
      routes: [
        {
          method: 'POST',
          path: '/api/named',
          auth,
          body: NO_OPTIONS,
          handle: async () => ({ body: { name } }),
        },
      ],
      stop: () => void stopped.push(name),
    }),
  } as never) as unknown as PluginSpec
  const use = (name: string, auth = 'user') => ({ use: 'named', options: { name, auth } })

  it('is the route of the new plugin', async (t) => {
    const request = await arriving(t, [named], [use('old')], '/api/named', '{}')
    await request.reload([use('new')])
    await until(() => stopped.includes('old'))
    const reply = await request.finish()
    assert.match(reply, /^HTTP\/1\.1 200 /)
    assert.match(reply, /\{"name":"new"\}/)
  })

  it('is gone with its plugin', async (t) => {
    const request = await arriving(t, [named], [use('gone')], '/api/named', '{}')
    await request.reload([])
    await until(() => stopped.includes('gone'))
    assert.match(await request.finish(), /^HTTP\/1\.1 404 /)
  })

  it('asks for the key that the new plugin asks for', async (t) => {
    const request = await arriving(t, [named], [use('users')], '/api/named', '{}')
    await request.reload([use('admins', 'admin')])
    await until(() => stopped.includes('users'))
    assert.match(await request.finish(), /^HTTP\/1\.1 403 /)
  })
})
