import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { chunk, delta } from '../../../../core/testing/provider.ts'
import { type Plugin, type StreamRig, streamOf, word } from '../../../helpers/core.ts'
import { finish } from './deltas.ts'

const text = (content: string, reason: unknown = null, index = 0) =>
  chunk([{ index, delta: { content }, finish_reason: reason }])
const piece = (args: string, reason: unknown = null) =>
  chunk([{ index: 0, delta: { tool_calls: [{ index: 0, function: { arguments: args } }] }, finish_reason: reason }])
const call = delta({
  tool_calls: [{ index: 0, id: 'call_1', type: 'function', function: { name: 'f', arguments: '' } }],
})
const argumentsOf = (rig: StreamRig) =>
  rig.chunks
    .flatMap(({ choices }) => (choices?.[0]?.delta?.tool_calls ?? []) as { function?: { arguments?: string } }[])
    .map((one) => one.function?.arguments ?? '')
    .join('')
const warnings = (rig: StreamRig) => rig.chunks.flatMap(({ service }) => (service?.warnings as string[]) ?? [])
const VALUE = 'a secret here'
const NO_TEXTS = [0, true, {}, []]

describe('a finish in mid-answer', () => {
  for (const reason of ['', 'stop', 'x', 'length', ...NO_TEXTS]) {
    it(`switches no inspection off: ${JSON.stringify(reason)} with every event`, async () => {
      for (const at of VALUE.split('').keys()) {
        const rig = await streamOf([word('secret')])
        rig
          .say(text(VALUE.slice(0, at), reason))
          .say(text(VALUE.slice(at), reason))
          .say(finish(), '[DONE]')
        assert.equal(rig.text(), 'a [WORD] here')
      }
      const single = await streamOf([word('secret')])
      for (const char of VALUE) single.say(text(char, reason))
      single.say(finish(), '[DONE]')
      assert.equal(single.text(), 'a [WORD] here')
    })

    it(`leaves a block a block: ${JSON.stringify(reason)}`, async () => {
      const rig = await streamOf([word('secret', 'block')])
      rig.say(text('a sec', reason)).say(text('ret', reason)).say(finish(), '[DONE]')
      assert.equal(rig.response.status, 403)
    })

    it(`releases no half tool call: ${JSON.stringify(reason)}`, async () => {
      const rig = await streamOf([word('secret')])
      rig.say(call)
      for (const char of '{"a":"secret"}') rig.say(piece(char, reason))
      assert.equal(rig.response.body, '')
      rig.say(finish(0, 'tool_calls'), '[DONE]')
      assert.equal(argumentsOf(rig), '{"a":"[WORD]"}')
    })
  }

  it('is none when it is no text or an empty one: a provider that closes then was cut', async () => {
    for (const plugins of [[], [word('secret')]]) {
      for (const reason of ['', ...NO_TEXTS]) {
        for (const earlier of [null, reason]) {
          const rig = await streamOf(plugins)
          rig.say(text('one ', earlier)).say(text('two', reason)).end()
          assert.equal(rig.chunks.at(-1)?.error?.code, 'upstream_disconnected', JSON.stringify(reason))
          assert.equal(rig.x.reply.outcome, 'upstream_failed')
        }
      }
    }
  })

  it('that did not end the text is no sign of a whole answer any more', async () => {
    for (const plugins of [[], [word('secret')]]) {
      for (const reason of [null, 'x']) {
        const rig = await streamOf(plugins)
        rig.say(text('one ', 'stop')).say(text('two ', reason)).say(text('three', reason)).end()
        assert.equal(rig.chunks.at(-1)?.error?.code, 'upstream_disconnected')
      }
      const done = await streamOf(plugins)
      done.say(text('one ', 'stop')).say(text('two', 'stop')).say('[DONE]')
      assert.ok(done.done)
      assert.equal(done.x.reply.outcome, 'completed')
    }
  })

  it('does not keep a plugin from ending the reply', async () => {
    const cutter: Plugin = {
      apply: (hooks) =>
        hooks.onChunk.tap('cutter', (views, x) => {
          if (views.some((view) => (view.before + view.text).includes('two'))) x.reply.truncate()
        }),
    }
    const rig = await streamOf([cutter])
    rig.say(text('one ', 'x')).say(text('two ', 'x'))
    assert.ok(rig.source.aborted)
    assert.equal(rig.x.reply.outcome, 'completed')
  })

  it('leaves the text in the order in which it came', async () => {
    for (const reason of ['', 'stop']) {
      const rig = await streamOf([word('secret')])
      rig.say(text('one ')).say(text('two ', reason)).say(text('three ')).say(text('four', 'stop')).say('[DONE]')
      assert.equal(rig.text(), 'one two three four')
      assert.equal(rig.chunks.filter(({ service }) => service).length, 1)
    }
  })

  it('is told where text followed it', async () => {
    const rig = await streamOf([word('secret')])
    rig.say(text('one ', 'stop')).say(text('two ')).say(text('three'), finish(), '[DONE]')
    assert.deepEqual(warnings(rig), ['provider:text_after_finish=2'])
    const clean = await streamOf([word('secret')])
    clean.say(text('one ', '')).say(text('two', '')).say(finish(), '[DONE]')
    assert.deepEqual(warnings(clean), [])
  })
})

describe('an ordinary finish', () => {
  it('waits for the text of its choice, which leaves whole at the end', async () => {
    const rig = await streamOf([word('secret')])
    rig.say(text('a sec')).say(finish())
    assert.equal(rig.text(), '')
    rig.say('[DONE]')
    assert.equal(rig.text(), 'a sec')
    const last = rig.chunks.at(-1)
    assert.equal(last?.choices?.[0]?.finish_reason, 'stop')
    assert.ok(last?.service)
  })

  it('ends the answer where the body ends without [DONE]', async () => {
    const rig = await streamOf([word('secret')])
    rig.say(text('a sec')).say(finish()).end()
    assert.equal(rig.text(), 'a sec')
    assert.ok(rig.done)
  })

  it('holds back nothing that is safe: a provider that goes silent then has told all but the tail', async () => {
    const rig = await streamOf([word('secret')])
    rig.say(text('all of it, a sec')).say(text(' and more')).say(finish())
    assert.equal(rig.text(), 'all of it, a sec and more')
  })

  it('of one choice does not end another', async () => {
    const rig = await streamOf([word('secret')], { more: { n: 2 } })
    rig
      .say(text('a sec', 'stop', 0))
      .say(text('a sec', null, 1))
      .say(text('ret', null, 1), finish(1), '[DONE]')
    assert.deepEqual([rig.text('content', 0), rig.text('content', 1)], ['a sec', 'a [WORD]'])
  })
})
