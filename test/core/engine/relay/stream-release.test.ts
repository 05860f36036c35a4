import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { chunk, chunks, delta } from '../../../../core/testing/provider.ts'
import { type Plugin, streamOf, word } from '../../../helpers/core.ts'
import { rounds } from '../../../helpers/rounds.ts'
import { finish, finishes, json, looks, text } from './deltas.ts'

/** Holds everything of one choice until it is let go. */
function hold(choice: number): { plugin: Plugin; release: () => void } {
  const go = Promise.withResolvers<void>()
  const plugin: Plugin = {
    lookbehind: 0,
    maxBuffered: 100_000,
    timeoutMs: 60_000,
    apply(hooks) {
      let asked = false
      hooks.onChunk.tap('hold', (views) => {
        for (const view of views) {
          if (view.choice !== choice || asked || view.channel.startsWith('tool')) continue
          asked = true
          view.hold(0, go.promise)
        }
      })
    },
  }
  return { plugin, release: () => go.resolve() }
}
const turn = () => new Promise((resolve) => setImmediate(resolve))

describe('an untouched stream', () => {
  it('has the same payloads in the same order, each as soon as it came', async () => {
    const rig = await streamOf([looks])
    const said = chunks({ choices: [{ content: 'one two', reasoning: 'hm so' }, { content: 'un deux' }] })
    const spoken = said.filter(({ choices }) => !json(choices as object).includes('"stop"'))
    spoken.forEach((event, i) => {
      rig.say(event)
      // The first two only open an answer; they wait for something to say.
      if (i > 1) assert.deepEqual(rig.payloads, spoken.slice(0, i + 1).map(json))
    })
    rig.say(finish(0)).say(finish(1)).say('[DONE]')
    assert.deepEqual(rig.payloads.slice(0, -2), [...spoken, finish(0)].map(json))
  })

  it('is payload-identical behind any hold of a single text', async () => {
    const property = fc.asyncProperty(
      fc.array(fc.string({ minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 12 }),
      fc.nat({ max: 40 }),
      async (pieces, lookbehind) => {
        const rig = await streamOf([{ detect: () => {}, lookbehind }])
        for (const piece of pieces) rig.say(text(piece))
        rig.say(finish()).say('[DONE]')
        assert.deepEqual(
          rig.payloads.slice(0, -2),
          pieces.map((piece) => json(text(piece))),
        )
      },
    )
    await fc.assert(property, { numRuns: rounds(100) })
  })

  it('keeps an event with several texts whole where nothing is held', async () => {
    const both = delta({ role: 'assistant', content: 'a', reasoning_content: 'b' })
    const rig = await streamOf([looks])
    rig.say(both)
    assert.deepEqual(rig.payloads, [json(both)])
  })
})

describe('an event with several texts, one of them held', () => {
  it('is divided: no text waits for another, and nothing of it is lost', async () => {
    const rig = await streamOf([word('secret')])
    const event: Record<string, unknown> = {
      ...chunk([
        { index: 0, delta: { role: 'assistant', content: 'a sec', reasoning_content: 'free' }, finish_reason: null },
        { index: 1, delta: { content: 'also free' }, finish_reason: null },
      ]),
      usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 },
    }
    rig.say(event)
    assert.equal(rig.text('reasoning_content'), 'free')
    assert.equal(rig.text('content', 1), 'also free')
    assert.equal(rig.text(), '')
    rig.say(text('ond')).say(finish(0), finish(1), '[DONE]')
    assert.equal(rig.text(), 'a second')
    assert.equal(rig.chunks.filter(({ usage }) => usage).length, 1)
    for (const { id, object, created, model, choices } of rig.chunks) {
      assert.deepEqual([id, object, created, model], [event.id, event.object, event.created, event.model])
      for (const { index } of choices ?? []) assert.ok(index === 0 || index === 1)
    }
  })

  it('does not show in one part what was rewritten in another', async () => {
    const rig = await streamOf([word('secret')])
    rig.say({
      ...chunk([
        {
          index: 0,
          delta: { content: 'a sec', reasoning_content: 'free', note: { about: ['secret'] } },
          finish_reason: null,
          extra: 'a secret',
        },
      ]),
      provider: 'the secret one',
      citations: [{ title: 'secret', n: 1 }],
      model: 'a secret model',
    })
    rig.say(text('ond')).say(finish(), '[DONE]')
    assert.ok(!rig.response.body.includes('secret'), rig.response.body)
    assert.equal(rig.text(), 'a second')
    assert.equal(rig.text('reasoning_content'), 'free')
    const whole = rig.chunks.find(({ provider }) => provider !== undefined)
    assert.equal(whole?.provider, 'the [WORD] one')
    assert.deepEqual(whole?.citations, [{ title: '[WORD]', n: 1 }])
  })

  it('keeps the parts of a deep text together with their kind', async () => {
    const rig = await streamOf([word('secret')])
    const details = [
      { type: 'reasoning.text', text: 'a sec', index: 0, signature: 'x'.repeat(80) },
      { type: 'reasoning.text', text: 'free', index: 1 },
    ]
    rig.say(delta({ reasoning_details: details }))
    rig.say(delta({ reasoning_details: [{ type: 'reasoning.text', text: 'ret', index: 0 }] }))
    rig.say(finish(), '[DONE]')
    assert.ok(!/sec|ret"/.test(rig.response.body), rig.response.body)
    const parts = rig.chunks.flatMap(
      ({ choices }) =>
        (choices?.[0]?.delta?.reasoning_details ?? []) as {
          index: number
          type: string
          text?: string
          signature?: string
        }[],
    )
    const of = (n: number) =>
      parts
        .filter(({ index }) => index === n)
        .map(({ text: piece }) => piece ?? '')
        .join('')
    assert.deepEqual([of(0), of(1)], ['a [WORD]', 'free'])
    assert.ok(parts.every(({ type }) => type === 'reasoning.text'))
    assert.equal(parts.filter(({ signature }) => signature !== undefined).length, 1)
  })

  it('goes on with a tool call and its role in parts of their own', async () => {
    const { plugin, release } = hold(0)
    const rig = await streamOf([plugin])
    const call = { index: 0, id: 'call_1', type: 'function', function: { name: 'f', arguments: '{}' } }
    rig.say(delta({ role: 'assistant', content: 'text', tool_calls: [call] })).say(finish(0, 'tool_calls'), '[DONE]')
    assert.deepEqual(finishes(rig), [])
    release()
    await rig.over
    assert.equal(rig.text(), 'text')
    const calls = rig.chunks.flatMap(({ choices }) => (choices?.[0]?.delta?.tool_calls ?? []) as object[])
    assert.deepEqual(calls, [call])
    assert.deepEqual(finishes(rig), [0])
  })
})

describe('one choice', () => {
  it('is never delayed by the hold of another', async () => {
    const { plugin, release } = hold(0)
    const rig = await streamOf([plugin])
    rig
      .say(text('held', 0), text('free', 1))
      .say(text(' still', 0))
      .say(text(' here', 1))
      .say(finish(1))
      .say(text(' end', 0))
    assert.equal(rig.text('content', 1), 'free here')
    assert.equal(rig.text('content', 0), '')
    release()
    await turn()
    assert.equal(rig.text('content', 0), 'held still end')
    rig.say(finish(0), '[DONE]')
    assert.deepEqual(finishes(rig).sort(), [0, 1])
  })

  it('is not taken for finished because another finished in the same event', async () => {
    const rig = await streamOf([word('secret')])
    rig.say(
      chunk([
        { index: 0, delta: { content: 'x' }, finish_reason: 'stop' },
        { index: 1, delta: { content: 'a sec' }, finish_reason: null },
      ]),
    )
    rig.say(text('ret', 1)).say(finish(1), '[DONE]')
    assert.equal(rig.text('content', 1), 'a [WORD]')
    assert.ok(!rig.response.body.includes('sec'))
  })

  it('finishes only behind all of its texts', async () => {
    const { plugin, release } = hold(0)
    const rig = await streamOf([plugin])
    rig.say(text('held')).say(finish()).say('[DONE]')
    assert.equal(rig.response.body, '')
    release()
    await rig.over
    assert.deepEqual(rig.payloads.slice(0, 1), [json(text('held'))])
    assert.deepEqual(finishes(rig), [0])
    assert.ok(rig.done)
  })
})

describe('a long event', () => {
  it('gives its safe front when that is long, and its finish and usage only once, at the end', async () => {
    const first = Promise.withResolvers<void>()
    const second = Promise.withResolvers<void>()
    const plugin: Plugin = {
      lookbehind: 0,
      maxBuffered: 100_000,
      apply(hooks) {
        hooks.onChunk.tap('p', (views) => {
          for (const view of views) {
            if (view.offset > 0) continue
            view.hold(300, first.promise)
            view.hold(700, second.promise)
          }
        })
      },
    }
    const rig = await streamOf([plugin])
    const long = 'x'.repeat(1000)
    rig.say(
      { ...delta({ role: 'assistant', content: long }, 0, 'stop'), usage: { prompt_tokens: 1, completion_tokens: 2 } },
      '[DONE]',
    )
    assert.equal(rig.text().length, 300)
    first.resolve()
    await turn()
    assert.equal(rig.text().length, 700)
    assert.deepEqual(finishes(rig), [])
    second.resolve()
    await rig.over
    assert.equal(rig.text(), long)
    assert.deepEqual(finishes(rig), [0])
    assert.equal(rig.chunks.filter(({ usage }) => usage).length, 1)
  })

  it('waits as a whole when its safe front is short', async () => {
    const rig = await streamOf([{ lookbehind: 64, detect: () => {} }])
    rig.say(text('x'.repeat(300)))
    assert.equal(rig.response.body, '')
    rig.say(text('x'.repeat(64)))
    assert.equal(rig.chunks.length, 1)
    const other = await streamOf([{ lookbehind: 64, detect: () => {} }])
    other.say(text('x'.repeat(320)))
    assert.equal(other.text().length, 256)
  })

  it('five megabytes long goes through', async () => {
    const rig = await streamOf([word('secret')], { maxEvent: 32 * 1024 * 1024 })
    const long = `${'abcdefg '.repeat(700_000)}secret`
    rig.say(text(long)).say(finish(), '[DONE]')
    await rig.over
    assert.equal(rig.text().length, long.length)
    assert.ok(rig.text().endsWith('[WORD]'))
  })
})
