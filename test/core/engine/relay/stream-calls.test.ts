import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { delta, every } from '../../../../core/testing/provider.ts'
import { type Plugin, type StreamRig, streamOf, word } from '../../../helpers/core.ts'
import { FAST } from '../../../helpers/rounds.ts'
import { costOf } from '../../../helpers/thread-time.ts'
import { finish, finishes, json, looks, text } from './deltas.ts'

describe('a tool call', () => {
  const head = (index = 0, choice = 0) =>
    delta(
      { tool_calls: [{ index, id: `call_${index}`, type: 'function', function: { name: 'send', arguments: '' } }] },
      choice,
    )
  const piece = (args: string, index = 0, choice = 0) =>
    delta({ tool_calls: [{ index, function: { arguments: args } }] }, choice)
  const argumentsOf = (rig: StreamRig, index = 0) =>
    rig.chunks
      .flatMap(
        ({ choices }) =>
          (choices?.[0]?.delta?.tool_calls ?? []) as { index: number; function?: { arguments?: string } }[],
      )
      .filter((call) => call.index === index)
      .map((call) => call.function?.arguments ?? '')
      .join('')

  it('is held whole until the end of the stream, and leaves as it came', async () => {
    const rig = await streamOf([looks])
    const said = [head(), ...every(3)('{"to":"Jo","n":1}').map((part) => piece(part))]
    for (const event of said) rig.say(event)
    assert.equal(rig.response.body, '')
    rig.say(finish(0, 'tool_calls'))
    assert.equal(rig.response.body, '', 'a finish alone does not say that no more of the call will come')
    rig.say('[DONE]')
    assert.deepEqual(rig.payloads.slice(0, said.length), said.map(json))
    assert.deepEqual(finishes(rig), [0])
  })

  it('is told as held while it grows, and no more once it is a view', async () => {
    const told: [views: number, characters: number, text: string | undefined][] = []
    const meter: Plugin = {
      apply: (hooks) =>
        hooks.onChunk.tap('meter', (views, { reply: { held } }) => {
          told.push([views.length, held?.characters ?? -1, held?.text()])
        }),
    }
    const rig = await streamOf([meter])
    rig.say(text('Hm.'))
    rig.say(head(), piece('{"to":'))
    rig.say(head(1), piece('{}', 1), piece('"Jo"}'))
    rig.say(finish(0, 'tool_calls')).say('[DONE]')
    assert.deepEqual(told.slice(0, 3), [
      [1, 0, ''],
      [0, 10, 'send\n{"to":'],
      [0, 21, 'send\n{"to":"Jo"}\nsend\n{}'],
    ])
    assert.deepEqual(told.at(-1)?.slice(1), [0, ''])
  })

  it('is inspected decoded, however it is cut', async () => {
    const args = JSON.stringify({ to: 'a "secret" \u00e9', list: ['x', { secret: 'y' }] })
    const spelled = args.replace('secret', '\\u0073ecret')
    for (const size of [1, 2, 5, 100]) {
      const rig = await streamOf([word('secret')])
      rig.say(head())
      for (const part of every(size)(spelled)) rig.say(piece(part))
      rig.say(finish(0, 'tool_calls'), '[DONE]')
      assert.deepEqual(JSON.parse(argumentsOf(rig)), { to: 'a "[WORD]" é', list: ['x', { '[WORD]': 'y' }] })
      assert.ok(!rig.response.body.includes('ecret'))
    }
  })

  it('keeps a redacted number valid', async () => {
    const card: Plugin = {
      detect(view) {
        if (view.text === '4111111111111111') view.report({ type: 'card', start: 0, end: 16, action: 'redact' })
      },
    }
    const rig = await streamOf([card])
    rig.say(head()).say(piece('{"n": 4111111111111111 }')).say(finish(), '[DONE]')
    assert.equal(argumentsOf(rig), '{"n": "[CARD]" }')
  })

  it('that is no JSON is one text, and is blocked when redacting would make something else of it', async () => {
    const rig = await streamOf([word('secret')])
    rig.say(head()).say(piece('{"a":"secret')).say(finish(0, 'length'), '[DONE]')
    assert.equal(argumentsOf(rig), '{"a":"[WORD]')
    const fixing: Plugin = {
      detect(view) {
        if (view.text === '{"a":1,}') view.report({ type: 'x', start: 6, end: 7, action: 'redact', replace: ' ' })
      },
    }
    const blocked = await streamOf([fixing])
    blocked.say(head()).say(piece('{"a":1,}')).say(finish(), '[DONE]')
    assert.equal(blocked.response.status, 403)
    const breaking: Plugin = {
      detect(view) {
        const at = view.text.indexOf('"b"')
        if (at >= 0 && view.text.startsWith('{')) view.report({ type: 'x', start: at, end: at + 1, action: 'redact' })
      },
    }
    const broken = await streamOf([breaking])
    broken.say(head()).say(piece('{"a":1,"a":"b"}')).say(finish(), '[DONE]')
    assert.equal(broken.response.status, 403, 'what a lenient client reads must not break')
  })

  it('name, custom input and function call are inspected likewise', async () => {
    const rig = await streamOf([word('secret')])
    rig.say(delta({ tool_calls: [{ index: 0, id: 'a', type: 'custom', custom: { name: 'the_sec', input: '' } }] }))
    rig.say(delta({ tool_calls: [{ index: 0, custom: { name: 'ret', input: 'echo sec' } }] }))
    rig.say(delta({ tool_calls: [{ index: 0, custom: { input: 'ret' } }] }))
    rig
      .say(delta({ function_call: { name: 'f', arguments: '{"a":"sec' } }))
      .say(delta({ function_call: { arguments: 'ret"}' } }))
    rig.say(finish(), '[DONE]')
    assert.ok(!/sec|ret"/.test(rig.response.body), rig.response.body)
    assert.ok(rig.response.body.includes('the_[WORD]'))
    assert.ok(rig.response.body.includes('echo [WORD]'))
  })

  it('in two choices leaves whole, whichever choice finishes first', async () => {
    const rig = await streamOf([looks])
    rig
      .say(head(0, 0))
      .say(head(0, 1))
      .say(piece('{}', 0, 1))
      .say(finish(1, 'tool_calls'))
    assert.equal(rig.response.body, '')
    rig.say(piece('{}', 0, 0)).say(finish(0, 'tool_calls'), '[DONE]')
    assert.equal(rig.payloads.filter((payload) => payload.includes('tool_calls":[')).length, 4)
  })

  it('does not hold back the text beside it', async () => {
    const rig = await streamOf([looks])
    rig.say(head()).say(text('meanwhile'))
    assert.equal(rig.text(), 'meanwhile')
  })

  it('longer than a megabyte is blocked', async () => {
    const rig = await streamOf([looks])
    rig.say(text('x')).say(head())
    const part = 'a'.repeat(1000)
    for (let i = 0; i < 1100 && !rig.response.closed; i++) rig.say(piece(part))
    assert.equal(rig.chunks.at(-1)?.error?.type, 'policy_block')
    assert.ok(rig.source.aborted)
  })

  it('of many fragments costs no more for each', { skip: FAST }, async () => {
    const rig = await streamOf([looks])
    rig.say(head())
    const cost = costOf(() => {
      for (let i = 0; i < 30_000; i++) rig.say(piece('"a",'))
      rig.say(finish(), '[DONE]')
    })
    assert.ok(cost < 8_000, `${cost} ms`)
    await rig.over
    assert.equal(argumentsOf(rig).length, 120_000)
  })
})
