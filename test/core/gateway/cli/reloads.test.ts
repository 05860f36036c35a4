import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { Reloads } from '../../../../core/gateway/reloads.ts'
import type { Logger } from '../../../../core/services/logger.ts'
import { startCli } from '../../../helpers/cli.ts'
import { temporaryFolder } from '../../../helpers/folder.ts'

const folder = temporaryFolder()

/** A config whose plugin runs `code` when it starts. */
function configWith(name: string, code: string, more = ''): string {
  const path = join(folder, `${name}.yaml`)
  writeFileSync(
    join(folder, `${name}.mjs`),
    `import { appendFileSync } from 'node:fs'
    export default { name: '${name}', schema: { type: 'object' }, create: () => ({ start() { ${code} } }) }\n`,
  )
  writeFileSync(
    path,
    `listen: { port: 0 }\nstore: memory\nupstreams: { demo: { kind: demo } }\nplugins: [{ use: ./${name}.mjs }]\n${more}`,
  )
  return path
}

describe('cli: a reload that is asked for during the start', () => {
  for (const [what, code, more, why] of [
    ['SIGHUP', "process.kill(process.pid, 'SIGHUP')", '', 'SIGHUP'],
    ['SIGHUP-of-workers', "process.kill(process.ppid, 'SIGHUP')", 'workers: 2\n', 'SIGHUP'],
    [
      'changed-file',
      `appendFileSync(${JSON.stringify(join(folder, 'changed-file.yaml'))}, '#\\n')`,
      '',
      'file changed',
    ],
  ] as const) {
    it(`follows it: ${what}`, async () => {
      const gateway = await startCli(['--config', configWith(what.toLowerCase(), code, more)])
      assert.equal((await gateway.logged('config reloaded')).why, why)
      gateway.kill('SIGINT')
      assert.deepEqual(await gateway.ended, { code: 0, signal: null })
    })
  }
})

it('does not wait for a reload that no worker can try any more when it ends', async () => {
  const gateway = await startCli(['--config', configWith('idle', '', 'workers: 2\n')])
  const workers = [1, 2]
  const logged = (text: string) =>
    Promise.all(workers.map((number) => gateway.logged(({ msg, worker }) => msg === text && worker === number)))
  for (const { worker_pid: pid } of await logged('worker listens')) process.kill(Number(pid), 'SIGKILL')
  await logged('worker ended: another takes its place')
  gateway.kill('SIGHUP')
  gateway.kill('SIGINT')
  const since = performance.now()
  assert.deepEqual(await gateway.ended, { code: 0, signal: null })
  assert.ok(performance.now() - since < 30_000, 'a reload waits 60 s for a worker')
})

it('makes one reload of all that are asked for during a reload, and none after the stop', async () => {
  const gates: PromiseWithResolvers<void>[] = []
  const logged: unknown[] = []
  const lines = Promise.withResolvers<void>()
  const reload = () => {
    gates.push(Promise.withResolvers<void>())
    return gates.at(-1)!.promise
  }
  const info = ({ why }: { why: string }) => {
    logged.push(why)
    if (logged.length === 2) lines.resolve()
  }
  const reloads = new Reloads()
  reloads.ask('first')
  assert.equal(gates.length, 0)
  reloads.serve({ reload }, { info } as unknown as Logger)
  for (let i = 0; i < 100; i++) reloads.ask(`more ${i}`)
  assert.equal(gates.length, 1)
  gates[0]!.resolve()
  while (gates.length < 2) await Promise.resolve()
  reloads.ask('too late')
  reloads.stop()
  gates[1]!.resolve()
  await lines.promise
  assert.deepEqual([logged, gates.length], [['first', 'more 0'], 2])
})
