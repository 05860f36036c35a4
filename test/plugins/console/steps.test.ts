import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { Exchange } from '../../../core/index.ts'
import { startPlugin } from '../../../core/testing/index.ts'
import consolePage from '../../../plugins/console/index.ts'
import { Steps } from '../../../plugins/console/steps.ts'

it('watches few exchanges of a second, and more while a page looks, so that a busy gateway does not notice', () => {
  const steps = new Steps({ store: {} as never })
  let watched = 0
  const begin = (startedAt: number, isLive: boolean) => {
    steps.begin({ startedAt, observeTaps: () => watched++ } as unknown as Exchange, isLive)
  }
  for (let i = 0; i < 1000; i++) begin(5000 + i, true)
  assert.equal(watched, 50)
  for (let i = 0; i < 1000; i++) begin(6000 + i, false)
  assert.equal(watched, 52)
  for (let i = 0; i < 20; i++) begin(7000 + i, true)
  assert.equal(watched, 72)
})

it('has the hooks of an exchange, buffered and streamed, at which no page looked', async (t) => {
  const rig = await startPlugin(consolePage, { with: ['pii'] })
  t.after(() => rig.close())
  for (const stream of [false, true]) {
    const { events } = await rig.send('Hello', { stream })
    const { exchange } = (await rig.admin('GET', `/console/steps/${events.at(-1)?.request_id}`)).body as {
      exchange: { steps: { plugin: string; hook: string }[]; attempts: { status: number }[] }
    }
    const hooks = exchange.steps.filter(({ plugin }) => plugin === 'pii').map(({ hook }) => hook)
    assert.deepEqual([hooks, exchange.attempts[0]?.status], [['classify', 'onChunk'], 200])
  }
})
