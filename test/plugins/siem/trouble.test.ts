/** Receivers that misbehave, and changes while the gateway runs. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { test } from 'node:test'
import type { GovernanceEvent } from 'governed-gateway'
import { type Receiver, respond, type Script, startReceiver } from 'governed-gateway/testing'
import { temporaryFolder } from '../../helpers/folder.ts'
import { post, setup } from '../../helpers/gateway.ts'
import { until } from '../../helpers/until.ts'
import { collect, EAGER, eventsOf, exporting, has } from './helpers.ts'

const reset: Script = (exchange) => exchange.cut('reset')

test('a receiver that resets, answers 500, 429, a redirect or nothing in time gets the batch again', async (t) => {
  const { receiver, ask, admin } = await exporting(t, {
    request_timeout_seconds: 1,
    max_retries: 20,
    exclude_event_types: ['service.*'],
  })
  const never = new Promise<never>(() => {})
  const troubles = [
    reset,
    respond(500),
    respond(429, '', { 'retry-after': '0' }),
    respond(302, '', { location: 'http://169.254.169.254/' }),
    respond(200, '', {}, never),
  ]
  receiver.reply(...troubles)
  await ask()
  const seen = new Set<string>()
  for (let i = 0; i <= troubles.length; i++) seen.add(String((await receiver.next()).headers['idempotency-key']))
  assert.equal(seen.size, 1)
  await ask()
  let next = await receiver.next()
  // Where the machine is busy, even a good answer may have been too late.
  while (seen.has(String(next.headers['idempotency-key']))) next = await receiver.next()
  assert.equal(eventsOf(next)[0]?.type, 'request.completed')
  // The figures lag behind by a second at most.
  await until(async () => (await admin('GET', '/status')).body.last_error?.error === 'timeout')
})

test('the status tells that a receiver of syslog closes each connection after a batch', async (t) => {
  const balancer = createServer((socket) => socket.on('error', () => {}).once('data', () => socket.end()))
  balancer.listen(0, '127.0.0.1')
  await once(balancer, 'listening')
  t.after(() => void balancer.close())
  const { port } = balancer.address() as AddressInfo
  const url = `tcp://127.0.0.1:${port}`
  const { ask, admin } = await exporting(t, { destination: 'syslog', url }, {}, [`127.0.0.1:${port}`])
  await until(async () => {
    await ask()
    return (await admin('GET', '/status')).body.last_error?.error === 'closed_by_receiver'
  })
})

test('the status tells that a batch is tried again, until the receiver takes or rejects it', async (t) => {
  const { receiver, ask, admin } = await exporting(t, { max_retries: 20, exclude_event_types: ['service.*'] })
  const state = async () => (await admin('GET', '/status')).body.state
  for (const end of [200, 422]) {
    receiver.otherwise(respond(503))
    await ask()
    await until(async () => (await state()) === 'retrying')
    receiver.otherwise(respond(end))
    await until(async () => (await state()) === 'delivering')
  }
})

test('requests do not wait for a slow receiver', async (t) => {
  const { receiver, ask, admin } = await exporting(t)
  const slow = Promise.withResolvers<void>()
  receiver.otherwise(respond(200, '', {}, slow.promise))
  await receiver.next()
  for (let i = 0; i < 20; i++) await ask()
  assert.equal(receiver.requests.length, 1)
  const { body } = await admin('GET', '/status')
  assert.equal(body.state, 'delivering')
  assert.ok(body.queue_depth >= 21, String(body.queue_depth))
  slow.resolve()
  const events = [eventsOf(receiver.requests[0]!), await collect(receiver, has('request.completed', 20))].flat()
  const seqs = events.map(({ seq }) => Number(seq))
  assert.deepEqual(
    seqs,
    Array.from({ length: 21 }, (_, i) => i + 1),
  )
})

test('the status shows a pause, rejected events, and their replay', async (t) => {
  const { receiver, ask, admin } = await exporting(t, { exclude_event_types: ['service.*', 'export.*'] })
  receiver.otherwise(respond(422, { error: 'what the receiver thinks' }))
  await ask()
  await receiver.next()
  const page = async () => (await admin('GET', '/dead-letter?limit=1')).body
  await until(async () => (await page()).entries.length > 0)
  const letters = await page()
  const [letter] = letters.entries
  assert.deepEqual([letter.error, letter.status, letter.event.type], ['http_422', 422, 'request.completed'])
  assert.ok(!JSON.stringify(letters).includes('what the receiver thinks'))
  receiver.otherwise(respond(200))
  const { status, body } = await admin('POST', '/dead-letter/replay')
  assert.deepEqual([status, body], [202, { events: 1 }])
  assert.equal(eventsOf(await receiver.next())[0]?.id, letter.event.id)
  await until(async () => (await page()).entries.length === 0)
  receiver.otherwise(respond(503))
  await ask()
  const current = await until(async () => {
    const { body: now } = await admin('GET', '/status')
    return now.state === 'paused' && now
  })
  assert.ok(Date.parse(current.next_attempt) > Date.now() - 1000)
  assert.deepEqual([current.last_error.error, current.last_error.status], ['http_503', 503])
  // The event of the replay, which is left out, may wait in front of it.
  assert.ok([1, 2].includes(current.queue_depth), String(current.queue_depth))
  // Aiming elsewhere needs no restart, and what waited goes there.
  const other = await startReceiver()
  t.after(() => other.close())
  const blocked = await admin('PUT', '', { url: other.url })
  assert.equal(blocked.body.error.code, 'ssrf_blocked')
  receiver.otherwise(respond(200))
  assert.equal((await admin('PUT', '', { source_name: 'renamed' })).status, 200)
  for (;;) {
    const [event] = eventsOf(await receiver.next())
    if (event?.source_name !== 'renamed') continue
    assert.equal(event.type, 'request.completed')
    break
  }
})

test('a test delivery reports the category of its failure', async (t) => {
  const { receiver, admin } = await exporting(t, { request_timeout_seconds: 0.5, event_types: ['store.recovered'] })
  const answers: [Script, number | null, string][] = [
    [respond(503), 503, 'http_503'],
    [respond(302, '', { location: 'http://169.254.169.254/' }), 302, 'redirect'],
    [reset, null, 'reset'],
    [respond(200, '', {}, new Promise(() => {})), null, 'timeout'],
  ]
  for (const [script, status, error] of answers) {
    receiver.reply(script)
    const { body } = await admin('POST', '/test')
    assert.deepEqual([body.ok, body.status, body.error], [false, status, error])
  }
})

test('a reload with other options loses nothing and sends nothing twice', async (t) => {
  const exports = (receiver: Receiver, source_name: string) => [
    { use: 'siem', options: { enabled: true, url: receiver.url, ...EAGER, source_name } },
  ]
  const receiver = await startReceiver()
  t.after(() => receiver.close())
  const { gateway } = await setup(t, {
    folder: temporaryFolder(),
    plugins: exports(receiver, 'before'),
    config: { egress: { allow: [`127.0.0.1:${receiver.port}`] } },
  })
  const ask = async () => (await post(gateway)).text()
  for (let i = 0; i < 10; i++) await ask()
  await gateway.reload({ plugins: exports(receiver, 'after') })
  const events: GovernanceEvent[] = []
  let asked = 10
  while (events.at(-1)?.source_name !== 'after') {
    await ask()
    asked++
    events.push(...eventsOf(await receiver.next()))
  }
  events.push(...(await collect(receiver, (more) => has('request.completed', asked)([...events, ...more]))))
  assert.equal(new Set(events.map(({ id }) => id)).size, events.length)
})

test('the last error is about the receiver that the settings name, and ends with it', async (t) => {
  const { receiver, ask, admin } = await exporting(t, { max_retries: 0, exclude_event_types: ['service.*'] })
  const trouble = async () => {
    const { last_error, next_attempt, target } = (await admin('GET', '/status')).body
    assert.equal(target, undefined)
    return [last_error?.error ?? null, next_attempt === null ? 'no pause' : 'pause']
  }
  const met = async (...wanted: string[]) => {
    for (let told = await trouble(); wanted.join() !== told.join(); told = await trouble());
  }
  receiver.otherwise(respond(503))
  await ask()
  await met('http_503', 'pause')
  const put = async (change: object) => assert.equal((await admin('PUT', '', change)).status, 200)
  // Already in the answer after the change, whatever the process that delivers is doing.
  receiver.otherwise(respond(500))
  await put({ url: `${receiver.url}/elsewhere` })
  assert.notEqual((await trouble())[0], 'http_503')
  await met('http_500', 'pause')
  await put({ enabled: false })
  assert.deepEqual(await trouble(), [null, 'no pause'])
  receiver.otherwise(respond(200))
  await until(async () => (await admin('GET', '/status')).body.state === 'disabled')
  await put({ enabled: true })
  await collect(receiver, has('request.completed', 1))
  assert.deepEqual(await trouble(), [null, 'no pause'])
})
