import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { definePlugin, type PluginSpec } from '../../../core/engine/contract/plugin.ts'
import { loadConfig } from '../../../core/gateway/config/load.ts'
import { startGateway } from '../../../core/gateway/gateway.ts'
import { createLogger } from '../../../core/services/logger.ts'
import { NO_OPTIONS } from '../../helpers/core.ts'
import { bearer, USER_KEY } from '../../helpers/gateway.ts'
import { until } from '../../helpers/until.ts'

it('a request whose body arrives during a reload is served by the new plugins, not by stopped ones', async (t) => {
  const seen: string[] = []
  const witness = definePlugin({
    name: 'witness',
    schema: NO_OPTIONS,
    create: () => ({
      apply: (hooks) => hooks.preRequest.tap('witness', () => void seen.push('asked')),
      stop: () => void seen.push('stopped'),
    }),
  })
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
  write([{ use: 'witness' }])
  const gateway = await startGateway({
    config: loadConfig(file),
    configFile: file,
    logger: createLogger({ level: 'silent', destination: { write: () => {} } }),
    specs: new Map([['witness', witness as unknown as PluginSpec]]),
  })
  t.after(() => gateway.close())

  const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'Hello' }] })
  const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1').setEncoding('latin1')
  t.after(() => socket.destroy())
  const head = [
    'POST /v1/chat/completions HTTP/1.1',
    'host: gateway',
    `authorization: ${bearer(USER_KEY).authorization}`,
    'content-type: application/json',
    `content-length: ${body.length}`,
    'expect: 100-continue',
    'connection: close',
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n`)
  // The gateway knows the key and waits for the body.
  const [first] = (await once(socket, 'data')) as [string]
  assert.match(first, /^HTTP\/1\.1 100 /)
  write([])
  await gateway.reload()
  await until(() => seen.includes('stopped'))

  let reply = ''
  socket.on('data', (text: string) => {
    reply += text
  })
  socket.write(body)
  await once(socket, 'close')
  assert.match(reply, /^HTTP\/1\.1 200 /)
  assert.deepEqual(seen, ['stopped'])
})
