/** Two that serve the same path: an error before anything starts, which names both. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Instance, PluginSpec, Route } from '../../../../core/engine/contract/plugin.ts'
import { OWN_PATHS } from '../../../../core/engine/host/core-paths.ts'
import { createRouter } from '../../../../core/engine/http/endpoints.ts'
import { parseConfig } from '../../../../core/gateway/config/load.ts'
import { startGateway } from '../../../../core/gateway/gateway.ts'
import { createLogger } from '../../../../core/services/logger.ts'
import { NO_OPTIONS } from '../../../helpers/core.ts'

const route = (path: string, method: Route['method'] = 'GET'): Route => ({
  method,
  path,
  auth: 'admin',
  handle: () => ({ body: null }),
})

class Steps {
  readonly taken: string[] = []

  plugin(name: string, paths: readonly Route[]): PluginSpec {
    const instance: Instance = {
      routes: paths,
      start: () => void this.taken.push(`start ${name}`),
      stop: () => void this.taken.push(`stop ${name}`),
    }
    return { name, schema: NO_OPTIONS, create: () => instance }
  }
}

const silent = createLogger({ level: 'silent', destination: { write: () => {} } })
const configOf = (names: readonly string[]) =>
  parseConfig(
    JSON.stringify({
      listen: { port: 0 },
      store: 'memory',
      upstreams: { demo: { kind: 'demo' } },
      keys: [{ id: 'admin', key: 'sk-test-admin-key-0123456789', admin: true }],
      plugins: names.map((use) => ({ use })),
    }),
    'g.yaml',
    {},
  )

function start(...specs: PluginSpec[]) {
  const names = specs.map(({ name }) => name)
  return startGateway({
    config: configOf(names),
    logger: silent,
    specs: new Map(specs.map((spec) => [spec.name, spec])),
  })
}

const OWN = [
  '/health/live',
  '/health/ready',
  '/v1/chat/completions',
  '/v1/completions',
  '/v1/embeddings',
  '/v1/moderations',
  '/v1/models',
  '/v1/models/x',
  '/api/audit',
  '/api/inspection',
]

describe('a route that is taken', () => {
  for (const path of OWN) {
    it(`by the gateway itself: ${path}`, async () => {
      for (const method of ['GET', 'POST'] as const) {
        const steps = new Steps()
        await assert.rejects(start(steps.plugin('first', []), steps.plugin('acme', [route(path, method)])), {
          code: 'GW_CONFIG',
          message: `The plugin 'acme' serves ${method} ${path}, which the gateway itself serves already. Give its route another path.`,
        })
        assert.deepEqual(steps.taken, [])
      }
    })
  }

  it('by another plugin', async () => {
    const steps = new Steps()
    const [one, two] = [steps.plugin('one', [route('/api/x')]), steps.plugin('two', [route('/api/x')])]
    await assert.rejects(start(one, two), {
      message: "The plugin 'two' serves GET /api/x, which 'one' serves already. Enable one of them only.",
    })
    assert.deepEqual(steps.taken, [])
  })

  it('by nobody when the method, or the rest of the path, is another', async () => {
    const steps = new Steps()
    const one = steps.plugin('one', [route('/api/x'), route('/healthy'), route('/api/audits')])
    const gateway = await start(one, steps.plugin('two', [route('/api/x', 'PUT')]))
    await gateway.close()
    assert.deepEqual(steps.taken, ['start one', 'start two', 'stop two', 'stop one'])
  })

  it('hinders a reload, and what runs goes on', async () => {
    const steps = new Steps()
    const specs = [steps.plugin('one', [route('/api/x')]), steps.plugin('two', [route('/api/audit')])]
    const gateway = await startGateway({
      config: configOf(['one']),
      logger: silent,
      specs: new Map(specs.map((spec) => [spec.name, spec])),
    })
    await assert.rejects(gateway.prepare(configOf(['one', 'two'])), /'two' serves GET \/api\/audit/)
    const headers = { authorization: 'Bearer sk-test-admin-key-0123456789' }
    assert.equal((await fetch(`${gateway.url}/api/x`, { headers })).status, 200)
    assert.deepEqual(steps.taken, ['start one'])
    await gateway.close()
  })
})

it('every path of the gateway itself is in one list', () => {
  const router = createRouter(
    [],
    { upstreams: async () => [], nodes: async () => undefined, memo: async () => null },
    () => ({ status: 'ok' }),
  )
  for (const path of OWN.filter((own) => !own.startsWith('/api/'))) {
    assert.doesNotThrow(() => router.match(/completions|embeddings|moderations/.test(path) ? 'POST' : 'GET', path))
    assert.ok(OWN_PATHS.some((area) => path.startsWith(area)))
  }
})
