import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '../../helpers/until.ts'
import { event, events, idsOf, type Rig, type RigOptions, startRig } from './rig.ts'

async function running(t: { after(fn: () => Promise<void>): void }, options?: RigOptions): Promise<Rig> {
  const rig = await startRig(options)
  t.after(async () => {
    await rig.stop()
    await rig.store.close()
  })
  rig.start()
  return rig
}

const HOUR = 3_600_000

test('a receiver that is down for an hour loses nothing, in order, and is not hammered', async (t) => {
  const rig = await running(t)
  rig.answer = () => (rig.clock.elapsed < HOUR ? 'down' : 200)
  const all = events(300)
  await rig.append(...all)
  await rig.until(() => rig.received().length === all.length)
  assert.deepEqual(rig.received(), idsOf(all))
  const probes = rig.calls.filter(({ at }) => at < HOUR)
  assert.ok(probes.length < 60, `${probes.length} attempts in an hour`)
  assert.ok(probes.every((call) => idsOf(call.events).join() === idsOf(all.slice(0, 10)).join()))
  assert.equal(new Set(probes.map(({ init }) => init.headers?.['idempotency-key'])).size, 1)
  const waits = probes.slice(1).map(({ at }, i) => at - (probes[i]?.at as number))
  assert.ok(Math.max(...waits) <= 300_000)
})

test('recovery is paced: five batches a second at first, then faster', async (t) => {
  const rig = await running(t, { fastest: 20, settings: { buffer_size: 1 } })
  rig.answer = () => (rig.clock.elapsed < 60_000 ? 503 : 200)
  const all = events(400)
  await rig.append(...all)
  await rig.until(() => rig.received().length === all.length)
  const times = rig.calls.filter(({ at }) => at >= 60_000).map(({ at }) => at)
  const start = times[0] as number
  const within = (from: number, to: number) => times.filter((at) => at - start >= from && at - start < to).length
  assert.ok(within(0, 1000) <= 7, `${within(0, 1000)} in the first second`)
  for (let second = 0; second < 20; second++) assert.ok(within(second * 1000, second * 1000 + 1000) <= 21)
  assert.ok(within(10_000, 11_000) > within(0, 1000))
})

test('wrong credentials pause for a minute first, and settings put right are used at once', async (t) => {
  const rig = await running(t)
  rig.answer = ({ init }) => (init.headers?.authorization === 'Bearer right' ? 200 : 401)
  await rig.append(event())
  await rig.until(() => rig.calls.length === 2)
  const [first, second] = rig.calls.map(({ at }) => at)
  assert.ok((second as number) - (first as number) >= 60_000)
  rig.set({ auth_token: 'right' })
  await rig.until(() => rig.received().length === 1)
  assert.equal((await rig.status()).last_error?.error, 'http_401')
})

test('settings that change in the middle of a backlog apply to what waits, and lose nothing', async (t) => {
  const rig = await running(t)
  rig.answer = ({ url }) => (url.includes('new') ? 200 : 'down')
  const all = [...events(50, 'plugin.slow'), ...events(50)]
  await rig.append(...all)
  await rig.until(() => rig.calls.length > 5)
  rig.set({ url: 'https://new.example/hook', exclude_event_types: ['plugin.*'] })
  await rig.until(() => rig.received().length === 50)
  assert.deepEqual(rig.received(), idsOf(all.slice(50)))
})

test('rejected events go to the dead letter log, and do not delay the rest', async (t) => {
  const rig = await running(t)
  rig.answer = ({ events }) => (events.some(({ type }) => type === 'poison') ? 400 : 200)
  const bad = events(10, 'poison')
  const good = events(20)
  await rig.append(...bad, ...good)
  await rig.until(() => rig.received().length === 20)
  assert.equal(rig.calls.length, 3)
  const { entries } = await rig.deadLetter.page(100)
  assert.deepEqual(entries.map(({ event }) => event.id).toReversed(), idsOf(bad))
  assert.deepEqual([entries[0]?.error, entries[0]?.status], ['http_400', 400])
  // Mended: an admin has them sent once more.
  rig.answer = () => 200
  const { store } = rig
  await store.namespace('siem').set('replay', await rig.deadLetter.newest())
  rig.deliverer.nudge()
  await rig.until(() => rig.received().length === 30)
  assert.deepEqual(rig.received().slice(20), idsOf(bad))
  await rig.until(async () => (await rig.deadLetter.count()) === 0)
})

test('a rejected event beside waiting ones is dead-lettered with its own error', async (t) => {
  const rig = await running(t, { settings: { destination: 'elastic' } })
  const items = (...statuses: number[]) =>
    JSON.stringify({ errors: true, items: statuses.map((status) => ({ create: { status } })) })
  const answers = [items(429, 400, 201), JSON.stringify({ errors: false })]
  rig.answer = () => ({ status: 200, body: answers.shift() as string })
  const all = events(3)
  await rig.append(...all)
  await rig.until(() => rig.calls.length === 2)
  const { entries } = await rig.deadLetter.page(100)
  assert.deepEqual(
    entries.map(({ event, error }) => [event.id, error]),
    [[all[1]?.id, 'item_400']],
  )
  assert.deepEqual(
    rig.calls[1]?.events.map(({ id }) => id),
    [all[0]?.id],
  )
})

test('a body that is too large is halved until it fits; a single event that is too large is buried', async (t) => {
  const rig = await running(t, { settings: { buffer_size: 16 } })
  rig.answer = ({ events }) => (events.length > 3 || events.some(({ type }) => type === 'huge') ? 413 : 200)
  const all = [...events(15), event('huge')]
  await rig.append(...all)
  await rig.until(() => rig.received().length === 15)
  assert.deepEqual(rig.received(), idsOf(all.slice(0, 15)))
  await rig.until(async () => (await rig.deadLetter.count()) === 1)
})

test('no body is larger than a megabyte', async (t) => {
  const rig = await running(t, { settings: { buffer_size: 1000 } })
  const all = Array.from({ length: 300 }, () => event('request.completed', 'info', { reason: 'é'.repeat(5000) }))
  await rig.append(...all)
  await rig.until(() => rig.received().length === all.length)
  assert.deepEqual(rig.received(), idsOf(all))
  for (const { init } of rig.calls) assert.ok(Buffer.byteLength(String(init.body)) <= 1_000_000)
  assert.ok(rig.calls.length <= 5, `${rig.calls.length} bodies`)
})

test('no body from the overflow log is larger, either', async (t) => {
  const rig = await running(t, { settings: { buffer_size: 100 }, most: 10 })
  rig.answer = () => (rig.clock.elapsed < HOUR ? 'down' : 200)
  const all = Array.from({ length: 120 }, () => event('request.completed', 'info', { reason: 'é'.repeat(12_000) }))
  await rig.append(...all)
  await rig.until(() => rig.received().length === all.length)
  assert.deepEqual(rig.received(), idsOf(all))
  for (const { init } of rig.calls) assert.ok(Buffer.byteLength(String(init.body)) <= 1_000_000)
})

test('a cursor of the dead letter log that names no page costs no more than one that does', async (t) => {
  const rig = await running(t, { settings: { buffer_size: 10, max_retries: 0 } })
  rig.answer = () => 404
  const all = events(20)
  await rig.append(...all)
  await rig.until(async () => (await rig.deadLetter.count()) === all.length)
  const page = await rig.deadLetter.page(3, '999999999999999.0')
  assert.deepEqual(
    page.entries.map(({ event: { id } }) => id),
    idsOf(all.slice(-3).toReversed()),
  )
  assert.deepEqual(await rig.deadLetter.page(3, '1.999'), { entries: [], next: undefined })
})

test('filtered events are acknowledged and never block', async (t) => {
  const rig = await running(t, { settings: { severity_filter: 'block' } })
  await rig.append(...events(200), event('request.blocked', 'block'))
  await rig.until(() => rig.received().length === 1)
  await rig.append(...events(200))
  const { consumer } = rig
  await rig.stop()
  assert.equal(rig.calls.length, 1)
  assert.ok((await consumer().backlog()).events <= 200)
})

test('filtered events do not wait for a batch, however many there are', async (t) => {
  const rig = await running(t, { settings: { severity_filter: 'block', flush_interval_seconds: 3600, buffer_size: 2 } })
  await rig.append(...events(3000), event('request.blocked', 'block'))
  await rig.append(...events(3000), event('request.blocked', 'block'))
  await rig.until(() => rig.received().length === 2)
  assert.equal(rig.calls.length, 1)
  await rig.append(...events(3000))
  await rig.until(async () => (await rig.consumer().backlog()).events === 0)
})

test('a backlog that is too long: important events wait, the rest is dropped and counted', async (t) => {
  const rig = await running(t, { most: 1000 })
  rig.answer = () => (rig.clock.elapsed < HOUR ? 'down' : 200)
  const all = Array.from({ length: 1500 }, (_, i) => (i % 10 === 0 ? event() : event('pii.detected', 'detection')))
  await rig.append(...all)
  await rig.until(() => rig.received().length >= 1050)
  const lost = new Set(idsOf(all.slice(0, 500).filter(({ type }) => type === 'pii.detected')))
  const expected = idsOf(all).filter((id) => !lost.has(id))
  await rig.until(() => rig.received().length === expected.length)
  assert.deepEqual(rig.received(), expected)
  const dropped = rig.emitted.filter(({ type }) => type === 'export.dropped')
  assert.equal(
    dropped.reduce((sum, { count }) => sum + Number(count), 0),
    450,
  )
  await rig.until(async () => (await rig.overflow.count()) === 0)
  await rig.stop()
  assert.equal((await rig.status()).dropped, 450)
})

test('dropped events that a process did not report in time are reported by the next one', async (t) => {
  const first = await startRig({ most: 1000 })
  first.answer = () => 'down'
  first.start()
  await first.append(...events(1500, 'pii.detected'))
  await first.until(() => first.emitted.length > 0)
  // The next report would have to wait for a minute.
  await first.append(...events(500, 'pii.detected'))
  await first.until(async () => (await first.status()).dropped === 1000)
  await first.stop()
  const second = await startRig({ store: first.store, most: 1000 })
  t.after(async () => {
    await second.stop()
    await first.store.close()
  })
  second.start()
  await second.until(() => second.received().length === 1000)
  await second.until(() => second.emitted.length > 0)
  const counts = [first, second].map(({ emitted }) => emitted.map(({ count }) => count))
  assert.deepEqual(counts, [[500], [500]])
  assert.equal((await second.status()).dropped, 1000)
})

test('events that do not fit into the dead letter log are reported', async (t) => {
  const rig = await running(t, { deadLetters: 100, settings: { buffer_size: 100 } })
  rig.answer = ({ events }) => (events.some(({ type }) => type === 'poison') ? 400 : 200)
  await rig.append(...events(300, 'poison'), event())
  await rig.until(() => rig.emitted.reduce((sum, { count }) => sum + Number(count), 0) === 100)
  assert.equal(rig.emitted[0]?.reason, 'dead_letter_full')
  assert.equal(await rig.deadLetter.count(), 200)
})

test('a restart continues where the last acknowledgement was, with the same ids', async (t) => {
  const first = await startRig()
  first.start()
  const all = events(30)
  await first.append(...all)
  await first.until(() => first.received().length === 30)
  await first.stop()
  const second = await startRig({ store: first.store })
  t.after(async () => {
    await second.stop()
    await first.store.close()
  })
  second.start()
  const more = events(5)
  await second.append(...more)
  await second.until(() => second.received().length === 5)
  assert.deepEqual(second.received(), idsOf(more))
})

test('disabled: in the end nothing is kept; enabled again, export begins anew', async (t) => {
  const rig = await running(t, { keepMs: 0 })
  await rig.append(event())
  await rig.until(() => rig.received().length === 1)
  rig.set({ enabled: false })
  const groups = async () => (await rig.store.stats('audit')).groups.length
  await until(async () => (await groups()) === 0)
  await rig.append(...events(10))
  assert.equal((await rig.status()).state, 'disabled')
  rig.set({ enabled: true })
  await until(async () => (await groups()) > 0)
  const later = event()
  await rig.append(later)
  await rig.until(() => rig.received().length === 2)
  assert.equal(rig.received()[1], later.id)
})

test('disabled and enabled again at once, seen by two processes at different times, loses nothing', async (t) => {
  const delivering = await running(t)
  const first = event()
  await delivering.append(first)
  await delivering.until(() => delivering.received().length === 1)
  const other = await startRig({ store: delivering.store })
  t.after(() => other.deliverer.close())
  // Whoever forgets the cursor does it only once the other process is active again.
  const enabled = Promise.withResolvers<void>()
  const forget = delivering.store.forget.bind(delivering.store)
  delivering.store.forget = async (...args) => {
    await enabled.promise
    await forget(...args)
  }
  other.set({ enabled: false })
  delivering.set({ enabled: false })
  await delivering.until(async () => (await delivering.status()).state === 'disabled')
  other.set({ enabled: true })
  const between = events(5)
  await other.append(...between)
  enabled.resolve()
  for (let i = 0; i < 20; i++) await new Promise((resolve) => setImmediate(resolve))
  delivering.set({ enabled: true })
  const later = event()
  await delivering.append(later)
  await delivering.until(() => delivering.received().includes(later.id))
  assert.deepEqual(delivering.received(), idsOf([first, ...between, later]))
})

test('what is rejected again when the dead letter log is full goes back to it, and nothing beside it is lost', async (t) => {
  const rig = await running(t, { deadLetters: 200, settings: { buffer_size: 100 } })
  rig.answer = () => 400
  const all = events(300, 'poison')
  await rig.append(...all)
  await rig.until(async () => (await rig.deadLetter.count()) === 300)
  const before = rig.calls.length
  await rig.store.namespace('siem').set('replay', await rig.deadLetter.newest())
  rig.deliverer.nudge()
  await rig.until(async () => (await rig.store.namespace('siem').get('replay')) === undefined)
  assert.equal(rig.calls.length - before, 3)
  const { entries } = await rig.deadLetter.page(1000)
  assert.deepEqual(entries.map(({ event }) => event.id).toReversed(), idsOf(all))
  assert.equal(rig.emitted.length, 0)
})
