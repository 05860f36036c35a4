import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { JsonObject } from '../../../../core/engine/contract/store.ts'
import { openStore } from '../../../../core/services/store/open.ts'
import { chunks, stream } from '../../../../core/testing/provider.ts'
import { assertChained } from '../../../helpers/chain.ts'
import { temporaryFolder } from '../../../helpers/folder.ts'
import { asking, post, setup } from '../../../helpers/gateway.ts'
import { send } from '../../../helpers/http.ts'
import { told, until } from '../../../helpers/until.ts'
import { RedisServer } from '../store/redis-server.ts'
import { isTerminal, reader, requests } from './faults.ts'

for (const [onError, onStoreError] of [
  ['block', 'block'],
  ['block', 'local'],
  ['allow', 'local'],
] as const) {
  test(`Redis goes and comes back (audit: ${onError}, limits: ${onStoreError})`, async (t) => {
    const server = await RedisServer.start()
    t.after(() => server.stop())
    const path = temporaryFolder()
    const specs = new Map([
      ['reader', reader],
      ['requests', requests(100)],
    ])
    const { gateway, provider } = await setup(t, {
      plugins: [{ use: 'reader' }, { use: 'requests' }],
      specs,
      config: {
        store: server.url,
        audit: { on_error: onError, spill_folder: path },
        limits: { on_store_error: onStoreError },
      },
    })
    await (await post(gateway)).text()
    const go = Promise.withResolvers<void>()
    const [first, ...rest] = chunks('Hello there')
    provider.reply(stream([first as never, go.promise, ...(rest as never[])]))
    const running = await post(gateway, asking('Hello', { stream: true }))
    await running.event()

    await server.kill()
    const during = await post(gateway)
    await during.text()
    assert.equal(during.status, onError === 'block' ? 503 : 200)
    // A balancer must not keep sending to who refuses everything. A lost connection has a second to come back.
    const ready = async (): Promise<number> => {
      const reply = await send(`${gateway.url}/health/ready`)
      await reply.text()
      return reply.status
    }
    await until(async () => (await ready()) === (onError === 'block' ? 503 : 200))
    go.resolve()
    assert.equal((await running.events()).at(-1), '[DONE]')
    assert.equal(readdirSync(join(path, 'spill')).length, 1)

    await server.run()
    const recovered = await told(gateway.log, 'store.recovered')
    assert.equal(recovered.lost, 0)
    assert.deepEqual(readdirSync(join(path, 'spill')), [])
    const next = await post(gateway)
    assert.equal(next.status, 200)
    await next.text()
    await gateway.close()

    const store = await openStore(server.url)
    const { instances } = await store.stats('audit')
    const records: JsonObject[] = []
    for (const { instance } of instances) {
      const page = await store.scan('audit', { instance, limit: 1000 })
      const chain = page.records.map(({ record }) => record)
      assertChained(chain)
      records.push(...chain)
    }
    const window = { calendar: 'month' } as const
    const [state] = await store.inspect([{ key: 'requests/user', window }])
    await store.close()
    assert.deepEqual([state?.spent, state?.reserved], [onError === 'block' ? 3 : 4, 0])
    for (const { headers } of [running, during, next]) {
      const own = records.filter((record) => record.request_id === headers['x-request-id'] && isTerminal(record))
      assert.equal(own.length, 1)
    }
    assert.equal(new Set(records.map(({ id }) => id)).size, records.length)
  })
}

test('the log tells what a Redis that works lost, and what it may lose', async (t) => {
  const server = await RedisServer.start()
  t.after(() => server.stop())
  server.cli('CONFIG', 'SET', 'maxmemory-policy', 'allkeys-lru')
  server.cli('CONFIG', 'SET', 'maxmemory', '1gb')
  const { gateway } = await setup(t, {
    plugins: [{ use: 'reader' }],
    specs: new Map([['reader', reader]]),
    config: { store: server.url, audit: { spill_folder: temporaryFolder() } },
  })
  const notice = (text: RegExp) => gateway.log.some(({ detail }) => typeof detail === 'string' && text.test(detail))
  assert.ok(notice(/may drop budgets and audit records/))
  await (await post(gateway)).text()
  server.cli('FLUSHALL')
  await (await post(gateway)).text()
  await until(() => notice(/^Redis lost \d+ confirmed records of the chain /))
})
