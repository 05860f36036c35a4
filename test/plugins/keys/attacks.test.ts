/** What somebody would try against keys that live in the store. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { StoreClient } from '../../../core/services/store/client.ts'
import { MemoryDriver } from '../../../core/services/store/memory.ts'
import { type PluginRig, type PluginSetup, startPlugin } from '../../../core/testing/index.ts'
import keys from '../../../plugins/keys/index.ts'
import { KeyManager } from '../../../plugins/keys/manager.ts'
import { Registry } from '../../../plugins/keys/registry.ts'

async function start(t: TestContext, setup: PluginSetup = {}): Promise<PluginRig> {
  const rig = await startPlugin(keys, setup)
  t.after(() => rig.close())
  return rig
}

const bearer = (key: unknown) => ({ headers: { authorization: `Bearer ${key}` } })
const log = { debug() {}, info() {}, warn() {}, error() {} }

describe('a stranger at the keys', () => {
  it('gets nothing from any route without an admin key', async (t) => {
    const rig = await start(t)
    const { key } = (await rig.admin('POST', '/api/keys', { id: 'app' })).body
    for (const [method, path, body] of [
      ['GET', '/api/keys'],
      ['POST', '/api/keys', { id: 'mine', admin: true }],
      ['GET', '/api/keys/app'],
      ['PATCH', '/api/keys/app', { admin: true }],
      ['POST', '/api/keys/admin/rotate', {}],
      ['DELETE', '/api/keys/app'],
      ['GET', '/api/teams'],
      ['PUT', '/api/teams/blue', { limits: [] }],
      ['DELETE', '/api/teams/blue'],
    ] as const) {
      for (const [credential, status] of [
        [String(key), 403],
        [rig.apiKey, 403],
        [`gw_${'A'.repeat(43)}`, 401],
        [undefined, 401],
      ] as const) {
        const headers = {
          ...(credential !== undefined && { authorization: `Bearer ${credential}` }),
          'content-type': 'application/json',
        }
        const sent = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) }
        const reply = await fetch(`${rig.url}${path}`, sent)
        await reply.body?.cancel()
        assert.deepEqual([method, path, reply.status], [method, path, status])
      }
    }
    assert.equal((await rig.admin('GET', '/api/keys/app')).body.admin, false)
    assert.equal((await rig.admin('GET', '/api/keys/mine')).status, 404)
  })

  it('finds no name with another meaning: prototypes, invisible characters, repeated members', async (t) => {
    const rig = await start(t)
    for (const id of ['constructor', 'toString', 'hasOwnProperty']) {
      assert.equal((await rig.admin('GET', `/api/keys/${id}`)).status, 404, id)
      const { key } = (await rig.admin('POST', '/api/keys', { id, team: id })).body
      const reply = await rig.send('Hello', bearer(key))
      assert.deepEqual([reply.status, reply.events.at(-1)?.key_id], [200, id])
    }
    for (const id of ['__proto__', 'app\u200b', 'аpp', 'a b', 'a\n', 'a'.repeat(65), ' app', 'app/../admin', '']) {
      assert.equal((await rig.admin('POST', '/api/keys', { id })).status, 400, JSON.stringify(id))
    }
    for (const team of ['a\nb', 'blue\u202etxt', 'blue\u200b', '\0', ' blue', 'blue ']) {
      const { status } = await rig.admin('POST', '/api/keys', { id: 'x', team })
      assert.equal(status, 400, JSON.stringify(team))
    }
    assert.equal((await rig.admin('PUT', '/api/teams/__proto__', { limits: [] })).status, 200)
    const { teams } = (await rig.admin('GET', '/api/teams')).body as { teams: { name: string }[] }
    assert.deepEqual(
      teams.map(({ name }) => name),
      ['__proto__', 'constructor', 'hasOwnProperty', 'toString'],
    )
    for (const body of ['{"id":"x","id":"y"}', '{"id":"x","__proto__":{"admin":true}}', '{"id":"x","Admin":true}']) {
      const headers = { authorization: `Bearer ${rig.adminKey}`, 'content-type': 'application/json' }
      const reply = await fetch(`${rig.url}/api/keys`, { method: 'POST', headers, body })
      await reply.body?.cancel()
      assert.equal(reply.status, 400, body)
    }
  })

  it('cannot keep an old secret valid with a body that takes its time', async (t) => {
    const rig = await start(t)
    const { key } = (await rig.admin('POST', '/api/keys', { id: 'app' })).body
    const body = JSON.stringify({ model: 'gpt-test', messages: [{ role: 'user', content: 'Hello' }] })
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${key}`, expect: '100-continue' }
    const slow = request(`${rig.url}/v1/chat/completions`, { method: 'POST', headers })
    t.after(() => slow.destroy())
    slow.flushHeaders()
    // The gateway knows the caller, and waits for the body.
    await once(slow, 'continue')
    await rig.admin('POST', '/api/keys/app/rotate', { overlap_seconds: 0 })
    slow.end(body)
    const [reply] = (await once(slow, 'response')) as [IncomingMessage]
    reply.resume()
    assert.equal(reply.statusCode, 401)
    assert.equal(rig.provider.requests.length, 0)
  })
})

describe('a key of the config', () => {
  it('wins over a key of the store with its id, whatever became of that', async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'gw-keys-'))
    t.after(() => rmSync(folder, { recursive: true, force: true }))
    const config = { store: `file:${folder}` }
    const first = await startPlugin(keys, { config, with: ['flags', 'budget'] })
    const limits = [{ unit: 'requests', limit: 0, window: 'day' }]
    const { key } = (await first.admin('POST', '/api/keys', { id: 'app', limits })).body
    await first.admin('POST', '/api/keys', { id: 'gone' })
    await first.admin('DELETE', '/api/keys/gone')
    await first.close()

    const own = ['app', 'gone'].map((id) => ({ id, key: `the-key-of-${id}-in-the-config` }))
    const admin = { id: 'admin', key: first.adminKey, admin: true }
    const second = await start(t, { config: { ...config, keys: [admin, ...own] }, with: ['flags', 'budget'] })
    assert.equal((await second.send('Hello', bearer('the-key-of-app-in-the-config'))).status, 200)
    assert.equal((await second.send('Hello', bearer('the-key-of-gone-in-the-config'))).status, 200)
    assert.equal((await second.send('Hello', bearer(key))).status, 401)
    const listed = (await second.admin('GET', '/api/keys')).body.keys as { id: string; source: string }[]
    assert.deepEqual(
      listed.filter(({ id }) => id === 'app').map(({ source }) => source),
      ['config', 'runtime'],
    )
    assert.equal((await second.admin('PATCH', '/api/keys/app', { admin: true })).status, 404)
  })
})

describe('changes of keys', () => {
  it('do not overwrite each other', async (t) => {
    const rig = await start(t)
    await rig.admin('POST', '/api/keys', { id: 'app' })
    const replies = await Promise.all([
      rig.admin('PATCH', '/api/keys/app', { team: 'blue' }),
      rig.admin('PATCH', '/api/keys/app', { models: ['gpt-*'] }),
      rig.admin('PATCH', '/api/keys/app', { description: 'One' }),
      rig.admin('POST', '/api/keys/app/rotate', {}),
    ])
    assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([200]))
    const { team, models, description } = (await rig.admin('GET', '/api/keys/app')).body
    assert.deepEqual([team, models, description], ['blue', ['gpt-*'], 'One'])
    const [rotated, revoked] = await Promise.all([
      rig.admin('POST', '/api/keys/app/rotate', {}),
      rig.admin('DELETE', '/api/keys/app'),
    ])
    assert.equal(revoked.status, 200)
    assert.equal((await rig.send('Hello', bearer(rotated.body.key))).status, 401)
    const both = await Promise.all([1, 2].map(() => rig.admin('POST', '/api/keys', { id: 'twin' })))
    assert.deepEqual(both.map(({ status }) => status).sort(), [201, 409])
    // Asking again for what was done is no mistake.
    assert.equal((await rig.admin('DELETE', '/api/keys/app')).status, 200)
    assert.equal(rig.events.filter(({ type }) => type === 'key.revoked').length, 1)
  })

  it('are told, and hold in this process, even if reading them back fails', async (t) => {
    const store = new StoreClient(new MemoryDriver())
    t.after(() => store.close())
    let fails = false
    const weak = {
      watch: () => () => {},
      set: store.set.bind(store),
      async entry(name: string) {
        const entry = await store.entry(name)
        if (fails) throw new Error('unavailable')
        return entry
      },
    } as unknown as typeof store
    const told: string[] = []
    const cut: string[] = []
    const registry = new Registry(
      { store: weak, log },
      {
        refreshMs: 1e6,
        staleMs: 1e6,
        changed: (_, after) => cut.push(...[...after.values()].map(({ revoked_at: at }) => String(at))),
      },
    )
    await registry.start()
    t.after(() => registry.stop())
    const emit = (type: string): undefined => void told.push(type)
    const manager = new KeyManager(registry, { emit, flags: new Map(), keys: [] } as never)
    await manager.create({ id: 'app' }, 'admin')
    const set = store.set.bind(store)
    weak.set = async (...args: Parameters<typeof set>) => {
      fails = true
      return set(...args)
    }
    const { revoked_at } = await manager.revoke('app', 'admin')
    assert.deepEqual(told, ['key.created', 'key.revoked'])
    assert.equal(cut.at(-1), revoked_at)
    assert.equal(registry.get('app')?.revoked_at, revoked_at)
  })

  it('leave room for new keys when old ones were revoked', async (t) => {
    const store = new StoreClient(new MemoryDriver())
    t.after(() => store.close())
    const registry = new Registry({ store, log }, { refreshMs: 1e6, staleMs: 1e6, maxKeys: 3, changed: () => {} })
    await registry.start()
    t.after(() => registry.stop())
    const manager = new KeyManager(registry, { emit: () => {}, flags: new Map(), keys: [] } as never)
    for (const id of ['a', 'b', 'c']) await manager.create({ id }, 'admin')
    await assert.rejects(manager.create({ id: 'd' }, 'admin'), /already 3 keys/)
    await manager.revoke('b', 'admin')
    await manager.create({ id: 'd' }, 'admin')
    await assert.rejects(manager.create({ id: 'e' }, 'admin'), /already 3 keys/)
  })

  it('follow a store that went back, such as to a backup', async (t) => {
    const stores = [new StoreClient(new MemoryDriver()), new StoreClient(new MemoryDriver())] as const
    t.after(() => Promise.all(stores.map((store) => store.close())))
    let at = 0
    const moving = {
      watch: () => () => {},
      entry: (name: string) => stores[at]?.entry(name),
      set: (...args: Parameters<StoreClient['set']>) => stores[at]?.set(...args),
    } as unknown as StoreClient
    const registry = new Registry({ store: moving, log }, { refreshMs: 1e6, staleMs: 1e6, changed: () => {} })
    await registry.start()
    t.after(() => registry.stop())
    const manager = new KeyManager(registry, { emit: () => {}, flags: new Map(), keys: [] } as never)
    await manager.create({ id: 'app' }, 'admin')
    for (const team of ['a', 'b', 'c']) await manager.update('app', { team }, 'admin')
    await manager.setTeam('a', [], 'admin')
    at = 1
    await registry.refresh()
    assert.deepEqual([registry.all(), registry.teams()], [[], []])
    await manager.create({ id: 'app' }, 'admin')
    await manager.revoke('app', 'admin')
    assert.notEqual(registry.get('app')?.revoked_at, undefined)
  })

  it('must be read often enough to be fresh', async () => {
    const options = { refresh_seconds: 30, max_stale_seconds: 10 }
    await assert.rejects(async () => (await startPlugin(keys, { options })).close(), /max_stale_seconds/)
  })
})
