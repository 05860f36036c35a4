/** While the store is away, the log tells it once, and once a minute. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Log } from '../../../../core/engine/contract/plugin.ts'
import { unavailable } from '../../../../core/engine/contract/store-errors.ts'
import { declarationOf } from '../../../../core/engine/host/declaration.ts'
import { Trouble } from '../../../../core/engine/util/trouble.ts'
import { Writer } from '../../../../core/services/audit/writer.ts'
import { Singleton } from '../../../../core/services/leader.ts'
import { LiveSettings } from '../../../../core/services/settings/live.ts'
import { StoreClient } from '../../../../core/services/store/client.ts'
import { MemoryDriver } from '../../../../core/services/store/memory.ts'

function listening() {
  const lines: { fields: Record<string, unknown>; msg: string }[] = []
  const write = (fields: object, msg: string) => void lines.push({ fields: { ...fields }, msg })
  const log = { debug: write, info: write, warn: write, error: write } as Log
  return { log, lines }
}

/** A store that can be taken away. */
function fickle() {
  const driver = new MemoryDriver()
  const call = driver.call.bind(driver) as (name: string, args: unknown) => Promise<unknown>
  const state = { away: false, tellsIt: true }
  Object.assign(driver, {
    call: async (name: string, args: unknown) => {
      if (state.away) throw unavailable('gone')
      return call(name, args)
    },
  })
  Object.defineProperty(driver, 'status', {
    get: () => ({ state: state.away && state.tellsIt ? 'unavailable' : 'ready', detail: '' }),
  })
  return { store: new StoreClient(driver), state }
}

/** Timers of both clocks; each step lets promises go on. */
async function pass(t: { mock: { timers: { tick(ms: number): void } } }, ms: number): Promise<void> {
  for (let done = 0; done < ms; done += 500) {
    t.mock.timers.tick(500)
    for (let i = 0; i < 20; i++) await Promise.resolve()
  }
}

test('trouble in a flood: one line when it begins, one a minute, one when it is over', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const { log, lines } = listening()
  const trouble = new Trouble({ log, begins: 'begins', ends: 'ends' })
  for (let i = 0; i < 1000; i++) trouble.note({ place: 'x' })
  assert.deepEqual(lines.splice(0), [{ fields: { place: 'x', times: 1 }, msg: 'begins' }])
  t.mock.timers.tick(60_000)
  assert.deepEqual(lines.splice(0), [{ fields: { times: 999 }, msg: 'begins' }])
  t.mock.timers.tick(60_000)
  assert.deepEqual(
    lines.splice(0).map(({ fields, msg }) => [fields.times, msg]),
    [[1000, 'ends']],
  )
  t.mock.timers.tick(600_000)
  trouble.note()
  trouble.close()
  assert.deepEqual(lines, [{ fields: { times: 1 }, msg: 'begins' }])
})

test('settings that cannot be read are told once a minute, and not at all when the store is known to be away', async (t) => {
  const { log, lines } = listening()
  const { store, state } = fickle()
  t.mock.timers.enable({ apis: ['setInterval', 'setTimeout'] })
  const settings = await LiveSettings.open({
    plugin: 'export',
    declaration: declarationOf({
      path: '/api/settings/export',
      schema: { type: 'object', additionalProperties: false, properties: { size: { type: 'integer', default: 1 } } },
    }),
    given: {},
    path: 'plugins[0].options',
    env: {},
    store,
    key: Buffer.alloc(32),
    egress: { check: async () => ({}) } as never,
    eventTypes: () => new Set(),
    log,
    updated: () => {},
  })
  t.after(() => settings.close())
  state.away = true
  await pass(t, 300_000)
  assert.equal(lines.length, 0)
  state.tellsIt = false
  await pass(t, 179_000)
  assert.equal(lines.length, 3)
  assert.ok(Number(lines[1]?.fields.times) > 10, 'it was tried meanwhile')
  state.away = false
  await pass(t, 180_000)
  assert.equal(lines.at(-1)?.msg, 'settings are read again')
  assert.ok(lines.length <= 5, String(lines.length))
})

test('work that ends because the store is away is not told beside the store', async () => {
  const { log, lines } = listening()
  const { store, state } = fickle()
  const met: PromiseWithResolvers<void>[] = [Promise.withResolvers(), Promise.withResolvers()]
  let runs = 0
  const run = async () => {
    const error = runs === 0 ? unavailable('gone') : new Error('something else')
    if (runs === 0) state.away = true
    met[runs++]?.resolve()
    throw error
  }
  const one = new Singleton(store, 'work', 'a', run, log, { leaseMs: 200, renewMs: 5, pauseMs: 1 })
  one.start()
  // It is back when it is asked for the lock again.
  const { acquire } = store
  store.acquire = (...args) => {
    state.away = false
    return acquire.apply(store, args)
  }
  await met[1]?.promise
  await one.stop()
  assert.ok(lines.length >= 1)
  assert.deepEqual([...new Set(lines.map(({ fields }) => fields.error))], ['Error'])
})

test('an outage of the store is told when it begins, each minute, and when it is over with its length', async (t) => {
  const { log, lines } = listening()
  const { store, state } = fickle()
  t.mock.timers.enable({ apis: ['setInterval', 'Date'] })
  let now = 0
  t.mock.method(performance, 'now', () => now)
  const writer = new Writer(
    store,
    log,
    undefined,
    () => {},
    async () => {},
  )
  t.after(() => writer.stop())
  state.away = true
  assert.equal(await writer.append([{ type: 'test' }]), false)
  for (let i = 0; i < 300; i++) {
    now += 500
    await pass(t, 500)
  }
  state.away = false
  for (let i = 0; i < 40; i++) {
    now += 500
    await pass(t, 500)
  }
  const told = lines.filter(({ msg }) => msg.startsWith('the store'))
  assert.deepEqual(
    told.map(({ msg }) => msg),
    [
      'the store does not accept writes',
      'the store still does not accept writes',
      'the store still does not accept writes',
      'the store accepts writes again',
    ],
  )
  assert.ok(Number(told.at(-1)?.fields.seconds) >= 150)
})
