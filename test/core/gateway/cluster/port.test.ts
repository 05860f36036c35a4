/** The port of a cluster: closed until a worker can answer, and never shared with others. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { get } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { it } from 'node:test'
import type { ListenConfig } from '../../../../core/engine/config/types.ts'
import { checkPort, sharePort } from '../../../../core/gateway/cluster/port.ts'
import { freePort } from '../../../helpers/ports.ts'
import { startCluster } from './setup.ts'

/** The status of an answer, or why there is none. */
const knock = (port: number): Promise<string | undefined> =>
  new Promise((resolve) => {
    const asked = get({ host: '127.0.0.1', port, path: '/health/live', agent: false }, (reply) => {
      reply.resume().once('close', () => resolve(String(reply.statusCode)))
    })
    asked.once('error', ({ code }: NodeJS.ErrnoException) => resolve(code))
  })

for (const reuse_port of [true, false]) {
  it(`connections are refused until a worker can answer, and none is reset: reuse_port: ${reuse_port}`, async (t) => {
    const port = await freePort()
    let started = false
    const listen = { port, reuse_port, pre_stop_seconds: 0, drain_seconds: 5 }
    const starting = startCluster(t, { listen }).finally(() => {
      started = true
    })
    const outcomes: (string | undefined)[] = []
    for (let after = 0; after < 20; after += started ? 1 : 0) {
      const outcome = await knock(port)
      if (outcome !== outcomes.at(-1)) outcomes.push(outcome)
    }
    await starting
    assert.deepEqual(outcomes, ['ECONNREFUSED', '200'])
  })
}

const at = (host: string, port: number) => ({ host, port, reuse_port: true }) as ListenConfig

it('a port that workers could share with another program is taken', async (t) => {
  const other = createServer().listen({ host: '127.0.0.1', port: 0, reusePort: true })
  t.after(() => other.close())
  await once(other, 'listening')
  const { port } = other.address() as AddressInfo
  const taken = /^Cannot listen on \S+ \(EADDRINUSE\)\. Stop/
  await assert.rejects(checkPort(at('127.0.0.1', port)), { message: taken })
  await assert.rejects(checkPort(at('0.0.0.0', port)), { message: taken })
  await assert.rejects(sharePort(at('127.0.0.1', port)), { message: taken })
})

it('an address of another machine cannot be listened on', async () => {
  await assert.rejects(checkPort(at('192.0.2.1', await freePort())), { message: /\(EADDRNOTAVAIL\)\. This machine/ })
})

it('a check leaves the port free', async (t) => {
  const port = await freePort()
  await checkPort(at('127.0.0.1', port))
  const { port: shared } = await sharePort(at('127.0.0.1', port))
  assert.deepEqual([shared, await knock(port)], [port, 'ECONNREFUSED'])
  const own = createServer().listen(port, '127.0.0.1')
  t.after(() => own.close())
  await once(own, 'listening')
})
