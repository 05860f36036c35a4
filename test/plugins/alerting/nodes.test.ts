import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import type { Receiver } from '../../../core/testing/index.ts'
import { RedisServer } from '../../core/services/store/redis-server.ts'
import { startCli } from '../../helpers/cli.ts'
import { send } from '../../helpers/http.ts'
import { receiverFor } from './rig.ts'

const KEY = 'sk-of-a-user-0123456789'

/** Gateways of one deployment; returns how to have each of them block. */
async function start(t: TestContext, receiver: Receiver, stores: readonly string[], more: object = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'gg-nodes-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const policy = { rules: [{ name: 'no', keywords: ['forbidden'], reason: 'That word is not allowed' }] }
  const blocks: (() => Promise<void>)[] = []
  for (const [i, store] of stores.entries()) {
    const config = {
      listen: { port: 0 },
      store,
      secret: 'one secret for the whole deployment, 32 or more',
      upstreams: { demo: { kind: 'demo' } },
      keys: [{ id: 'app', key: KEY }],
      egress: { allow: [new URL(receiver.url).host] },
      plugins: [
        { use: 'policy', options: policy },
        { use: 'alerting', options: { enabled: true, webhook_url: receiver.url, dedupe_window_seconds: 3 } },
      ],
      ...more,
    }
    const file = join(folder, `gateway-${i}.yaml`)
    writeFileSync(file, JSON.stringify(config))
    const gateway = await startCli(['--config', file])
    t.after(async () => {
      gateway.kill('SIGKILL')
      await gateway.ended
    })
    blocks.push(async () => {
      const body = { model: 'demo', messages: [{ role: 'user', content: 'forbidden' }] }
      const headers = { authorization: `Bearer ${KEY}` }
      const reply = await send(`${gateway.url}/v1/chat/completions`, { body, headers })
      assert.equal(reply.status, 403)
      await reply.text()
    })
  }
  return blocks
}

async function assertOneAlert(receiver: Receiver, blocks: readonly (() => Promise<void>)[]): Promise<void> {
  for (let round = 0; round < 6; round++) for (const block of blocks) await block()
  const first = (await receiver.next()).json as { type: string }
  assert.equal(first.type, 'request.blocked')
  // A machine that is slow makes more than one digest of it; never another alert.
  for (let told = 1; told < 6 * blocks.length; ) {
    const digest = (await receiver.next()).json as { type: string; count: number }
    assert.equal(digest.type, 'alert.digest')
    told += digest.count
    assert.ok(told <= 6 * blocks.length, `${told} told`)
  }
}

describe('one alert', () => {
  it('from three nodes on one Redis', async (t) => {
    const redis = await RedisServer.start()
    t.after(() => redis.stop())
    const receiver = await receiverFor(t)
    await assertOneAlert(receiver, await start(t, receiver, [redis.url, redis.url, redis.url]))
  })

  it('from four workers of one machine', async (t) => {
    const receiver = await receiverFor(t)
    await assertOneAlert(receiver, await start(t, receiver, ['file:./data'], { workers: 4 }))
  })
})
