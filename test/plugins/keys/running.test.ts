import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { Exchange, Fact } from '../../../core/index.ts'
import { RunningExchanges } from '../../../plugins/keys/running.ts'

function exchange(keyId: string, onCancel: () => void): Exchange {
  const facts = new Map<string, unknown>()
  return {
    caller: { keyId },
    facts: {
      get: (fact: Fact<unknown>) => facts.get(fact.key),
      set: (fact: Fact<unknown>, value: unknown) => void facts.set(fact.key, value),
    },
    cancel: onCancel,
  } as unknown as Exchange
}

it('a revoked key ends its running exchanges, each once, and no others', () => {
  const running = new RunningExchanges()
  const ended: string[] = []
  const all = ['a1', 'a2', 'b1', 'a3', 'a4'].map((name) => {
    const x: Exchange = exchange(name[0] as string, () => {
      ended.push(name)
      // As `postResponse` does.
      running.delete(x)
    })
    running.add(x)
    return x
  })
  for (const at of [1, 1, 4]) running.delete(all[at] as Exchange)
  running.end('a')
  assert.deepEqual(ended.sort(), ['a1', 'a3'])
  running.end('a')
  running.add(all[0] as Exchange)
  running.end('a')
  running.end('b')
  running.end('c')
  assert.deepEqual(ended.sort(), ['a1', 'a1', 'a3', 'b1'])
})
