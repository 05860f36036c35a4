import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Plugin, type StreamRig, streamOf, word } from '../../../helpers/core.ts'
import { assertValid } from '../../../helpers/schemas.ts'
import { finish, text } from './deltas.ts'

const errorOf = (rig: StreamRig) => rig.chunks.at(-1)?.error as Record<string, unknown>
const httpError = (rig: StreamRig) => (JSON.parse(rig.response.body) as { error: Record<string, unknown> }).error

const chains: [string, Plugin[]][] = [
  ['no plugins', []],
  ['a plugin that redacts', [word('secret')]],
]

const failures: [string, object][] = [
  ['an error object', { error: { message: 'The model broke', type: 'server_error', code: 'overloaded', param: null } }],
  ['an error without type and code', { error: { message: 'The model broke' } }],
  ['an error as a string', { error: 'The model broke' }],
  [
    'an error beside choices',
    { error: { message: 'The model broke' }, choices: [{ index: 0, finish_reason: 'error' }] },
  ],
  ['an error with more inside', { error: { message: 'The model broke', metadata: { raw: 'secret' } } }],
]

for (const [name, plugins] of chains) {
  describe(`a provider that reports its failure, ${name}`, () => {
    for (const [kind, event] of failures) {
      it(`${kind}: becomes one error event, and nothing follows it`, async () => {
        const rig = await streamOf(plugins)
        rig.say(text('Hello ')).say(event).say(text('more'), finish()).end()
        assertValid('error-body', rig.chunks.at(-1))
        assert.match(String(errorOf(rig).message), /The model broke/)
        assert.ok(!('choices' in (rig.chunks.at(-1) as object)))
        assert.equal(rig.text(), 'Hello ')
        assert.ok(!rig.done)
        assert.equal(rig.x.reply.outcome, 'upstream_failed')
        if (plugins.length > 0) assert.ok(!rig.response.body.includes('secret'))
      })

      it(`${kind}: is an HTTP error when nothing was sent yet`, async () => {
        const rig = await streamOf(plugins)
        rig.say(event)
        assert.equal(rig.response.status, 502)
        assert.match(String(httpError(rig).message), /The model broke/)
      })
    }

    it('an error without words gets some', async () => {
      for (const error of [{}, { message: '' }, 7, [], { message: 7 }, true]) {
        const rig = await streamOf(plugins)
        rig.say(text('a')).say({ error })
        assertValid('error-body', rig.chunks.at(-1))
        assert.ok(errorOf(rig).message)
        const early = await streamOf(plugins)
        early.say({ error })
        assert.equal(early.response.status, 502)
        assert.ok(httpError(early).message)
      }
    })

    it('`error: null` beside choices is no failure', async () => {
      const rig = await streamOf(plugins)
      rig.say({ ...text('a'), error: null }).say(finish(), '[DONE]')
      assert.equal(rig.x.reply.outcome, 'completed')
    })
  })
}

describe('the words of a provider that failed', () => {
  const event = { error: { message: 'No secret here', type: 'a secret type', code: 'x', param: 'messages[0].content' } }

  it('are output: a redaction applies before the first byte and after', async () => {
    const early = await streamOf([word('secret')])
    early.say(event)
    assert.equal(httpError(early).message, 'No [WORD] here')
    assert.ok(!early.response.body.includes('secret'))
    const late = await streamOf([word('secret')])
    late.say(text('a')).say(event)
    assert.equal(errorOf(late).message, 'No [WORD] here')
    assert.equal(errorOf(late).param, 'messages[0].content')
    assert.ok(!late.response.body.includes('secret'))
  })

  it('are output: names with findings are left out', async () => {
    const error = { message: 'No', type: 'a_secret_type', code: 'secret_code', param: 'messages.secret' }
    const early = await streamOf([word('secret')])
    early.say({ error })
    const late = await streamOf([word('secret')])
    late.say(text('a')).say({ error })
    for (const rig of [early, late]) {
      assert.ok(!rig.response.body.includes('secret'))
    }
    assert.equal(httpError(early).code, 'upstream_error')
    assert.equal(errorOf(late).code, 'upstream_error')
    assert.equal(errorOf(late).param, null)
  })

  it('are output: a block applies', async () => {
    const early = await streamOf([word('secret', 'block')])
    early.say(event)
    assert.equal(early.response.status, 403)
    const late = await streamOf([word('secret', 'block')])
    late.say(text('a')).say(event)
    assert.equal(errorOf(late).type, 'policy_block')
    assert.ok(!late.response.body.includes('secret'))
  })

  it('have the channel `error`', async () => {
    const seen: [string, string][] = []
    const look: Plugin = { detect: (view) => void seen.push([view.channel, view.text]) }
    const early = await streamOf([look])
    early.say(event)
    const late = await streamOf([look])
    late.say(text('a')).say(event)
    assert.deepEqual(
      seen.filter(([, words]) => words === 'No secret here').map(([channel]) => channel),
      ['error', 'error'],
    )
  })
})

describe('a block in mid-stream', () => {
  it('drops held text, stops the provider, and says why in one event', async () => {
    const rig = await streamOf([word('secret', 'block')])
    rig.say(text('Hello ')).say(text('a sec'))
    rig.say(text('ret plan'))
    const error = errorOf(rig)
    assert.equal(error.type, 'policy_block')
    assert.equal(error.code, 'permission_denied')
    assert.equal(error.classification, 'PUBLIC')
    assert.ok(error.message && error.reason && error.request_id)
    assert.equal(rig.chunks.at(-1)?.service?.blocked, true)
    assert.ok(rig.done)
    assert.ok(rig.source.aborted)
    assert.ok(!rig.response.body.includes('sec'))
    assert.equal(rig.events.at(-1)?.type, 'response.blocked')
  })

  it('is a real 403 while nothing has left', async () => {
    const rig = await streamOf([word('secret', 'block')])
    rig.say(text('sec')).say(text('ret'))
    assert.equal(rig.response.status, 403)
    assert.equal(httpError(rig).type, 'policy_block')
    assert.ok(rig.source.aborted)
  })

  it('can be told as a finish reason, for every choice that has none yet', async () => {
    const rig = await streamOf([word('secret', 'block')], { blockSignal: 'finish_reason' })
    rig.say(text('a', 0), text('b', 1), text('c', 2)).say(finish(0)).say(finish(1)).say(text('secret', 2))
    const finishes = rig.chunks.flatMap(({ choices }) => choices ?? []).filter((choice) => choice.finish_reason)
    assert.deepEqual(finishes.map(({ index, finish_reason }) => [index, finish_reason]).sort(), [
      [0, 'stop'],
      [1, 'content_filter'],
      [2, 'content_filter'],
    ])
    assert.equal(rig.chunks.at(-1)?.service?.blocked, true)
    assert.ok(rig.done)
    for (const { error } of rig.chunks) assert.equal(error, undefined)
    for (const { service: _service, ...one } of rig.chunks) assertValid('chat-completion-chunk', one)
  })

  it('tells the role of a choice of which nothing has left', async () => {
    const rig = await streamOf([word('secret', 'block')], { blockSignal: 'finish_reason' })
    const begins = (content: string, index: number) => ({
      choices: [{ index, delta: { role: 'assistant', content }, finish_reason: null }],
    })
    rig.say(begins('fine', 1)).say(begins('secret', 0))
    const roles = rig.chunks.flatMap(({ choices }) => choices ?? []).filter(({ delta }) => delta?.role !== undefined)
    assert.deepEqual(roles.map(({ index, finish_reason }) => [index, finish_reason]).sort(), [
      [0, 'content_filter'],
      [1, null],
    ])
  })

  it('counts what was found in text that never left', async () => {
    const rig = await streamOf([word('secret', 'block')])
    rig.say(text('Hello ')).say(text('secret'))
    assert.deepEqual(rig.chunks.at(-1)?.service?.detections, [
      { type: 'word', count: 1, action: 'block', direction: 'output' },
    ])
  })
})
