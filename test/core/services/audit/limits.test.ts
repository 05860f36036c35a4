import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type AuditConsumer, definePlugin, type Exchange, type Hold } from 'governed-gateway'
import type { PluginSpec } from '../../../../core/engine/contract/plugin.ts'
import { apiError } from '../../../../core/testing/provider.ts'
import { NO_OPTIONS } from '../../../helpers/core.ts'
import { asking, post, setup } from '../../../helpers/gateway.ts'

/** Three requests a key; only completed ones count. */
const three = definePlugin({
  name: 'three',
  governs: 'usage',
  schema: NO_OPTIONS,
  create: () => ({
    apply(hooks) {
      const holds = new WeakMap<Exchange, Hold>()
      hooks.block.tap('three', (x) => {
        const scope = { key: x.caller.keyId, window: { calendar: 'month' }, limit: 3, amount: 1 } as const
        const hold = x.reserve({
          scopes: [scope],
          refused: ({ limit }) => ({ reason: `All ${limit} requests are spent`, code: 'spent' }),
          granted: ([own]) => x.reply.extend('left', own?.left ?? -1),
        })
        holds.set(x, hold)
      })
      hooks.postResponse.tap('three', (x) => {
        holds.get(x)?.settle({ [x.caller.keyId]: x.reply.outcome === 'completed' ? 1 : 0 })
      })
    },
  }),
}) as PluginSpec

/** Hands out the audit log. */
const reader = (give: (log: AuditConsumer) => void): PluginSpec =>
  definePlugin({
    name: 'reader',
    schema: NO_OPTIONS,
    create(_options, { auditLog }) {
      give(auditLog({ from: 'start' }))
      return {}
    },
  }) as PluginSpec

for (const stream of [false, true]) {
  test(`of ten requests at once three are granted, and a failed one is given back (stream: ${stream})`, async (t) => {
    const { provider, gateway } = await setup(t, { plugins: [{ use: 'three' }], specs: new Map([['three', three]]) })
    provider.reply(apiError(500))
    await (await post(gateway, asking('Hello', { stream }))).text()
    const replies = await Promise.all(Array.from({ length: 10 }, () => post(gateway, asking('Hello', { stream }))))
    const statuses = replies.map(({ status }) => status).sort()
    assert.deepEqual(statuses, [200, 200, 200, ...Array(7).fill(403)])
    assert.equal(provider.requests.length, 4)
    const refused = await (replies.find(({ status }) => status === 403) as (typeof replies)[0]).json()
    assert.equal((refused as { error: { code: string } }).error.code, 'spent')
  })

  test(`every exchange is in the audit log before its last byte, once (stream: ${stream})`, async (t) => {
    let log: AuditConsumer | undefined
    const specs = new Map([['reader', reader((one) => (log = one))]])
    const { gateway } = await setup(t, { plugins: [{ use: 'reader' }], specs })
    const reply = await post(gateway, asking('Hello', { stream }))
    await reply.text()
    const { signal } = new AbortController()
    const types: string[] = []
    while (!types.includes('request.completed')) {
      for (const { event } of await (log as unknown as AuditConsumer).read(100, signal)) types.push(event.type)
    }
    assert.deepEqual(types, ['service.started', 'request.completed'])
  })
}

test('a plugin cannot write over what the gateway says of its event', async (t) => {
  const liar = definePlugin({
    name: 'liar',
    onError: 'allow',
    schema: NO_OPTIONS,
    create: () => ({
      apply(hooks) {
        hooks.block.tap('liar', (x) => x.emit('policy.would_block', { policy: 'p', reason: 'r', id: 'mine' } as never))
      },
    }),
  }) as PluginSpec
  const { gateway } = await setup(t, { plugins: [{ use: 'liar' }], specs: new Map([['liar', liar]]) })
  assert.equal((await post(gateway)).status, 200)
  const events = gateway.log.flatMap(({ event }) => (event === undefined ? [] : [event as Record<string, unknown>]))
  const [event] = events.filter(({ type }) => type === 'policy.would_block')
  assert.deepEqual([event?.reason, event?.dropped_members, event?.id === 'mine'], ['r', 1, false])
})

test('several wants of one plugin are told apart', async (t) => {
  const told: Record<string, readonly [key: string, left: number][]> = {}
  const twice = definePlugin({
    name: 'twice',
    governs: 'usage',
    schema: NO_OPTIONS,
    create: () => ({
      apply(hooks) {
        const holds = new WeakMap<Exchange, Hold[]>()
        const want = (x: Exchange, key: string, limit: number) =>
          x.reserve({
            scopes: [{ key, window: 'total', limit, amount: 1 }],
            refused: () => ({ reason: `${key} is spent` }),
            granted: (scopes) => {
              told[key] = scopes.map((scope) => [scope.key, scope.left])
            },
          })
        hooks.block.tap('twice', (x) => void holds.set(x, [want(x, 'a', 5), want(x, 'b', 9)]))
        hooks.postResponse.tap('twice', (x) => {
          for (const hold of holds.get(x) ?? []) {
            hold.settle({}, (states) => {
              told[`settled ${states.map(({ key }) => key)}`] = []
            })
          }
        })
      },
    }),
  }) as PluginSpec
  const { gateway } = await setup(t, { plugins: [{ use: 'twice' }], specs: new Map([['twice', twice]]) })
  assert.equal((await post(gateway)).status, 200)
  assert.deepEqual(told, { a: [['a', 4]], b: [['b', 8]], 'settled a': [], 'settled b': [] })
})
