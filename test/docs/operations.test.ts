import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { request } from 'undici'
import { selfSigned } from '../helpers/certificate.ts'
import { Reader } from './reader.ts'

it('docs/operations.md does what it says, block by block', async (t) => {
  const reader = await Reader.open(t, 'docs/operations.md')
  await reader.read('Workers')
  assert.match(reader.main.printed, /^ {2}workers {2}2$/m)
  writeFileSync(join(reader.copy.aside, 'ca.pem'), selfSigned().cert)
  reader.stand('/etc/gateway/redis-ca.pem', join(reader.copy.aside, 'ca.pem'))
  await reader.read('Nodes')
  await reader.read('Back up', 1)
  // The page has the reader stop the gateway.
  await reader.stop()
  const from = reader.main.printed.length
  await reader.read('Back up')
  const restored = /listens on (\S+)/.exec(reader.main.printed.slice(from))?.[1]
  assert.equal((await request(`${restored}/health/ready`)).statusCode, 200)
  reader.finish()
})
