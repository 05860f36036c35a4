/** Tokens of a reply with very many texts, such as the members of a tool call. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { TextView } from 'governed-gateway'
import { TokenCounter } from '../../../plugins/budget/token-counter.ts'

const view = (id: number, text: string, fresh = 0): TextView =>
  ({ id, text, fresh, path: `choices[0].message.tool_calls[0].function.arguments.m${id}`, channel: 'content' }) as never

describe('budget: tokens of very many texts', () => {
  const calls = { count: 0 }
  const counter = (): TokenCounter => {
    calls.count = 0
    return new TokenCounter((text) => {
      calls.count++
      return Math.ceil(text.length / 3)
    })
  }

  it('are counted exactly while they are few', () => {
    const few = counter()
    few.add(Array.from({ length: 1000 }, (_, i) => view(i, 'twelve signs')))
    assert.equal(few.total(undefined), 4000)
    assert.equal(calls.count, 1000)
  })

  it('are extrapolated from some of them where they are many', () => {
    const many = counter()
    many.add(Array.from({ length: 100_000 }, (_, i) => view(i, 'twelve signs')))
    assert.equal(many.tokens(undefined), 300_000)
    assert.equal(many.total(undefined), 400_000)
    assert.ok(calls.count < 5_000, `${calls.count} counts`)
    assert.equal(many.tokens(undefined), 400_000)
  })

  it('cost nothing while another one grows', (t) => {
    const one = counter()
    one.add(Array.from({ length: 50_000 }, (_, i) => view(i, 'twelve signs')))
    const values = t.mock.method(Map.prototype, 'values')
    for (let i = 0; i < 200; i++) one.add([view(60_000, 'word '.repeat(200))])
    assert.equal(values.mock.callCount(), 0)
    const expected = 150_000 + (200 * 1000) / 3
    assert.ok(Math.abs(one.tokens(undefined) - expected) < 300)
  })
})
