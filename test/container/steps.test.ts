/** The package as it is published: packed, installed, read-only, run by `npx` as a user without rights. */
import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { deserialize } from 'node:v8'
import { zstdDecompressSync } from 'node:zlib'
import { PACKAGE_ROOT } from '../../core/engine/util/package.ts'
import { DETECTORS } from '../../plugins/pii/detectors/index.ts'
import { scannerTables } from '../../plugins/pii/engine/compile.ts'
import { asking, bearer } from '../helpers/gateway.ts'
import { send } from '../helpers/http.ts'
import { freePorts } from '../helpers/ports.ts'
import { linksOf } from '../rules/sources.ts'

it('the steps of the container file serve, drain at SIGTERM, and stay within 7 MB', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'gw-container-'))
  chmodSync(folder, 0o755)
  const [port] = await freePorts(1)
  const steps = fileURLToPath(new URL('./steps.sh', import.meta.url))
  const path = `${join(PACKAGE_ROOT, 'node_modules', '.bin')}:${process.env.PATH}`
  const child = spawn('bash', [steps, PACKAGE_ROOT, folder, String(port)], {
    env: { ...process.env, PATH: path, NODE_OPTIONS: '', npm_config_update_notifier: 'false' },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  let shown = ''
  const pid = () => Number(/"pid":(\d+)/.exec(shown)?.[1])
  t.after(() => {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL')
    execFileSync('chmod', ['-R', 'u+w', join(folder, 'app')])
    rmSync(folder, { recursive: true, force: true })
  })
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (shown += text))
  const ended = once(child, 'close') as Promise<[number | null]>
  while (!/listens on http/.test(shown) || !/"service\.started"/.test(shown)) {
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
  assert.deepEqual(prebuiltTables(app), scannerTables(DETECTORS))
  assertLinksWithin(app, files)
  const sizes = files.map((file) => [file, statSync(join(app, file))] as const).filter(([, file]) => file.isFile())
  const unpacked = sizes.reduce((sum, [, { size }]) => sum + size, 0)
  t.diagnostic(`unpacked ${unpacked} bytes`)
  sizes.sort(([, a], [, b]) => b.size - a.size)
  const largest = sizes.slice(0, 20).map(([file, { size }]) => `${size} ${file}`)
  assert.ok(unpacked <= 7_000_000, `The package has ${unpacked} bytes, limit 7,000,000:\n${largest.join('\n')}`)
  const url = `http://127.0.0.1:${port}`
  assert.equal((await send(`${url}/health/ready`)).status, 200)
  const headers = bearer('app-key-for-the-container')
  const body = asking('Write to jane@example.com', { model: 'demo' })
  const reply = await send(`${url}/v1/chat/completions`, { body, headers })
  assert.equal(reply.status, 200)
  assert.doesNotMatch(await reply.text(), /jane@example\.com/)
  // npx passes no signal on.
  process.kill(pid(), 'SIGTERM')
  assert.deepEqual(await ended, [0, null], shown)
  assert.match(shown, /"service\.stopped"/)
  for (const [lint, ...args] of [
    ['publint', 'run', '--strict'],
    ['attw', '--profile', 'esm-only', '--quiet'],
  ]) {
    execFileSync(String(lint), [...args, join(folder, 'governed-gateway.tgz')], { env: { ...process.env, PATH: path } })
  }
})

/** What the start reads instead of computing it. */
function prebuiltTables(app: string): unknown {
  const folder = join(app, 'dist', 'prebuilt')
  const files = readdirSync(folder).sort()
  assert.deepEqual(
    files.map((file) => file.replace(/-.*/, '')),
    ['characters', 'pii'],
  )
  return deserialize(zstdDecompressSync(readFileSync(join(folder, files[1]!))))
}

/** Links of the pages lead to files and folders of the package. */
function assertLinksWithin(app: string, files: readonly string[]): void {
  const pages = files.filter((file) => file.endsWith('.md'))
  assert.ok(pages.length > 40)
  const outside = pages.flatMap((page) => {
    // Pictures would be a tenth of the package; in their place stands their text.
    const text = readFileSync(join(app, page), 'utf8').replace(/!\[[^\]]*\]\([^)]*\)/g, '')
    const targets = linksOf({ text }).map((target) => join(dirname(page), target.split('#')[0] as string))
    return targets
      .filter((target) => target !== dirname(page) && !files.includes(target.replace(/\/$/, '')))
      .map((target) => `${page}: ${target}`)
  })
  assert.deepEqual(outside, [])
}
