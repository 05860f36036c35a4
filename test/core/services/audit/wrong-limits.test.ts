import assert from 'node:assert/strict'
import { test } from 'node:test'
import { definePlugin, type Exchange, type Hold, type ScopeRequest } from 'governed-gateway'
import type { PluginSpec } from '../../../../core/engine/contract/plugin.ts'
import { temporaryFolder } from '../../../helpers/folder.ts'
import { asking, post, setup } from '../../../helpers/gateway.ts'
import { withStore } from '../store/here.ts'
import { isTerminal, reader, trail } from './faults.ts'

const scope = { key: 'k', window: { calendar: 'day' }, limit: 10, amount: 1 } as const

interface Wrong {
  readonly what: string
  readonly scopes?: readonly ScopeRequest[]
  /** Calls `reserve` so often. */
  readonly times?: number
  readonly used?: number
  readonly after?: () => void
  readonly status: number
  readonly spent: number
}

const wrongs: readonly Wrong[] = [
  { what: 'an amount that is no whole number', scopes: [{ ...scope, amount: 0.5 }], status: 503, spent: 0 },
  { what: 'one key twice', times: 2, status: 500, spent: 0 },
  { what: 'a settlement below zero', used: -1, status: 200, spent: 1 },
  {
    what: 'a failure after the settlement',
    used: 1,
    after: () => {
      throw new Error('after')
    },
    status: 200,
    spent: 1,
  },
]

const limiter = ({ scopes = [scope], times = 1, used = 1, after }: Wrong): PluginSpec =>
  definePlugin({
    name: 'limiter',
    governs: 'usage',
    schema: { type: 'object', properties: {}, additionalProperties: false },
    create: () => ({
      apply(hooks) {
        const holds = new WeakMap<Exchange, Hold>()
        hooks.block.tap('limiter', (x) => {
          for (let i = 0; i < times; i++) holds.set(x, x.reserve({ scopes, refused: () => ({ reason: 'Spent' }) }))
        })
        hooks.postResponse.tap('limiter', (x) => holds.get(x)?.settle({ k: used }, after))
      },
    }),
  }) as PluginSpec

for (const wrong of wrongs) {
  for (const stream of [false, true]) {
    test(`${wrong.what} concerns that request alone (stream: ${stream})`, async (t) => {
      const path = temporaryFolder()
      const specs = new Map([limiter(wrong), reader].map((spec) => [spec.name, spec]))
      const plugins = [...specs.keys()].map((use) => ({ use }))
      const { gateway } = await setup(t, { plugins, specs, config: { store: `file:${path}` } })
      const reply = await post(gateway, asking('Hello', { stream }))
      const text = await reply.text()
      assert.equal(reply.status, wrong.status, text)
      await gateway.close()
      const records = await trail(path)
      assert.equal(records.filter(isTerminal).length, 1)
      assert.equal(
        records.some(({ type }) => type === 'store.unavailable'),
        false,
      )
      const [state] = await withStore(path, (store) => store.inspect([{ key: 'limiter/k', window: scope.window }]))
      assert.deepEqual([state?.spent, state?.reserved], [wrong.spent, 0])
    })
  }
}
