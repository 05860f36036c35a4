/** Random messages, cut at random: the same decisions as for whole texts, blocks in order, and no value at the client. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import { messages } from '../../../../../core/engine/dialects/messages/dialect.ts'
import { generator, type Raw } from '../../../../../core/testing/provider.ts'
import { streamOf, word } from '../../../../helpers/core.ts'
import {
  blockStart,
  blockStop,
  delta,
  SIGNATURE,
  textBlock,
  thinkingBlock,
  toolBlock,
  whole,
} from '../../../../helpers/messages.ts'
import { rounds } from '../../../../helpers/rounds.ts'
import { cutAt } from '../../../../helpers/text.ts'
import { request, together } from './messaging.ts'

/** Pieces that come together to the value now and then. */
const text = fc.array(
  fc.constantFrom('s', 'e', 'sec', 'ret', 'secret', ' ', 'é', '😀', '"', '\\', '\n', 'clear words '),
  { maxLength: 6 },
)
const input = fc.dictionary(
  fc.constantFrom('a', 'secret', 'b c'),
  fc.oneof(
    text.map((all) => all.join('')),
    fc.integer(),
    fc.constant(null),
  ),
  { maxKeys: 3 },
)

type Made = { kind: 'text' | 'thinking' | 'open'; pieces: string[] } | { kind: 'tool'; input: unknown }
const block: fc.Arbitrary<Made> = fc.oneof(
  text.map((pieces) => ({ kind: 'text' as const, pieces })),
  text.map((pieces) => ({ kind: 'thinking' as const, pieces })),
  text.map((pieces) => ({ kind: 'open' as const, pieces })),
  input.map((given) => ({ kind: 'tool' as const, input: given })),
)

function eventsOf(made: Made, index: number, random: () => number): Raw[] {
  if (made.kind === 'text') return textBlock(made.pieces, index)
  if (made.kind === 'thinking') return thinkingBlock(made.pieces, SIGNATURE, index)
  if (made.kind === 'tool') return toolBlock('a', cutAt(JSON.stringify(made.input), random), index)
  // A text that is there at the start, and an unsigned thought in the same block.
  const [first = '', ...pieces] = made.pieces
  return [
    blockStart(index, { type: 'text', text: first }),
    ...pieces.map((piece) => delta(index, { type: 'text_delta', text: piece })),
    blockStop(index),
  ]
}

const thoughts = (...texts: string[]): Made[] => texts.map((one) => ({ kind: 'thinking', pieces: [one] }))
const textOf = (made: readonly Made[], kinds: readonly string[]): string =>
  made.flatMap((one) => (one.kind !== 'tool' && kinds.includes(one.kind) ? one.pieces : [])).join('')
const clean = (value: unknown): unknown => JSON.parse(JSON.stringify(value).replaceAll('secret', '[WORD]'))

it('a random stream is rewritten as its whole texts are', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(block, { maxLength: 5 }), fc.integer(), async (made, seed) => {
      const said = textOf(made, ['text', 'open'])
      // `\` and a line break within a value are a written line break, which this test knows nothing of.
      fc.pre(![said, textOf(made, ['thinking']), JSON.stringify(made)].some((all) => /\\\n|\\\\\\n/.test(all)))
      const random = generator(seed)
      const steps = whole(made.map((one, i) => eventsOf(one, i, random)))
      const bytes = Buffer.concat(steps.map((step) => step.bytes))
      const rig = await streamOf([word('secret')], { dialect: messages, body: request({ stream: true }) })
      for (let at = 0; at < bytes.length; ) {
        const size = 1 + Math.floor(random() * (random() < 0.5 ? 8 : 400))
        rig.feed(bytes.subarray(at, at + size))
        at += size
      }
      rig.end()
      await rig.over
      const { body } = rig.response
      assert.doesNotMatch(body, /secret/)
      const got = together(body)
      assert.equal(got.stop, 'end_turn')
      assert.deepEqual(
        got.blocks.map(({ type }) => type),
        made.map(({ kind }) => (kind === 'tool' ? 'tool_use' : kind === 'thinking' ? kind : 'text')),
      )
      assert.equal(got.text, said.replaceAll('secret', '[WORD]'))
      let before = ''
      for (const [i, one] of made.entries()) {
        const block = got.blocks[i]
        if (one.kind === 'tool') assert.deepEqual(block?.input, clean(one.input))
        else if (one.kind === 'thinking') {
          const thought = one.pieces.join('')
          // A value may begin in a thought that has left.
          const found = (before.slice(-5) + thought).includes('secret')
          assert.deepEqual([block?.thinking, block?.signature], [found ? '' : thought, SIGNATURE])
          before += thought
        }
      }
    }),
    { numRuns: rounds(1500), examples: [[thoughts('sec', 'ret'), 0]] },
  )
})

it('a random reply is rewritten as a stream is', () => {
  fc.assert(
    fc.property(fc.array(block, { maxLength: 5 }), (made) => {
      const content = made.map((one) =>
        one.kind === 'tool'
          ? { type: 'tool_use', id: 'toolu_01A1', name: 'a', input: one.input }
          : one.kind === 'thinking'
            ? { type: 'thinking', thinking: one.pieces.join(''), signature: SIGNATURE }
            : { type: 'text', text: one.pieces.join('') },
      )
      const text = JSON.stringify({ type: 'message', role: 'assistant', content })
      const reply = messages.readReply(text, { tree: {}, json: {} })
      const texts = reply.fields().fields.map((field) => field.text)
      for (const one of content) {
        for (const value of [one.text, one.thinking])
          if (typeof value === 'string' && value !== '') assert.ok(texts.includes(value))
        if (one.input !== undefined)
          for (const value of Object.values(one.input as object)) {
            if (typeof value === 'string' && value !== '') assert.ok(texts.includes(value))
          }
      }
    }),
  )
})
