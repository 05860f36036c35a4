import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { chunk, delta } from '../../../../core/testing/provider.ts'
import { streamOf } from '../../../helpers/core.ts'
import { finish, looks } from './deltas.ts'

const at = (index: unknown, content = 'x') => chunk([{ index, delta: { content }, finish_reason: null }] as never)

describe('the choices of a stream', () => {
  it('are those that were asked for, or the reply is no answer', async () => {
    for (const index of [1, 7, -1, 0.5, 1e9, '1', '00', 'a', {}, true]) {
      const rig = await streamOf([looks], { more: { n: 1 } })
      rig.say(at(0)).say(at(index))
      assert.equal(rig.chunks.at(-1)?.error?.code, 'upstream_invalid_response', JSON.stringify(index))
      assert.ok(rig.source.aborted)
    }
    const nameless = await streamOf([looks], { more: { n: 1 } })
    nameless.say(chunk([{ delta: { content: 'a' } }, { delta: { content: 'b' } }] as never))
    assert.equal(nameless.response.status, 502)
  })

  it('pass as they come with no plugins', async () => {
    const rig = await streamOf([], { more: { n: 1 } })
    rig.say(at(3)).say(finish(3), '[DONE]')
    assert.equal(rig.text('content', 3), 'x')
    assert.ok(rig.done)
  })

  it('may tell their index in digits, or none', async () => {
    const rig = await streamOf([looks], { more: { n: 2 } })
    rig.say(at('1'), at(null), at(undefined)).say(finish(0), finish(1), '[DONE]')
    assert.equal(rig.x.reply.outcome, 'completed')
  })
})

describe('what a stream holds', () => {
  const piece = (args: string, choice: number) =>
    delta({ tool_calls: [{ index: 0, function: { arguments: args } }] }, choice)

  it('is bounded over all of its choices', async () => {
    const rig = await streamOf([looks])
    rig.say(at(0))
    const part = 'a'.repeat(16_000)
    for (let i = 0; i < 80 && !rig.response.closed; i++) rig.say(piece(part, i % 8))
    assert.equal(rig.chunks.at(-1)?.error?.type, 'policy_block')
    assert.ok(rig.source.aborted)
  })

  it('is bounded in bytes that come with no text', async () => {
    const rig = await streamOf([{ detect: (view) => view.hold(0) }])
    rig.say(at(0))
    const padding = 'a'.repeat(900_000)
    for (let i = 0; i < 60 && !rig.response.closed; i++)
      rig.say({ ...chunk([{ index: 0, delta: {} }]), obfuscation: padding })
    await rig.over
    assert.ok(rig.source.aborted)
  })

  it('is bounded in texts', async () => {
    const named = (from: number, count: number) =>
      delta(Object.fromEntries(Array.from({ length: count }, (_, i) => [`field_${from + i}`, 'x'])))
    const rig = await streamOf([looks])
    // More of them at once would be looked at in turns.
    for (let i = 0; i < 4096; i += 64) rig.say(named(i, 64))
    assert.ok(!rig.response.closed)
    rig.say(named(4096, 1))
    assert.equal(rig.chunks.at(-1)?.error?.type, 'policy_block')
    assert.ok(rig.source.aborted)
  })

  it('counts empty fragments of calls', async () => {
    const rig = await streamOf([looks])
    rig.say(at(0))
    for (let i = 0; i < 9; i++) rig.say(piece('a'.repeat(100_000), 0))
    const empty = Array.from({ length: 2048 }, () => ({ index: 0, function: { arguments: '' } }))
    const most = Math.floor((1024 * 1024 - 900_000) / 2048)
    for (let i = 0; i < most; i++) rig.say(delta({ tool_calls: empty }))
    assert.ok(!rig.response.closed)
    rig.say(delta({ tool_calls: empty }))
    assert.equal(rig.chunks.at(-1)?.error?.type, 'policy_block')
    assert.ok(rig.source.aborted)
  })
})
