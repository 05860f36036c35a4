/** `config/demo.sh` starts everything, shows figures, and leaves nothing behind. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { it, type TestContext } from 'node:test'
import { PACKAGE_ROOT } from '../../core/engine/util/package.ts'
import { send } from '../helpers/http.ts'
import { until } from '../helpers/until.ts'

function demo(t: TestContext, ...args: string[]) {
  const child = spawn('bash', [join(PACKAGE_ROOT, 'config/demo.sh'), ...args], {
    env: { ...process.env, NODE_OPTIONS: '' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const run = { child, shown: '', ended: once(child, 'close') as Promise<[number | null]> }
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => (run.shown += text))
  t.after(async () => {
    if (child.exitCode === null) child.kill('SIGTERM')
    await run.ended
  })
  return run
}

/** Below the ports that systems give to clients. */
const somePort = () => 12_000 + Math.floor(Math.random() * 18_000)

it('runs until SIGINT, answers requests, and leaves nothing behind', async (t) => {
  const files = () => readdirSync(join(PACKAGE_ROOT, 'config'), { recursive: true }).sort()
  const before = files()
  let run = demo(t, '--port', '0')
  assert.deepEqual(await run.ended, [1, null])
  assert.match(run.shown, /^demo\.sh: --port must be a number from 1 to 65529$/m)
  let port = 0
  do {
    port = somePort()
    run = demo(t, '--port', String(port), '--rate', '40')
    while (run.child.exitCode === null && !run.shown.includes('Ctrl-C')) {
      await Promise.race([once(run.child.stdout, 'data'), run.ended])
    }
  } while (/is not free/.test(run.shown))
  assert.equal(run.child.exitCode, null, run.shown)
  const folder = /^logs +(.+)$/m.exec(run.shown)?.[1] ?? ''
  assert.ok(existsSync(join(folder, 'node-b.log')), run.shown)
  assert.equal((await send(`http://127.0.0.1:${port}/console`, { method: 'GET' })).status, 200)
  for (const node of [port, port + 1]) {
    const served = async () => (await send(`http://127.0.0.1:${node}/metrics`, { method: 'GET' })).text()
    await until(async () => /^gateway_requests_total\{.*status="200".*\} [1-9]/m.test(await served()))
  }
  assert.deepEqual(files(), before, 'nothing is written into the package')
  run.child.kill('SIGINT')
  assert.deepEqual(await run.ended, [0, null], run.shown)
  assert.match(run.shown, /^answers .*\b200: [1-9]/m)
  assert.match(run.shown, /^\/metrics +[1-9]\d* requests$/m)
  assert.match(run.shown, /^traces +\d+ spans, [1-9]\d* log records$/m)
  assert.match(run.shown, /Everything has ended\.\n$/)
  for (let other = port; other < port + 7; other += 1) {
    await assert.rejects(fetch(`http://127.0.0.1:${other}/`), `port ${other}`)
  }
  assert.equal(existsSync(folder), false)
  assert.deepEqual(files(), before)
})
