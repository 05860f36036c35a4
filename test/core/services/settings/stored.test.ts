import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import type { JSONSchema } from 'json-schema-to-ts'
import type { PluginSpec } from '../../../../core/engine/contract/plugin.ts'
import { parseSettingPath } from '../../../../core/engine/host/paths.ts'
import { decode, encode } from '../../../../core/services/settings/stored.ts'
import { temporaryFolder } from '../../../helpers/folder.ts'
import { type NodeOptions, startNode } from './gateways.ts'

const root = temporaryFolder()

const secrets = ['token', 'options.api_key', 'destinations[].key'].map(parseSettingPath)
const key = Buffer.alloc(32, 7)

describe('settings at rest', () => {
  const put = {
    size: 5,
    token: 'secret-one',
    options: { index: 'x', api_key: 'secret-two' },
    destinations: [
      { name: 'a', url: 'https://a.example' },
      { name: 'b', url: 'https://b.example', key: 'secret-three' },
    ],
  }

  it('hold secrets encrypted, and come back whole', () => {
    const stored = encode(put, secrets, key, 'export')
    assert.doesNotMatch(JSON.stringify(stored), /secret-/)
    assert.deepEqual(decode(stored, secrets, key, 'export'), { put, unreadable: [] })
    assert.notEqual(encode(put, secrets, key, 'export').sealed, stored.sealed, 'each time another way')
  })

  it('give nothing away to another key or another plugin, and hide what is below them', () => {
    const stored = encode(put, secrets, key, 'export')
    for (const [other, owner] of [
      [Buffer.alloc(32, 8), 'export'],
      [key, 'other'],
    ] as const) {
      const found = decode(stored, secrets, other, owner)
      assert.deepEqual(found.unreadable, ['token', 'options', 'destinations'])
      assert.equal(found.put.token, null)
      assert.equal(found.put.size, 5)
    }
  })

  it('no file of the store holds a secret', async () => {
    const folder = join(root, 'files')
    const node = await startNode({ store: `file:${folder}` })
    await node.put({ token: 'canary-5b1f0c', options: { api_key: 'canary-9d2e7a' } })
    await node.close()
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    assert.ok(files.length > 0)
    for (const { parentPath, name } of files) {
      assert.ok(!readFileSync(join(parentPath, name)).includes('canary-'), name)
    }
    assert.doesNotMatch(JSON.stringify(node.log), /canary-/)
  })
})

describe('settings through restarts', () => {
  let folders = 0
  const folder = () => `file:${join(root, String(folders++))}`
  async function withNode<T>(options: NodeOptions, work: (node: Awaited<ReturnType<typeof startNode>>) => Promise<T>) {
    const node = await startNode(options)
    try {
      return await work(node)
    } finally {
      await node.close()
    }
  }

  const smaller = (spec: PluginSpec): PluginSpec => {
    const schema = structuredClone(spec.settings!.schema) as { properties: Record<string, object> }
    Object.assign(schema.properties.size as object, { maximum: 10, default: 10 })
    delete schema.properties.types
    const { types: _types, ...env } = spec.settings!.env ?? {}
    return { ...spec, settings: { ...spec.settings!, schema: schema as JSONSchema, env } }
  }

  it('what was PUT counts again', async () => {
    const store = folder()
    const put = { enabled: true, url: 'https://93.184.215.14/', token: 'a-secret-token', size: 50 }
    const before = await withNode({ store }, async (node) => (await node.put(put)).body)
    await withNode({ store, env: { EXPORT_SIZE: '7' }, options: { size: 8 } }, async (node) => {
      assert.deepEqual(await node.get(), before)
      assert.equal(node.given.services!.settings.current.token, 'a-secret-token')
    })
  })

  it('what no longer fits the schema is told and left out, and comes back with the schema', async () => {
    const store = folder()
    await withNode({ store }, (node) => node.put({ size: 50, types: ['x'], kind: 'other' }))
    await withNode({ store, change: smaller }, async (node) => {
      const { size, kind, problems } = await node.get()
      assert.deepEqual([size, kind], [10, 'other'])
      const told = problems as { field: string; message: string }[]
      assert.deepEqual(told.map(({ field }) => field).sort(), ['size', 'types'])
      assert.equal((await node.put({ kind: 'webhook' })).status, 200)
      assert.equal((await node.put({ size: 50 })).status, 400)
    })
    await withNode({ store }, async (node) => {
      const { size, types, kind, problems } = await node.get()
      assert.deepEqual([size, types, kind, problems], [50, ['x'], 'webhook', undefined])
    })
  })

  it('a url that is no longer open is left out with the secrets meant for it', async () => {
    const store = folder()
    const env = { EXPORT_TOKEN: 'from-the-environment' }
    const put = { url: 'http://10.1.2.3/', token: 'a-secret-token' }
    await withNode({ store, env, allow: ['10.0.0.0/8'] }, async (node) => {
      const { status, body } = await node.put(put)
      assert.equal(status, 200)
      assert.match(String(body.warnings), /url is http: secrets are sent in clear/)
    })
    await withNode({ store, env }, async (node) => {
      const body = await node.get()
      assert.equal(body.url, undefined)
      assert.match(JSON.stringify(body.problems), /private/)
      assert.equal(node.given.services!.settings.current.token, 'from-the-environment')
      assert.equal((await node.put({ size: 5 })).status, 200)
      // The token of the environment was never meant for this one either.
      assert.equal((await node.put({ url: 'https://93.184.215.14/' })).status, 400)
      assert.equal((await node.put({ url: 'https://93.184.215.14/', token: null })).status, 200)
    })
    await withNode({ store, env, allow: ['10.0.0.0/8'] }, async (node) => {
      assert.equal((await node.get()).url, 'https://93.184.215.14/')
      assert.equal(node.given.services!.settings.current.token, undefined)
    })
  })

  it('secrets that cannot be read any more are told, and nothing else is sent in their place', async () => {
    const store = folder()
    const env = { EXPORT_TOKEN: 'from-the-environment' }
    await withNode({ store, env }, (node) => node.put({ url: 'https://93.184.215.14/', token: 'a-secret-token' }))
    await withNode({ store, env, secret: 'another secret, of at least 32 characters' }, async (node) => {
      const { problems, token_set, ...shown } = await node.get()
      assert.match(JSON.stringify(problems), /"token","message":"cannot be read.*: send it again, or null/)
      assert.equal(token_set, false)
      assert.ok(!('token' in shown), 'sent back as a null it would be cleared')
      const { settings, fetch, connect } = node.given.services!
      assert.deepEqual(settings.unreadable, ['token'])
      const unsent = { code: 'GW_EGRESS_FAILED', category: 'secret_unreadable' }
      await assert.rejects(fetch('https://93.184.215.14/', { method: 'GET', timeoutMs: 1000 }), unsent)
      await assert.rejects(connect({ host: '93.184.215.14', port: 443, tls: true, timeoutMs: 1000 }), unsent)
      const refused = await node.put({ size: 5 })
      assert.deepEqual([refused.status, settings.unreadable], [400, ['token']])
      assert.match(refused.error?.message ?? '', /token: cannot be read/)
      assert.equal((await node.put({ token: 'a-new-token', size: 5 })).body.token_set, true)
      assert.deepEqual([settings.unreadable, settings.current.token], [[], 'a-new-token'])
      assert.equal(node.log.filter(({ msg }) => String(msg).startsWith('stored secrets cannot be read')).length, 1)
    })
  })

  it('a secret that cannot be read may be given up, and plugins are told', async () => {
    const store = folder()
    const put = { enabled: true, url: 'https://93.184.215.14/', token: 'a-secret-token', options: { api_key: 'x' } }
    await withNode({ store }, (node) => node.put(put))
    await withNode({ store, secret: 'another secret, of at least 32 characters' }, async (node) => {
      const { settings } = node.given.services!
      assert.deepEqual([settings.unreadable, settings.current.enabled], [['token', 'options'], true])
      const changes = node.given.changes.length
      assert.equal((await node.put({ token: null, options: null })).status, 200)
      assert.deepEqual([settings.unreadable, settings.current.token], [[], undefined])
      assert.equal(node.given.changes.length, changes + 1)
    })
  })
})

describe('settings that environment or config say wrongly', () => {
  const starting = (options: Partial<NodeOptions>, message: RegExp) =>
    assert.rejects(startNode({ store: 'memory', ...options }), (error: Error) => {
      assert.match(error.message, message)
      return true
    })

  it('keep the gateway from starting, and are named', async () => {
    await starting({ env: { EXPORT_SIZE: 'many' } }, /EXPORT_SIZE: must be a whole number; got a string/)
    await starting({ env: { EXPORT_URL: 'http://127.0.0.1:9/' } }, /EXPORT_URL: is this machine \(loopback\)/)
    await starting({ options: { url: 'http://[::1]/' } }, /plugins\[0\]\.options\.url: is this machine \(loopback\)/)
    await starting({ options: { enabled: true } }, /plugins\[0\]\.options\.url: is needed when enabled/)
  })
})
