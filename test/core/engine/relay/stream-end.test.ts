import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { GatewayError } from '../../../../core/engine/contract/errors.ts'
import { chunk, chunks, delta } from '../../../../core/testing/provider.ts'
import { type Plugin, type StreamRig, streamOf, word } from '../../../helpers/core.ts'
import { finish, looks, text } from './deltas.ts'

const piece = (args: string, index = 0) => delta({ tool_calls: [{ index: 0, function: { arguments: args } }] }, index)
const call = (index = 0) =>
  delta({ tool_calls: [{ index: 0, id: 'call_1', type: 'function', function: { name: 'f', arguments: '' } }] }, index)

/** With no plugins, and with one that looks. */
const chains: [string, Plugin[]][] = [
  ['no plugins', []],
  ['a plugin that looks', [looks]],
]

for (const [name, plugins] of chains) {
  describe(`the end of a stream, ${name}`, () => {
    it('is whole with a finish and [DONE]', async () => {
      const rig = await streamOf(plugins)
      rig.say(...chunks('Hello there')).say('[DONE]')
      assert.equal(rig.text(), 'Hello there')
      assert.ok(rig.done)
      assert.equal(rig.x.reply.outcome, 'completed')
    })

    it('is whole with a finish and no [DONE], which is added', async () => {
      const rig = await streamOf(plugins)
      rig.say(...chunks('Hello there')).end()
      assert.ok(rig.done)
      assert.equal(rig.x.reply.outcome, 'completed')
    })

    it('never looks like success when the provider closes before the finish', async () => {
      const rig = await streamOf(plugins)
      rig.say(text('Hello ')).say(text('the')).end()
      const last = rig.chunks.at(-1)
      assert.equal(last?.error?.code, 'upstream_disconnected')
      assert.ok(!rig.done)
      assert.equal(rig.x.reply.outcome, 'upstream_failed')
    })

    it('never looks like success when one of two choices did not finish', async () => {
      const rig = await streamOf(plugins)
      rig.say(text('a', 0), text('b', 1)).say(finish(0)).end()
      assert.equal(rig.chunks.at(-1)?.error?.code, 'upstream_disconnected')
      assert.equal(rig.x.reply.outcome, 'upstream_failed')
    })

    it('never looks like success when the second choice began after the first had finished', async () => {
      const rig = await streamOf(plugins)
      rig.say(text('a', 0)).say(finish(0)).say(text('b', 1)).end()
      assert.equal(rig.chunks.at(-1)?.error?.code, 'upstream_disconnected')
    })

    it('is whole when a choice is spoken of once more after its finish', async () => {
      const rig = await streamOf(plugins)
      const filter = chunk([{ index: 0, finish_reason: null, content_filter_results: { hate: { filtered: false } } }])
      rig.say(text('a')).say(finish()).say(filter).end()
      assert.ok(rig.done)
      assert.equal(rig.x.reply.outcome, 'completed')
    })

    it('ignores what comes after [DONE], and a connection that breaks there', async () => {
      const rig = await streamOf(plugins)
      rig.say(text('a')).say(finish(), '[DONE]', text('more')).say(text('more'))
      assert.equal(rig.text(), 'a')
      assert.equal(rig.payloads.filter((payload) => payload === '[DONE]').length, 1)
    })

    it('tells of an event that is no JSON object', async () => {
      for (const bad of ['{"choices":', '[]', '"text"', 'null', `${'['.repeat(10)}`]) {
        const rig = await streamOf(plugins)
        rig.say(text('a')).feed(`data: ${bad}\n\n`)
        assert.equal(rig.chunks.at(-1)?.error?.code, 'upstream_invalid_response', bad)
        assert.ok(rig.source.aborted)
      }
    })

    it('passes over an event without data', async () => {
      const rig = await streamOf(plugins)
      rig.say(text('a')).feed('event: ping\ndata:\n\n').feed('data: \n\n').say(text('b')).say(finish(), '[DONE]')
      assert.equal(rig.text(), 'ab')
      assert.equal(rig.x.reply.outcome, 'completed')
    })

    it('survives events nested without end', async () => {
      const rig = await streamOf(plugins)
      const deep = `{"choices":[],"x":${'['.repeat(5000)}${']'.repeat(5000)}}`
      rig.say(text('a')).feed(`data: ${deep}\n\n`)
      if (plugins.length === 0) assert.equal(rig.payloads.at(-1), deep)
      else assert.equal(rig.chunks.at(-1)?.error?.code, 'upstream_invalid_response')
    })

    it('stops at an event larger than the limit', async () => {
      const rig = await streamOf(plugins, { maxEvent: 1000 })
      rig.say(text('a'))
      for (let i = 0; i < 20 && !rig.response.closed; i++) rig.feed(i === 0 ? 'data: {"x":"' : 'a'.repeat(100))
      assert.equal(rig.chunks.at(-1)?.error?.code, 'upstream_invalid_response')
      assert.ok(rig.source.aborted)
    })

    it('lets the provider finish when the client reads slowly', async () => {
      const rig = await streamOf(plugins)
      rig.response.keepsUp = false
      rig.say(text('a'))
      assert.ok(rig.source.paused, 'a client that does not read pauses the provider')
      rig.response.emit('drain')
      assert.ok(!rig.source.paused)
      rig.say(text('b'), finish(), '[DONE]')
      assert.ok(!rig.source.paused, 'what follows [DONE] is drained, so that the connection can be used again')
    })
  })
}

describe('a cut stream', () => {
  it('never releases a held tool call', async () => {
    const rig = await streamOf([looks])
    rig.say(call()).say(piece('{"a":1}')).end()
    assert.ok(!rig.response.body.includes('tool_calls'))
    assert.equal(rig.response.status, 502)
  })

  it('never releases the held tool call of one choice because another has finished', async () => {
    const rig = await streamOf([looks])
    rig.say(text('a', 0)).say(call(1)).say(piece('{"a":', 1)).say(finish(0)).end()
    assert.ok(!rig.response.body.includes('tool_calls'))
    assert.equal(rig.chunks.at(-1)?.error?.code, 'upstream_disconnected')
  })

  it('never releases held text', async () => {
    const rig = await streamOf([word('secret')])
    rig.say(text('Hello sec')).end()
    assert.equal(rig.response.status, 502)
    assert.ok(!rig.response.body.includes('Hello'))
    const error = JSON.parse(rig.response.body) as { error: { code: string } }
    assert.equal(error.error.code, 'upstream_disconnected')
  })

  it('never releases what was held when the provider reports an error', async () => {
    const rig = await streamOf([word('secret')])
    rig
      .say(text('Hello '))
      .say(text('a sec'))
      .say(call())
      .say({ error: { message: 'overloaded', type: 'x' } })
    rig.say('[DONE]')
    assert.ok(!rig.response.body.includes('sec'))
    assert.ok(!rig.response.body.includes('tool_calls'))
  })

  const bad: readonly [name: string, end: (rig: StreamRig) => void][] = [
    ['closes', (rig) => rig.end()],
    ['closes within an event', (rig) => rig.feed('data: {"choices":[{"ind').end()],
    ['sends no JSON', (rig) => rig.feed('data: {"choices":\n\n')],
    ['sends no object, and [DONE]', (rig) => rig.say('[]', '[DONE]').end()],
    ['finishes, and sends no object', (rig) => rig.say(finish(), '[]', '[DONE]').end()],
    ['sends a foreign choice', (rig) => rig.say(text('x', 77))],
    ['sends an event without end', (rig) => rig.feed(`data: {"x":"${'a'.repeat(2_000_000)}`)],
    ['nests without end', (rig) => rig.say(`{"choices":[],"x":${'['.repeat(5000)}${']'.repeat(5000)}}`)],
    ['reports an error, and [DONE]', (rig) => rig.say({ error: { message: 'overloaded', type: 'x' } }, '[DONE]')],
    ['reports an error by name', (rig) => rig.feed('event: error\ndata: {"message":"overloaded"}\n\n')],
    ['breaks off', (rig) => rig.reply.onError(new GatewayError('GW_UPSTREAM_DISCONNECTED', 'gone'))],
    ['takes too long', (rig) => rig.context.interrupt?.interrupt(new GatewayError('GW_UPSTREAM_TIMEOUT', 'late'))],
  ]
  for (const [name, end] of bad) {
    it(`never releases what was held when the provider ${name}`, async () => {
      for (const plugin of [word('secret'), { detect: () => {} }]) {
        const rig = await streamOf([plugin])
        rig.say(text(`Hello there. ${'x'.repeat(400)} `)).say(text('a sec'))
        end(rig)
        await rig.over
        assert.ok(!rig.response.body.includes('sec'))
        assert.ok(!rig.done)
        assert.equal(rig.x.reply.outcome, 'upstream_failed')
      }
    })
  }

  it('never releases what came in one read with an invalid event', async () => {
    const rig = await streamOf([word('secret')])
    rig.say(text('Hello ')).say(text('my sec'), delta({ refusal: 'no ' }), text('ret is'))
    await rig.over
    assert.equal(rig.text(), 'Hello ')
    assert.equal(rig.text('refusal'), '')
    assert.equal(rig.chunks.at(-1)?.error?.code, 'upstream_invalid_response')
  })

  it('drops the half event at its end', async () => {
    const rig = await streamOf([])
    rig.say(text('a')).feed('data: {"choices":[{"ind').end()
    assert.equal(rig.chunks.at(-1)?.error?.code, 'upstream_disconnected')
  })

  it('reads a last event without its blank line', async () => {
    const rig = await streamOf([])
    rig.say(text('a'), finish()).feed('data: [DONE]').end()
    assert.ok(rig.done)
    assert.equal(rig.x.reply.outcome, 'completed')
  })
})
