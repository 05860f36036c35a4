/** Keys that nobody configured: made once, shown once, and never left behind unseen. */
import assert from 'node:assert/strict'
import { existsSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { it } from 'node:test'
import { loadConfig } from '../../../core/gateway/config/load.ts'
import { startGateway } from '../../../core/gateway/gateway.ts'
import { createLogger } from '../../../core/services/logger.ts'
import { temporaryFolder } from '../../helpers/folder.ts'

const logger = createLogger({ level: 'silent' })

function write(folder: string, listen: object, keys: string): string {
  const file = join(folder, 'gateway.yaml')
  const upstreams = 'upstreams: { demo: { kind: demo } }'
  writeFileSync(
    file,
    `listen: ${JSON.stringify(listen)}\nstore: file:./data\n${upstreams}\nkeys: ${keys}\nplugins: []\n`,
  )
  return file
}

it('keys that could not be shown are taken back', async (t) => {
  const folder = temporaryFolder()
  const taken = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => taken.once('listening', resolve))
  t.after(() => taken.close())
  const file = write(folder, { port: (taken.address() as AddressInfo).port }, '[]')
  await assert.rejects(startGateway({ config: loadConfig(file), configFile: file, logger }), /Cannot listen/)
  assert.equal(existsSync(join(folder, 'data', 'keys.json')), false)
})

it('a reload does not bring back a key that was removed from the file', async (t) => {
  const folder = temporaryFolder()
  const key = 'a-key-of-the-operator-0123456789'
  const file = write(folder, { port: 0 }, `[{ id: app, key: ${key} }]`)
  const gateway = await startGateway({ config: loadConfig(file), configFile: file, logger })
  t.after(() => gateway.close())
  write(folder, { port: 0 }, '[]')
  await assert.rejects(gateway.reload(), /takes a restart/)
  write(folder, { port: 0 }, '[{ id: other, key: another-key-0123456789 }]')
  await gateway.reload()
  const reply = await fetch(`${gateway.url}/v1/models`, { headers: { authorization: `Bearer ${key}` } })
  assert.equal(reply.status, 401)
  await reply.text()
})
