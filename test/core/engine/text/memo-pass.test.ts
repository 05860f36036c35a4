/** Many passages are looked up, inspected and remembered in turns, and then known. */
import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { Memo } from '../../../../core/engine/text/memo.ts'
import { MemoPass } from '../../../../core/engine/text/memo-pass.ts'
import { chainOf, exchangeOf } from '../../../helpers/core.ts'

const MESSAGES = 6000
/** Passages that one turn may take. */
const MOST = 2048
const content = 'What was said before, and what it was about, comes again with each turn. '.repeat(4)
const body = {
  model: 'm',
  messages: Array.from({ length: MESSAGES }, (_, i) => ({ role: 'user', content: `${i}: ${content}` })),
}

/** One detector over a request; tells what it saw, and the most calls of the memo within a turn. */
async function pass(t: TestContext, memo: Memo): Promise<{ seen: number; recalled: number; added: number }> {
  const x = exchangeOf(await chainOf([]), body)
  const { texts } = x.request
  const calls = { recall: 0, add: 0 }
  const most = { recall: 0, add: 0 }
  const count = (name: 'recall' | 'add') => {
    const method = memo[name].bind(memo) as (...of: never[]) => never
    return t.mock.method(memo, name, (...of: never[]) => {
      most[name] = Math.max(most[name], ++calls[name])
      return method(...of)
    })
  }
  const counted = [count('recall'), count('add')]
  let seen = 0
  const inspected = new MemoPass({
    memo,
    scope: ['key', 'k'],
    clean: { plugin: 0, key: '', path: '', findings: undefined },
    texts: texts.forMemo,
    inspection: x.inspection,
    begun: () => [],
    open: (passage) => texts.open(passage),
    nextTurn: async () => {
      calls.recall = calls.add = 0
    },
    detect: () => {
      seen++
      return undefined
    },
  })
  await inspected.run()
  calls.recall = calls.add = 0
  await inspected.keep()
  for (const one of counted) one.mock.restore()
  return { seen, recalled: most.recall, added: most.add }
}

describe('many passages of one request', () => {
  it('are looked up and remembered in turns, and known the next time', async (t) => {
    const memo = new Memo({ bytes: 64 * 1024 * 1024, scope: 'key', leastBody: 0 })
    const first = await pass(t, memo)
    // Each text, and its borders with its neighbours.
    assert.ok(first.seen >= MESSAGES, `${first.seen} texts were inspected`)
    const again = await pass(t, memo)
    assert.ok(again.seen < first.seen / 8, `${again.seen} texts were inspected again`)
    for (const { recalled, added } of [first, again])
      assert.ok(Math.max(recalled, added) <= MOST, `${recalled}, ${added}`)
    assert.ok(first.recalled > 0 && first.added > 0)
  })
})
