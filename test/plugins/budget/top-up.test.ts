/** More tokens for a stream, with answers of the store by hand. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Exchange, Hold, Reservation, ScopeRequest } from 'governed-gateway'
import { TopUp, type TopUpInit } from '../../../plugins/budget/top-up.ts'

interface Asked {
  readonly amount: number
  grant(): void
  fail(): void
  refuse(): void
}

function streamWith(held: number) {
  const asked: Asked[] = []
  const state = { ended: false, errors: 0 }
  const leaving = new AbortController()
  const topUp = ([scope]: readonly ScopeRequest[]): Promise<Reservation> => {
    const { key = '', amount = 0 } = scope ?? {}
    const { promise, resolve, reject } = Promise.withResolvers<Reservation>()
    const answer = (ok: boolean) => () =>
      resolve((ok ? { ok, scopes: [{ key, granted: amount }] } : { ok, key }) as unknown as Reservation)
    asked.push({ amount, grant: answer(true), refuse: answer(false), fail: () => reject(new Error('gone')) })
    return promise
  }
  const init = {
    entries: [{ key: 'k', limit: { unit: 'tokens', window: 'day', amount: 1e9 } }],
    plan: { prompt: 8, least: 1, most: held, choices: 1 },
    options: { default_completion_tokens: 100 },
  } as unknown as TopUpInit
  const log = { error: () => state.errors++ }
  const x = { request: {}, signal: leaving.signal, log } as unknown as Exchange
  const hold = { enforced: true, due: () => {}, topUp } as unknown as Hold
  const growth = new TopUp(x, hold, init, held, () => {
    state.ended = true
  })
  return { growth, asked, state, leaving }
}

describe('budget: more tokens for a stream', () => {
  it('are asked for again when text outgrew what was asked for meanwhile', async () => {
    const { growth, asked, state } = streamWith(100)
    assert.equal(growth.grow(85), undefined, 'nobody waits while there are tokens')
    const waits = growth.grow(5_000)
    assert.equal(asked.length, 1)
    asked[0]?.grant()
    while (asked.length < 2) await new Promise(setImmediate)
    assert.ok((asked[1]?.amount ?? 0) > 4_800)
    asked[1]?.grant()
    await waits
    assert.equal(state.ended, false)
    assert.equal(growth.grow(5_050), undefined)
  })

  it('that are refused end it, also the second time', async () => {
    for (const grants of [0, 1]) {
      const { growth, asked, state } = streamWith(100)
      growth.grow(85)
      const waits = growth.grow(5_000)
      if (grants === 1) {
        asked[0]?.grant()
        while (asked.length < 2) await new Promise(setImmediate)
      }
      asked.at(-1)?.refuse()
      await waits
      assert.equal(state.ended, true)
    }
  })

  for (const hasLeft of [false, true])
    it(`that the store cannot give are an error, unless the client has left: ${hasLeft}`, async () => {
      const { growth, asked, state, leaving } = streamWith(100)
      const waits = growth.grow(150)
      if (hasLeft) leaving.abort()
      asked[0]?.fail()
      await waits
      assert.equal(state.errors, hasLeft ? 0 : 1)
    })
})
