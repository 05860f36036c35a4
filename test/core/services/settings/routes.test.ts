import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { type PluginRig, type PluginSetup, startPlugin } from '../../../../core/testing/index.ts'
import { call } from '../../../../core/testing/plugin/client.ts'
import { exporter, PATH } from './plugin.ts'

const rigs: PluginRig[] = []
after(async () => {
  for (const rig of rigs) await rig.close()
})

async function rigOf(setup: PluginSetup = {}) {
  const { plugin, given } = exporter()
  const rig = await startPlugin(plugin, setup)
  rigs.push(rig)
  const get = async () => (await rig.admin('GET', PATH)).body
  const put = (body: object) => rig.admin('PUT', PATH, body)
  return { rig, given, get, put }
}

const PUBLIC = 'https://93.184.215.14/hook'

describe('settings: routes', () => {
  it('serves the effective settings with their sources to admins only', async () => {
    const { rig, get } = await rigOf({ options: { size: 7 }, env: { EXPORT_TYPES: 'a, b' } })
    assert.deepEqual(await get(), {
      enabled: false,
      kind: 'webhook',
      token: null,
      token_set: false,
      types: ['a', 'b'],
      size: 7,
      options: { index: 'main', api_key: null, api_key_set: false },
      destinations: [],
      sources: {
        enabled: 'default',
        kind: 'default',
        url: 'default',
        token: 'default',
        types: 'env',
        size: 'config',
        options: 'default',
        destinations: 'default',
      },
    })
    for (const method of ['GET', 'PUT']) {
      const body = method === 'PUT' ? {} : undefined
      const user = await call(rig.url + PATH, method, { authorization: `Bearer ${rig.apiKey}` }, body)
      assert.equal(user.status, 403)
      assert.equal((user.body.error as { code: string }).code, 'admin_required')
      assert.equal((await call(rig.url + PATH, method, {}, body)).status, 401)
    }
  })

  it('merges what is PUT, applies it at once and answers it', async () => {
    const { given, put, get } = await rigOf()
    const { status, body } = await put({ enabled: true, url: PUBLIC, token: 'a-secret-token', size: 5 })
    assert.equal(status, 200, JSON.stringify(body))
    assert.equal(body.token, '********')
    assert.equal(body.token_set, true)
    assert.deepEqual(await get(), body)
    const { current } = given.services!.settings
    assert.equal(current.token, 'a-secret-token')
    assert.equal(given.changes.length, 1)
    assert.equal(given.changes[0], current)
    assert.throws(() => Object.assign(current, { size: 1 }))
    const { body: after } = await put({ types: ['x'] })
    assert.deepEqual([after.size, after.types, after.token], [5, ['x'], '********'])
  })

  it('names every field that is unknown or wrong, and changes nothing', async () => {
    const { put, get } = await rigOf()
    const before = await get()
    const { status, body } = await put({ sise: 1, size: 0, enabled: 'yes', token: '' })
    assert.equal(status, 400)
    const { code, message } = body.error as { code: string; message: string }
    assert.equal(code, 'validation_error')
    for (const name of ['sise', 'size', 'enabled', 'token']) assert.match(message, new RegExp(`\\b${name}: `))
    assert.deepEqual(await get(), before)
  })

  it('refuses a url that the guard refuses, by its category', async () => {
    const { put, get } = await rigOf()
    for (const [url, category] of [
      ['http://127.0.0.1:9000/', 'loopback'],
      ['http://169.254.169.254/latest', 'metadata'],
      ['http://[::ffff:10.0.0.1]/', 'private'],
      ['http://localhost/', 'hostname'],
    ] as const) {
      const { status, body } = await put({ url })
      const { code, message, param } = body.error as Record<string, string>
      assert.deepEqual([status, code, param], [400, 'ssrf_blocked', 'url'])
      assert.ok(message?.includes(category), message)
    }
    assert.equal((await get()).url, undefined)
  })

  it('keeps a masked secret, clears a null one, and resets other fields', async () => {
    const { given, put } = await rigOf({ env: { EXPORT_TOKEN: 'from-the-environment', EXPORT_SIZE: '9' } })
    assert.equal((await put({ token: 'mine-now', size: 5 })).body.size, 5)
    await put({ token: '********' })
    assert.equal(given.services!.settings.current.token, 'mine-now')
    const { body } = await put({ token: null, size: null })
    assert.deepEqual([body.token, body.token_set, body.size], [null, false, 9])
    assert.equal(given.services!.settings.current.token, undefined)
  })

  it('wants secrets again when they would go elsewhere', async () => {
    const { put, given } = await rigOf()
    await put({ url: PUBLIC, token: 'a-secret-token' })
    for (const url of ['https://93.184.215.15/hook', 'http://93.184.215.14/hook', 'https://93.184.215.14:8443/hook']) {
      for (const body of [{ url }, { url, token: '********' }]) {
        const { status, body: answer } = await put(body)
        assert.equal(status, 400)
        assert.match((answer.error as { message: string }).message, /token: must be sent again/)
      }
    }
    assert.equal((await put({ kind: 'other' })).status, 400)
    assert.equal((await put({ url: `${PUBLIC}/elsewhere` })).status, 200)
    assert.equal((await put({ url: 'https://93.184.215.15/', token: 'a-new-token' })).status, 200)
    assert.equal((await put({ url: 'https://93.184.215.16/', token: null })).status, 200)
    assert.equal(given.services!.settings.current.token, undefined)
  })

  it('takes back what it answered, and keeps the sources of what was not edited', async () => {
    const { put, get } = await rigOf({ options: { size: 7, token: 'from-the-config' }, env: { EXPORT_URL: PUBLIC } })
    const read = await get()
    assert.equal(read.enabled, true)
    const { status, body } = await put({ ...read, types: ['x'] })
    assert.equal(status, 200, JSON.stringify(body))
    assert.deepEqual(body, {
      ...read,
      types: ['x'],
      sources: { ...(read.sources as object), types: 'put' },
    })
  })

  it('tells who changed what, never the values', async () => {
    const { rig, put } = await rigOf()
    await put({ token: 'a-secret-token', size: 5 })
    await put({ size: 5 })
    const told = rig.events.filter(({ type }) => type === 'settings.updated')
    assert.equal(told.length, 1)
    const [event] = told
    assert.equal(event?.severity, 'info')
    assert.deepEqual(
      [event?.plugin, event?.path, event?.fields, event?.key_id],
      ['export', PATH, ['token', 'size'], 'admin'],
    )
    assert.doesNotMatch(JSON.stringify(told), /a-secret-token/)
  })
})
