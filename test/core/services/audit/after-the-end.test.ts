import assert from 'node:assert/strict'
import { test } from 'node:test'
import { definePlugin, type Exchange, type Hold } from 'governed-gateway'
import type { PluginSpec } from '../../../../core/engine/contract/plugin.ts'
import { temporaryFolder } from '../../../helpers/folder.ts'
import { asking, post, setup } from '../../../helpers/gateway.ts'
import { reader, trail } from './faults.ts'

/** Tells what a settlement led to. */
const threshold = definePlugin({
  name: 'threshold',
  governs: 'usage',
  schema: { type: 'object', properties: {}, additionalProperties: false },
  create: () => ({
    apply(hooks) {
      const tell = (x: Exchange) => x.emit('policy.would_block', { policy: 'threshold', reason: 'Nearly spent' })
      const holds = new WeakMap<Exchange, Hold>()
      hooks.block.tap('threshold', (x) => {
        const scopes = [{ key: 'all', window: { calendar: 'day' }, limit: 10, amount: 1 } as const]
        holds.set(x, x.reserve({ scopes, refused: () => ({ reason: 'Spent' }) }))
      })
      hooks.postResponse.tap('threshold', (x) => {
        holds.get(x)?.settle({ all: 1 }, ([state]) => (state?.spent === 1 ? tell(x) : undefined))
      })
    },
  }),
}) as PluginSpec

/** Written at their own times. */
const BESIDE: ReadonlySet<unknown> = new Set(['audit.anchor', 'plugin.slow'])

for (const stream of [false, true]) {
  test(`what the last write led to is in the log behind it (stream: ${stream})`, async (t) => {
    const path = temporaryFolder()
    const specs = new Map([threshold, reader].map((spec) => [spec.name, spec]))
    const plugins = [...specs.keys()].map((use) => ({ use }))
    const { gateway } = await setup(t, { plugins, specs, config: { store: `file:${path}` } })
    await (await post(gateway, asking('Hello', { stream }))).text()
    await gateway.close()
    const types = (await trail(path)).map(({ type }) => type).filter((type) => !BESIDE.has(type))
    assert.deepEqual(types, ['service.started', 'request.completed', 'policy.would_block', 'service.stopped'])
  })
}
