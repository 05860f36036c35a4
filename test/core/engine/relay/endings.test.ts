import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { definePlugin, Stage } from 'governed-gateway'
import { apiError, chunks, startPlugin, stream, testPlugin } from 'governed-gateway/testing'
import { running, word } from '../../../helpers/core.ts'
import { asking, post } from '../../../helpers/gateway.ts'

const none = { type: 'object', properties: {}, additionalProperties: false } as const
const observing = definePlugin({ name: 'observing', schema: none, create: () => ({ detect() {} }) })
const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length

/** Waits for the turn of the event loop in which what was closed is gone. */
const turn = () => new Promise((resolve) => setImmediate(resolve))

describe('how an exchange ends', () => {
  it('leaves no timer behind when the client left', async (t) => {
    const gateway = await startPlugin(observing)
    t.after(() => gateway.close())
    await gateway.send('warm up', { stream: true })
    await turn()
    const before = timers()
    for (let i = 0; i < 5; i++) {
      const written = Promise.withResolvers<void>()
      const steps = [...chunks('Hello there').slice(0, 2), () => {}, () => written.resolve()]
      const reply = stream(steps, { end: 'hang', done: false })
      const { outcome } = await gateway.send('Hello', { stream: true, reply, leaveAfter: written.promise })
      assert.equal(outcome, 'aborted')
    }
    await gateway.provider.idle()
    await turn()
    assert.ok(timers() <= before, `${timers()} timers, ${before} before`)
  })

  it('tells what was found in a reply that was blocked', async () => {
    const blocking = definePlugin({
      name: 'blocking',
      schema: none,
      create: () => ({
        detect(view) {
          const start = view.text.indexOf('stop')
          if (start >= 0) view.report({ type: 'stop_word', start, end: start + 4, action: 'block' })
        },
      }),
    })
    const detections = { stop_word: 1 }
    await testPlugin(blocking, { reply: 'a stop b', expect: { outcome: 'blocked', detections } })
    const reply = { choices: [{ toolCalls: [{ name: 'halt', arguments: '{"why":"stop"}' }] }] }
    await testPlugin(blocking, { reply, expect: { outcome: 'blocked', detections } })
  })

  it('is `answered` when a plugin gave the reply, also as JSON', async () => {
    const body = Buffer.from('{"choices":[{"index":0,"message":{"role":"assistant","content":"known"}}]}')
    const answering = definePlugin({
      name: 'answering',
      schema: none,
      create: () => ({
        apply(hooks) {
          hooks.block.tap({ name: 'answering', stage: Stage.Final }, () => ({
            answer: { contentType: 'application/json', body },
          }))
        },
      }),
    })
    await testPlugin(answering, { variants: ['buffered'], expect: { outcome: 'answered', text: 'known' } })
  })

  it('is the failure of the provider when the provider refused', async () => {
    for (const status of [400, 404, 429, 500]) {
      const reply = apiError(status, { type: 'invalid_request_error' })
      const expect = { outcome: 'upstream_failed', events: ['upstream.failed'] } as const
      await testPlugin(observing, { reply, variants: ['buffered', 'streamed'], expect })
    }
  })

  for (const streamed of [false, true]) {
    it(`reads a provider's long error before it cuts it${streamed ? ', for a stream' : ''}`, async (t) => {
      const { gateway, provider } = await running(t, [word('secret')])
      provider.reply(apiError(400, { message: `${'.'.repeat(4093)}secret and more` }))
      const reply = await post(gateway, asking('Hello', { stream: streamed }))
      const { error } = (await reply.json()) as { error: { message: string } }
      assert.equal(error.message, `${'.'.repeat(4093)}[WO`)
    })
  }

  it('says the status where a provider wrote only what nobody sees', async (t) => {
    const { gateway, provider } = await running(t, [word('secret')])
    const message = String.fromCodePoint(...[...'secret'].map((letter) => 0xe0000 + letter.charCodeAt(0)))
    provider.reply(apiError(400, { message }), stream([{ error: { message, type: 'server_error' } }]))
    const buffered = (await (await post(gateway, asking('Hello'))).json()) as { error: { message: string } }
    assert.equal(buffered.error.message, 'The provider answered 400.')
    const text = await (await post(gateway, asking('Hello', { stream: true }))).text()
    assert.match(text, /"message":"The provider ended the stream with an error\."/)
  })
})
