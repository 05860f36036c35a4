/** `| head`, or a terminal that was closed: the readers of stdout and stderr go, and the gateway serves on. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { environment, NODE_FLAGS } from '../../../helpers/cli.ts'
import { temporaryFolder } from '../../../helpers/folder.ts'
import { asking } from '../../../helpers/gateway.ts'
import { ALL } from '../../../helpers/rounds.ts'
import { startCluster } from '../cluster/setup.ts'

const BIN = fileURLToPath(new URL('../../../../core/bin.js', import.meta.url))

/** Longer than a line of the log waits for others, milliseconds. */
const WATCHED_MS = 400

describe('without readers of stdout and stderr, a gateway serves and ends in order', () => {
  const both = ['--log-format', 'pretty', '--trace-hooks']
  for (const { workers, args } of [
    ...(ALL ? [{ workers: 1, args: [] }] : []),
    { workers: 1, args: both },
    { workers: 2, args: both },
  ]) {
    it(`workers: ${workers} ${args.join(' ')}`, async (t) => {
      const more = { workers, store: 'memory', plugins: [{ use: 'pii' }] }
      const { gateway, post } = await startCluster(t, more, { args })
      for (const name of ['stdout', 'stderr'] as const) gateway.stopReading(name)
      const end = performance.now() + WATCHED_MS
      for (let stream = false; performance.now() < end; stream = !stream) {
        const reply = await post({ body: asking('Hello', { stream }) })
        assert.equal(reply.status, 200)
        await reply.text()
      }
      gateway.kill('SIGTERM')
      assert.deepEqual(await gateway.ended, { code: 0, signal: null })
    })
  }
})

it('a greeting that nobody reads does not end the start, and the log says so', async () => {
  const config = join(temporaryFolder(), 'gateway.yaml')
  const upstreams = { demo: { kind: 'demo' } }
  writeFileSync(config, JSON.stringify({ listen: { port: 0, pre_stop_seconds: 0 }, store: 'memory', upstreams }))
  const child = spawn(process.execPath, [...NODE_FLAGS, BIN, 'start', '--config', config], {
    env: environment(),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  child.stdout.destroy()
  const ended = once(child, 'exit')
  child.stderr.on('data', (data) => {
    if (String(data).includes('stdout cannot be written')) child.kill('SIGTERM')
  })
  const told = await text(child.stderr)
  assert.deepEqual(await ended, [0, null], told)
  assert.equal(told.match(/stdout cannot be written: its text is lost/g)?.length, 1, told)
})
