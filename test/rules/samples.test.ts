import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { parse } from 'yaml'
import { keySchema, pluginEntrySchema, routeSchema } from '../../core/engine/config/schema-entries.ts'
import { upstreamSchema } from '../../core/engine/config/schema-upstream.ts'
import type { Config } from '../../core/engine/config/types.ts'
import { bundledPlugins } from '../../core/engine/host/loader.ts'
import { PACKAGE_ROOT } from '../../core/engine/util/package.ts'
import { configSchema, loadConfig } from '../../core/gateway/config/load.ts'
import { validatePlugins } from '../../core/gateway/validate-plugins.ts'

const folder = join(PACKAGE_ROOT, 'config')
const ENV = { OPENAI_API_KEY: 'sk-test', SERVICE_SECRET: 'x'.repeat(32) }
const load = (name: string, env = {}): Config => loadConfig(join(folder, `${name}.yaml`), env)

/** In the order of their work; a plugin that exists is in the default config. */
const ORDER = [
  'flags',
  'sessions',
  'ratelimit',
  'classification',
  'pii',
  'secrets',
  'injection',
  'policy',
  'budget',
  'siem',
  'alerting',
]

it('the default config needs no environment and lists every plugin there is, in order', async () => {
  const config = load('gateway')
  const bundled = bundledPlugins()
  assert.deepEqual(
    config.plugins.map(({ use }) => use),
    ORDER.filter((name) => bundled.includes(name)),
  )
  assert.deepEqual(
    Object.values(config.upstreams).map(({ kind }) => kind),
    ['demo'],
  )
  assert.deepEqual((await validatePlugins(config, folder)).problems, [])
})

it('the minimal config is a plain proxy', () => {
  const config = load('minimal', ENV)
  assert.deepEqual(config.plugins, [])
  assert.equal(config.upstreams.openai?.url, 'https://api.openai.com/v1')
})

it('the full config is valid and shows every property', async () => {
  const config = load('full', ENV)
  assert.deepEqual((await validatePlugins(config, folder)).problems, [])
  const raw = parse(readFileSync(join(folder, 'full.yaml'), 'utf8').replaceAll(/\$\{.*?\}/g, 'x')) as Record<
    string,
    unknown
  >
  const names = (value: unknown): string[] => Object.keys(value as object)
  const union = (list: unknown): string[] => Object.values(list as object).flatMap(names)
  const { properties } = configSchema
  const missing = (wanted: object, shown: readonly string[]) =>
    Object.keys(wanted).filter((name) => !shown.includes(name))
  assert.deepEqual(missing(properties, names(raw)), [])
  for (const name of ['listen', 'log', 'stream', 'egress'] as const) {
    // Certificates would have to exist, a socket takes the place of the port, and a log file that of stderr.
    const others = name === 'listen' ? ['socket', 'tls'] : name === 'log' ? ['file'] : []
    assert.deepEqual(missing(properties[name].properties, [...names(raw[name]), ...others]), [], name)
  }
  // Files would have to exist.
  assert.deepEqual(missing(upstreamSchema.properties, [...union(raw.upstreams), 'key_file']), [])
  assert.deepEqual(missing(routeSchema.properties, union(raw.routes)), [])
  assert.deepEqual(missing(keySchema.properties, [...union(raw.keys), 'key', 'client_certificate']), [])
  assert.deepEqual(missing(pluginEntrySchema.properties, [...union(raw.plugins), 'enabled', 'options']), [])
})
