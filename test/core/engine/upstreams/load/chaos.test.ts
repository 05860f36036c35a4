import assert from 'node:assert/strict'
import { it } from 'node:test'
import { rounds } from '../../../../helpers/rounds.ts'
import { chaos } from './chaos.ts'

const OPTIONS = { requests: Math.max(90, rounds(900)), concurrency: 16, fastMs: 0, slowMs: 20 }

it('nothing is charged twice, and only what may have been charged fails', async (t) => {
  const { ok, failed, resets, chargedTwice, charged, tokens, spent, limited } = await chaos(t, {
    ...OPTIONS,
    again: 'never',
  })
  assert.ok(resets > 0 && limited > 0)
  assert.deepEqual(failed, { 502: resets })
  assert.equal(ok, OPTIONS.requests - resets)
  assert.equal(chargedTwice, 0)
  // Every second broken connection was charged.
  assert.equal(charged, ok + Math.ceil(resets / 2))
  assert.equal(spent, tokens)
})

it('an upstream that honours idempotency keys answers nearly all, and charges each once', async (t) => {
  const { ok, failed, resets, chargedTwice, charged, tokens, spent } = await chaos(t, {
    ...OPTIONS,
    again: 'idempotent',
  })
  assert.ok(resets > 0)
  // Four broken connections in a row, of which the gateway repeats three.
  assert.ok(ok >= OPTIONS.requests * 0.995, JSON.stringify(failed))
  assert.equal(chargedTwice, 0)
  assert.ok(charged >= ok)
  if (ok === OPTIONS.requests) assert.equal(spent, tokens)
})

it('all succeed if broken connections may be asked again, and budgets are exact', async (t) => {
  const { ok, failed, resets, chargedTwice, tokens, spent, spentRequests } = await chaos(t, {
    ...OPTIONS,
    again: 'always',
  })
  assert.ok(resets > 0)
  assert.deepEqual([ok, failed], [OPTIONS.requests, {}])
  assert.equal(chargedTwice, 0)
  assert.deepEqual([spent, spentRequests], [tokens, OPTIONS.requests])
})
