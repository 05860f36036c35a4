import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { describe, it, type TestContext } from 'node:test'
import { roomFor } from '../../../../core/engine/http/connections.ts'
import { chat } from '../../../../core/testing/provider.ts'
import type { RunningGateway } from '../../../helpers/cli.ts'
import { gated } from '../../../helpers/gated.ts'
import { asking, bearer, USER_KEY } from '../../../helpers/gateway.ts'
import { send } from '../../../helpers/http.ts'
import { until } from '../../../helpers/until.ts'
import { startCluster } from '../../gateway/cluster/setup.ts'

const REFUSED = 'too many connections: new ones are refused'
const listen = { port: 0, pre_stop_seconds: 0, drain_seconds: 1 }
const isFew = ({ msg }: Record<string, unknown>): boolean => /^few file descriptors/.test(String(msg))

const start = (t: TestContext, config: object) =>
  startCluster(t, { listen, workers: 1, ...config }, { launcher: 'few-files' })

async function open(t: TestContext, { url }: RunningGateway, count: number): Promise<Socket[]> {
  const { port, hostname } = new URL(url)
  const sockets = Array.from({ length: count }, () => connect(Number(port), hostname).on('error', () => {}))
  t.after(() => {
    for (const socket of sockets) socket.destroy()
  })
  await Promise.all(sockets.map((socket) => once(socket, 'connect')))
  return sockets
}

const health = async ({ url }: RunningGateway, path: string) => {
  const { status, ...reply } = await send(`${url}/health/${path}`).then(async (one) => ({
    status: one.status,
    body: await one.json(),
  }))
  return [status, reply.body]
}

const closed = (socket: Socket) => socket.resume().destroyed || once(socket, 'close')

/** The gateway sees that connections were closed when it comes to it. */
async function ready(gateway: RunningGateway): Promise<void> {
  await until(async () => (await health(gateway, 'ready').catch(() => []))[0] === 200)
}

describe('file descriptors', () => {
  it('are divided: two for a connection, some kept for everything else', () => {
    assert.deepEqual(roomFor({ limit: 1024, open: 40 }, 0), { most: 460, refusing: 8, needed: 2104, wanted: 1000 })
    assert.deepEqual(roomFor({ limit: 65_536, open: 40 }, 100), { most: 100, refusing: 8, needed: 265, wanted: 100 })
    assert.equal(roomFor({ limit: 65_536, open: 40 }, 0).most, 32_716)
    assert.equal(roomFor({ limit: 64, open: 63 }, 0).most, 1)
  })

  it('that run out refuse what is new, with one line in the log; a stream goes on', async (t) => {
    const { provider, gateway } = await start(t, {})
    const few = await gateway.logged(isFew)
    assert.equal(few.open_files_limit, 64)
    assert.ok(Number(few.needed) > 2 * Number(few.wanted_connections))
    const most = Number(few.connections)
    assert.ok(most >= 2, `room for ${most} connections`)

    const { script, arrived, open: finish } = gated(chat('the end'))
    provider.reply(script)
    const body = asking('Hello', { stream: true })
    const stream = send(`${gateway.url}/v1/chat/completions`, { body, headers: bearer(USER_KEY) })
    await arrived
    const idle = await open(t, gateway, most - 1)
    assert.deepEqual(await health(gateway, 'live'), [200, { status: 'ok' }])
    assert.deepEqual(await health(gateway, 'ready'), [503, { status: 'unavailable', reason: 'too_many_connections' }])
    const refused = await send(`${gateway.url}/v1/chat/completions`, { body, headers: bearer(USER_KEY) })
    assert.deepEqual(
      [refused.status, refused.headers['retry-after'], refused.headers['x-should-retry'], refused.headers.connection],
      [503, '1', 'true', 'close'],
    )
    assert.equal(((await refused.json()).error as { code: string }).code, 'too_many_connections')

    const surplus = await open(t, gateway, 150)
    await Promise.all(surplus.slice(50).map(closed))
    finish()
    assert.match(await (await stream).text(), /" end"[\s\S]*\[DONE\]/)

    for (const socket of [...idle, ...surplus]) socket.destroy()
    await ready(gateway)
    await gateway.logged(REFUSED)
    assert.equal(gateway.lines.filter(({ msg }) => msg === REFUSED).length, 1)
  })

  for (const reuse_port of [true, false]) {
    it(`that run out end no process of a cluster (reuse_port: ${reuse_port})`, async (t) => {
      const { gateway } = await start(t, { workers: 2, listen: { ...listen, reuse_port } })
      await gateway.logged(isFew)
      assert.equal(gateway.lines.filter(isFew).length, 1, 'one worker tells for all')
      const sockets = await open(t, gateway, 200)
      await Promise.all(sockets.slice(100).map(closed))
      for (const socket of sockets) socket.destroy()
      await ready(gateway)
      assert.equal(gateway.lines.filter(({ msg }) => /worker ended|uncaught/.test(String(msg))).length, 0)
    })
  }
})
