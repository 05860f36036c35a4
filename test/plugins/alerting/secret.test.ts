/** The secret of the deployment changes: what was encrypted with the old one cannot be read. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { alertingTo, emitted, logged, PATH, receiverFor } from './rig.ts'

describe('alerts whose url or signing secret cannot be read', () => {
  for (const kept of ['webhook_url', 'destinations', 'signing_secret'] as const) {
    it(`wait until it is PUT again (${kept})`, async (t) => {
      const receiver = await receiverFor(t)
      const folder = mkdtempSync(join(tmpdir(), 'alerts-secret-'))
      const config = (secret: string) => ({ config: { store: `file:${folder}`, secret } })
      const signing_secret = 'a signing secret'
      const settings = {
        webhook_url: { webhook_url: receiver.url },
        destinations: { destinations: [{ name: 'team', url: receiver.url }] },
        signing_secret: { signing_secret },
      }[kept]
      const options = kept === 'signing_secret' ? { webhook_url: receiver.url } : {}
      const first = await alertingTo(t, [receiver], options, config('the old secret for tests, 32 characters'))
      assert.equal((await first.rig.admin('PUT', PATH, { enabled: true, ...settings })).status, 200)
      await first.block()
      await logged(first, ({ outcome }) => outcome === 'delivered')
      await first.rig.close()
      const before = receiver.requests.length

      const second = await alertingTo(t, [receiver], options, config('the new secret for tests, 32 characters'))
      t.after(async () => {
        await second.rig.close()
        rmSync(folder, { recursive: true, force: true })
      })
      const paused = await emitted(second.rig, 'alert.paused')
      assert.deepEqual([paused.reason, paused.fields], ['secret_unreadable', [kept]])
      await second.block()
      const refused = await second.rig.admin('PUT', PATH, { max_retries: 1 })
      assert.equal(refused.status, 400)
      assert.match(JSON.stringify(refused.body), /cannot be read.*send it again, or null/)
      assert.equal(receiver.requests.length, before)

      assert.equal((await second.rig.admin('PUT', PATH, settings)).status, 200)
      const event = second.rig.events.find(({ type }) => type === 'request.blocked')
      await logged(second, (entry) => entry.event_id === event?.id && entry.outcome !== 'failed')
    })
  }
})
