import assert from 'node:assert/strict'
import { cpSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { GatewayError, isGatewayError } from '../../../../core/engine/contract/errors.ts'
import type { PluginSpec } from '../../../../core/engine/contract/plugin.ts'
import { bundledPlugins, loadPlugin, versionOf } from '../../../../core/engine/host/loader.ts'
import { installHooks } from '../../../../core/engine/host/self-reference.ts'
import { packageVersion } from '../../../../core/engine/util/package.ts'
import { parseConfig, withLines } from '../../../../core/gateway/config/load.ts'
import { validatePlugins } from '../../../../core/gateway/validate-plugins.ts'
import { temporaryFolder } from '../../../helpers/folder.ts'

const folder = temporaryFolder()

let clock = 1_700_000_000
/** Writes a file with a modification time of its own, whatever the clock's resolution. */
function write(name: string, source: string): string {
  const file = join(folder, name)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, source)
  utimesSync(file, clock, clock++)
  return file
}

const plugin = (name: string, more = '') =>
  `{ name: '${name}', schema: { type: 'object', additionalProperties: false }, create: () => ({}), ${more} }`

async function failure(use: string, code: string): Promise<string> {
  try {
    await loadPlugin(use, folder)
  } catch (error) {
    assert.ok(isGatewayError(error), String(error))
    assert.equal(error.code, code, error.message)
    return error.message
  }
  assert.fail(`${use} was loaded`)
}

describe('loader: where plugins come from', () => {
  it('loads TypeScript and JavaScript by relative and absolute path, ES modules and CommonJS', async () => {
    write('a.ts', `const name: string = 'a'\nexport default ${plugin('a')} as object\nexport { name }`)
    write('b.js', `export default ${plugin('b')}`)
    write('c.js', `module.exports = ${plugin('c')}`)
    write('d.cjs', `module.exports = ${plugin('d')}`)
    const absolute = write('sub/e.mjs', `export default ${plugin('e')}`)
    const names: string[] = []
    for (const use of ['./a.ts', './b.js', './c.js', './sub/../d.cjs', absolute]) {
      names.push((await loadPlugin(use, folder)).name)
    }
    assert.deepEqual(names, ['a', 'b', 'c', 'd', 'e'])
  })

  it("gives any folder's `governed-gateway` this very package", async () => {
    write('typed/package.json', '{ "type": "module" }')
    const source = `import { definePlugin, GatewayError, type Exchange } from 'governed-gateway'
export default definePlugin({ name: 'self', schema: { type: 'object' }, create: () => { throw new GatewayError('GW_INTERNAL', 'x') } })
export const seen = (x: Exchange): string => x.id`
    for (const name of ['self.ts', 'typed/self.ts']) {
      write(name, source)
      const spec = await loadPlugin(`./${name}`, folder)
      assert.throws(
        () => spec.create({}, {} as never),
        (error) => error instanceof GatewayError,
        name,
      )
    }
    installHooks()
    for (const [part, file] of [
      ['', 'index.ts'],
      ['/kit', 'kit/index.ts'],
      ['/testing', 'testing/index.ts'],
    ]) {
      const url = import.meta.resolve(`governed-gateway${part}`)
      assert.equal(fileURLToPath(url), fileURLToPath(new URL(`../../../../core/${file}`, import.meta.url)))
    }
  })

  it('loads an npm package installed beside the config file, importable only as an ES module', async () => {
    const fixture = new URL('../../../fixtures/npm-plugin', import.meta.url)
    cpSync(fixture, join(folder, 'node_modules/gateway-plugin-sample'), { recursive: true })
    const spec = await loadPlugin('gateway-plugin-sample', folder)
    assert.deepEqual([spec.name, versionOf(spec)], ['sample', '1.0.0'])
    assert.equal(await loadPlugin('gateway-plugin-sample', folder), spec)
  })

  it('loads every bundled plugin by its name', async () => {
    for (const name of bundledPlugins()) {
      const spec = await loadPlugin(name, folder)
      assert.deepEqual([spec.name, versionOf(spec)], [name, packageVersion()])
    }
  })
})

describe('loader: changed files', () => {
  const load = async (name: string): Promise<PluginSpec> => loadPlugin(`./${name}`, folder)

  it('gives the same object until the file changes', async () => {
    for (const [name, head] of Object.entries({
      'v.ts': 'export default',
      'v.js': 'export default',
      'v.cjs': 'module.exports =',
    })) {
      write(name, `${head} ${plugin('one')}`)
      const first = await load(name)
      assert.equal(await load(name), first, name)
      write(name, `${head} ${plugin('two')}`)
      const second = await load(name)
      assert.deepEqual([first.name, second.name], ['one', 'two'], name)
      assert.equal(await load(name), second, name)
    }
  })

  it('sees changes in files it imports, at any depth, and shares one copy of them', async () => {
    write('deep/names.ts', `export const name: string = 'one'`)
    write('deep/middle.ts', `export { name } from './names.ts'`)
    for (const file of ['deep/x.ts', 'deep/y.ts']) {
      write(file, `import { name } from './middle.ts'\nexport default { ...${plugin('x')}, name }`)
    }
    const first = [await load('deep/x.ts'), await load('deep/y.ts')]
    assert.deepEqual([await load('deep/x.ts'), await load('deep/y.ts')], first)
    write('deep/names.ts', `export const name: string = 'two'`)
    const second = [await load('deep/x.ts'), await load('deep/y.ts')]
    assert.deepEqual(
      second.map(({ name }) => name),
      ['two', 'two'],
    )
    assert.equal(await load('deep/y.ts'), second[1])
  })

  it('recovers after a broken version', async () => {
    write('broken.ts', 'export default {')
    await failure('./broken.ts', 'GW_PLUGIN_LOAD')
    write('broken.ts', `throw new Error('at load')`)
    assert.match(await failure('./broken.ts', 'GW_PLUGIN_LOAD'), /broken\.ts failed to load: Error: at load/)
    write('broken.ts', `export default ${plugin('fixed')}`)
    assert.equal((await load('broken.ts')).name, 'fixed')
  })
})

describe('loader: clear errors', () => {
  it('names the missing file, and a similar one', async () => {
    write('near.ts', `export default ${plugin('near')}`)
    assert.match(
      await failure('./near.js', 'GW_PLUGIN_LOAD'),
      /there is no file .*near\.js\. There is \.\/near\.ts beside it\./,
    )
    assert.match(await failure('./nowhere.ts', 'GW_PLUGIN_LOAD'), /there is no file .*nowhere\.ts\.$/)
    assert.match(await failure('near.ts', 'GW_PLUGIN_LOAD'), /write \.\/near\.ts/)
  })

  it('says that a name is neither bundled nor installed', async () => {
    assert.match(
      await failure('no-such-plugin', 'GW_PLUGIN_LOAD'),
      /neither a bundled plugin nor a package installed for/,
    )
    assert.match(await failure('node:fs', 'GW_PLUGIN_LOAD'), /part of Node\.js/)
    await failure('__proto__', 'GW_PLUGIN_LOAD')
    await failure('../../../', 'GW_PLUGIN_LOAD')
  })

  it('tells a missing dependency of a plugin from a missing plugin', async () => {
    write('dep.ts', `import 'not-installed'\nexport default ${plugin('dep')}`)
    const message = await failure('./dep.ts', 'GW_PLUGIN_LOAD')
    assert.match(message, /dep\.ts failed to load: .*not-installed/)
  })

  const broken: Record<string, [string, RegExp]> = {
    'no default export': ['export const plugin = {}', /has no default export: .* It exports plugin\./],
    'a function': ['export default () => ({})', /is a function: wrap it in definePlugin/],
    'not an object': ['export default 5', /is not an object/],
    'no name': ['export default { schema: { type: "object" }, create() {} }', /`name` is missing/],
    'a bad name': ['export default { name: "My Plugin", create() {} }', /`name` is "My Plugin"/],
    'no create': ['export default { name: "a", schema: { type: "object" } }', /`create` is missing/],
    'no schema': ['export default { name: "a", create() {} }', /`schema` is missing/],
    'schema of a list': [
      'export default { name: "a", schema: { type: "array" }, create() {} }',
      /`schema\.type` must be/,
    ],
    'a wrong schema': [
      'export default { name: "a", schema: { type: "object", propertys: {} }, create() {} }',
      /the schema is not valid: .*propertys/,
    ],
    'a bad member': [`export default ${plugin('a', 'onError: "ignore"')}`, /`onError` must be block or allow/],
  }
  for (const [name, [source, pattern]] of Object.entries(broken)) {
    it(name, async () => {
      write('contract.mjs', source)
      assert.match(await failure('./contract.mjs', 'GW_PLUGIN_CONTRACT'), pattern)
    })
  }
})

describe('validatePlugins', () => {
  it('loads enabled entries, fills options and reports every problem with its line', async () => {
    const schema = `{ type: 'object', additionalProperties: false, properties: {
      action: { type: 'string', enum: ['detect', 'redact', 'block'], default: 'redact' },
      pattern: { type: 'string', format: 're2' } } }`
    write('opt.ts', `export default { name: 'opt', create: () => ({}), schema: ${schema} }`)
    const text = `upstreams: { demo: { kind: demo } }
plugins:
  - use: ./opt.ts
  - use: ./opt.ts
    options:
      action: mask
      pattern: "a(b"
      acton: block
  - use: ./gone.ts
  - use: ./gone-too.ts
    enabled: false
`
    const config = parseConfig(text, join(folder, 'g.yaml'), {})
    const { plugins, problems } = await validatePlugins(config, folder)
    assert.deepEqual(plugins.map(({ path, options }) => [path, options]).slice(0, 1), [
      ['plugins[0]', { action: 'redact' }],
    ])
    assert.deepEqual(config.plugins[0]?.options, {})
    const lines = withLines(config, problems).map(({ line, path, message }) => `${line} ${path}: ${message}`)
    assert.equal(lines.length, 4, lines.join('\n'))
    assert.equal(
      lines[0],
      '6 plugins[1].options.action: must be one of detect, redact, block; got a string of 4 characters',
    )
    assert.match(lines[1]!, /^7 plugins\[1\]\.options\.pattern: is not a valid RE2 pattern: missing closing \)$/)
    assert.equal(lines[2], '8 plugins[1].options.acton: is not a known key. Did you mean "action"?')
    assert.match(lines[3]!, /^9 plugins\[2\]\.use: "\.\/gone\.ts": there is no file/)
  })
})
