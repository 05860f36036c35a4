import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, beforeEach, describe, it } from 'node:test'
import { PACKAGE_ROOT } from '../../../../core/engine/util/package.ts'

describe('a clone that was built', () => {
  let copy = ''
  const run = (...args: string[]): string => execFileSync(process.execPath, args, { cwd: copy, encoding: 'utf8' })
  const help = (): string => run('core/bin.js', '--help')
  const file = (): string => join(copy, 'core/gateway/cli/help.ts')
  const original = join(PACKAGE_ROOT, 'core/gateway/cli/help.ts')
  const edited = (): string => readFileSync(file(), 'utf8').replace('Commands', 'Commends')

  before(() => {
    copy = mkdtempSync(join(tmpdir(), 'built-'))
    const parts = ['core', 'plugins', 'config', 'package.json', 'dist'].map((part) => join(PACKAGE_ROOT, part))
    // Keeps the times of the files to the nanosecond.
    execFileSync('cp', ['-a', ...parts.filter((part) => existsSync(part)), copy])
    mkdirSync(join(copy, 'docs'))
    symlinkSync(join(PACKAGE_ROOT, 'node_modules'), join(copy, 'node_modules'))
    // `npm test` has built it.
    if (process.env.TEST_BUILT === undefined) run('core/build.js')
  })
  after(() => rmSync(copy, { recursive: true, force: true }))

  it('runs what was built, plugins included', () => {
    writeFileSync(file(), edited())
    execFileSync('touch', ['-r', original, file()])
    assert.doesNotMatch(help(), /Commends/, 'the sources are not read')
    assert.match(run('core/bin.js', 'plugins'), /^pii: /m)
    assert.match(run('core/bin.js', 'check', 'config/gateway.yaml'), /gateway\.yaml: ok/)
  })

  it('has plugins that find the core without the hooks of custom ones', () => {
    const script = readFileSync(join(copy, 'dist/gateway.cjs'), 'utf8')
    assert.match(script, /"plugins\/pii\/index":/)
    assert.doesNotMatch(script, /(?:require|import)\(["']governed-gateway/, 'what the name means may differ')
  })

  it('starts without what a start does not need', () => {
    const code = `
      const { main } = await import('./dist/core/gateway/cli/cli.js')
      await main(['check', 'config/gateway.yaml'])
      const { createRequire } = await import('node:module')
      const loaded = Object.keys(createRequire(import.meta.url).cache)
      process.stdout.write(loaded.filter((file) => /(ajv.dist.(ajv|core)|undici.index).js$/.test(file)).join() + '\\n')
      process.stdout.write(process.moduleLoadList.filter((name) => / http2$/.test(name)).join() + '\\n')
      process.stdout.write(loaded.some((file) => /undici/.test(file)) + '\\n')`
    const output = run('--input-type=module', '-e', code)
    const [asked, http2, compilers] = output.trimEnd().split('\n').reverse()
    assert.match(output, /gateway\.yaml: ok/)
    assert.equal(compilers, '', 'all validators were built, and of undici only the parts in use are loaded')
    assert.equal(http2, '', 'HTTP/2 is off')
    assert.equal(asked, 'true', 'so that the lines above look where packages are')
  })

  describe('with code that earlier runs kept', () => {
    const script = (): string => join(copy, 'dist/gateway.cjs')
    const config = (): string => join(copy, 'config/gateway.yaml')
    let cache = ''
    let env: NodeJS.ProcessEnv = {}
    const runs = (...args: string[]): string =>
      execFileSync(process.execPath, ['core/bin.js', ...args], { cwd: copy, encoding: 'utf8', env })
    const codes = (): string[] =>
      readdirSync(cache, { recursive: true, encoding: 'utf8' }).filter((name) => name.includes('gateway-'))
    /** A file that is written anew has another number. */
    const written = (): unknown => codes().map((name) => statSync(join(cache, name)).ino)

    beforeEach(() => {
      cache = mkdtempSync(join(tmpdir(), 'code-'))
      env = { ...process.env, XDG_CACHE_HOME: cache, NODE_COMPILE_CACHE: undefined }
    })
    afterEach(() => rmSync(cache, { recursive: true, force: true }))

    it('takes it, and keeps more when other parts ran', () => {
      assert.match(runs('--help'), /Commands/)
      const first = written()
      assert.match(runs('--help'), /Commands/)
      assert.deepEqual(written(), first, 'V8 took it')
      assert.match(runs('check', config()), /: ok/)
      const second = written()
      assert.notDeepEqual(second, first)
      for (const args of [['check', config()], ['--help']]) runs(...args)
      assert.deepEqual(written(), second)
      assert.equal(codes().length, 1)
    })

    it('runs an edited script as it is', () => {
      runs('--help')
      const before = readFileSync(script(), 'utf8')
      writeFileSync(script(), before.replaceAll('Commands', 'Commends'))
      assert.match(runs('--help'), /Commends/)
      writeFileSync(script(), before)
      assert.match(runs('--help'), /Commands/)
    })

    it('does without what is damaged or cut, and writes it again', () => {
      runs('--help')
      const [name = ''] = codes()
      const whole = readFileSync(join(cache, name))
      const damaged = Buffer.from(whole)
      damaged.fill(0xff, whole.length / 2)
      for (const bytes of [damaged, whole.subarray(0, whole.length / 2), Buffer.from('{}\n'), Buffer.alloc(0)]) {
        writeFileSync(join(cache, name), bytes)
        assert.match(runs('--help'), /Commands/)
        assert.ok(readFileSync(join(cache, name)).length > whole.length / 2)
        const again = written()
        runs('--help')
        assert.deepEqual(written(), again)
      }
    })

    it('removes what a process that was killed had begun to write', () => {
      runs('--help')
      const [name = ''] = codes()
      const [old, young] = [`${name}.12345`, `${name}.12346`].map((draft) => join(cache, draft)) as [string, string]
      for (const draft of [old, young]) writeFileSync(draft, 'half')
      utimesSync(old, 0, 0)
      runs('check', config())
      assert.deepEqual([existsSync(old), existsSync(young)], [false, true])
    })

    it('runs nothing that another user may have written', () => {
      runs('--help')
      const [name = ''] = codes()
      chmodSync(join(cache, name), 0o666)
      const before = written()
      assert.match(runs('--help'), /Commands/)
      assert.notDeepEqual(written(), before, 'compiled, and written again')
      const folder = join(cache, 'governed-gateway')
      rmSync(folder, { recursive: true })
      mkdirSync(folder)
      chmodSync(folder, 0o777)
      assert.match(runs('--help'), /Commands/)
      assert.deepEqual(codes(), [])
    })

    it('keeps nothing when Node is to keep nothing', () => {
      env = { ...env, NODE_DISABLE_COMPILE_CACHE: '1' }
      assert.match(runs('--help'), /Commands/)
      assert.deepEqual(codes(), [])
    })

    for (const workers of [1, 2]) {
      it(`takes the code of earlier starts with ${workers} worker${workers === 1 ? '' : 's'}`, async () => {
        const file = join(cache, 'gateway.yaml')
        const lines = [
          'listen: { port: 0 }',
          'store: memory',
          `workers: ${workers}`,
          'upstreams: { demo: { kind: demo } }',
        ]
        writeFileSync(file, [...lines, 'routes: [{ model: "*", to: [demo] }]', 'plugins: [{ use: pii }]'].join('\n'))
        const start = async (): Promise<void> => {
          const child = spawn(process.execPath, ['core/bin.js', 'start', '--config', file], { cwd: copy, env })
          for await (const text of child.stdout.setEncoding('utf8')) if (/listens on/.test(text)) child.kill('SIGINT')
          if (child.exitCode === null) await once(child, 'exit')
          assert.equal(child.exitCode, 0)
        }
        // Processes of a cluster keep what they ran, then what was missing.
        for (let i = 0; i < 3; i++) await start()
        const before = written()
        assert.equal(codes().length, 1)
        await start()
        assert.deepEqual(written(), before)
      })
    }
  })

  it('finds the files of plugins and packages that load at the first request', async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'serves-'))
    t.after(() => rmSync(folder, { recursive: true, force: true }))
    const plugins = ['classification', '{ use: pii, options: { names: all } }', 'injection', 'budget', 'console']
    const lines = [
      'listen: { port: 0 }',
      'store: memory',
      'upstreams: { demo: { kind: demo } }',
      'routes: [{ model: "*", to: [demo] }]',
      'plugins:',
      ...plugins.map((use) => `  - ${use.startsWith('{') ? use : `use: ${use}`}`),
    ]
    writeFileSync(join(folder, 'gateway.yaml'), lines.join('\n'))
    const child = spawn(process.execPath, ['core/bin.js', 'start', '--config', join(folder, 'gateway.yaml')], {
      cwd: copy,
    })
    t.after(() => child.kill('SIGKILL'))
    let output = ''
    for await (const text of child.stdout.setEncoding('utf8')) {
      output += text
      if (/default +gw_/.test(output)) break
    }
    const [url = '', key = ''] = [/http:\S+/, /(?<=default +)gw_\S+/].map((pattern) => pattern.exec(output)?.[0])
    const body = {
      model: 'demo',
      messages: [
        { role: 'user', content: 'Summarize what Jane Smith of Berlin wrote. Ignore nothing.' },
        { role: 'tool', tool_call_id: 'x', content: 'It was Peter Miller.' },
      ],
    }
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const reply = await fetch(`${url}/v1/chat/completions`, { method: 'POST', headers, body: JSON.stringify(body) })
    assert.equal(reply.status, 200, await reply.text())
    const tokens = JSON.stringify({ model: 'davinci-002', prompt: [9906, 1917] })
    const completion = await fetch(`${url}/v1/completions`, { method: 'POST', headers, body: tokens })
    assert.equal(completion.status, 200, await completion.text())
    const page = await fetch(`${url}/console`)
    assert.equal(page.status, 200, await page.text())
  })

  it('gives custom plugins, as modules and as CommonJS, what the gateway itself runs', () => {
    const folder = mkdtempSync(join(tmpdir(), 'custom-'))
    after(() => rmSync(folder, { recursive: true, force: true }))
    const body = (name: string): string => `
      if (GatewayError !== globalThis.known.GatewayError || RecentMap !== globalThis.known.RecentMap) throw new Error('another')
      const spec = definePlugin({ name: '${name}', description: 'p', onError: 'allow', schema: { type: 'object' }, create() { throw new GatewayError('GW_CONFIG', 'as asked') } })`
    writeFileSync(
      join(folder, 'a.mjs'),
      `import { definePlugin, GatewayError } from 'governed-gateway'
       import { RecentMap } from 'governed-gateway/kit'${body('a')}
       export default spec`,
    )
    writeFileSync(
      join(folder, 'b.cjs'),
      `const { definePlugin, GatewayError } = require('governed-gateway')
       const { RecentMap } = require('governed-gateway/kit')${body('b')}
       module.exports = spec`,
    )
    const uses = ['a.mjs', 'b.cjs'].map((name) => `  - use: ./${name}`)
    const config = ['upstreams: { demo: { kind: demo } }', 'routes: [{ model: "*", to: [demo] }]', 'plugins:', ...uses]
    writeFileSync(join(folder, 'gateway.yaml'), config.join('\n'))
    const code = `
      const { RecentMap } = await import('./dist/core/kit/index.js')
      const { GatewayError } = await import('./dist/core/index.js')
      globalThis.known = { RecentMap, GatewayError }
      const { main } = await import('./dist/core/gateway/cli/cli.js')
      await main(['check', ${JSON.stringify(join(folder, 'gateway.yaml'))}], { stdout: process.stdout, stderr: process.stdout })`
    const output = run('--input-type=module', '-e', code)
    assert.match(output, /plugins\[0\].*as asked/)
    assert.match(output, /plugins\[1\].*as asked/)
  })

  it('runs its sources as soon as one of them was edited', () => {
    writeFileSync(file(), edited())
    assert.match(help(), /Commends/)
  })

  it('runs its sources when a plugin was added', () => {
    execFileSync('touch', ['-r', original, file()])
    assert.doesNotMatch(help(), /Commends/, 'the sources are not read')
    cpSync(join(copy, 'plugins/policy'), join(copy, 'plugins/another'), { recursive: true })
    writeFileSync(
      join(copy, 'plugins/another/index.ts'),
      readFileSync(join(copy, 'plugins/policy/index.ts'), 'utf8').replace(/name: 'policy'/, "name: 'another'"),
    )
    assert.match(run('core/bin.js', 'plugins'), /^another: /m)
  })
})
