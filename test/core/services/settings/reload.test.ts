import assert from 'node:assert/strict'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import type { Instance, PluginSpec } from '../../../../core/engine/contract/plugin.ts'
import { loadConfig, parseConfig } from '../../../../core/gateway/config/load.ts'
import { startGateway } from '../../../../core/gateway/gateway.ts'
import { validatePlugins } from '../../../../core/gateway/validate-plugins.ts'
import { createLogger } from '../../../../core/services/logger.ts'
import { running } from '../../../helpers/core.ts'
import { temporaryFolder } from '../../../helpers/folder.ts'
import { exporter, PATH } from './plugin.ts'

const folder = temporaryFolder()

const ALLOWED = { allow: ['127.0.0.1:9000'] }
const configOf = (options: object, egress: object = ALLOWED) => ({
  listen: { port: 0 },
  store: 'memory',
  secret: 'a secret for tests, 32 characters or more',
  upstreams: { demo: { kind: 'demo' } },
  keys: [{ id: 'ops', key: 'sk-settings-admin-key', admin: true }],
  egress,
  plugins: [{ use: 'export', options }],
})

async function started(options: object) {
  const { plugin, given } = exporter()
  const file = join(mkdtempSync(join(folder, 'one-')), 'gateway.yaml')
  const write = (own: object, egress?: object) => writeFileSync(file, JSON.stringify(configOf(own, egress)))
  write(options)
  const env: Record<string, string> = {}
  const gateway = await startGateway({
    config: loadConfig(file, {}),
    configFile: file,
    logger: createLogger({ level: 'silent', destination: { write: () => {} } }),
    specs: new Map([['export', plugin as unknown as PluginSpec]]),
    env,
  })
  return { gateway, given, env, write }
}

describe('settings through reloads', () => {
  it('an entry that did not change keeps its settings, which take up what the environment says now', async () => {
    const { gateway, given, env, write } = await started({ size: 5 })
    try {
      const { services } = given
      const { current } = services!.settings
      await gateway.reload()
      assert.equal(given.services, services)
      assert.equal(services!.settings.current, current)
      assert.equal(given.changes.length, 0)
      env.EXPORT_SIZE = '6'
      await gateway.reload()
      assert.equal(services!.settings.current.size, 6)
      assert.equal(given.changes.length, 1)
      env.EXPORT_SIZE = 'six'
      await assert.rejects(gateway.reload(), /EXPORT_SIZE/)
      assert.equal(services!.settings.current.size, 6)
      delete env.EXPORT_SIZE
      write({ size: 7 })
      await gateway.reload()
      assert.notEqual(given.services, services, 'another entry, another instance')
      assert.equal(given.services!.settings.current.size, 7)
    } finally {
      await gateway.close()
    }
  })

  it('a list of open targets that shrinks is refused while the config needs it', async () => {
    const { gateway, given, write } = await started({ url: 'http://127.0.0.1:9000/' })
    try {
      write({ url: 'http://127.0.0.1:9000/' }, { allow: [] })
      await assert.rejects(gateway.reload(), /plugins\[0\]\.options\.url: is this machine \(loopback\)/)
      assert.equal(given.services!.settings.current.url, 'http://127.0.0.1:9000/')
      assert.equal(await given.services!.checkUrl('url', 'http://127.0.0.1:9000/'), undefined)
      write({}, { allow: [] })
      await gateway.reload()
      assert.equal((await given.services!.checkUrl('url', 'http://127.0.0.1:9000/'))?.code, 'ssrf_blocked')
    } finally {
      await gateway.close()
    }
  })
})

describe('settings and the config check', () => {
  const problemsOf = async (options: object, env: Record<string, string> = {}) => {
    const config = parseConfig(JSON.stringify(configOf(options)), 'test', {})
    const specs = new Map([['export', exporter().plugin as unknown as PluginSpec]])
    return (await validatePlugins(config, folder, specs, env)).problems
  }

  it('finds what environment and options say wrongly, with their places', async () => {
    assert.deepEqual(await problemsOf({ url: 'http://127.0.0.1:9000/', enabled: true }), [])
    assert.deepEqual(await problemsOf({ enabled: true }), [], 'the url may have been PUT')
    assert.deepEqual(
      (await problemsOf({ url: 'http://127.0.0.1:9001/' }, { EXPORT_SIZE: '0' })).map(({ path }) => path),
      ['EXPORT_SIZE'],
    )
    const [problem] = await problemsOf({ url: 'http://127.0.0.1:9001/' })
    assert.equal(problem?.path, 'plugins[0].options.url')
    const [variable] = await problemsOf({}, { EXPORT_URL: 'http://169.254.169.254/' })
    assert.deepEqual(variable, { path: 'EXPORT_URL', message: 'is a cloud metadata service (metadata)' })
  })
})

describe('routes of plugins', () => {
  const route = (path: string): { instance: Instance } => ({
    instance: { routes: [{ method: 'GET', path, auth: 'admin', handle: () => ({ body: null }) }] },
  })

  it('have one owner', async (t) => {
    const { given: _given, plugin } = exporter()
    const twin = { ...plugin, create: () => ({}) } as object
    for (const [plugins, message] of [
      [[route('/api/x'), route('/api/x')], /'p1' serves GET \/api\/x, which 'p0' serves already/],
      [[twin, route(PATH)], /'p1' serves GET \/api\/settings\/export, which 'export' serves already/],
      [[route('/v1/models')], /'p0' serves GET \/v1\/models, which the gateway itself serves/],
      [[route('/health/ready')], /which the gateway itself serves/],
    ] as const) {
      await assert.rejects(running(t, plugins), message)
    }
  })
})
