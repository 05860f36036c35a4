/** Blocks that some client shows as one text: thinking, and what is compacted behind text. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { json, stream } from '../../../../../core/testing/provider.ts'
import { redacting } from '../../../../helpers/core.ts'
import { setup } from '../../../../helpers/gateway.ts'
import {
  begin,
  blockStart,
  blockStop,
  delta,
  end,
  event,
  finish,
  message,
  SIGNATURE,
  textBlock,
  thinkingBlock,
  whole,
} from '../../../../helpers/messages.ts'
import { KEYS, SEAL } from '../../../../helpers/seals.ts'
import { ask, eventsOf, request, streamed, together } from './messaging.ts'

const compacted = (text: string, index: number) => [
  blockStart(index, { type: 'compaction', content: '' }),
  delta(index, { type: 'compaction_delta', content: text }),
  blockStop(index),
]
const thought = (text: string, index: number, signature: string) => thinkingBlock([text], signature, index)

describe('a value cut over two blocks of thinking', () => {
  for (const between of [[], ['so']]) {
    for (const signature of [SIGNATURE, '']) {
      it(`is redacted in a stream${between.length > 0 ? ', with a text between' : ''}${signature === '' ? '' : ', signed'}`, async () => {
        const { provider, gateway } = await redacting('secret')
        const blocks = [
          thought('my sec', 0, signature),
          ...between.map((text) => textBlock([text], 1)),
          thought('ret is', between.length + 1, signature),
        ]
        const arrived = Promise.withResolvers<void>()
        const steps = whole([...blocks.slice(0, -1), [arrived.promise as never], ...blocks.slice(-1)])
        provider.reply(stream(steps, { done: false }))
        const reply = await ask(gateway, request({ stream: true }))
        let text = ''
        for (let bytes = await reply.read(); bytes; bytes = await reply.read()) {
          text += bytes
          if (text.includes('"my sec"')) arrived.resolve()
        }
        const thoughts = together(text).blocks.map(({ thinking = '' }) => thinking)
        assert.equal(thoughts.join(''), signature === '' ? 'my sec is' : 'my sec')
        assert.equal(thoughts.length, between.length + 2)
      })
    }
  }

  it('is redacted in a buffered message', async () => {
    const { gateway, provider } = await redacting('secret')
    const thinking = (text: string) => ({ type: 'thinking', thinking: text })
    provider.reply(json(message([thinking('my sec'), { type: 'text', text: 'so' }, thinking('ret is')])))
    const { content } = (await (await ask(gateway)).json()) as { content: { thinking?: string }[] }
    assert.equal(content.map(({ thinking: text = '' }) => text).join(''), 'my [WORD] is')
  })
})

it('thinking is read by itself, and each value counts once', async () => {
  const parts = await redacting('secret')
  const steps = whole([thought('a secret', 0, ''), thought('secret or not', 1, ''), thought(' and so on', 2, '')])
  const { blocks, service } = await streamed(parts, steps)
  assert.equal(blocks.map(({ thinking }) => thinking).join(''), 'a [WORD][WORD] or not and so on')
  assert.equal((service as unknown as { detections: { count: number }[] }).detections[0]?.count, 2)
})

it('a member that goes on in the events that end a message is one text', async () => {
  const parts = await redacting('secret')
  const more = (note: string) => event('message_delta', { delta: { note } })
  const steps = [begin(), ...textBlock(['Hi']), more('my sec'), more('ret is'), finish(), end()]
  const { raw } = await streamed(parts, steps)
  assert.equal(
    eventsOf(raw)
      .map(({ delta: d }) => (d as { note?: string } | undefined)?.note ?? '')
      .join(''),
    'my [WORD] is',
  )
})

describe('a value cut over a text and what is compacted', () => {
  it('is redacted in a stream', async () => {
    const parts = await redacting('secret')
    for (const blocks of [
      [textBlock(['my sec'], 0), compacted('ret is', 1)],
      [compacted('my sec', 0), textBlock(['ret is'], 1)],
      [[blockStart(0, { type: 'compaction', content: 'my sec' }), blockStop(0)], textBlock(['ret is'], 1)],
    ]) {
      const { raw } = await streamed(parts, whole(blocks))
      const said = eventsOf(raw).flatMap(({ delta: d, content_block: block }) => [
        (block as { content?: string } | undefined)?.content,
        d?.text,
        d?.content,
      ])
      assert.equal(said.join(''), 'my [WORD] is')
    }
  })

  it('is redacted in a buffered message', async () => {
    const { gateway, provider } = await redacting('secret')
    provider.reply(
      json(
        message([
          { type: 'text', text: 'my sec' },
          { type: 'compaction', content: 'ret is' },
        ]),
      ),
    )
    const { content } = (await (await ask(gateway)).json()) as { content: { text?: string; content?: string }[] }
    assert.equal(content.map(({ text, content: more }) => text ?? more).join(''), 'my [WORD] is')
  })
})

describe('a value cut over members that events tell again', () => {
  const signature = (piece: string) => delta(0, { type: 'signature_delta', signature: piece })
  const thinking = (pieces: readonly string[], start = '') => [
    blockStart(0, { type: 'thinking', thinking: '', signature: start }),
    delta(0, { type: 'thinking_delta', thinking: 'Hm' }),
    ...pieces.map(signature),
    blockStop(0),
  ]
  const usage = (note: string) => event('message_delta', { delta: {}, usage: { output_tokens: 1, note } })

  it('is redacted in a signature', async () => {
    const parts = await redacting('secret')
    const { raw } = await streamed(parts, whole([thinking(['my sec', 'ret', ' is'])]))
    const told = eventsOf(raw).map(({ delta: d }) => (d as { signature?: string } | undefined)?.signature ?? '')
    assert.equal(told.join(''), 'my [WORD] is')
  })

  const SECOND = ['the secret', `${SIGNATURE.slice(0, 8)} the secret`]
  for (const second of SECOND) {
    it(`is redacted in a signature that takes the place of another: ${second}`, async () => {
      const parts = await redacting('secret')
      for (const pieces of [
        [SIGNATURE, second],
        [second, SIGNATURE],
        [SIGNATURE, second, SIGNATURE],
      ]) {
        const { raw } = await streamed(parts, whole([thinking(pieces)]))
        assert.doesNotMatch(raw, /secret/)
      }
    })
  }

  it('is redacted in a signature of letters, in the place of another, behind it, and behind what the block began with', async (t) => {
    const parts = await setup(t, { plugins: [{ use: 'secrets' }] })
    for (const key of Object.values(KEYS)) {
      const cut = [key.slice(0, 30), key.slice(30)]
      for (const [start, ...pieces] of [
        ['', SEAL, key],
        ['', key, SEAL],
        [SEAL, key],
        [SEAL, ...cut],
      ] as const) {
        const { raw } = await streamed(parts as never, whole([thinking(pieces, start)]))
        const told = eventsOf(raw).map(({ delta: d }) => (d as { signature?: string } | undefined)?.signature ?? '')
        assert.ok(raw.includes('message_stop') && !told.join('').includes(key), key)
      }
    }
  })

  it('leaves a signature alone that comes in pieces', async () => {
    const parts = await redacting('Qg')
    const pieces = [SIGNATURE.slice(0, 20), SIGNATURE.slice(20, 30), SIGNATURE.slice(30)]
    const { raw } = await streamed(parts, whole([thinking(pieces)]))
    const told = eventsOf(raw).map(({ delta: d }) => (d as { signature?: string } | undefined)?.signature ?? '')
    assert.deepEqual(
      told.filter((one) => one !== ''),
      pieces,
    )
  })

  it('is redacted in the usage, whose first value left', async () => {
    const parts = await redacting('secret')
    const steps = [begin(), ...textBlock(['Hi']), ...['my sec', 'my sec', 'ret', ' is'].map(usage), finish(), end()]
    const { raw } = await streamed(parts, steps)
    const told = eventsOf(raw).map((one) => (one.usage as { note?: string } | undefined)?.note ?? '')
    assert.equal(told.join(''), 'my secmy sec[WORD] is')
  })

  it('is redacted in the types of deltas', async () => {
    const parts = await redacting('secret')
    const odd = ['my sec', 'ret'].map((type) => delta(0, { type, text: 'x' }))
    const { raw } = await streamed(parts, whole([[blockStart(0, { type: 'text', text: '' }), ...odd, blockStop(0)]]))
    assert.doesNotMatch(raw, /"ret/)
  })
})
