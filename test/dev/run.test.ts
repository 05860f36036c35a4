import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { temporaryFolder } from '../helpers/folder.ts'

it('npm run dev serves, with a readable log, and begins anew when the source changes', async (t) => {
  const folder = temporaryFolder()
  const config = join(folder, 'gateway.yaml')
  const plugin = join(folder, 'mine.ts')
  writeFileSync(plugin, "export default { name: 'mine', schema: { type: 'object' }, create: () => ({}) }\n")
  writeFileSync(
    config,
    'listen: { port: 0 }\nstore: memory\nupstreams: { demo: { kind: demo } }\nplugins: [{ use: ./mine.ts }]\n',
  )
  const run = fileURLToPath(new URL('./run.ts', import.meta.url))
  const child = spawn(process.execPath, ['--conditions=governed-gateway-source', run, '--config', config], {
    env: { PATH: process.env.PATH ?? '', HOME: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let shown = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (shown += text))
  const count = (pattern: RegExp): number => shown.match(pattern)?.length ?? 0
  const until = async (met: () => boolean) => {
    while (!met()) {
      assert.equal(child.exitCode, null, shown)
      await Promise.race([once(child.stdout, 'data'), once(child.stderr, 'data'), once(child, 'exit')])
    }
  }
  await until(() => count(/listens on http/g) >= 1 && /INFO.*service\.started/.test(shown))
  assert.doesNotMatch(shown, /^\{"level"/m)
  // The watcher may hear of the file only after the gateway that reads it has started.
  const changes = setInterval(() => appendFileSync(plugin, '// changed\n'), 3000)
  t.after(() => clearInterval(changes))
  appendFileSync(plugin, '// changed\n')
  await until(() => count(/listens on http/g) >= 2)
  clearInterval(changes)
  child.kill('SIGTERM')
  await once(child, 'close')
})
