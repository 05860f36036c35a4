import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { fileURLToPath } from 'node:url'

const GROUP = fileURLToPath(new URL('../group.ts', import.meta.url))

/** What a group with these tests prints, without indents and times, and its exit code. */
function runGroup(tests: string): { printed: string[]; status: number | null; output: string } {
  const folder = mkdtempSync(join(tmpdir(), 'gw-group-'))
  try {
    const file = join(folder, 'some.test.ts')
    writeFileSync(
      file,
      `import { after, before, describe, it } from 'node:test'
       import { setImmediate as turn } from 'node:timers/promises'
       const turns = async () => { for (let i = 0; i < 9; i += 1) await turn() }
       ${tests}`,
    )
    const options = ['--conditions=governed-gateway-source', '--test-timeout=500']
    const { status, stdout, stderr } = spawnSync(process.execPath, [...options, GROUP, file], { encoding: 'utf8' })
    const lines = stdout.split('failing tests')[0] ?? ''
    const printed = Array.from(lines.matchAll(/^ *([✔✖] [\w ]+?)(?: \(|$)/gm), ([, line]) => line as string)
    return { printed, status, output: stdout + stderr }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

it('a group says of each error, however late, which test it belongs to', () => {
  const { printed, status, output } = runGroup(`
    const fails = (name, fail) => it(name, async () => { await turns(); await fail(); await turns() })
    describe('these', () => {
      fails('rejects', () => void Promise.reject(new Error()))
      fails('throws in a timer', () => new Promise((next) => { setTimeout(() => { throw new Error() }); setTimeout(next) }))
      fails('throws in a tick', () => process.nextTick(() => { throw new Error() }))
      it('passes', turns)
      it('has one', async (t) => { await turns(); await t.test('within', () => Promise.reject(new Error())) })
      it('hangs', () => new Promise((resolve) => setTimeout(resolve, 60_000).unref()))
      it('passes too', turns)
    })`)
  const marks = ['✖ rejects', '✖ throws in a timer', '✖ throws in a tick', '✔ passes', '✖ within', '✖ has one']
  assert.deepEqual(printed, [...marks, '✖ hangs', '✔ passes too', '✖ these'], output)
  assert.equal(status, 1)
})

it('a group fails for what its hooks throw, for what is thrown too late, and for a file that does not load', () => {
  const late = runGroup("it('ends', () => void setImmediate(() => { throw new Error('late') })); it('next', turns)")
  assert.deepEqual([late.printed, late.status], [['✔ ends', '✔ next'], 1], late.output)
  assert.match(late.output, /Test "ends" .* generated asynchronous activity/)
  const hook = runGroup("describe('these', () => { before(() => Promise.reject(new Error())); it('one', turns) })")
  assert.deepEqual([hook.printed, hook.status], [['✖ one', '✖ these'], 1], hook.output)
  assert.equal(runGroup('no such(').status, 1)
})

it('a group that passes tells how many', () => {
  const { output, status } = runGroup(
    "describe('these', () => { before(turns); it('one', turns); it('two', () => {}) })",
  )
  assert.match(output, /^ℹ pass 2$/m)
  assert.equal(status, 0)
})
