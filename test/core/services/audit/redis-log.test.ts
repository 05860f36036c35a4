/** What the log says while a real Redis is away, with everything that uses it and under load. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { GovernanceEvent } from '../../../../core/engine/contract/plugin.ts'
import { startReceiver } from '../../../../core/testing/index.ts'
import { asking, post, setup } from '../../../helpers/gateway.ts'
import { until } from '../../../helpers/until.ts'
import { RedisServer } from '../store/redis-server.ts'

/** What an outage says besides, each once, if a slow machine draws it out: longer than a heartbeat, longer than a lease. */
const LONG = [
  'other nodes cannot see this one',
  'other nodes see this one again',
  'leases expired before they were renewed',
]

const LIMIT = { scope: 'key', unit: 'requests', limit: 1_000_000, window: 'day' }

describe('the log while Redis is away', () => {
  for (const fault of ['killed', 'hung'] as const) {
    for (const policy of ['block', 'allow'] as const) {
      it(`has one line for all that use it (${fault}, ${policy})`, async (t) => {
        const redis = await RedisServer.start()
        const load = { on: true, served: 0, refused: 0 }
        const receiver = await startReceiver()
        const folder = mkdtempSync(join(tmpdir(), 'redis-log-'))
        t.after(async () => {
          load.on = false
          redis.signal('SIGCONT')
          await redis.stop()
          await receiver.close()
        })
        const url = receiver.url
        const { gateway } = await setup(t, {
          config: {
            store: redis.url,
            egress: { allow: [new URL(url).host] },
            audit: { on_error: policy, spill_folder: join(folder, 'spill') },
            limits: { on_store_error: policy === 'block' ? 'block' : 'local' },
          },
          plugins: [
            { use: 'flags' },
            { use: 'sessions' },
            { use: 'ratelimit', options: { limits: [{ scope: 'key', requests_per_minute: 1_000_000 }] } },
            { use: 'budget', options: { limits: [LIMIT] } },
            { use: 'siem', options: { enabled: true, url, flush_interval_seconds: 0.1 } },
            { use: 'alerting', options: { enabled: true, webhook_url: url, min_severity: 'all' } },
            { use: 'audit-file', options: { path: join(folder, 'audit.jsonl') } },
          ],
        })
        const client = async (session: string) => {
          while (load.on) {
            const reply = await post(gateway, asking(), { headers: { 'x-service-session-id': session } })
            await reply.text()
            if (reply.status === 200) load.served++
            else load.refused++
            // Thirty requests a second.
            await pause(30)
          }
        }
        // Behind the end of the gateway, which writes there until then.
        t.after(() => rmSync(folder, { recursive: true, force: true }))
        const clients = Array.from({ length: 3 }, (_, i) => client(`s${i}`))
        let seen = 0
        const told = async (type: string) => {
          await until(() => {
            while (seen < gateway.log.length) {
              if ((gateway.log[seen++]?.event as GovernanceEvent | undefined)?.type === type) return true
            }
            return false
          })
        }
        await until(() => load.served >= 20)
        // What is about one exchange, such as a tap that a slow machine lets run out of time, is not about the store.
        const lines = () =>
          gateway.log.filter(
            ({ level, event, request_id: id }) =>
              event === undefined && id === undefined && (level === 'warn' || level === 'error'),
          )
        const usual = lines().length
        if (fault === 'killed') await redis.kill()
        else redis.signal('SIGSTOP')
        await told('store.unavailable')
        const before = load.served + load.refused
        await until(() => load.served + load.refused >= before + 40)
        const outage = lines().slice(usual)
        const said = (of: ReturnType<typeof lines>) => {
          const messages = of.map(({ msg }) => String(msg))
          return messages.filter((msg, at) => !LONG.includes(msg) || messages.indexOf(msg) !== at)
        }
        if (fault === 'killed') await redis.run()
        else redis.signal('SIGCONT')
        await told('store.recovered')
        load.on = false
        await Promise.all(clients)
        assert.deepEqual(said(outage), ['the store does not accept writes'], JSON.stringify(outage))
        assert.deepEqual(said(lines().slice(usual + outage.length)), ['the store accepts writes again'])
      })
    }
  }
})
