import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, afterEach, before, describe, it } from 'node:test'
import type { Store } from '../../../../core/engine/contract/store.ts'
import { declarationOf } from '../../../../core/engine/host/declaration.ts'
import { LiveSettings } from '../../../../core/services/settings/live.ts'
import { StoreClient } from '../../../../core/services/store/client.ts'
import { EmbeddedDriver } from '../../../../core/services/store/embedded/driver.ts'
import { MemoryDriver } from '../../../../core/services/store/memory.ts'
import type { Driver } from '../../../../core/services/store/ops.ts'
import { silent } from '../../../helpers/core.ts'
import { temporaryFolder } from '../../../helpers/folder.ts'
import { FaultyProxy } from '../store/faulty-proxy.ts'
import { RedisServer } from '../store/redis-server.ts'
import { startNode } from './gateways.ts'
import { exporter } from './plugin.ts'

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
})

const node = async (store: string) => {
  const started = await startNode({ store })
  closers.push(started.close)
  return started
}

describe('settings: several nodes on one Redis', () => {
  let server: RedisServer
  before(async () => {
    server = await RedisServer.start()
  })
  after(() => server.stop())

  it('a change on one is a change on all, without a restart', async () => {
    const [a, b] = [await node(server.url), await node(server.url)]
    const body = { enabled: true, url: 'https://93.184.215.14/', token: 'a-secret-token', size: 5 }
    assert.equal((await a.put(body)).status, 200)
    const current = await b.given.until(({ size }) => size === 5)
    assert.equal(current.token, 'a-secret-token')
    assert.deepEqual(await b.get(), await a.get())
    assert.equal((await b.put({ size: null, token: null, url: null, enabled: null })).status, 200)
    await a.given.until(({ size }) => size === 100)
    assert.deepEqual([a.log, b.log].map(eventsOf), [1, 1], 'each change is told once, where it was made')
  })

  it('changes made at the same time on both are all kept', async () => {
    const [a, b] = [await node(server.url), await node(server.url)]
    const bodies = [{ size: 1 }, { types: ['x'] }, { kind: 'other' }, { options: { index: 'y' } }, { enabled: false }]
    const replies = await Promise.all(bodies.flatMap((body, i) => [a, b][i % 2]!.put(body)))
    assert.deepEqual(
      replies.map(({ status }) => status),
      bodies.map(() => 200),
    )
    const { sources } = await b.get()
    const put = Object.entries(sources as object).filter(([, source]) => source === 'put')
    assert.deepEqual(put.map(([name]) => name).sort(), ['enabled', 'kind', 'options', 'size', 'types'])
    await a.given.until(({ size, kind, types }) => size === 1 && kind === 'other' && types[0] === 'x')
  })

  it('a node that lost its connection when the change was told reads it afterwards', async () => {
    const proxy = await FaultyProxy.start(server.port)
    closers.push(() => proxy.stop())
    const [a, b] = [await node(server.url), await node(proxy.url)]
    proxy.cutAfter = 0
    assert.equal((await a.put({ size: 77 })).status, 200)
    await b.given.until(({ size }) => size === 77)
    assert.ok(proxy.cuts >= 1)
  })
})

const eventsOf = (log: readonly Record<string, unknown>[]): number =>
  log.filter(({ event }) => (event as { type?: string } | undefined)?.type === 'settings.updated').length

describe('settings: several processes on one machine', () => {
  const root = temporaryFolder()

  async function live(store: Pick<Store, 'entry' | 'set' | 'watch' | 'status'>) {
    const told: (readonly string[])[] = []
    const settings = await LiveSettings.open({
      plugin: 'export',
      declaration: declarationOf(exporter().plugin.settings!),
      given: {},
      path: 'plugins[0].options',
      env: {},
      store,
      key: Buffer.alloc(32, 1),
      egress: { check: async () => undefined },
      eventTypes: () => new Set(),
      log: silent,
      updated: (fields) => told.push(fields),
    })
    closers.push(() => settings.close())
    return { settings, told }
  }

  const facade = (store: Store): Pick<Store, 'entry' | 'set' | 'watch' | 'status'> => ({
    entry: (key) => store.entry(key),
    set: (key, value, options) => store.set(key, value, options),
    watch: (prefix, listener) => store.watch(prefix, listener),
    status: store.status,
  })

  const changed = (settings: LiveSettings) =>
    new Promise<Readonly<Record<string, unknown>>>((resolve) => settings.onChange(resolve))

  for (const [name, open] of [
    ['memory', async (): Promise<Driver> => new MemoryDriver()],
    ['file', async (): Promise<Driver> => EmbeddedDriver.open({ folder: join(root, 'store'), ballastBytes: 0 })],
  ] as const) {
    it(`one owner of the store (${name}), two clients`, async () => {
      const driver = await open()
      const [one, two] = [new StoreClient(driver), new StoreClient(driver)]
      closers.push(() => one.close())
      const [a, b] = [await live(one), await live(two)]
      const seen = changed(b.settings)
      await a.settings.put({ size: 9, token: 'a-secret-token' }, 'ops')
      assert.equal((await seen).size, 9)
      assert.equal(b.settings.current.token, 'a-secret-token')
      assert.deepEqual([a.told, b.told], [[['size', 'token']], []])
    })
  }

  it('what cannot be read at once is read soon', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout', 'setInterval'] })
    const store = new StoreClient(new MemoryDriver())
    const { settings: a } = await live(store)
    let broken = true
    const failing = {
      ...facade(store),
      entry: ((key) => (broken ? Promise.reject(new Error('gone')) : store.entry(key))) as Store['entry'],
    }
    broken = false
    const { settings: b } = await live(failing)
    broken = true
    await a.put({ size: 9 }, 'ops')
    await b.refresh()
    assert.equal(b.current.size, 100, 'the last known ones stay')
    broken = false
    const seen = changed(b)
    t.mock.timers.tick(1000)
    assert.equal((await seen).size, 9)
  })

  it('and what nobody was told of, in half a minute', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout', 'setInterval'] })
    const store = new StoreClient(new MemoryDriver())
    const { settings: a } = await live(store)
    const { settings: b } = await live({ ...facade(store), watch: () => () => {} })
    const seen = changed(b)
    await a.put({ size: 9 }, 'ops')
    t.mock.timers.tick(30_000)
    assert.equal((await seen).size, 9)
  })
})
