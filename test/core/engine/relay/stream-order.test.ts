import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { chunk, delta } from '../../../../core/testing/provider.ts'
import { type Chunk, streamOf, word } from '../../../helpers/core.ts'

const VALUE = 'onetwo'
const told = (event: Chunk, name: string): unknown => event[name] ?? event.choices?.[0]?.[name as never]

/** Each tells a member that clients may join over events. */
const MEMBERS: Readonly<Record<string, (index: number, said: string, more: object) => object>> = {
  model: (index, model, more) => ({ ...chunk([{ index, ...more } as never]), model }),
  id: (index, id, more) => ({ ...chunk([{ index, ...more } as never]), id }),
  system_fingerprint: (index, system_fingerprint, more) => ({
    ...chunk([{ index, ...more } as never]),
    system_fingerprint,
  }),
  vendor: (index, vendor, more) => ({ ...chunk([{ index, ...more } as never]), vendor }),
}
const text = (content: string) => ({ delta: { content }, finish_reason: null })
const stop = { delta: {}, finish_reason: 'stop' }

describe('what events tell again', () => {
  for (const [name, say] of Object.entries(MEMBERS)) {
    it(`leaves in order behind a finish that waits: ${name}`, async () => {
      const rig = await streamOf([word(VALUE)], { more: { n: 2 } })
      rig.say(say(0, 'usual', text('see on')), say(0, 'two', stop))
      // Its text may leave at once.
      rig.say(say(1, 'one', text('Hello'))).say(say(1, 'usual', text(' you')))
      assert.equal(rig.text('content', 1), 'Hello you')
      rig.say(say(0, 'usual', text('e'))).say(delta({}, 1, 'stop'), '[DONE]')
      assert.ok(rig.done, rig.response.body)
      const all = rig.chunks.map((event) => told(event, name)).filter((one) => one !== undefined && one !== 'usual')
      const joined = all.join('')
      assert.ok(!joined.includes(VALUE), joined)
      assert.ok(joined.includes('two') && joined.includes('one'), joined)
      assert.deepEqual([rig.text('content', 0), rig.text('content', 1)], ['see one', 'Hello you'])
    })

    it(`leaves behind what waits with its usual word: ${name}`, async () => {
      const rig = await streamOf([word(VALUE)], { more: { n: 2 } })
      for (let i = 0; i < 12; i++) rig.say(say(0, 'two', text('a')))
      rig.say(say(0, 'two', text(' on')), say(0, 'two', stop))
      rig.say(say(1, 'one', text('Hello'))).say(say(1, 'end', text(' you')))
      rig.say(delta({}, 1, 'stop'), '[DONE]')
      const joined = rig.chunks.map((event) => told(event, name) ?? '').join('')
      assert.ok(rig.done, rig.response.body)
      assert.ok(!joined.includes(VALUE), joined)
    })
  }

  it('is not told again by the gateway, behind another word', async () => {
    const rig = await streamOf([word(VALUE)], { more: { n: 1 } })
    const say = MEMBERS.model as (index: number, said: string, more: object) => object
    rig.say(say(0, 'two', text('a')), say(0, 'one', text('b')), '[DONE]')
    const joined = rig.chunks.map(({ model }) => model ?? '').join('')
    assert.ok(rig.done, rig.response.body)
    assert.equal(joined, 'twoone')
  })

  it('holds nothing while it says the same', async () => {
    const rig = await streamOf([word(VALUE)], { more: { n: 2 } })
    rig.say(delta({ content: 'see on' }), delta({}, 0, 'stop'), delta({ content: 'Hi' }, 1))
    assert.equal(rig.text('content', 1), 'Hi')
    assert.equal(rig.text('content', 0), '')
  })

  for (const order of ['before', 'behind']) {
    it(`leaves in order where an event also ends another answer, ${order} its text`, async () => {
      const rig = await streamOf([word('secret')], { more: { n: 2 } })
      const both = [
        { index: 0, ...stop },
        { index: 1, ...text('two ') },
      ]
      rig.say(delta({ content: 'one ' }, 1)).say(chunk((order === 'before' ? both : both.toReversed()) as never))
      rig.say(delta({ content: 'three' }, 1))
      assert.equal(rig.text('content', 1), 'one two three')
      rig.say(delta({}, 1, 'stop'), '[DONE]')
      assert.ok(rig.done, rig.response.body)
      assert.equal(rig.text('content', 1), 'one two three')
      const ends = rig.chunks.flatMap(({ choices = [] }) => choices.filter((one) => one.finish_reason === 'stop'))
      assert.deepEqual(ends.map(({ index }) => index).toSorted(), [0, 1])
      assert.ok(rig.chunks.some(({ service }) => service !== undefined))
    })
  }

  it('leaves in order where an event ends another answer whose calls wait', async () => {
    const rig = await streamOf([word('secret')], { more: { n: 2 } })
    const call = { index: 0, id: 'call_1', type: 'function', function: { name: 'look', arguments: '{}' } }
    rig.say(delta({ tool_calls: [call] })).say(delta({ content: 'one ' }, 1))
    rig.say(
      chunk([
        { index: 0, delta: {}, finish_reason: 'tool_calls' },
        { index: 1, ...text('two ') },
      ] as never),
    )
    rig.say(delta({ content: 'three' }, 1))
    assert.equal(rig.text('content', 1), 'one two three')
    rig.say(delta({}, 1, 'stop'), '[DONE]')
    assert.ok(rig.done, rig.response.body)
    assert.equal(rig.text('content', 1), 'one two three')
    const ends = rig.chunks.flatMap(({ choices = [] }) => choices.map((one) => one.finish_reason ?? ''))
    assert.deepEqual(ends.filter((end) => end !== '').sort(), ['stop', 'tool_calls'])
  })

  it('leaves in order where a choice has more of a member beside its finish', async () => {
    const rig = await streamOf([word('secret')])
    const say = (note: string, more: object) => chunk([{ index: 0, note, ...more } as never])
    rig
      .say(delta({ content: 'Hello' }))
      .say(say('one ', stop))
      .say(say('two', { finish_reason: null }))
      .say('[DONE]')
    assert.ok(rig.done, rig.response.body)
    const notes = rig.chunks.flatMap(({ choices = [] }) => choices.map((one) => (one as { note?: string }).note ?? ''))
    assert.equal(notes.join(''), 'one two')
  })

  it('finds a value whose middle stands beside the end of another answer', async () => {
    const rig = await streamOf([word('secret', 'block')], { more: { n: 2 } })
    rig.say(delta({ content: 'sec' }, 1)).say(
      chunk([
        { index: 0, ...stop },
        { index: 1, ...text('no ') },
      ] as never),
    )
    rig.say(delta({ content: 'ret' }, 1)).say(delta({}, 1, 'stop'), '[DONE]')
    assert.equal(rig.text('content', 1), 'secno ret')
  })

  it('keeps the pieces of calls in order where one event has those of two answers', async () => {
    const call = (index: number, args: string) => ({
      index,
      delta: { tool_calls: [{ index: 0, function: { arguments: args } }] },
      finish_reason: null,
    })
    const rig = await streamOf([word('secret')], { more: { n: 2 } })
    rig.say(chunk([call(0, '{"a":'), call(1, '{"b":')] as never)).say(chunk([call(0, '1}')] as never))
    rig.say(chunk([call(1, '2}')] as never)).say(delta({}, 0, 'tool_calls'), delta({}, 1, 'tool_calls'), '[DONE]')
    const args = (choice: number) =>
      rig.chunks
        .flatMap(({ choices = [] }) => choices.filter(({ index }) => index === choice))
        .map(
          (one) =>
            (one.delta?.tool_calls as { function: { arguments: string } }[] | undefined)?.[0]?.function.arguments,
        )
        .join('')
    assert.deepEqual([args(0), args(1)], ['{"a":1}', '{"b":2}'])
  })
})
