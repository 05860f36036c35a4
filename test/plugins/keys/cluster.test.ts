import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, it } from 'node:test'
import { frame } from '../../../core/testing/provider.ts'
import { startCluster } from '../../core/gateway/cluster/setup.ts'
import { RedisServer } from '../../core/services/store/redis-server.ts'
import { startCli } from '../../helpers/cli.ts'
import { asking, bearer } from '../../helpers/gateway.ts'
import { send } from '../../helpers/http.ts'
import { until } from '../../helpers/until.ts'

const ADMIN = 'admin-key-for-tests'
const STREAMS = 6

let redis: RedisServer
before(async () => {
  redis = await RedisServer.start()
})
after(() => redis.stop())

it('a revoked key ends on every worker and node, with its streams', async (t) => {
  const rig = await startCluster(t, {
    ...{ store: redis.url, plugins: ['keys', 'audit-file'].map((use) => ({ use, options: optionsOf[use] })) },
    keys: [{ id: 'ops', key: ADMIN, admin: true }],
  })
  const file = join(rig.folder, 'second.yaml')
  writeFileSync(file, rig.config({ workers: 1, instance: 'second' }))
  const second = await startCli(['--config', file])
  t.after(async () => {
    second.kill('SIGTERM')
    await second.ended
  })
  const nodes = [rig.gateway.url, second.url]
  const admin = async (method: string, path: string, body?: object) => {
    const reply = await send(`${nodes[0]}${path}`, { method, headers: bearer(ADMIN), ...(body && { body }) })
    return JSON.parse(await reply.text()) as Record<string, unknown>
  }
  rig.provider.otherwise(async (x) => {
    x.response.writeHead(200, { 'content-type': 'text/event-stream' })
    await x.write(frame({ id: 'c', choices: [{ index: 0, delta: { content: 'Well' } }] }, {}))
    await x.wait(new Promise(() => {}))
  })
  const { key } = await admin('POST', '/api/keys', { id: 'app' })
  const headers = bearer(String(key))
  const ask = (node: string) =>
    send(`${node}/v1/chat/completions`, { headers, body: asking('Hello', { stream: true }) })
  const models = async (node: string) => {
    const reply = await send(`${node}/v1/models`, { headers })
    await reply.text()
    return reply.status
  }
  // The notice of the new key may be on its way.
  for (const node of nodes) await until(async () => (await models(node)) === 200)
  const open = await Promise.all(Array.from({ length: STREAMS }, (_, i) => ask(nodes[i % 2] as string)))
  assert.deepEqual(new Set(open.map(({ status }) => status)), new Set([200]))

  assert.equal((await admin('DELETE', '/api/keys/app')).state, 'revoked')
  for (const stream of open) assert.match(await stream.text(), /"code":"invalid_api_key"/)
  for (const node of nodes) assert.equal(await models(node), 401)
})

const optionsOf: Readonly<Record<string, object>> = { keys: {}, 'audit-file': { path: './audit.jsonl' } }
