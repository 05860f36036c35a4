import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { type Receiver, respond } from '../../../core/testing/index.ts'
import { type RunningGateway, startCli } from '../../helpers/cli.ts'
import { send } from '../../helpers/http.ts'
import { until } from '../../helpers/until.ts'
import { receiverFor } from './rig.ts'

const KEY = 'sk-of-a-user-0123456789'
const ADMIN = 'sk-of-an-admin-0123456789'

function configFile(t: TestContext, receiver: Receiver): string {
  const folder = mkdtempSync(join(tmpdir(), 'gg-alert-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'gateway.yaml')
  const policy = { rules: [{ name: 'no', keywords: ['forbidden'], reason: 'That word is not allowed' }] }
  const config = {
    listen: { port: 0 },
    store: 'file:./data',
    upstreams: { demo: { kind: 'demo' } },
    keys: [
      { id: 'app', key: KEY },
      { id: 'ops', key: ADMIN, admin: true },
    ],
    egress: { allow: [new URL(receiver.url).host] },
    plugins: [
      { use: 'policy', options: policy },
      { use: 'alerting', options: { enabled: true, webhook_url: receiver.url } },
    ],
  }
  writeFileSync(file, JSON.stringify(config))
  return file
}

async function block(gateway: RunningGateway): Promise<void> {
  const body = { model: 'demo', messages: [{ role: 'user', content: 'forbidden' }] }
  const headers = { authorization: `Bearer ${KEY}` }
  const reply = await send(`${gateway.url}/v1/chat/completions`, { body, headers })
  assert.equal(reply.status, 403)
  await reply.text()
}

interface Page {
  entries: { outcome: string; event_type: string }[]
}

async function outcomes(gateway: RunningGateway): Promise<Page['entries']> {
  const headers = { authorization: `Bearer ${ADMIN}` }
  const reply = await send(`${gateway.url}/api/settings/alerting/delivery-log`, { headers })
  return ((await reply.json()) as unknown as Page).entries
}

describe('kill -9 between event and delivery', () => {
  for (const when of ['as soon as the client has its answer', 'while the receiver has the alert in hand']) {
    it(`${when}: the alert arrives, once`, async (t) => {
      const receiver = await receiverFor(t)
      const file = configFile(t, receiver)
      // It takes what it is sent, and does not answer.
      receiver.otherwise(respond(200, '', {}, new Promise(() => {})))
      const first = await startCli(['--config', file])
      t.after(async () => {
        first.kill('SIGKILL')
        await first.ended
      })
      await block(first)
      if (when.startsWith('while')) await receiver.next()
      first.kill('SIGKILL')
      await first.ended
      const before = receiver.requests.length

      receiver.otherwise(respond(200))
      const second = await startCli(['--config', file])
      t.after(async () => {
        second.kill('SIGTERM')
        await second.ended
      })
      for (let seen = when.startsWith('while') ? 1 : 0; seen <= before; seen++) await receiver.next()
      // Within the window the same is only counted, also by the process that came after.
      await block(second)
      await block(second)
      const told = await until(async () => {
        const entries = await outcomes(second)
        return entries.length >= 2 && entries
      })
      assert.deepEqual(told.map(({ outcome, event_type: type }) => `${type} ${outcome}`).sort(), [
        'request.blocked delivered',
        'request.blocked suppressed',
      ])
      assert.equal(receiver.requests.length, before + 1)
      const alerts = receiver.requests.map(({ json }) => (json as { id: string }).id)
      assert.equal(new Set(alerts).size, 1, 'what was sent twice has one id')
    })
  }
})
