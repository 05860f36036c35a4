/** A plugin that never returns: `check` and `start` end, and tell which one. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, it } from 'node:test'
import { environment } from '../../../helpers/cli.ts'
import { temporaryFolder } from '../../../helpers/folder.ts'

const folder = temporaryFolder()
const urlOf = (file: string): string => JSON.stringify(new URL(`../../../../core/${file}`, import.meta.url).href)
/** `governed-gateway`, with less patience. */
const PROGRAM = `
import { watchdog } from ${urlOf('engine/host/watchdog.ts')}
Object.assign(watchdog, { limitMs: Number(process.env.LIMIT_MS), idleMs: 100 })
const { main } = await import(${urlOf('gateway/cli/cli.ts')})
process.exitCode = await main(process.argv.slice(2))
`
const program = join(folder, 'program.mjs')
writeFileSync(program, PROGRAM)
const LOOP = 'for (;;) { try { JSON.parse("{") } catch {} }'

function plugin(name: string, source: string): void {
  writeFileSync(join(folder, name), source)
}

const spec = (name: string, create: string): string =>
  `export default { name: '${name}', schema: { type: 'object' }, create() { ${create} } }`

function config(...plugins: readonly string[]): string {
  const file = join(folder, 'gateway.yaml')
  const entries = plugins.map((use) => `  - use: ${use}\n`)
  const head = `upstreams: { demo: { kind: demo } }\nlisten: { port: 0 }\nstore: file:data\n`
  writeFileSync(file, `${head}plugins:\n${entries.join('')}`)
  return file
}

/** A plugin that does not loop gets more time: a machine may be slow. */
function gateway(...args: string[]) {
  return limited(700, ...args)
}

function limited(ms: number, ...args: string[]) {
  const child = spawn(process.execPath, [program, ...args], {
    env: environment({ LIMIT_MS: String(ms) }),
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 30_000,
  })
  const printed = text(child.stderr)
  const ended = once(child, 'close').then(async ([code]) => ({
    code: code as number | null,
    stderr: (await printed).replaceAll(folder, ''),
  }))
  return { child, ended }
}

describe('a plugin that loops', () => {
  it('in its module: `check` names the line of the config, the plugin and its file', async () => {
    plugin('module.mjs', `${LOOP}\n${spec('module', 'return {}')}`)
    const { code, stderr } = await gateway('check', config('policy', './module.mjs')).ended
    assert.equal(
      stderr,
      '/gateway.yaml:6: plugins[1].use: the module of "./module.mjs" (/module.mjs) did not return within 0.7 s. Does it loop without an end?\n',
    )
    assert.equal(code, 3)
  })

  it('in `create`, `apply` or `check`', async () => {
    plugin('creates.ts', spec('creates', LOOP))
    plugin('applies.ts', spec('applies', `return { apply() { ${LOOP} } }`))
    plugin('checks.ts', `export default { ...${spec('checks', 'return {}').slice(15)}, check() { ${LOOP} } }`)
    for (const [use, what] of [
      ['creates', ':5: plugins[0]: create()'],
      ['applies', ': apply()'],
      ['checks', ':5: plugins[0].use: check()'],
    ] as const) {
      const { code, stderr } = await gateway('check', config(`./${use}.ts`)).ended
      assert.equal(stderr.split(' of ')[0], `/gateway.yaml${what}`)
      assert.match(stderr, new RegExp(`of '${use}' \\(/${use}\\.ts\\) did not return within 0\\.7 s`))
      assert.equal(code, 3)
    }
  })

  it('outside of JavaScript: the process is killed, after the same text', async () => {
    plugin('waits.mjs', `import { execFileSync } from 'node:child_process'\nexecFileSync('sleep', ['15'])`)
    const { code, stderr } = await gateway('check', config('./waits.mjs')).ended
    assert.match(stderr, /plugins\[0\]\.use: the module of "\.\/waits\.mjs" .* did not return/)
    assert.equal(code, null)
  })

  it('at a start, which takes back the keys that it made and did not show', async () => {
    mkdirSync(join(folder, 'data'), { recursive: true })
    plugin('starts.mjs', spec('starts', LOOP))
    const { code, stderr } = await gateway('start', '--config', config('./starts.mjs')).ended
    assert.match(stderr, /^\/gateway\.yaml:5: plugins\[0\]: create\(\) of 'starts' \(\/starts\.mjs\) did not return/m)
    assert.equal(code, 3)
    assert.equal(existsSync(join(folder, 'data', 'keys.json')), false)
  })

  it('at a reload: the log tells it, and the process ends, for it could serve nobody', async () => {
    plugin('edited.mjs', spec('edited', 'return {}'))
    const file = config('./edited.mjs')
    const { child, ended } = gateway('start', '--config', file)
    for await (const data of child.stdout.setEncoding('utf8')) if (data.includes('listens on')) break
    plugin('edited.mjs', spec('edited', LOOP))
    child.kill('SIGHUP')
    const { code, stderr } = await ended
    const lines = stderr.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line)] : []))
    const told = lines.find(({ msg }) => msg === 'a plugin blocks the process, which ends')
    assert.match(
      told.problem,
      /^\/gateway\.yaml:5: plugins\[0\]: create\(\) of 'edited' \(\/edited\.mjs\) did not return/,
    )
    assert.equal(code, 1)
  })
})

it('a plugin that returns is not disturbed by the end of an earlier step', async () => {
  plugin('slow.mjs', `await new Promise((done) => setTimeout(done, 150))\n${spec('slow', 'return {}')}`)
  plugin('later.mjs', `await new Promise((done) => setTimeout(done, 150))\n${spec('later', 'return {}')}`)
  const { code, stderr } = await limited(10_000, 'check', config('./slow.mjs', './later.mjs')).ended
  assert.deepEqual([code, stderr], [0, ''])
})
