/** Exchanges are written down for as long as their events are exported, and no longer. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { GovernanceEvent } from 'governed-gateway'
import { startReceiver } from 'governed-gateway/testing'
import { startCluster } from '../../core/gateway/cluster/setup.ts'
import { temporaryFolder } from '../../helpers/folder.ts'
import { ADMIN_KEY, asking, bearer, USER_KEY } from '../../helpers/gateway.ts'
import { send } from '../../helpers/http.ts'
import { until } from '../../helpers/until.ts'
import { admin, collect, EAGER, exporting, has } from './helpers.ts'

interface Trail {
  readonly durable: boolean
  readonly events: readonly GovernanceEvent[]
}

const trailOf = async (url: string, query = 'type=request.completed&limit=200'): Promise<Trail> =>
  (await (await send(`${url}/api/audit?${query}`, { headers: bearer(ADMIN_KEY) })).json()) as unknown as Trail

/** Settles when every worker says so: each connection goes to any of them. */
async function allSay(url: string, durable: boolean): Promise<void> {
  for (let agreed = 0; agreed < 25; ) agreed = (await trailOf(url)).durable === durable ? agreed + 1 : 0
}

async function ask(url: string, times: number): Promise<void> {
  for (let i = 0; i < times; i++) {
    const reply = await send(`${url}/v1/chat/completions`, {
      body: asking('Hello', { stream: i % 2 === 1 }),
      headers: bearer(USER_KEY),
    })
    assert.equal(reply.status, 200)
    await reply.text()
  }
}

for (const [how, off, on] of [
  ['disabled', { enabled: false }, { enabled: true }],
  ['without a receiver', { enabled: false, url: null }, undefined],
] as const) {
  test(`${how}, nothing is written; enabled again, the first event is exported`, async (t) => {
    const { receiver, gateway, ask: once, admin } = await exporting(t, {})
    const put = async (body: object) => assert.equal((await admin('PUT', '', body)).status, 200)
    await put({ url: receiver.url })
    await once()
    await collect(receiver, has('request.completed'))
    await put(off)
    await until(async () => !(await trailOf(gateway.url)).durable)
    // Who switched it off is on record, and what happens from here on is not.
    const [last] = (await trailOf(gateway.url, 'type=settings.updated')).events
    assert.deepEqual([last?.key_id, [...((last?.fields ?? []) as string[])].sort()], ['admin', Object.keys(off)])
    await ask(gateway.url, 4)
    assert.equal((await trailOf(gateway.url)).events.length, 1)
    const { body } = await admin('GET', '/status')
    assert.deepEqual([body.enabled, body.queue_depth], [false, 0])
    await put(on ?? { enabled: true, url: receiver.url })
    // No waiting here: what happens after the answer is exported.
    await ask(gateway.url, 2)
    const events = await collect(receiver, has('request.completed', 2))
    assert.equal(events[0]?.type, 'settings.updated')
    assert.equal(events.filter(({ type }) => type === 'request.completed').length, 2)
    const trail = await trailOf(gateway.url)
    assert.deepEqual([trail.durable, trail.events.length], [true, 3])
  })
}

test('another reader keeps what it reads', async (t) => {
  const folder = temporaryFolder()
  const file = { use: 'audit-file', options: { path: join(folder, 'audit.jsonl') } }
  const { gateway, admin } = await exporting(t, {}, { plugins: [file] })
  assert.equal((await admin('PUT', '', { enabled: false })).status, 200)
  await until(async () => (await admin('GET', '/status')).body.state === 'disabled')
  await ask(gateway.url, 2)
  const { durable, events } = await trailOf(gateway.url)
  assert.deepEqual([durable, events.length], [true, 2])
})

test('every worker releases the log, and takes it again', async (t) => {
  const { url, receiver } = await workers(t)
  await allSay(url, false)
  await ask(url, 4)
  assert.equal((await trailOf(url)).events.length, 0)
  for (let round = 1; round <= 2; round++) {
    assert.equal((await admin(url, 'PUT', '', { enabled: true })).status, 200)
    await allSay(url, true)
    await ask(url, 10)
    const completed = (await collect(receiver, has('request.completed', 10))).filter(
      ({ type }) => type === 'request.completed',
    )
    assert.equal(new Set(completed.map(({ id }) => id)).size, 10)
    assert.equal((await admin(url, 'PUT', '', { enabled: false })).status, 200)
    await allSay(url, false)
    await ask(url, 10)
    assert.equal((await trailOf(url)).events.length, 10 * round)
  }
})

/** Two of them, with an export that is configured and not enabled. */
async function workers(t: TestContext) {
  const receiver = await startReceiver()
  t.after(() => receiver.close())
  const { gateway } = await startCluster(t, {
    keys: [
      { id: 'user', key: USER_KEY },
      { id: 'admin', key: ADMIN_KEY, admin: true },
    ],
    egress: { allow: [`127.0.0.1:${receiver.port}`] },
    plugins: [{ use: 'siem', options: { enabled: false, url: receiver.url, ...EAGER } }],
  })
  return { url: gateway.url, receiver }
}
