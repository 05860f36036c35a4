/** Texts that a provider tells in the beginning of a block or of the message: clients that read only deltas read the same. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { running, word } from '../../../../helpers/core.ts'
import { begin, blockStart, blockStop, delta, end, finish, said, textBlock } from '../../../../helpers/messages.ts'
import { type Event, streamed } from './messaging.ts'

const text = (words: string) => ({ type: 'text', text: words })
/** What a client shows that reads only deltas. */
const deltasOf = (events: readonly Event[], member: string): string =>
  events.map((event) => event.delta?.[member] ?? '').join('')

describe('a text in the beginning of a block', () => {
  for (const [name, early, deltas, shown] of [
    ['alone', 'my secret is out', [], 'my [WORD] is out'],
    ['before its deltas', 'my sec', ['ret is', ' out'], 'my [WORD] is out'],
    ['that hides a value in the deltas', 'x', ['secret', ' is out'], 'x[WORD] is out'],
  ] as const) {
    it(`becomes a delta: ${name}`, async (t) => {
      const parts = await running(t, [word('secret')])
      const block = [blockStart(0, text(early)), ...deltas.map((piece) => said(piece)), blockStop(0)]
      const got = await streamed(parts, [begin(), ...block, finish(), end()])
      assert.equal(got.text, shown)
      assert.equal(deltasOf(got.events, 'text'), shown)
    })
  }

  it('is thinking, likewise', async (t) => {
    const parts = await running(t, [word('secret')])
    const block = [
      blockStart(0, { type: 'thinking', thinking: 'my sec', signature: '' }),
      delta(0, { type: 'thinking_delta', thinking: 'ret is out' }),
      blockStop(0),
    ]
    const { blocks, events } = await streamed(parts, [begin(), ...block, ...textBlock(['Fine'], 1), finish(), end()])
    assert.equal(blocks[0]?.thinking, 'my [WORD] is out')
    assert.equal(deltasOf(events, 'thinking'), 'my [WORD] is out')
  })

  it('follows a text of the message itself', async (t) => {
    const parts = await running(t, [word('secret')])
    const tool = { type: 'tool_use', id: 'toolu_1', name: 'save', input: { a: 1 } }
    const block = [blockStart(2, text('ret')), said(' is out', 2), blockStop(2)]
    const got = await streamed(parts, [begin({ content: [tool, text('my sec')] }), ...block, finish('tool_use'), end()])
    assert.deepEqual(got.events[0]?.message?.content, [])
    assert.deepEqual(got.blocks[0]?.input, { a: 1 })
    assert.equal(got.blocks.length, 3)
    assert.equal(got.text, 'my [WORD] is out')
    assert.equal(deltasOf(got.events, 'text'), 'my [WORD] is out')
  })
})
