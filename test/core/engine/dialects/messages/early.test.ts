/** Texts that a provider tells in the beginning of a block or of the message: clients that read only deltas read the same. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { bounded, redacting, running } from '../../../../helpers/core.ts'
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
    it(`becomes a delta: ${name}`, async () => {
      const parts = await redacting('secret')
      const block = [blockStart(0, text(early)), ...deltas.map((piece) => said(piece)), blockStop(0)]
      const got = await streamed(parts, [begin(), ...block, finish(), end()])
      assert.equal(got.text, shown)
      assert.equal(deltasOf(got.events, 'text'), shown)
    })
  }

  for (const [name, early, deltas] of [
    ['all of it', 'the secret', ['the secret', ' is out']],
    ['its head', 'the sec', ['the sec', 'ret is out']],
    ['its first letter', 's', ['s', 'ecret is out']],
  ] as const) {
    it(`is read by itself, as its deltas are, which tell it again: ${name}`, async (t) => {
      const parts = await running(t, [bounded('secret')])
      const block = [blockStart(0, text(early)), ...deltas.map((piece) => said(piece)), blockStop(0)]
      const got = await streamed(parts, [begin(), ...block, finish(), end()])
      assert.doesNotMatch(got.text, /secret/)
      assert.match(got.text, /\[WORD\] is out$/)
    })
  }

  it('is thinking, likewise', async () => {
    const parts = await redacting('secret')
    const block = [
      blockStart(0, { type: 'thinking', thinking: 'my sec', signature: '' }),
      delta(0, { type: 'thinking_delta', thinking: 'ret is out' }),
      blockStop(0),
    ]
    const { blocks, events } = await streamed(parts, [begin(), ...block, ...textBlock(['Fine'], 1), finish(), end()])
    assert.equal(blocks[0]?.thinking, 'my [WORD] is out')
    assert.equal(deltasOf(events, 'thinking'), 'my [WORD] is out')
  })

  it('follows a text of the message itself', async () => {
    const parts = await redacting('secret')
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

describe('a member in the beginning of a block, and a delta of it of a kind that nobody knows', () => {
  const call = { type: 'tool_use', id: 'toolu_1', input: {} }
  const output = { type: 'bash_code_execution_result', stdout: 'my sec', stderr: '', return_code: 0, content: [] }
  for (const [name, block, told] of [
    ['of an unknown block', { type: 'hologram', caption: 'my sec' }, { type: 'hologram_delta', caption: 'ret is out' }],
    ['of another kind', { type: 'hologram', caption: 'my sec' }, { type: 'caption_delta', caption: 'ret is out' }],
    ['of a result', { type: 'mcp_tool_result', content: 'my sec' }, { type: 'result_delta', content: 'ret is out' }],
    [
      'within a result',
      { type: 'bash_code_execution_tool_result', content: output },
      { type: 'bash_delta', stdout: 'ret is out' },
    ],
    ['of the name of a call', { ...call, name: 'my_sec' }, { type: 'name_delta', name: 'ret' }],
    [
      'of its input as text',
      { ...call, name: 'f', input: '"my sec' },
      { type: 'input_json_delta', partial_json: 'ret"' },
    ],
  ] as const) {
    for (const split of ['event', 'byte'] as const) {
      it(`are read as one: ${name}, by ${split}`, async () => {
        const parts = await redacting('secret')
        const steps = [begin(), blockStart(0, block), delta(0, told), blockStop(0), finish(), end()]
        const { raw, events } = await streamed(parts, steps, {}, split)
        assert.ok(!raw.includes(JSON.stringify(Object.values(told)[1])))
        assert.match(raw, /\[WORD\]/)
        assert.equal(events.at(-1)?.type, 'message_stop')
      })
    }
  }

  it('is a text of its block, though the next one begins with a letter', async (t) => {
    const parts = await running(t, [bounded('secret')])
    const one = (index: number, ...pieces: string[]) => [
      blockStart(index, { type: 'hologram', caption: '' }),
      ...pieces.map((caption) => delta(index, { type: 'hologram_delta', caption })),
      blockStop(index),
    ]
    const { events } = await streamed(parts, [begin(), ...one(0, 'my sec', 'ret'), ...one(1, 's'), finish(), end()])
    assert.equal(deltasOf(events, 'caption'), 'my [WORD]s')
  })
})

it('a number that goes on with a text is a part of it', async () => {
  const parts = await redacting('12345678')
  const numbers = ['pay 1234', 5678, ' now'].map((text) => delta(0, { type: 'text_delta', text }))
  const steps = [begin(), blockStart(0, { type: 'text', text: '' }), ...numbers, blockStop(0), finish(), end()]
  const { raw } = await streamed(parts, steps)
  assert.doesNotMatch(raw, /5678/)
})
