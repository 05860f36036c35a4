/** `start` that fails, or is told to end, before it listens: the process ends, whatever plugins have opened. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { environment, NODE_FLAGS, runCli } from '../../helpers/cli.ts'
import { temporaryFolder } from '../../helpers/folder.ts'

const BIN = fileURLToPath(new URL('../../../core/bin.js', import.meta.url))
const folder = temporaryFolder()

writeFileSync(
  join(folder, 'opens.mjs'),
  `export default { name: 'opens', schema: { type: 'object' }, create: () => (setInterval(() => {}, 1000), {}) }`,
)
writeFileSync(
  join(folder, 'fails.mjs'),
  `export default { name: 'fails', schema: { type: 'object' }, create: () => ({ start() { throw new Error('no way') } }) }`,
)
writeFileSync(
  join(folder, 'waits.mjs'),
  `export default { name: 'waits', schema: { type: 'object' }, create: (_, { log }) => ({
    start() { setInterval(() => {}, 1000); log.info({}, 'now it waits'); return new Promise(() => {}) } }) }`,
)

function config(name: string, plugins: readonly string[], workers: number): { path: string; keys: string } {
  const path = join(folder, `${name}-${workers}.yaml`)
  const data = `data-${name}-${workers}`
  const uses = plugins.map((plugin) => `{ use: ./${plugin}.mjs }`).join(', ')
  const text = `listen: { port: 0 }\nstore: "file:./${data}"\nworkers: ${workers}\nupstreams: { demo: { kind: demo } }\nplugins: [${uses}]\n`
  writeFileSync(path, text)
  return { path, keys: join(folder, data, 'keys.json') }
}

describe('a start that does not come to its end', () => {
  for (const workers of [1, 2]) {
    it(`ends the process when a plugin fails (workers: ${workers})`, async () => {
      const { path, keys } = config('fails', ['opens', 'fails'], workers)
      const { code, stderr } = await runCli(['start', '--config', path])
      assert.match(stderr, /'fails' did not start: no way/)
      assert.equal(code, 3, stderr)
      assert.ok(!existsSync(keys), 'nobody has seen the keys of this start')
    })

    for (const [signal, expected] of [
      ['SIGTERM', 143],
      ...(workers === 1 ? ([['SIGINT', 130]] as const) : []),
    ] as const) {
      it(`ends with the first ${signal} (workers: ${workers})`, async () => {
        const { path, keys } = config(`waits-${signal}`, ['waits'], workers)
        const child = spawn(process.execPath, [...NODE_FLAGS, BIN, 'start', '--config', path], {
          env: environment(),
          stdio: ['ignore', 'pipe', 'pipe'],
        })
        const closed = once(child, 'close')
        let told = ''
        for await (const data of child.stderr.setEncoding('utf8')) {
          told += data as string
          if (told.includes('now it waits')) break
        }
        child.kill(signal)
        // The plugin never ends: whoever waits for it hangs.
        const [code] = (await closed) as [number | null]
        assert.equal(code, expected, told)
        assert.ok(!existsSync(keys), 'nobody has seen the keys of this start')
      })
    }
  }
})
