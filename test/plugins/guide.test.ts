/** Everything docs/plugin-guide.md shows is written to a folder, type-checked and run, as a reader would. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { PACKAGE_ROOT } from '../../core/engine/util/package.ts'

const run = promisify(execFile)
const GUIDE = readFileSync(join(PACKAGE_ROOT, 'docs/plugin-guide.md'), 'utf8')

interface Block {
  readonly language: string
  /** From the first line, `// name.ts` or `# name.yaml`. */
  readonly file: string | undefined
  readonly text: string
}

const blocks: Block[] = [...GUIDE.matchAll(/^```(\w*)\n(.*?)^```$/gms)].map(([, language = '', body = '']) => {
  const [first = '', ...rest] = body.split('\n')
  const file = /^(?:\/\/|#) ([\w./-]+\.\w+)$/.exec(first)?.[1]
  // JSON has no comments.
  return { language, file, text: language === 'json' ? rest.join('\n') : body }
})

const folder = mkdtempSync(join(tmpdir(), 'gw-guide-'))
const binaries = join(PACKAGE_ROOT, 'node_modules/.bin')
const env = {
  ...process.env,
  PATH: `${binaries}${delimiter}${process.env.PATH}`,
  // One process runs all tests. `npm test` has built what an installed package is.
  NODE_OPTIONS: `--test-isolation=none ${process.env.TEST_BUILT === undefined ? '--conditions=governed-gateway-source' : ''}`,
  // A runner inside a runner would report to the outer one.
  NODE_TEST_CONTEXT: undefined,
}

describe('the plugin guide', () => {
  before(() => {
    mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true })
    symlinkSync(PACKAGE_ROOT, join(folder, 'node_modules/governed-gateway'))
    symlinkSync(join(PACKAGE_ROOT, 'core/bin.js'), join(folder, 'node_modules/.bin/governed-gateway'))
    for (const { file, text } of blocks) if (file !== undefined) writeFileSync(join(folder, file), text)
  })
  after(() => rmSync(folder, { recursive: true }))

  it('has only blocks that can be run', () => {
    const idle = blocks.filter(({ language, file }) => language !== 'sh' && language !== 'text' && file === undefined)
    assert.deepEqual(idle, [])
    const files = blocks.flatMap(({ file }) => file ?? [])
    assert.equal(new Set(files).size, files.length, 'every file is shown once')
    const plugins = files.filter((file) => /^[\w-]+\.ts$/.test(file))
    assert.ok(plugins.length > 5)
    for (const file of plugins) assert.ok(files.includes(file.replace('.ts', '.test.ts')), `${file} is tested`)
  })

  it('type-checks as it tells readers to', async () => {
    const { compilerOptions } = JSON.parse(readFileSync(join(PACKAGE_ROOT, 'tsconfig.json'), 'utf8')) as {
      compilerOptions: { customConditions: string[] }
    }
    const { customConditions } = compilerOptions
    const typeRoots = [join(PACKAGE_ROOT, 'node_modules/@types')]
    // A package has declarations, which need not be compiled; the sources have options of their own.
    const config = {
      extends: './tsconfig.json',
      compilerOptions: { typeRoots, customConditions, skipLibCheck: true, resolveJsonModule: true },
    }
    const project = join(folder, 'tsconfig.test.json')
    writeFileSync(project, JSON.stringify(config))
    const { stdout } = await run('tsc', ['--singleThreaded', '-p', project], { env, cwd: folder }).catch(
      (error: { stdout: string }) => error,
    )
    assert.deepEqual(stdout.match(/^(?:[\w.-]+\.ts\(|error ).*$/gm), null)
  })

  for (const { text } of blocks.filter(({ language }) => language === 'sh')) {
    it(`runs: ${text.trim().replaceAll('\n', '; ')}`, async () => {
      const { stdout, stderr, code } = (await run('sh', ['-e', '-c', text], { cwd: folder, env }).catch(
        (error: unknown) => error,
      )) as { stdout: string; stderr: string; code?: number }
      assert.equal(code, undefined, `${stdout}\n${stderr}`)
      if (text.includes('node --test')) assert.match(stdout, /^ℹ pass [1-9]|^# pass [1-9]/m)
    })
  }
})
