/** The exporting gateway as processes: killed, stopped, with workers, and as two nodes. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { GovernanceEvent } from 'governed-gateway'
import { type Provider, type Receiver, respond, startProvider, startReceiver } from 'governed-gateway/testing'
import { type GatewayHere, startHere } from '../../core/gateway/cluster/setup.ts'
import { RedisServer } from '../../core/services/store/redis-server.ts'
import { type RunningGateway, startCli } from '../../helpers/cli.ts'
import { asking, bearer, USER_KEY } from '../../helpers/gateway.ts'
import { send } from '../../helpers/http.ts'
import { collect, EAGER, eventsOf, has } from './helpers.ts'

interface Rig {
  readonly receiver: Receiver
  readonly provider: Provider
  start(more?: object, options?: object): Promise<RunningGateway>
  /** In this process. */
  here(more?: object): Promise<GatewayHere>
  ask(gateway: Pick<RunningGateway, 'url'>, times?: number): Promise<void>
}

async function rigOf(t: TestContext): Promise<Rig> {
  const [receiver, provider] = await Promise.all([startReceiver(), startProvider()])
  const folder = mkdtempSync(join(tmpdir(), 'gw-siem-'))
  const gateways: RunningGateway[] = []
  t.after(async () => {
    for (const gateway of gateways) gateway.kill('SIGKILL')
    await Promise.all(gateways.map(({ ended }) => ended))
    await Promise.all([receiver.close(), provider.close()])
    rmSync(folder, { recursive: true, force: true })
  })
  let files = 0
  const write = (more: object = {}, options: object = {}): string => {
    const file = join(folder, `gateway-${files++}.yaml`)
    const config = {
      listen: { port: 0, drain_seconds: 2 },
      store: 'file:./data',
      secret: 'a secret for tests, 32 characters or more',
      upstreams: { scripted: { url: provider.url } },
      keys: [{ id: 'user', key: USER_KEY }],
      egress: { allow: [`127.0.0.1:${receiver.port}`] },
      plugins: [{ use: 'siem', options: { enabled: true, url: receiver.url, ...EAGER, ...options } }],
      ...more,
    }
    writeFileSync(file, JSON.stringify(config))
    return file
  }
  return {
    receiver,
    provider,
    async start(more, options) {
      const gateway = await startCli(['--config', write(more, options)])
      gateways.push(gateway)
      return gateway
    },
    async here(more) {
      const gateway = await startHere(write(more))
      t.after(() => gateway.close())
      return gateway
    },
    async ask({ url }, times = 1) {
      for (let i = 0; i < times; i++) {
        const reply = await send(`${url}/v1/chat/completions`, { body: asking(), headers: bearer(USER_KEY) })
        assert.equal(reply.status, 200)
        await reply.text()
      }
    },
  }
}

const ids = (events: readonly GovernanceEvent[]): string[] => events.map(({ id }) => id)
const completed = (events: readonly GovernanceEvent[]) => events.filter(({ type }) => type === 'request.completed')

test('killed between delivery and acknowledgement: the same events come again, and none is missing', async (t) => {
  const { receiver, start, here, ask } = await rigOf(t)
  const first = await start()
  await collect(receiver, has('service.started'))
  const held = Promise.withResolvers<void>()
  receiver.reply(respond(200, '', {}, held.promise))
  await ask(first, 5)
  // The receiver has it, and its answer never leaves.
  const delivered = eventsOf(await receiver.next())
  first.kill('SIGKILL')
  await first.ended
  held.resolve()
  await here()
  const again = await collect(receiver, has('request.completed', 5))
  assert.deepEqual(ids(again.slice(0, 1)), ids(delivered))
  const all = completed(again)
  assert.equal(new Set(ids(all)).size, 5)
  const seqs = again.map(({ seq }) => Number(seq))
  assert.deepEqual(
    seqs,
    seqs.toSorted((a, b) => a - b),
  )
})

test('SIGTERM flushes what waits for its batch', async (t) => {
  const { receiver, start, ask } = await rigOf(t)
  const gateway = await start({}, { buffer_size: 1000, flush_interval_seconds: 3600 })
  await ask(gateway, 3)
  assert.equal(receiver.requests.length, 0)
  gateway.kill('SIGTERM')
  const events = await collect(receiver, has('service.stopped'))
  assert.equal(completed(events).length, 3)
  assert.deepEqual(await gateway.ended, { code: 0, signal: null })
  assert.equal(receiver.requests.length, 1)
})

test('SIGTERM with a receiver that is away ends in time, and the rest is delivered after the restart', async (t) => {
  const { receiver, start, here, ask } = await rigOf(t)
  receiver.otherwise(respond(503))
  const gateway = await start()
  await ask(gateway, 3)
  await receiver.next()
  const began = performance.now()
  gateway.kill('SIGTERM')
  assert.deepEqual(await gateway.ended, { code: 0, signal: null })
  assert.ok(performance.now() - began < 10_000)
  receiver.otherwise(respond(200))
  const before = receiver.requests.length
  await here()
  while (
    receiver.requests
      .slice(before)
      .flatMap(eventsOf)
      .filter(({ type }) => type === 'service.started').length < 2
  ) {
    await receiver.next()
  }
  const types = receiver.requests.slice(before).flatMap(eventsOf)
  assert.equal(completed(types).length, 3)
  assert.equal(new Set(ids(types)).size, types.length)
})

test('workers: every event of every worker, once', async (t) => {
  const { receiver, start, ask } = await rigOf(t)
  const gateway = await start({ workers: 2 })
  await Promise.all(Array.from({ length: 4 }, () => ask(gateway, 10)))
  const events = await collect(receiver, has('request.completed', 40))
  assert.equal(new Set(ids(events)).size, events.length)
})

test('two nodes on one Redis: any delivers, each event once, and one takes over when the other leaves', async (t) => {
  const redis = await RedisServer.start()
  t.after(() => redis.stop())
  const { receiver, start, here, ask } = await rigOf(t)
  const store = { store: redis.url }
  const nodes = [await start(store), await here(store)] as const
  await Promise.all(nodes.map((node) => ask(node, 20)))
  const events = await collect(receiver, has('request.completed', 40))
  assert.equal(new Set(ids(events)).size, events.length)
  for (const instance of new Set(events.map((event) => event.instance))) {
    const seqs = events.filter((event) => event.instance === instance).map(({ seq }) => Number(seq))
    assert.deepEqual(
      seqs,
      seqs.toSorted((a, b) => a - b),
    )
  }
  nodes[0].kill('SIGTERM')
  await nodes[0].ended
  await ask(nodes[1], 3)
  await collect(receiver, has('request.completed', 3))
})
