/** The package as it is published: packed, installed, read-only, run by a user without rights. */
import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { PACKAGE_ROOT } from '../../core/engine/util/package.ts'
import { freePorts } from '../docs/reader.ts'
import { asking, bearer } from '../helpers/gateway.ts'
import { send } from '../helpers/http.ts'

it('the steps of the container file serve, and drain at SIGTERM', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'gw-container-'))
  t.after(() => {
    execFileSync('chmod', ['-R', 'u+w', join(folder, 'app')])
    rmSync(folder, { recursive: true, force: true })
  })
  chmodSync(folder, 0o755)
  const [port] = await freePorts(1)
  const steps = fileURLToPath(new URL('./steps.sh', import.meta.url))
  const path = `${join(PACKAGE_ROOT, 'node_modules', '.bin')}:${process.env.PATH}`
  const child = spawn('bash', [steps, PACKAGE_ROOT, folder, String(port)], {
    env: { ...process.env, PATH: path, NODE_OPTIONS: '', npm_config_update_notifier: 'false' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let shown = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (shown += text))
  const ended = once(child, 'close') as Promise<[number | null]>
  while (!/listens on http/.test(shown)) {
    assert.equal(child.exitCode, null, shown)
    await Promise.race([once(child.stdout, 'data'), once(child.stderr, 'data'), ended])
  }
  const app = join(folder, 'app', 'node_modules', 'governed-gateway')
  const files = readdirSync(app, { recursive: true }).map(String)
  assert.ok(files.includes('dist/core/index.d.ts'), 'types')
  assert.deepEqual(
    files.filter((file) => /(^|\/)test\/|\.test\./.test(file)),
    [],
  )
  t.diagnostic(/unpacked \d+ bytes/.exec(shown)?.[0] ?? '')
  assert.ok(Number(/unpacked (\d+) bytes/.exec(shown)?.[1]) < 8_000_000, shown.slice(0, 100))
  const url = `http://127.0.0.1:${port}`
  assert.equal((await send(`${url}/health/ready`)).status, 200)
  const headers = bearer('app-key-for-the-container')
  const body = asking('Write to jane@example.com', { model: 'demo' })
  const reply = await send(`${url}/v1/chat/completions`, { body, headers })
  assert.equal(reply.status, 200)
  assert.doesNotMatch(await reply.text(), /jane@example\.com/)
  child.kill('SIGTERM')
  assert.deepEqual(await ended, [0, null], shown)
  assert.match(shown, /"service\.stopped"/)
  const linted = execFileSync('publint', ['run', '--level', 'error', '--pack', 'false', app], {
    env: { ...process.env, PATH: path },
    encoding: 'utf8',
  })
  assert.match(linted, /All good/)
})
