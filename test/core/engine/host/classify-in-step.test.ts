import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createHooks } from '../../../../core/engine/contract/hooks.ts'
import type { ChatExchange } from '../../../../core/engine/exchange/exchange.ts'
import { Guard, type Owner } from '../../../../core/engine/host/guard.ts'

test('a detector sees the exchanges that go on together in a row, and each exchange the detectors in order', async () => {
  const hooks = createHooks()
  const guard = new Guard(hooks)
  const steps: string[] = []
  for (const name of ['first', 'second']) {
    const owner = { name, governs: 'content', countsMirrors: false, timeoutMs: 1000 } as Owner
    guard.registering(owner, () => hooks.classify.tap(name, (x) => void steps.push(`${name} ${x.id}`)))
  }
  const exchange = (id: string) => ({ id, mode: 'enforce', inspection: {} }) as unknown as ChatExchange
  await Promise.all(['a', 'b', 'c'].map((id) => hooks.classify.promise(exchange(id))))
  assert.deepEqual(steps, ['first a', 'first b', 'first c', 'second a', 'second b', 'second c'])
})
