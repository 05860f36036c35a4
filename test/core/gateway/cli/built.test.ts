import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { PACKAGE_ROOT } from '../../../../core/engine/util/package.ts'

describe('a clone that was built', () => {
  let copy = ''
  const run = (...args: string[]): string => execFileSync(process.execPath, args, { cwd: copy, encoding: 'utf8' })
  const help = (): string => run('core/bin.js', '--help')
  const file = (): string => join(copy, 'core/gateway/cli/help.ts')
  const original = join(PACKAGE_ROOT, 'core/gateway/cli/help.ts')
  const edited = (): string => readFileSync(file(), 'utf8').replaceAll('Commands', 'Commends')

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
    const names = readdirSync(join(copy, 'dist/plugins'))
    assert.ok(names.includes('pii'))
    for (const name of names) {
      const text = readFileSync(join(copy, 'dist/plugins', name, 'index.js'), 'utf8')
      assert.doesNotMatch(text, /from ?["']governed-gateway/, `${name} would depend on what the name means`)
    }
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
