/** Much text of one event is inspected in turns, and nobody can tell from the reply. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { MAX_SHOWN } from '../../../../core/engine/text/stream-view.ts'
import { chunk, delta } from '../../../../core/testing/provider.ts'
import { type Plugin, streamOf, word } from '../../../helpers/core.ts'
import { finish } from './deltas.ts'

const at = (index: number, content: string) => chunk([{ index, delta: { content }, finish_reason: null }] as never)
const maxEvent = 32 * 1024 * 1024

/** Notes how much text each call shows. */
function looking(): { plugin: Plugin; shown: number[] } {
  const shown: number[] = []
  const plugin: Plugin = {
    apply: (hooks) =>
      hooks.onChunk.tap('looks', (views) => {
        shown.push(
          views
            .filter(({ reading }) => reading === undefined)
            .reduce((sum, { text, fresh }) => sum + text.length - fresh, 0),
        )
      }),
  }
  return { plugin, shown }
}

describe('a long text of one event', () => {
  for (const [name, unit] of [
    ['plain', 'abcdefg '],
    ['decomposed', 'e\u0301'],
    ['full of escapes', '\\n&#64;%41'],
    ['of emoji', '\u{1f600}\u{1f3fd}'],
    ['of encoded words', 'QmFzZTY0IGlzIG5vdCBhIHNlY3JldA '],
  ] as const) {
    it(`is offered in pieces and leaves as it came: ${name}`, async () => {
      const { plugin, shown } = looking()
      const rig = await streamOf([plugin], { maxEvent })
      const text = unit.repeat(400_000 / unit.length)
      rig.say(at(0, text)).say(finish(), '[DONE]')
      await rig.over
      assert.ok(rig.text() === text)
      assert.ok(rig.done)
      // Its last characters may wait for what comes behind them.
      assert.ok(rig.chunks.length <= 3)
      assert.ok(shown.length > 5, `${shown.length} calls`)
      assert.ok(Math.max(...shown) <= MAX_SHOWN + 2048, `${Math.max(...shown)} at once`)
    })
  }

  it('lets others go on in between', async () => {
    const rig = await streamOf([word('secret')], { maxEvent })
    let turns = 0
    const count = () => {
      turns++
      if (!rig.response.closed) setImmediate(count)
    }
    setImmediate(count)
    rig.say(at(0, 'a'.repeat(MAX_SHOWN * 10))).say(finish(), '[DONE]')
    await rig.over
    assert.ok(turns >= 9, `${turns} turns`)
  })

  it('is found in wherever a piece ends', async () => {
    for (let shift = -7; shift <= 1; shift++) {
      const rig = await streamOf([word('secret')], { maxEvent })
      const before = 'x'.repeat(MAX_SHOWN * 2 + shift)
      rig.say(at(0, `${before}secret and ${'y'.repeat(MAX_SHOWN)}`)).say(finish(), '[DONE]')
      await rig.over
      assert.equal(rig.text(), `${before}[WORD] and ${'y'.repeat(MAX_SHOWN)}`)
    }
  })

  it('is blocked before anything of it leaves', async () => {
    const rig = await streamOf([word('secret', 'block')], { maxEvent })
    rig.say(at(0, `${'x'.repeat(MAX_SHOWN * 3)}secret`)).say(finish(), '[DONE]')
    await rig.over
    assert.equal(rig.response.status, 403)
    assert.ok(rig.source.aborted)
  })

  it('stays in order with other texts, choices and reads', async () => {
    const rig = await streamOf([word('secret')], { maxEvent })
    const long = 'word '.repeat(20_000)
    rig.say(at(0, long), at(1, long), at(0, 'secret 1'), at(1, 'secret 2'))
    rig.say(at(0, long), finish(0), finish(1), '[DONE]').end()
    await rig.over
    assert.equal(rig.text('content', 0), `${long}[WORD] 1${long}`)
    assert.equal(rig.text('content', 1), `${long}[WORD] 2`)
    assert.ok(rig.done)
  })

  it('is looked at no further when the client leaves', async () => {
    const { plugin, shown } = looking()
    const rig = await streamOf([plugin], { maxEvent })
    rig.say(at(0, 'a'.repeat(MAX_SHOWN * 50)))
    rig.response.close()
    const calls = shown.length
    await rig.x.nextTurn()
    await rig.x.nextTurn()
    assert.equal(shown.length, calls)
    assert.equal(rig.x.reply.outcome, 'aborted')
  })

  it('stays held when the provider dies', async () => {
    const rig = await streamOf([{ detect: (view) => view.hold(view.text.length - 6), lookbehind: 0 }], { maxEvent })
    rig.say(at(0, `${'a'.repeat(MAX_SHOWN * 3)} the end`)).end()
    await rig.over
    assert.ok(rig.text().endsWith('a t'))
    assert.ok(!rig.done)
  })

  it('comes with calls of tools that are inspected once, at the end', async () => {
    const rig = await streamOf([word('secret')], { maxEvent })
    const call = { index: 0, id: 'call_1', type: 'function', function: { name: 'f', arguments: '{"a":"secret"}' } }
    rig.say(at(0, 'word '.repeat(20_000)), delta({ tool_calls: [call] }), delta({}, 0, 'tool_calls'), '[DONE]')
    await rig.over
    assert.match(rig.response.body, /\[WORD\]/)
    assert.doesNotMatch(rig.response.body, /secret/)
    assert.ok(rig.done)
  })
})

describe('many events that were held', () => {
  const call = (index: number, args: string, first = false) =>
    delta({
      tool_calls: [
        { index, ...(first && { id: `call_${index}`, type: 'function' }), function: { name: 'f', arguments: args } },
      ],
    })
  const said = { ...Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`member_${i}`, `a secret ${i}`])) }
  const json = JSON.stringify(said)
  const fragments = Array.from({ length: Math.ceil(json.length / 16) }, (_, i) =>
    call(0, json.slice(i * 16, i * 16 + 16), i === 0),
  )
  const argumentsOf = (chunks: readonly { choices?: { delta?: Record<string, unknown> }[] }[]) =>
    chunks
      .flatMap(({ choices }) => (choices?.[0]?.delta?.tool_calls ?? []) as { function: { arguments: string } }[])
      .map((part) => part.function.arguments)
      .join('')

  it('leave in turns, rewritten, and others go on in between', async () => {
    const rig = await streamOf([word('secret')], { maxEvent })
    rig.say(...fragments)
    rig.say(delta({}, 0, 'tool_calls'), '[DONE]').end()
    let turns = 0
    for (; !rig.response.closed; turns++) await new Promise(setImmediate)
    assert.ok(turns >= 5, `${turns} turns`)
    const expected = json.replaceAll('secret', '[WORD]')
    assert.ok(argumentsOf(rig.chunks) === expected)
    assert.ok(rig.done)
    assert.ok(rig.response.writes.length > 2, `${rig.response.writes.length} writes`)
    for (const write of rig.response.writes) assert.ok(write.endsWith('\n\n'))
  })

  it('stop leaving when the client is gone', async () => {
    const rig = await streamOf([word('secret')], { maxEvent })
    rig.say(...fragments)
    rig.say(delta({}, 0, 'tool_calls'), '[DONE]').end()
    while (rig.response.writes.length === 0) await new Promise(setImmediate)
    const { length } = rig.response.writes
    rig.response.close()
    for (let i = 0; i < 50; i++) await new Promise(setImmediate)
    assert.equal(rig.response.writes.length, length)
    assert.equal(rig.x.reply.outcome, 'aborted')
  })

  it('lose no text whose verdict comes in between', async () => {
    const judge = Promise.withResolvers<void>()
    const held: Plugin = {
      lookbehind: 0,
      maxBuffered: 1000,
      apply: (hooks) =>
        hooks.onChunk.tap('holds', (views) => {
          for (const view of views) if (view.text.startsWith('Wait')) view.hold(0, judge.promise)
        }),
    }
    const rig = await streamOf([held, word('secret')], { maxEvent })
    rig.say(delta({ content: 'Wait for it' }), ...fragments)
    rig.say(delta({}, 0, 'tool_calls'), '[DONE]').end()
    while (rig.response.writes.length === 0) await new Promise(setImmediate)
    assert.equal(rig.text(), '')
    judge.resolve()
    await rig.over
    assert.equal(rig.text(), 'Wait for it')
    assert.ok(argumentsOf(rig.chunks) === json.replaceAll('secret', '[WORD]'))
    assert.ok(rig.done)
  })
})
