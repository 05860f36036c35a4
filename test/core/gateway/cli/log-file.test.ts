/** The log of a gateway in a file: rotated by a signal, or on a disk without room. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { startCli } from '../../../helpers/cli.ts'
import { temporaryFolder } from '../../../helpers/folder.ts'
import { asking, bearer, USER_KEY } from '../../../helpers/gateway.ts'
import { send } from '../../../helpers/http.ts'
import { until } from '../../../helpers/until.ts'

const BIN = fileURLToPath(new URL('../../../../core/bin.js', import.meta.url))
const CONFIG = {
  listen: { port: 0, pre_stop_seconds: 0 },
  store: 'memory',
  upstreams: { demo: { kind: 'demo' } },
  keys: [{ id: 'user', key: USER_KEY }],
  plugins: [],
}

function configOf(more: object = {}): { folder: string; config: string } {
  const folder = temporaryFolder()
  const config = join(folder, 'gateway.yaml')
  writeFileSync(config, JSON.stringify({ ...CONFIG, ...more }))
  return { folder, config }
}

it('all workers write one log file, and open it again at SIGUSR1', async () => {
  const { folder, config } = configOf({ workers: 2, log: { file: 'gateway.log' } })
  const path = join(folder, 'gateway.log')
  const gateway = await startCli(['--config', config])
  const logged = (file: string): { msg: string; worker?: number }[] =>
    existsSync(file)
      ? readFileSync(file, 'utf8')
          .split('\n')
          .filter((line) => line.endsWith('}'))
          .map((line) => JSON.parse(line))
      : []
  await until(() => logged(path).filter(({ msg }) => msg === 'service.started').length === 2)
  renameSync(path, `${path}.1`)
  gateway.kill('SIGUSR1')
  const again = () => logged(path).filter(({ msg }) => msg === 'log file opened again')
  await until(() => again().length === 3)
  assert.deepEqual(new Set(again().map(({ worker }) => worker)), new Set([undefined, 1, 2]))
  gateway.kill('SIGTERM')
  assert.equal((await gateway.ended).code, 0)
  assert.equal(logged(path).filter(({ msg }) => msg === 'service.stopped').length, 2)
  assert.deepEqual(gateway.lines, [], 'nothing on stderr')
})

it('a log file that cannot be opened is an error with its path', async () => {
  const { config } = configOf({ log: { file: 'none/gateway.log' } })
  await assert.rejects(
    startCli(['--config', config]),
    /log\.file: .*none\/gateway\.log cannot be opened.*: there is no folder .*\/none; make it \(ENOENT\)/,
  )
})

it('a full disk for the log does not stop the gateway', { skip: process.platform !== 'linux' }, async (t) => {
  const { config } = configOf()
  const args = ['-c', 'exec "$0" "$@" 2>/dev/full', process.execPath, BIN, 'start', '--config', config]
  const child = spawn('bash', args, { stdio: ['ignore', 'pipe', 'ignore'] })
  const ended = once(child, 'exit')
  t.after(() => child.kill('SIGKILL'))
  let greeting = ''
  child.stdout.on('data', (chunk) => {
    greeting += String(chunk)
  })
  await until(() => /listens on \S+\n/.test(greeting))
  const url = /listens on (\S+)/.exec(greeting)?.[1]
  for (let i = 0; i < 3; i++) {
    const reply = await send(`${url}/v1/chat/completions`, { body: asking('Hi'), headers: bearer(USER_KEY) })
    assert.equal(reply.status, 200)
    await reply.text()
  }
  child.kill('SIGTERM')
  assert.deepEqual(await ended, [0, null])
})
