import assert from 'node:assert/strict'
import { existsSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { chunks, stream } from '../../../../core/testing/provider.ts'
import { authority, certificate } from '../../../helpers/certificate.ts'
import { temporaryFolder } from '../../../helpers/folder.ts'
import { asking } from '../../../helpers/gateway.ts'
import { askOver } from '../../../helpers/tls-client.ts'
import { until } from '../../../helpers/until.ts'
import { pemFiles } from '../../../helpers/upstream.ts'
import { startCluster } from './setup.ts'

it('workers share a unix socket with TLS, renew their certificates, and let replies end when they stop', async (t) => {
  const folder = temporaryFolder()
  const ca = authority()
  const own = certificate({ issuer: ca })
  const files = pemFiles(folder, { cert: own.cert, key: own.key })
  const path = join(folder, 'gw.sock')
  const { gateway, provider } = await startCluster(t, {
    listen: {
      ...{ pre_stop_seconds: 0, drain_seconds: 30 },
      ...{ socket: { path, mode: '0600' }, tls: { cert_file: files.cert, key_file: files.key } },
    },
  })
  assert.equal(gateway.url, `unix:${path}`)
  assert.equal(statSync(path).mode & 0o777, 0o600)
  const at = { socketPath: path, ca: ca.cert, servername: '127.0.0.1', checkServerIdentity: () => undefined }
  const served = () =>
    new Set(gateway.lines.filter(({ msg }) => msg === 'request.completed').map(({ worker }) => worker))
  await until(async () => {
    assert.equal((await askOver(at)).status, 200)
    return served().size === 2
  })
  const next = certificate({ issuer: ca })
  const before = (await askOver(at)).serial
  writeFileSync(files.cert, next.cert)
  writeFileSync(files.key, next.key)
  assert.notEqual((await askOver(at)).serial, before)
  const rest = Promise.withResolvers<void>()
  const [first, ...more] = chunks('one two three')
  provider.reply(stream([first!, rest.promise, ...more]))
  let began = false
  const running = askOver({
    ...at,
    body: asking('Hello', { stream: true }),
    onData: () => {
      began = true
    },
  })
  await until(() => began)
  gateway.kill('SIGTERM')
  await until(() => !existsSync(path))
  rest.resolve()
  assert.match((await running).text, /\[DONE\]/)
  assert.deepEqual(await gateway.ended, { code: 0, signal: null })
})
