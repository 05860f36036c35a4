/** The secret of the deployment changes: what was encrypted with the old one cannot be read. */
import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import type { GovernanceEvent } from 'governed-gateway'
import { type Receiver, startReceiver } from 'governed-gateway/testing'
import { temporaryFolder } from '../../helpers/folder.ts'
import { asking, post, setup } from '../../helpers/gateway.ts'
import { until } from '../../helpers/until.ts'
import { admin, collect, EAGER, has } from './helpers.ts'

const OLD = 'the old secret for tests, 32 characters or more'
const NEW = 'the new secret for tests, 32 characters or more'

async function deployment(t: TestContext) {
  const receiver = await startReceiver()
  t.after(() => receiver.close())
  const folder = temporaryFolder()
  const start = async (secret: string) => {
    const { host } = new URL(receiver.url)
    const config = { store: `file:${folder}`, secret, egress: { allow: [host] } }
    const { gateway } = await setup(t, { plugins: [{ use: 'siem' }], config })
    return {
      ...gateway,
      put: (body: object) => admin(gateway.url, 'PUT', '', body),
      status: async () => (await admin(gateway.url, 'GET', '/status')).body,
      ask: async () => (await (await post(gateway, asking())).text()).length,
    }
  }
  return { receiver, start }
}

const eventsIn = (receiver: Receiver): GovernanceEvent[] =>
  receiver.requests.flatMap(({ json }) => json as unknown as GovernanceEvent[])

describe('siem: a token that cannot be read', () => {
  for (const kept of ['url', 'secret url'] as const) {
    it(`keeps events queued until it is PUT again (${kept})`, async (t) => {
      const { receiver, start } = await deployment(t)
      const url = kept === 'url' ? receiver.url : `${receiver.origin}/?token=canary-3f2b`
      const settings = { ...EAGER, enabled: true, url, auth_token: 'right' }
      const first = await start(OLD)
      assert.equal((await first.put(settings)).status, 200)
      await first.ask()
      await collect(receiver, has('request.completed'))
      await first.close()
      const before = receiver.requests.length

      const second = await start(NEW)
      await second.ask()
      await until(async () => (await second.status()).state === 'paused')
      const status = await second.status()
      assert.equal(status.enabled, true)
      assert.match(status.last_error.error, /^secret_unreadable: PUT .*auth_token.* again, or null/)
      assert.ok(status.queue_depth > 0)
      const tested = await admin(second.url, 'POST', '/test')
      assert.deepEqual([tested.body.ok, tested.body.error.split(':')[0]], [false, 'secret_unreadable'])
      assert.equal((await second.put({ format: 'cef' })).status, 400)
      assert.equal(receiver.requests.length, before, 'nothing left without its token')
      const fields = kept === 'url' ? ['auth_token'] : ['auth_token', 'url']
      const told = second.log.flatMap(({ event }) => (event as GovernanceEvent | undefined) ?? [])
      assert.deepEqual(
        told.filter(({ type }) => type === 'export.paused').map((event) => event.fields),
        [fields],
      )
      const lines = second.log.filter(
        ({ level, event }) => event === undefined && (level === 'warn' || level === 'error'),
      )
      assert.deepEqual(
        lines.map(({ msg }) => String(msg).split(',')[0]),
        ['stored secrets cannot be read', 'the receiver does not accept events; they wait in the audit log'],
      )

      assert.equal((await second.put({ auth_token: 'new', ...(kept === 'url' ? {} : { url }) })).status, 200)
      await collect(receiver, (late) => has('request.completed')(late) && has('export.paused')(late))
      for (const { headers } of receiver.requests.slice(before)) assert.equal(headers.authorization, 'Bearer new')
      await second.close()
      const seen = eventsIn(receiver).map(({ id }) => id)
      assert.equal(new Set(seen).size, seen.length)
    })
  }

  it('continues without a token when an admin removes it', async (t) => {
    const { receiver, start } = await deployment(t)
    const first = await start(OLD)
    await first.put({ ...EAGER, enabled: true, url: receiver.url, auth_token: 'right' })
    await collect(receiver, has('settings.updated'))
    await first.close()
    const before = receiver.requests.length
    const second = await start(NEW)
    await second.ask()
    assert.equal((await second.put({ auth_token: null })).status, 200)
    await collect(receiver, has('request.completed'))
    assert.ok(receiver.requests.slice(before).every(({ headers }) => headers.authorization === undefined))
  })
})
