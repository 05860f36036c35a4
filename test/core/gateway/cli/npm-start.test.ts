import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { request } from 'undici'
import { chat, startProvider } from '../../../../core/testing/provider.ts'
import { startCli } from '../../../helpers/cli.ts'
import { gated } from '../../../helpers/gated.ts'
import { asking, bearer, USER_KEY } from '../../../helpers/gateway.ts'

describe('npm start', () => {
  const cases = [
    { workers: 1, told: 'npm', signal: 'SIGTERM' },
    { workers: 2, told: 'npm', signal: 'SIGTERM' },
    // As Ctrl-C at a terminal, and as systemd stops a unit: npm passes on what the gateway got already.
    { workers: 1, told: 'both', signal: 'SIGINT' },
    { workers: 2, told: 'both', signal: 'SIGTERM' },
  ] as const
  for (const { workers, told, signal } of cases) {
    it(`${signal} to ${told}: a stream ends whole and nothing stays behind (workers: ${workers})`, async (t) => {
      const provider = await startProvider()
      const folder = mkdtempSync(join(tmpdir(), 'gw-npm-'))
      t.after(async () => {
        await provider.close()
        rmSync(folder, { recursive: true, force: true })
      })
      const config = join(folder, 'gateway.yaml')
      writeFileSync(
        config,
        JSON.stringify({
          listen: { port: 0, pre_stop_seconds: 0 },
          workers,
          store: 'file:./data',
          upstreams: { provider: { url: provider.url } },
          keys: [{ id: 'app', key: USER_KEY }],
        }),
      )
      const { script, arrived, open } = gated(chat('the end'))
      provider.reply(script)
      const gateway = await startCli(['--config', config], {}, 'npm')
      const reply = request(`${gateway.url}/v1/chat/completions`, {
        method: 'POST',
        headers: { ...bearer(USER_KEY), 'content-type': 'application/json' },
        body: JSON.stringify(asking('Hello', { stream: true })),
      })
      await arrived
      const started = Number(readFileSync(`/proc/${gateway.pid}/task/${gateway.pid}/children`, 'utf8').split(' ')[0])
      process.kill(told === 'npm' ? gateway.pid : started, signal)
      await gateway.logged('closing: running exchanges may end; a second signal ends at once')
      if (told === 'both') {
        gateway.kill(signal)
        await gateway.logged('the same signal, passed on by npm')
      }
      open()
      assert.match(await (await reply).body.text(), /" end"[\s\S]*\[DONE\]/)
      await gateway.ended
      await assert.rejects(request(`${gateway.url}/health/live`), { code: 'ECONNREFUSED' })
    })
  }
})
