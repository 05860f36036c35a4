import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { chat } from '../../../../core/testing/provider.ts'
import { gated } from '../../../helpers/gated.ts'
import { asking } from '../../../helpers/gateway.ts'
import { send } from '../../../helpers/http.ts'
import { startCluster } from '../cluster/setup.ts'

describe('npm start', () => {
  const cases = [
    { workers: 1, told: 'npm', signal: 'SIGTERM' },
    // As Ctrl-C at a terminal, and as systemd stops a unit: npm passes on what the gateway got already.
    { workers: 1, told: 'both', signal: 'SIGINT' },
    { workers: 2, told: 'both', signal: 'SIGTERM' },
  ] as const
  for (const { workers, told, signal } of cases) {
    it(`${signal} to ${told}: a stream ends whole and nothing stays behind (workers: ${workers})`, async (t) => {
      const { script, arrived, open } = gated(chat('the end'))
      const { gateway, provider, post } = await startCluster(t, { workers }, { launcher: 'npm' })
      provider.reply(script)
      const reply = post({ body: asking('Hello', { stream: true }) })
      await arrived
      const started = Number(readFileSync(`/proc/${gateway.pid}/task/${gateway.pid}/children`, 'utf8').split(' ')[0])
      process.kill(told === 'npm' ? gateway.pid : started, signal)
      await gateway.logged('closing: running exchanges may end; a second signal ends at once')
      if (told === 'both') {
        gateway.kill(signal)
        await gateway.logged('the same signal, passed on by npm')
      }
      open()
      assert.match(await (await reply).text(), /" end"[\s\S]*\[DONE\]/)
      await gateway.ended
      await assert.rejects(send(`${gateway.url}/health/live`), { code: 'ECONNREFUSED' })
    })
  }
})
